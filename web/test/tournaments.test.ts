import { expect, it } from 'vitest'
import type { Meeting } from '../src/lib/protocol'
import { outlook } from '../src/lib/tournaments'

const board = (players: number[], ranks: number[] | null): Meeting => ({
  status: ranks ? 'over' : 'playing',
  players,
  ranks,
  absent: [],
  tables: [],
})
const you = (number: number, here = true, removed = false) => ({
  number,
  here,
  table: null,
  due: null,
  left: false,
  removed,
})

it('tells who will be called again from who will not', () => {
  const cup = {
    system: 'knockout' as const,
    round: 1,
    rounds: 2,
    boards: [[board([1], [1]), board([2, 3], [2, 1]), board([4, 5], null)]],
  }
  const all = [1, 2, 3, 4].map((number) => outlook({ ...cup, you: you(number) }))
  expect(all).toEqual(['waits', 'out', 'waits', 'waits'])
  expect(outlook({ ...cup, you: you(1, false) })).toBe('away')
  expect(outlook({ ...cup, you: you(1, false, true) })).toBe('removed')
  expect(outlook({ ...cup, system: 'swiss', you: you(2) })).toBe('waits')
  expect(outlook({ ...cup, system: 'swiss', round: 2, you: you(2) })).toBe('done')
})
