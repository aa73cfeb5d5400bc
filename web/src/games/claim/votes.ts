import type { Board } from '../../lib/board.svelte'

/** The values somebody won of a faction, highest first. */
export function won(board: Board, seat: number, faction: string): number[] {
  return board
    .codes(`score.${seat}`)
    .flatMap((code) => (code?.[0] === faction ? [Number(code.slice(1))] : []))
    .sort((a, b) => b - a)
}

/** Whose vote a faction is: more cards; with equal numbers the highest card; else nobody's. */
export function vote(board: Board, faction: string): number | null {
  const [a, b] = [won(board, 0, faction), won(board, 1, faction)]
  if (a.length !== b.length) return a.length > b.length ? 0 : 1
  const [x, y] = [a[0] ?? -1, b[0] ?? -1]
  return x === y ? null : x > y ? 0 : 1
}
