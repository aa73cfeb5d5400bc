import { SETTS } from '../../art/setts'
import type { Board, Face, Names } from '../../lib/board.svelte'
import type { Card } from '../../lib/gamedata'

const CLANS: Readonly<Record<string, string>> = {
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

/** A clan's cloth and emblem; its letters stand where other cards have a number. Chiefs wear a crown. */
export function face({ suit, kind }: Card, names: Names): Face {
  const cloth = CLANS[suit] ?? 'back'
  const { accent, emblem } = SETTS[cloth]!
  return {
    cloth,
    accent,
    emblem,
    value: suit,
    letters: '',
    ...(kind === 'chief' ? { sign: 'crown' } : {}),
    foot: names.word(`clans.${suit}`),
  }
}

/** The clan of a card, by name. */
export const clan = (board: Board, code: string | null): string =>
  board.word(`clans.${board.card(code)?.suit}`)

/** How many of each: `Bruce × 3, Mackay`, not torn apart at the end of a line. */
export function listed(names: string[]): string {
  const count = (name: string) => names.filter((other) => other === name).length
  return [...new Set(names)]
    .map((name) => (count(name) > 1 ? `${name}\u00a0×\u00a0${count(name)}` : name))
    .join(', ')
}

/** A row of the pyramid: who stands there, and what a relative there counts. */
export interface Row {
  row: number
  rank: 'commoners' | 'nobles' | 'guardians' | 'king'
  points: number
}
/** The rows from the top. */
export const rows = (board: Board): Row[] => board.tally<Row[]>('rows', [])

/** The cell to be filled, and the cards that can move up into it. */
export interface Gap {
  cell: string
  left: string | null
  right: string | null
}
export const gap = (board: Board): Gap | null => board.tally<Gap | null>('gap', null)
