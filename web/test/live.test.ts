import { describe, expect, it } from 'vitest'
import { frames } from '../src/lib/frames'
import { apply, myTurn, nothing } from '../src/lib/live'
import type { PlayedMessage, StateMessage, Table, View } from '../src/lib/protocol'

const view: View = {
  game: 'claim',
  seats: 2,
  options: {},
  to_act: 0,
  decision: 'play',
  seat: 0,
  legal: ['K7', 'G0'],
  places: { 'hand.0': ['G0', 'K7'], 'hand.1': [{ card: null }], prize: ['U3'] },
  facts: { phase: 1, trick: 1, leader: 0 },
}
const state: StateMessage = {
  type: 'state',
  table: 't',
  turn: 3,
  now: 10,
  view,
  labels: { K7: 'Play Knight 7' },
  events: [{ n: 0, type: 'move' }],
  complete: true,
  clocks: null,
  result: null,
}
const played: PlayedMessage = {
  type: 'played',
  table: 't',
  turn: 4,
  seat: 0,
  kind: 'play',
  now: 20,
  events: [{ n: 1, type: 'move', rule: 'claim.lead', card: 'K7', from: 'hand.0', to: 'trick.0' }],
  change: { to_act: 1, decision: 'play', places: { 'hand.0': ['G0'], 'trick.0': ['K7'] } },
}

describe('live state', () => {
  it('takes a state whole', () => {
    const live = apply(nothing, state)
    expect(live.turn).toBe(3)
    expect(myTurn(live)).toBe(true)
  })
  it('applies a step: places that changed, no stale legal moves, facts kept', () => {
    const live = apply(apply(nothing, state), played)
    expect(live.view?.places['hand.0']).toEqual(['G0'])
    expect(live.view?.places['prize']).toEqual(['U3'])
    expect(live.view?.facts['trick']).toBe(1)
    expect(live.view?.legal).toBeUndefined()
    expect(live.log.map((event) => event.n)).toEqual([0, 1])
  })
  it('knows for how long somebody has been away until nobody is', () => {
    const table = { id: 't', seats: [] } as unknown as Table
    const live = apply(nothing, { type: 'table', table, away: [0, 12.5] })
    expect(live.away).toEqual([0, 12.5])
    expect(apply(live, { type: 'table', table }).away).toEqual([])
  })
  it('lets the clock run on when somebody comes, goes or offers something', () => {
    const clocks = { left: [60_000, 60_000], running: 0 }
    const live = apply(nothing, { ...state, clocks })
    const table = { id: 't', seats: [], draw_offer: 1 } as unknown as Table
    expect(apply(live, { type: 'table', table }).clocks).toBe(clocks)
    expect(apply(live, played).clocks).toBe(clocks)
  })
  it('ignores what it has and notices what it missed', () => {
    const live = apply(nothing, state)
    expect(apply(live, { ...played, turn: 3 })).toBe(live)
    expect(apply(live, { ...played, turn: 5 }).lost).toBe(true)
  })
  it('forgets the log when something was taken back', () => {
    const live = apply(apply(nothing, state), { ...state, turn: 5, complete: false, events: [] })
    expect(live.log).toEqual([])
  })
})

describe('frames', () => {
  it('shows what was laid before it is taken away, and ends with the truth', () => {
    const after: View = { ...view, places: { 'hand.0': ['G0'], 'score.0': ['K7', 'U1'] } }
    const all = frames(
      view,
      [
        { n: 1, type: 'move', rule: 'claim.follow', card: 'U1', from: 'hand.1', to: 'trick.1' },
        { n: 2, type: 'trick', seat: 0, text: 'You win the trick.' },
        { n: 3, type: 'move', rule: 'claim.undead', card: 'U1', from: 'trick.1', to: 'score.0' },
      ],
      after,
    )
    expect(all).toHaveLength(3)
    expect(all[0]!.view.places['trick.1']).toEqual(['U1'])
    expect(all[0]!.view.places['hand.1']).toEqual([])
    expect(all[0]!.view.legal).toBeUndefined()
    expect(all[2]!.view).toBe(after)
  })
  it('lets cards of one rule travel together', () => {
    const move = { type: 'move', rule: 'x.deal', card: null, from: 'deck', to: 'hand.1' }
    expect(
      frames(
        view,
        [
          { n: 1, ...move },
          { n: 2, ...move },
        ],
        view,
      ),
    ).toHaveLength(1)
  })
})
