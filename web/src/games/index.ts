/**
 * The tables of the games, found by name: `games/NAME/index.ts` and `games/NAME/Cover.svelte`.
 * A game without a folder gets the generic table, which works from places and tokens alone.
 */
import type { GameTable } from '../lib/board.svelte'

const tables = import.meta.glob<{ game: GameTable }>('./*/index.ts')

export async function tableOf(name: string): Promise<GameTable> {
  const load = tables[`./${name}/index.ts`] ?? tables['./generic/index.ts']
  if (!load) throw new Error('no generic table')
  return (await load()).game
}
