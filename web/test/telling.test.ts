import { expect, test, vi } from 'vitest'
import type { GameTable } from '../src/lib/board.svelte'
import { caption, news, since, traces, turns, unclaimed } from '../src/lib/telling'
import type { GameEvent } from '../src/lib/protocol'

const event = (n: number, by: number | null, text: string, rule = ''): GameEvent => ({
  n,
  type: 'move',
  by,
  text,
  rule,
})
const log = [
  event(0, null, 'The deal.'),
  event(1, 0, 'Ailsa leads.'),
  event(2, 1, 'Effie answers.'),
  event(3, 1, 'Effie draws.', 'x.draw'),
  event(4, 1, ''),
  event(5, 2, 'Bruce climbs.'),
]
const aside = (found: GameEvent) => found.rule === 'x.draw'
const name = (seat: number) => ['Ailsa', 'Effie', 'Logan'][seat]!

test('a log is told in turns, the newest first, without what is not worth a line', () => {
  expect(turns(log).map((turn) => [turn.by, turn.events.map((found) => found.n)])).toEqual([
    [2, [5]],
    [1, [2, 3]],
    [0, [1]],
    [null, [0]],
  ])
})

test('what is new is what others did since our last choice', () => {
  expect(since(log, 0).map((found) => found.n)).toEqual([2, 3, 4, 5])
  expect(since(log, 2)).toEqual([])
  expect(since(log, null).map((found) => found.n)).toEqual([5])
})

test('a caption names who acted and leaves out what goes without saying', () => {
  expect(caption(since(log, 0), aside, name)).toEqual(['Effie answers.', 'Logan – Bruce climbs.'])
  expect(caption([log[3]!], aside, name)).toEqual(['Effie draws.'])
})

test('a caption says nothing twice, and leaves several of a kind to the log', () => {
  const draws = [1, 2, 3].map((n) => event(n, 1, 'Effie draws a card.'))
  expect(caption([event(0, 1, 'Effie plays the Scout.'), ...draws], aside, name)).toEqual([
    'Effie plays the Scout. Effie draws a card (×3).',
  ])
  const shown = (n: number, turn = 0) => ({ ...event(n, 1, `Ally ${n}.`), type: 'reveal', turn })
  const won = event(5, 1, 'The skirmish goes to Logan.')
  expect(caption([shown(1), shown(2), won], aside, name)).toEqual([
    'Effie – The skirmish goes to Logan.',
  ])
  expect(caption([shown(1), shown(2, 1), won], aside, name)[0]).toContain('Ally 1. Ally 2.')
})

test('a choice that was made for us is news, with what went before it', () => {
  const told = [
    { ...event(0, 0, 'Ailsa answers.'), turn: 1 },
    { ...event(1, 1, 'Effie leads.'), turn: 2 },
    { ...event(2, 0, 'Ailsa answers again.'), turn: 3 },
    { ...event(3, 0, 'Effie wins the trick.'), turn: 3 },
  ]
  expect(news(told, 0, aside, name)).toEqual(['Effie wins the trick.'])
  expect(news(told, 0, aside, name, [2, 3])).toEqual([
    'Effie leads.',
    'Ailsa answers again. Effie wins the trick.',
  ])
})

test('what came of our own choice is told before what others did', () => {
  const told: GameEvent[] = [
    { ...event(0, 0, 'Ailsa answers.'), turn: 1 },
    { ...event(1, 0, 'Effie wins the trick.'), turn: 1 },
    { ...event(2, 0, 'Ailsa draws.', 'x.draw'), turn: 1 },
    { ...event(3, 1, 'Effie leads.'), turn: 2 },
  ]
  expect(news(told, 0, aside, name)).toEqual(['Effie wins the trick.', 'Effie leads.'])
  expect(news(told.slice(0, 3), 0, aside, name)).toEqual(['Effie wins the trick.'])
  expect(news(told, 1, aside, name)).toEqual([])
})

test('what begins anew is nobody’s doing, and ends with the next choice', () => {
  const round = { ...event(1, 1, 'Round 2.'), type: 'round', turn: 4 }
  const told = [
    { ...event(0, 1, 'Effie recruits.'), turn: 4 },
    round,
    { ...event(2, 1, 'Ailsa turns up a recruit.'), turn: 4 },
    { ...event(3, 1, 'Effie engages.'), turn: 5 },
  ]
  expect(unclaimed(told, ['round']).map(({ by }) => by)).toEqual([1, null, null, 1])
  expect(unclaimed(told)).toEqual(told)
  expect(since(unclaimed(told.slice(0, 3), ['round']), null).map(({ n }) => n)).toEqual([0, 1, 2])
})

test('what goes without saying is not marked on the table, unless the game wants it', () => {
  vi.stubGlobal('CSS', { escape: (text: string) => text })
  const root = { querySelectorAll: (selector: string) => [selector] } as unknown as Element
  const flipped: GameEvent = {
    ...event(6, null, 'A recruit.', 'x.draw'),
    type: 'flip',
    card: 'WE4',
  }
  const marked = (game: Partial<GameTable>) =>
    traces(root, [flipped], { game: game as GameTable, isAside: aside })
  expect(marked({})).toEqual([])
  expect(marked({ marks: ['flip'] })).toEqual(['.open [data-card="WE4"]'])
  vi.unstubAllGlobals()
})
