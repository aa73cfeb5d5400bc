/** Endings solved: what every choice brings, where nothing is hidden. The same as `bots/solving.py`. */

import { matchFrom } from './decks.js'
import type { Match } from './match.js'

/** Results, in halves of what a seat has of a match. */
const [SHARED, WON] = [1, 2]

/** Whether nothing is hidden any more, and nothing left to chance. */
export function isOpen(match: Match): boolean {
  const { engine, seats } = match.game
  return seats === 2 && engine.module.has('reaches') && engine.ask(match.memory(), 'open_end') !== 0
}

/**
 * What the seat to act has of the match after each legal action, if both play as well as can be;
 * null where something is hidden, and where there is too much to look at.
 */
export function solved(match: Match): Map<number, number> | null {
  if (!isOpen(match)) return null
  const { engine } = match.game
  const { module } = engine
  const seat = match.toAct!
  const known = match.blind(seat, new Uint8Array(32)).memory()
  // what was told is no part of a position
  for (const name of ['telling', 'told']) known.set(name, 0)
  let left = engine.description.bots.champion.positions
  for (const kept of ['table', 'liked']) module.bytes(kept).fill(0)
  const found = new Map<number, number>()
  for (const action of match.legalActions()) {
    found.set(action, 0)
    for (const wanted of [WON, SHARED]) {
      engine.ask(known, 'play', { action })
      const looked = module.call('reaches', { seat, wanted, limit: left })
      if (looked === 0) return null
      left -= Math.abs(looked)
      if (looked > 0) {
        found.set(action, wanted / 2)
        break
      }
    }
  }
  return found
}

/** Endings of a match, the last one remembered. */
export class Endings {
  private kept: [observed: string, exact: Map<number, number> | null] = ['', null]

  constructor(private readonly observed: (match: Match) => string) {}

  /** What each legal action brings the seat to act, where the end can be calculated. */
  solved(match: Match): Map<number, number> | null {
    if (!isOpen(match)) return null
    const observed = this.observed(match)
    if (observed !== this.kept[0]) this.kept = [observed, solved(match)]
    return this.kept[1]
  }

  /** What every seat has in the end, where that can be calculated; of two. */
  settled(match: Match): number[] | null {
    const exact = this.solved(match)
    if (!exact) return null
    const best = Math.max(...exact.values())
    return [0, 1].map((seat) => (seat === match.toAct ? best : 1 - best))
  }

  /**
   * What one choice brings the seat to act: that may be calculated where all together are too much.
   * As the curve has it after that choice.
   */
  after(match: Match, token: string): number | null {
    if (!isOpen(match)) return null
    const { engine, actions } = match.game
    const s = match.memory()
    engine.run(s, 'play', { action: actions.get(token)! })
    if (s.get('to_act') < 0) return null
    return this.settled(matchFrom(match, s))?.[match.toAct!] ?? null
  }
}
