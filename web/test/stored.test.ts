/** What a browser has kept is taken as far as it fits, and nothing of it breaks a page. */
import { expect, it } from 'vitest'
import { fitting } from '../src/lib/stored'

const usual = {
  lang: 'en' as 'en' | 'fr',
  level: 0,
  muted: [] as string[],
  lessons: {} as Record<string, number>,
  puzzles: { tried: {}, row: 0 },
}
const only = { lang: ['en', 'fr'] as const }

it.each([null, 'x', 3, [], undefined])('is as usual after %j', (kept) => {
  expect(fitting(usual, kept, only)).toEqual(usual)
})

it('keeps what fits', () => {
  const kept = { lang: 'fr', level: 4, muted: ['a'], lessons: { claim: 2 }, puzzles: { row: 3 } }
  expect(fitting(usual, kept, only)).toEqual({ ...kept, puzzles: { tried: {}, row: 3 } })
})

it('leaves what does not', () => {
  const kept = { lang: 'de', level: '4', muted: {}, lessons: null, puzzles: null, other: 1 }
  expect(fitting(usual, kept, only)).toEqual(usual)
  expect(fitting(usual, { puzzles: { tried: null, row: null } }, only)).toEqual(usual)
})
