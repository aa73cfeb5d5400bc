import { SETTS } from '../../art/setts'
import type { Words } from '../../lib/protocol'
import type { Face } from '..'

export const CLANS: Readonly<Record<string, string>> = {
  BR: 'bruce',
  BU: 'buchanan',
  DO: 'douglas',
  HA: 'hamilton',
  MB: 'macbeth',
  MK: 'mackay',
  ML: 'macleod',
  ST: 'stewart',
  WA: 'wallace',
}

export const clanOf = (code: string): string => code.replace('!', '')

/** A clan's cloth and emblem; its letters stand where other cards have a number. Chiefs wear a crown. */
export function face(code: string, words: Words | null): Face {
  const clan = clanOf(code)
  const cloth = CLANS[clan] ?? 'back'
  const { accent, emblem } = SETTS[cloth]!
  const chief = code.endsWith('!')
  return {
    cloth,
    accent,
    emblem,
    value: clan,
    letters: '',
    ...(chief ? { sign: 'crown' } : {}),
    foot: words?.cards[clan] ?? clan,
  }
}

/** How many of each: `Bruce × 3, Mackay`. */
export function tally(names: string[]): string {
  const count = (name: string) => names.filter((other) => other === name).length
  return [...new Set(names)]
    .map((name) => (count(name) > 1 ? `${name} × ${count(name)}` : name))
    .join(', ')
}
