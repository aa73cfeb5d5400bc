/** Why somebody has won a match of Lords of Scotland, in a sentence. */
import { beforeEach, expect, it, vi } from 'vitest'
import type { Board } from '../src/lib/board.svelte'
import { why } from '../src/games/lords/why'

const settings = vi.hoisted(() => ({ lang: 'en' as 'en' | 'fr' }))
vi.mock('../src/lib/settings.svelte', () => ({ settings }))

const NAMES = ['Ailsa', 'Blair', 'Callum']
const after = (score: number[], order: number[]) => ({
  name: (seat?: number | null) => NAMES[seat ?? 0]!,
  tally: ((key: string) => ({ score })[key]) as Board['tally'],
  fact: ((key: string) => ({ order })[key]) as Board['fact'],
  view: { options: { target: 10 } } as unknown as Board['view'],
})
beforeEach(() => (settings.lang = 'en'))

it('is by strength', () => {
  expect(why(after([3, 11, 5], [0, 2, 1]), 1)).toBe(
    'Blair has the most strength, 11; the match ends once somebody has 10.',
  )
})

it('is by the last skirmish among equals', () => {
  const ended = after([10, 2, 10], [1, 2, 0])
  expect(why(ended, 2)).toBe(
    "Ailsa and Callum have the same strength (10); Callum's army ranked higher in the last skirmish.",
  )
  settings.lang = 'fr'
  expect(why(ended, 2)).toMatch(/^Ailsa et Callum ont la même force \(10\).; Callum l'emporte/)
})

it('is shared where none of the equals had an army then', () => {
  const ended = after([10, 2, 10], [1])
  expect(why(ended, 0)).toBe(
    'Ailsa and Callum have the same strength (10) and had no army in the last skirmish: they share the throne.',
  )
  settings.lang = 'fr'
  expect(why(ended, 0)).toMatch(/ils se partagent le trône\.$/)
})
