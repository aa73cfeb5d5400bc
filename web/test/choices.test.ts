import { describe, expect, it } from 'vitest'
import { inviting, meant, pick, tokenFor, type Way } from '../src/lib/choices'
import { button, cardAt, cardIn } from '../src/lib/targets'

const hand = (code: string) => cardIn('hand.0', code)
const all: Way[] = [
  { token: 'R7@4', path: [hand('R7'), 'stone.4'] },
  { token: 'R7@5', path: [hand('R7'), 'stone.5'] },
  { token: 'B2@4', path: [hand('B2'), 'stone.4'] },
  { token: 'pass', path: [button('pass')] },
]

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
  it('guesses what was meant by pointing at what does not invite', () => {
    expect(meant(all, [hand('B2')], 'stone.5')).toBeNull()
    expect(meant(all, [hand('B2')], 'stone.4')).toBe('B2@4')
    expect(meant(all, [hand('B2')], hand('R7'))).toBe('R7@4')
  })
  it('reads the targets it has written', () => {
    expect(cardAt(hand('R7'))).toEqual({ place: 'hand.0', code: 'R7' })
    expect(cardAt('stone.4')).toBeNull()
    expect(cardAt(undefined)).toBeNull()
  })
})
