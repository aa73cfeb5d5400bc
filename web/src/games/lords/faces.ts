import { SETTS } from '../../art/setts'
import type { Entry, Words } from '../../lib/protocol'
import type { Face } from '..'

interface Clan {
  sett: string
  /** Its place in the order of ranks. */
  k: number
  power: string
}
const CLANS: Readonly<Record<string, Clan>> = {
  SC: { sett: 'scott', k: 1, power: 'copy' },
  MK: { sett: 'makgill', k: 2, power: 'plus' },
  MD: { sett: 'macdonnell', k: 3, power: 'stay' },
  WE: { sett: 'wemyss', k: 4, power: 'cross' },
  FE: { sett: 'fergusson', k: 5, power: 'swap' },
  FO: { sett: 'forsyth', k: 6, power: 'draw' },
  CB: { sett: 'cockburn', k: 7, power: 'star' },
  CR: { sett: 'cochrane', k: 8, power: 'two' },
  BR: { sett: 'bruce', k: 0, power: 'crown' },
}
/** A clan's name as setts and rules have it, by its letters. */
export const SETT_OF = Object.fromEntries(
  Object.entries(CLANS).map(([code, clan]) => [code, clan.sett]),
)
const BRUCE_STRENGTH = 12

export const clanOf = (code: string): string => code.slice(0, 2)
export function strengthOf(code: string): number {
  return clanOf(code) === 'BR' ? BRUCE_STRENGTH : Number(code.slice(2))
}
export function rankOf(code: string): number {
  const number = Number(code.slice(2))
  return clanOf(code) === 'BR' ? number : 8 * (number - 1) + (CLANS[clanOf(code)]?.k ?? 0)
}

export function face(code: string, words: Words | null): Face {
  const clan = CLANS[clanOf(code)] ?? CLANS['SC']!
  const { accent, emblem } = SETTS[clan.sett]!
  const clans = words?.words['clans'] as Record<string, string> | undefined
  return {
    cloth: clan.sett,
    accent,
    emblem,
    value: String(strengthOf(code)),
    letters: clanOf(code),
    sign: clan.power,
    rank: `#${rankOf(code)}`,
    foot: clans?.[clanOf(code)] ?? clanOf(code),
  }
}

export interface Army {
  sum: number
  hidden: number
  doubled: boolean
}

/** What everybody can see of an army's strength (lords.strength); Bruce counts as any clan if active. */
export function army(entries: Entry[]): Army {
  let hidden = 0
  let sum = 0
  const clans = new Set<string>()
  for (const entry of entries) {
    const code = typeof entry === 'string' ? entry : (entry?.card ?? null)
    if (code === null) {
      hidden++
      continue
    }
    sum += strengthOf(code)
    if (!(typeof entry === 'object' && entry?.active === 'BR')) clans.add(clanOf(code))
  }
  const doubled = entries.length > 1 && hidden === 0 && clans.size <= 1
  return { sum: doubled ? 2 * sum : sum, hidden, doubled }
}
