/** Tables draw what the rules tell; the linter keeps them from working it out for themselves. */
import { ESLint } from 'eslint'
import { describe, expect, it } from 'vitest'

const linter = new ESLint()
const RULE = 'no-restricted-syntax'

async function complaints(source: string, file = 'src/games/claim/index.ts'): Promise<number> {
  const [found] = await linter.lintText(source, { filePath: file })
  return found!.messages.filter((message) => message.ruleId === RULE).length
}

describe('the tables of the games', () => {
  it.each([
    "export const stone = (token: string) => token.split('@')[1]",
    'export const value = (code: string) => Number(code.slice(1))',
    'export const suit = (code: string) => code[0]',
    'export const row = (place: string) => /pyramid/.exec(place)',
    "export const mine = (place: string) => place.endsWith('.0')",
    'export const rank = (text: string) => parseInt(text, 10)',
  ])('may not take apart: %s', async (source) => {
    expect(await complaints(source)).toBeGreaterThan(0)
  })
  it('may look things up', async () => {
    const source = 'export const suit = (cards: Map<string, string>) => cards.get("R7")'
    expect(await complaints(source)).toBe(0)
  })
  it('are all held to it', async () => {
    const found = await linter.lintFiles(['src/games'])
    const broken = found.filter((file) => file.messages.some((told) => told.ruleId === RULE))
    expect(broken.map((file) => file.filePath)).toEqual([])
    expect(found.length).toBeGreaterThan(20)
  })
})
