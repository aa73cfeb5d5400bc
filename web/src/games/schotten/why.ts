import type { Board } from '../../lib/board.svelte'
import type { Claims } from './faces'
import { texts } from './texts'

/** Five stones, or three side by side; where nobody can go on, the most. */
export function why(board: Pick<Board, 'name' | 'tally'>, seat: number): string {
  const claims = board.tally<Claims[]>('seats', [])[seat]
  if (!claims) return ''
  const { adjacent, stones, won_by } = claims
  if (won_by === 'adjacent')
    return texts().threeInARow(board.name(seat), adjacent[0]!, adjacent.at(-1)!)
  return won_by === 'stones' ? texts().fiveStones(board.name(seat), stones) : texts().stuck
}
