import { SETTS } from '../../art/setts'
import type { Board, Face, GameTable } from '../../lib/board.svelte'
import type { Card } from '../../lib/gamedata'
import Table from './Table.svelte'

const CLOTHS = [
  'red',
  'blue',
  'green',
  'yellow',
  'purple',
  'orange',
  'douglas',
  'wemyss',
  'forsyth',
]

/** A face from what the game says of a card: the suit chooses the cloth. */
function face({ code, suit, value }: Card, board: Board): Face {
  const suits = board.book?.suits ?? []
  const cloth = CLOTHS[Math.max(0, suits.indexOf(suit)) % CLOTHS.length]!
  const { accent, emblem } = SETTS[cloth]!
  return {
    cloth,
    accent,
    emblem,
    value: String(value ?? ''),
    letters: suit || code,
    foot: board.cardName(code),
  }
}

export const game: GameTable = { Table, face }
