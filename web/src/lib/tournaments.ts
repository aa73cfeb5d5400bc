/** What a tournament asks of somebody who plays in it. */
import type { Tournament } from './protocol'

type Played = Pick<Tournament, 'system' | 'round' | 'rounds' | 'boards' | 'you'>

/** Beside a table: whether one was put out, has left, is out, has played everything, or will be
 * called again. */
export function outlook(cup: Played): 'removed' | 'away' | 'out' | 'done' | 'waits' {
  if (cup.you?.removed) return 'removed'
  if (!cup.you?.here) return 'away'
  if (cup.system === 'knockout' && hasLost(cup)) return 'out'
  return cup.round < cup.rounds ? 'waits' : 'done'
}

function hasLost({ boards, you }: Played): boolean {
  return boards.flat().some(({ players, ranks }) => {
    const mine = ranks?.[players.indexOf(you?.number ?? 0)]
    return mine !== undefined && mine > Math.min(...ranks!)
  })
}
