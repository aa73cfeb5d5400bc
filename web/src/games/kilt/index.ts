import type { Board, GameTable } from '../../lib/board.svelte'
import type { Choice } from '../../lib/choices'
import type { GameEvent } from '../../lib/protocol'
import { button, cardAt, cardIn, type Target } from '../../lib/targets'
import Count from './Count.svelte'
import { face, gap } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'
import { why } from './why'

/** A climb: the card, then where it goes. Treason: the influence card, then the victim. */
function path(choice: Choice, board: Board): Target[] {
  switch (choice.verb) {
    case 'climb':
      return [choice.from!, choice.to!]
    case 'betray':
      return [cardIn(`influence.${board.near}`, choice.card!), choice.from!]
    case 'reveal':
      return [cardIn(`family.${board.near}`, choice.card!)]
    case 'fill':
      return [gap(board)?.[choice['side'] as 'left' | 'right'] ?? button(choice.token)]
    default:
      return [button(choice.token)]
  }
}

/** The clan of what is picked, and what is left to choose. */
function prompt(board: Board): string {
  const say = texts()
  const [picked] = board.picked
  const held = cardAt(picked)
  if (held) return say.betrayWhom(board.cardName(held.code))
  if (picked) return say.climbTo(board.cardName(board.codes(picked)[0] ?? null))
  if (board.view.decision === 'turn')
    return board.fact('crowned', false) ? say.betrayOrPass : say.climbOrBetray
  return board.view.decision === 'fill' ? say.fill : ''
}

/** Cells have no names here: the table shows which is meant. */
function saying(choice: Choice, board: Board): string {
  const there = board.cardName(board.codes(choice.from ?? '')[0] ?? null)
  if (choice.verb === 'climb') return texts().climbs(there)
  return choice.verb === 'betray' ? texts().betrays(board.cardName(choice.card!), there) : ''
}

/** Several cards are alike: where the one lies that is spoken of. */
function spots(event: GameEvent): string[] {
  if (event.type === 'king') return ['pyramid.6.0']
  return event.type === 'reveal' ? [`family.${event.seat}`] : []
}

/** The rule for what a card can do where it lies. */
const RULES: Readonly<Record<string, string>> = { influence: 'kilt.betray', family: 'kilt.score' }

/** What its clan is worth, and what a card can do in this place. */
function about(code: string, place: string, board: Board): { lines: string[]; rule: string } {
  const own = board.card(code)?.suit
  const worth = board
    .tally<{ card: string; points: number }[]>('clans', [])
    .find(({ card }) => board.card(card)?.suit === own)
  return {
    lines: [texts().worth(worth?.points ?? 0)],
    rule: RULES[board.book?.place(place)?.kind ?? ''] ?? 'kilt.climb',
  }
}

export const game: GameTable = {
  Table,
  Count,
  face,
  places: () => texts().places,
  path,
  prompt,
  about,
  why,
  saying,
  spots,
  quiet: [button('pass')],
}
