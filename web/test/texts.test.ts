/** What the client says, in both languages: whole sentences, without codes, set as each language wants it. */
import { describe, expect, it, vi } from 'vitest'

const settings = vi.hoisted(() => ({ lang: 'en' as 'en' | 'fr' }))
vi.mock('../src/lib/settings.svelte', () => ({ settings }))

type Module = Record<string, unknown>
const areas: Record<string, Module> = {
  ...import.meta.glob<Module>('../src/texts/*.ts', { eager: true }),
  ...import.meta.glob<Module>('../src/games/*/texts.ts', { eager: true }),
}

/** What texts with gaps are filled with: numbers of every kind, names, lists. */
const FILLINGS = [0, 1, 2, 'Ailsa', [2, 4], [['Ailsa', 2]]].map((one) =>
  Array.from({ length: 6 }, () => one),
)
const UNFIT = /undefined|NaN|\[object|=>/

function* strings(found: unknown, key: string): Generator<[string, string]> {
  if (typeof found === 'string') yield [key, found]
  else if (typeof found === 'function')
    yield* filled(found as (...given: unknown[]) => unknown, key)
  else if (found && typeof found === 'object')
    for (const [name, part] of Object.entries(found)) yield* strings(part, `${key}.${name}`)
}

/** With every filling that a text can be filled with. */
function* filled(text: (...given: unknown[]) => unknown, key: string): Generator<[string, string]> {
  for (const filling of FILLINGS) {
    try {
      const all = [...strings(text(...filling), key)]
      yield* all.filter(([, said]) => !UNFIT.test(said))
    } catch {
      // it takes something else
    }
  }
}

function saidIn(lang: 'en' | 'fr'): [string, string][] {
  settings.lang = lang
  return Object.entries(areas)
    .filter(([path]) => !path.endsWith(lang === 'fr' ? '/en.ts' : '/fr.ts'))
    .flatMap(([path, area]) => [...strings(area, path.replace('../src/', ''))])
}

const NEVER: [string, RegExp][] = [
  ['a plural in brackets', /\((s|e|es)\)/],
  ['the id of a rule', /\b(claim|kilt|schotten|lords|common)\.[a-z]/],
  ['the number of a seat', /\b(seat|siège) \d|\bplace \d(?!.* (of|sur) )/i],
  ['two spaces', / {2}/],
  ['an apostrophe other than everywhere else', /’/],
]
const NEVER_IN_FRENCH: [string, RegExp][] = [
  ['a space that breaks before a sign', / [:;!?»]|« /],
  ['no space before a sign', /[\p{L}\d)][;!?»]|\p{L}:(\s|$)/u],
]

describe.each(['en', 'fr'] as const)('texts of the client, %s', (lang) => {
  const all = saidIn(lang)
  it('are many', () => expect(all.length).toBeGreaterThan(400))
  it.each(lang === 'fr' ? [...NEVER, ...NEVER_IN_FRENCH] : NEVER)('hold never %s', (_, wrong) => {
    const found = all.filter(([, text]) => wrong.test(text))
    expect(new Set(found.map(([key, text]) => `${key}: ${text}`))).toEqual(new Set())
  })
})

it('says one thing in the singular', async () => {
  for (const lang of ['en', 'fr'] as const) {
    const { texts } = await import('../src/games/lords/texts')
    settings.lang = lang
    expect(texts().target(1)).not.toMatch(/points/)
  }
})

it('counts as French does: none is singular', async () => {
  const { c } = await import('../src/texts/tournaments')
  settings.lang = 'fr'
  expect(c().count(0, 8)).toBe('0 joueur sur 8')
  expect(c().count(2, 8)).toBe('2 joueurs sur 8')
  expect(c().record(2, 0, 1)).toBe('2 gagnées, 0 nulle, 1 perdue')
})
