import { describe, expect, it, vi } from 'vitest'
import { asks, offersAt, OwnOffers } from '../src/lib/offers'
import type { ServerMessage, Table } from '../src/lib/protocol'

vi.mock('../src/lib/settings.svelte', () => ({ settings: { lang: 'en' } }))

const table = (draw: number | null, undo: number | null = null) =>
  ({
    status: 'playing',
    seats: [{ bot_plays: false }, { bot_plays: false }, { bot_plays: true }],
    draw_offer: draw,
    undo_offer: undo === null ? null : { seat: undo, revealed: false, agreed: [2] },
  }) as unknown as Table

const told = { type: 'table' } as ServerMessage
const played = (seat: number) => ({ type: 'played', seat }) as ServerMessage

describe('an offer', () => {
  it('asks all who have not said yes yet', () => {
    const [offer] = offersAt(table(null, 0))
    expect([null, 0, 1, 2].map((seat) => asks(offer!, seat))).toEqual([false, false, true, false])
  })

  const ends = (verb: 'draw' | 'undo', then: (own: OwnOffers, open: Table) => void) => {
    const open = verb === 'draw' ? table(0) : table(null, 0)
    const own = new OwnOffers()
    own.asked(verb, 'offer')
    expect(own.hear(told, table(null), open, 0)).toBe('')
    then(own, open)
    return own.hear(told, open, table(null), 0)
  }

  it('that is declined is told of to who made it', () => {
    expect(ends('draw', () => undefined)).toContain('draw was declined')
    expect(ends('undo', () => undefined)).toContain('your last choice stands')
    expect(ends('draw', (own, open) => own.hear(played(0), open, open, 0))).toContain('declined')
    expect(ends('undo', (own, open) => own.hear(played(2), open, open, 0))).toContain('declined')
  })

  it('that is withdrawn, granted or overtaken by a choice was not declined', () => {
    for (const verb of ['draw', 'undo'] as const) {
      expect(ends(verb, (own) => own.asked(verb, 'decline'))).toBe('')
      expect(ends(verb, (own, open) => own.hear(played(1), open, open, 0))).toBe('')
    }
    const state = { type: 'state' } as ServerMessage
    expect(ends('undo', (own, open) => own.hear(state, open, open, 0))).toBe('')
    expect(ends('undo', (own, open) => own.hear(played(0), open, open, 0))).toBe('')
  })
})
