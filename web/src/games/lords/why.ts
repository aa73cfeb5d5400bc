import type { Board } from '../../lib/board.svelte'
import { together } from '../../lib/i18n'
import { texts } from './texts'

/** Most strength, then the better place in the last skirmish, as `lords.end` has it. */
export function why(
  board: Pick<Board, 'name' | 'tally' | 'fact' | 'view'>,
  winner: number,
): string {
  const say = texts()
  const scores = board.tally<number[]>('score', [])
  const most = scores[winner] ?? 0
  const equals = scores.flatMap((own, seat) => (own === most ? [seat] : []))
  const names = together(equals.map((seat) => board.name(seat)))
  if (equals.length < 2)
    return say.most(board.name(winner), most, Number(board.view.options['target'] ?? 40))
  return board.fact<number[]>('order', []).includes(winner)
    ? say.tieBroken(names, most, board.name(winner))
    : say.tie(names, most)
}
