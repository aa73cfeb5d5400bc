import type { Board } from '../../lib/board.svelte'
import { together } from '../../lib/i18n'
import { texts } from './texts'

/** Most points, then most influence cards left, as `kilt.winner` has it. */
export function why(board: Pick<Board, 'name' | 'tally'>, winner: number): string {
  const say = texts()
  const points = board.tally<number[]>('points', [])
  const influence = board.tally<number[]>('influence', [])
  const [most, left] = [points[winner] ?? 0, influence[winner] ?? 0]
  const equals = points.flatMap((own, seat) => (own === most ? [seat] : []))
  const sharing = equals.filter((seat) => influence[seat] === left)
  const names = (seats: number[]) => together(seats.map((seat) => board.name(seat)))
  if (equals.length < 2) return say.mostPoints(board.name(winner), most)
  return sharing.length < 2
    ? say.tieBroken(names(equals), most, board.name(winner), left)
    : say.tie(names(sharing), most, left)
}
