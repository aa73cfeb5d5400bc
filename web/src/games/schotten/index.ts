import type { Board, GameTable } from '../../lib/board.svelte'
import type { Choice } from '../../lib/choices'
import { button, cardIn, type Target } from '../../lib/targets'
import Count from './Count.svelte'
import { face } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'
import { why } from './why'

/** A card, then the stone. A ruse asks once more, for there is no way back from it. */
function path(choice: Choice, board: Board): Target[] {
  const held = cardIn(`hand.${board.near}`, choice.card ?? '')
  const stone = (place: string) => `stone.${board.book?.place(place)?.index[0]}`
  switch (choice.verb) {
    case 'play':
    case 'lay':
      return [held, stone(choice.to!)]
    case 'ruse':
      return [held, button(choice.token)]
    case 'return':
      return [held]
    case 'draw':
      return [choice.from!]
    case 'claim':
      return [`stone.${choice['stone']}`]
    case 'take':
      return [cardIn(`stone.${choice['stone']}`, choice.card!)]
    case 'put':
      return [stone(choice.to!)]
    default:
      return [button(choice.token)]
  }
}

function prompt(board: Board): string {
  const say = texts()
  if (board.held) {
    const name = board.cardName(board.held)
    return board.card(board.held)?.kind === 'ruse' ? say.playRuse(name) : say.chooseStone(name)
  }
  const { decision } = board.view
  if (decision === 'put')
    return say.chooseStone(board.cardName(board.fact<string | null>('taken', null)))
  return decision === 'draw' && board.inviting.length > 1 ? say.drawFrom : ''
}

export const game: GameTable = {
  Table,
  Count,
  face,
  places: () => texts().places,
  path,
  prompt,
  why,
  about: (code, _place, board) => {
    const card = board.card(code)
    return { lines: card?.suit ? [] : [board.rule(card?.rule ?? '')?.text ?? ''] }
  },
  quiet: [button('done'), button('pass')],
  spots: (event) => (typeof event['stone'] === 'number' ? [`stone.${event['stone']}.env`] : []),
  back: (kind) => (kind === 'tactic' ? 'tacticback' : 'back'),
}
