import { cardIn } from '../../lib/targets'
import type { GameTable } from '../../lib/board.svelte'
import Count from './Count.svelte'
import { face, votes } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'

export const game: GameTable = {
  Table,
  Count,
  face,
  places: () => texts().places,
  path: (choice, board) => [cardIn(`hand.${board.near}`, choice.card!)],
  about: (code, _place, board) => {
    const card = board.card(code)!
    return { lines: [texts().inFaction(board.word(`factions.${card.suit}`), card.value!)] }
  },
  begins: ['phase'],
  why: (board, seat) =>
    texts().votesFor(board.name(seat), votes(board).filter((vote) => vote.seat === seat).length),
}
