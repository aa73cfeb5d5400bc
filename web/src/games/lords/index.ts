import type { Board, GameTable } from '../../lib/board.svelte'
import type { Choice } from '../../lib/choices'
import { codeOf } from '../../lib/frames'
import type { GameEvent } from '../../lib/protocol'
import { button as buttonOf, cardIn, entryOf, type Target } from '../../lib/targets'
import Count from './Count.svelte'
import { face } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'
import { why } from './why'

/** Engaging: the card, then how. Everything else is one card of the table, or a button. */
function path(choice: Choice, board: Board): Target[] {
  switch (choice.verb) {
    case 'engage':
      return [cardIn(`hand.${board.near}`, choice.card!), buttonOf(String(choice['face']))]
    case 'take':
    case 'claim':
      return [cardIn('supporters', choice.card!)]
    default:
      return [choice.place ? entryOf(choice.place, choice.slot ?? 0) : buttonOf(choice.verb)]
  }
}

function prompt(board: Board): string {
  const say = texts()
  if (board.held) return say.upOrDown(board.cardName(board.held))
  const [card, power] = offered(board)
  return card ? say.usePower(card, power) : ''
}

/** Whose power may be used now. */
const acting = (board: Board): string | null =>
  board.view.decision === 'power' ? (board.codes(`army.${board.near}`).at(-1) ?? null) : null

/** The same in words, and what it would do. */
function offered(board: Board): [card: string, power: string] {
  const code = acting(board)
  return code ? [board.cardName(code), board.word(`powers.${board.card(code)?.suit}`)] : ['', '']
}

/** The buttons say it in short; a hint, which power. */
function saying({ verb }: Choice, board: Board): string {
  const [card, power] = offered(board)
  if (verb === 'use') return texts().uses(card, power)
  return verb === 'skip' ? texts().skips(card, power) : ''
}

const button = (target: Target): string => {
  const say = texts()
  const words: Record<string, string> = {
    [buttonOf('up')]: say.faceUp,
    [buttonOf('down')]: say.faceDown,
    [buttonOf('use')]: say.use,
    [buttonOf('skip')]: say.skip,
  }
  return words[target] ?? ''
}

/** Strength, rank and power in words. */
function about(code: string, place: string, board: Board): { lines: string[] } {
  const say = texts()
  const entry = board.cards(place).find((found) => codeOf(found) === code)
  const active = typeof entry === 'object' ? entry?.active : null
  const { suit, value, numbers } = board.card(code)!
  const copied =
    active && active !== suit
      ? say.copied(board.word(`clans.${active}`), board.word(`powers.${active}`))
      : ''
  return {
    lines: [
      say.power(board.word(`powers.${suit}`)),
      copied,
      active ? say.active : '',
      say.numbers(value!, numbers['rank']!),
    ],
  }
}

const PLAYED = ['face_up', 'face_down', 'power', 'skip', 'copy']
const spots = (event: GameEvent): string[] =>
  PLAYED.includes(event.type) ? [`army.${event.seat}`] : []

export const game: GameTable = {
  Table,
  Count,
  face,
  places: () => texts().places,
  path,
  prompt,
  saying,
  explains: (board) => board.card(acting(board))?.rule ?? '',
  button,
  about,
  why,
  quiet: [buttonOf('skip')],
  begins: ['initiative', 'round'],
  spots,
  marks: ['flip'],
}
