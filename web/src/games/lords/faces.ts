import { SETTS } from '../../art/setts'
import type { Board, Face, Names } from '../../lib/board.svelte'
import type { Card } from '../../lib/gamedata'
import { texts } from './texts'

/** A clan's cloth, and the sign of its power. */
const CLANS: Readonly<Record<string, { sett: string; power: string }>> = {
  SC: { sett: 'scott', power: 'copy' },
  MK: { sett: 'makgill', power: 'plus' },
  MD: { sett: 'macdonnell', power: 'stay' },
  WE: { sett: 'wemyss', power: 'cross' },
  FE: { sett: 'fergusson', power: 'swap' },
  FO: { sett: 'forsyth', power: 'draw' },
  CB: { sett: 'cockburn', power: 'star' },
  CR: { sett: 'cochrane', power: 'two' },
  BR: { sett: 'bruce', power: 'crown' },
}

export function face({ suit, value, numbers }: Card, names: Names): Face {
  const { sett, power } = CLANS[suit]!
  const { accent, emblem } = SETTS[sett]!
  return {
    cloth: sett,
    accent,
    emblem,
    value: String(value),
    letters: suit,
    sign: power,
    rank: texts().ranked(numbers['rank']!),
    foot: names.word(`clans.${suit}`),
  }
}

/** An army as far as its allies are known to whoever looks, as the rules count it. */
export interface ArmyTally {
  strength: number
  hidden: number
  doubled: boolean
  clan: string | null
  rank: number | null
  claims: number
}
export const armies = (board: Board): ArmyTally[] => board.tally<ArmyTally[]>('armies', [])
export const score = (board: Board, seat: number): number =>
  board.tally<number[]>('score', [])[seat] ?? 0
