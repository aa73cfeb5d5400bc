/** Why somebody has won a match of Schotten Totten, in a sentence. */
import { beforeEach, expect, it, vi } from 'vitest'
import { why } from '../src/games/schotten/why'
import type { Board } from '../src/lib/board.svelte'

const settings = vi.hoisted(() => ({ lang: 'en' as 'en' | 'fr' }))
vi.mock('../src/lib/settings.svelte', () => ({ settings }))

const after = (claims: object) => ({
  name: () => 'Ailsa',
  tally: (() => [claims]) as Board['tally'],
})
beforeEach(() => (settings.lang = 'en'))

it('is three stones in a row', () => {
  const ended = after({ adjacent: [4, 5, 6], stones: 3, won_by: 'adjacent' })
  expect(why(ended, 0)).toBe('Ailsa holds 3 stones in a row, 4 to 6.')
})

it('is more of them where the last one joins others', () => {
  const ended = after({ adjacent: [2, 3, 4, 5], stones: 4, won_by: 'adjacent' })
  expect(why(ended, 0)).toBe('Ailsa holds 4 stones in a row, 2 to 5.')
  settings.lang = 'fr'
  expect(why(ended, 0)).toMatch(/^Ailsa a 4 bornes adjacentes, de.2 à.5\.$/)
})

it('is five stones', () => {
  expect(why(after({ adjacent: [], stones: 5, won_by: 'stones' }), 0)).toBe('Ailsa holds 5 stones.')
})

it('is the most of them where nobody can go on', () => {
  const ended = after({ adjacent: [], stones: 4, won_by: null })
  expect(why(ended, 0)).toBe('Nobody can go on: whoever holds the most stones wins.')
  settings.lang = 'fr'
  expect(why(ended, 0)).toMatch(/^Plus personne ne peut continuer.: qui a le plus de bornes gagne/)
})
