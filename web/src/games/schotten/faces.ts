import { SETTS } from '../../art/setts'
import type { Board, Face, Names } from '../../lib/board.svelte'
import type { Card } from '../../lib/gamedata'
import { texts } from './texts'

const COLOURS: Readonly<Record<string, string>> = {
  R: 'red',
  Y: 'yellow',
  G: 'green',
  B: 'blue',
  P: 'purple',
  O: 'orange',
}
const TACTICS: Readonly<Record<string, { emblem: string; plain: string }>> = {
  farlane: { emblem: 'bonnet', plain: '#7d2334' },
  gregor: { emblem: 'bonnet', plain: '#2d4a6e' },
  support: { emblem: 'banner', plain: '#4a5a30' },
  shield: { emblem: 'shield', plain: '#5c4a30' },
  fog: { emblem: 'fog', plain: '#6d7f8a' },
  mud: { emblem: 'mud', plain: '#6b4a2c' },
  scout: { emblem: 'eye', plain: '#37606a' },
  redeploy: { emblem: 'march', plain: '#37606a' },
  deserter: { emblem: 'flee', plain: '#37606a' },
  traitor: { emblem: 'mask', plain: '#37606a' },
}

/** What a tactic card stands for: a value, some values, any value, or how many cards a side needs. */
function standsFor({ kind, numbers }: Card): string {
  const { least, most, needed } = numbers
  if (kind === 'chief') return '★'
  if (least === undefined || most === undefined) return needed ? String(needed) : ''
  return least === most ? String(least) : `${least}–${most}`
}

export function face(card: Card, names: Names): Face {
  const tactic = TACTICS[card.code]
  if (tactic) {
    const foot = texts().short[card.code] ?? names.cardName(card.code)
    return { ...tactic, value: standsFor(card), accent: '#33222a', letters: '', foot, named: true }
  }
  const cloth = COLOURS[card.suit] ?? 'back'
  const { accent, emblem } = SETTS[cloth]!
  return {
    cloth,
    accent,
    emblem,
    value: String(card.value),
    letters: names.word(`letters.${card.suit}`),
  }
}

/** A stone as the rules count it. */
export interface StoneTally {
  stone: number
  seat: number | null
  claimable: boolean
  needed: number
  sides: { laid: number; formation: string | null; total: number | null }[]
}
export const stones = (board: Board): StoneTally[] => board.tally<StoneTally[]>('stones', [])

/** A side in words: `team, 21`; nothing while it is incomplete. */
export function formation(board: Board, stone: StoneTally | undefined, seat: number): string {
  const side = stone?.sides[seat]
  return side?.formation ? `${board.word(`formations.${side.formation}`)}, ${side.total}` : ''
}

export interface Claims {
  stones: number
  adjacent: number[]
  won_by: 'adjacent' | 'stones' | null
}
