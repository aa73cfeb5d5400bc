import type { Board } from '../../lib/board.svelte'
import type { Claims } from './faces'
import { texts } from './texts'

/** Five stones, or three side by side (one claim may make it more); where nobody can go on, the most. */
export function why(board: Pick<Board, 'name' | 'tally'>, seat: number): string {
  const claims = board.tally<Claims[]>('seats', [])[seat]
  if (!claims) return ''
  const { adjacent, stones, won_by } = claims
  if (won_by === 'adjacent') return texts().inARow(board.name(seat), adjacent)
  return won_by === 'stones' ? texts().fiveStones(board.name(seat), stones) : texts().stuck
}
