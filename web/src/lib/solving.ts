/** What somebody with an account has done with puzzles, as the server has it. */
import { api } from './api'
import { SERVER } from './house'
import { line } from './line.svelte'
import type { PuzzlesTried, PuzzleTry } from './protocol'

/** Whether tries count for a rating. */
export const counts = (): boolean => SERVER && !!line.you && !line.you.guest

/** Nothing without an account, or while the server does not answer. */
export async function triedBefore(): Promise<PuzzlesTried | null> {
  return counts() ? api.puzzles().catch(() => null) : null
}

/** Say what was chosen first, or that somebody would rather be told (null); nothing comes of it
 * without an account. */
export async function count(
  game: string,
  puzzle: string,
  token: string | null,
): Promise<PuzzleTry | null> {
  if (!SERVER || line.you?.guest) return null
  return api.tryPuzzle(game, puzzle, token).catch(() => null)
}
