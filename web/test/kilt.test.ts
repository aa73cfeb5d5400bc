/** Why somebody has won a match of King's Kilt, in a sentence. */
import { beforeEach, expect, it, vi } from 'vitest'
import type { Board } from '../src/lib/board.svelte'
import { why } from '../src/games/kilt/why'

const settings = vi.hoisted(() => ({ lang: 'en' as 'en' | 'fr' }))
vi.mock('../src/lib/settings.svelte', () => ({ settings }))

const NAMES = ['Ailsa', 'Blair', 'Callum']
const after = (points: number[], influence: number[]) => ({
  name: (seat?: number | null) => NAMES[seat ?? 0]!,
  tally: ((key: string) => ({ points, influence })[key]) as Board['tally'],
})
beforeEach(() => (settings.lang = 'en'))

it('is by points', () => {
  expect(why(after([3, 7, 5], [0, 0, 4]), 1)).toBe('Blair has the most points: 7.')
})

it('is by influence cards among equals', () => {
  const ended = after([6, 2, 6], [1, 5, 3])
  expect(why(ended, 2)).toBe(
    'Ailsa and Callum have the same number of points (6); Callum has more influence cards left (3) and takes the throne.',
  )
  settings.lang = 'fr'
  expect(why(ended, 2)).toMatch(
    /^Ailsa et Callum ont le même nombre de points \(6\).; il reste à Callum plus de/,
  )
})

it('is shared where both are equal', () => {
  expect(why(after([6, 6, 6], [3, 0, 3]), 0)).toBe(
    'Ailsa and Callum have the same number of points (6) and of influence cards left (3): they share the throne.',
  )
})
