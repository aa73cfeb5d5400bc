/** Endings solved: what every choice brings, where nothing is hidden. The same as `bots/solving.py`. */

import type { Match } from './match.js'

/** Results, in halves of what a seat has of a match. */
const [SHARED, WON] = [1, 2]

/**
 * What the seat to act has of the match after each legal action, if both play as well as can be;
 * null where something is hidden, and where there is too much to look at.
 */
export function solved(match: Match): Map<number, number> | null {
  const { engine, seats } = match.game
  const { module } = engine
  if (seats !== 2 || !module.has('reaches') || !engine.ask(match.memory(), 'open_end')) return null
  const seat = match.toAct!
  const known = match.blind(seat, new Uint8Array(32)).memory()
  known.set('telling', 0)
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
