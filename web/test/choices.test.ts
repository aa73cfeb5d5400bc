import { describe, expect, it } from 'vitest'
import { choices, inviting, pick, tokenFor, type Path } from '../src/lib/choices'
import type { View } from '../src/lib/protocol'

const view = (legal: string[]): View => ({
  game: 'schotten',
  seats: 2,
  options: {},
  to_act: 0,
  decision: 'play',
  seat: 0,
  places: {},
  facts: {},
  legal,
})
const path: Path = (token) => {
  const [card, stone] = token.split('@')
  return stone ? [`hand.0/${card}`, `stone.${stone}`] : [`=${token}`]
}
const all = choices(view(['R7@4', 'R7@5', 'B2@4', 'pass']), path)

describe('guided choosing', () => {
  it('invites the beginnings, each once', () => {
    expect(inviting(all, [])).toEqual(['hand.0/R7', 'hand.0/B2', '=pass'])
    expect(inviting(all, ['hand.0/R7'])).toEqual(['stone.4', 'stone.5'])
  })
  it('goes step by step and plays at the end', () => {
    expect(pick(all, [], 'hand.0/R7')).toEqual({ kind: 'more', picked: ['hand.0/R7'] })
    expect(pick(all, ['hand.0/R7'], 'stone.5')).toEqual({ kind: 'play', token: 'R7@5' })
    expect(pick(all, [], '=pass')).toEqual({ kind: 'play', token: 'pass' })
  })
  it('goes back when the same is pointed at again', () => {
    expect(pick(all, ['hand.0/R7'], 'hand.0/R7')).toEqual({ kind: 'more', picked: [] })
  })
  it('changes its mind when another beginning is pointed at', () => {
    expect(pick(all, ['hand.0/R7'], 'hand.0/B2')).toEqual({ kind: 'more', picked: ['hand.0/B2'] })
  })
  it('refuses what leads nowhere', () => {
    expect(pick(all, ['hand.0/B2'], 'stone.5')).toEqual({ kind: 'no' })
  })
  it('knows the token behind a last step only', () => {
    expect(tokenFor(all, ['hand.0/B2'], 'stone.4')).toBe('B2@4')
    expect(tokenFor(all, [], 'hand.0/R7')).toBeNull()
  })
})
