/** What choices are worth by what was imagined and what the network likes, as `judging.py` weighs it. */

import type { Effort } from './description.js'
import { sum } from './outcome.js'

/** A network is never surer than this that a match is lost, or won. */
const LEAST = 0.005
/** Of a choice that it likes so much less than the best, its liking says nothing more. */
const STRANGE = -4

export const odds = (chance: number) => Math.log(chance / (1 - chance))

/** A chance that leaves something open. */
export const open = (chance: number) => Math.min(1 - LEAST, Math.max(LEAST, chance))

/** What choices leave, all moved alike so that a trained player's leaves the chance there was. */
export function anchored(wins: number[], likings: number[], own: number): number[] {
  const usual = sum(wins.map((win, k) => likings[k]! * win)) / sum(likings)
  const up = Math.max(0, 1 - LEAST - Math.max(...wins))
  const down = Math.min(0, LEAST - Math.min(...wins))
  const shift = Math.min(up, Math.max(down, own - usual))
  return wins.map((win) => win + shift)
}

/** What each choice leaves: `wins` by deal and choice, `behind` how much less the network likes it. */
export function weighed(
  wins: number[][],
  behind: number[],
  { trust, doubt, model_error }: Effort,
  scale: number,
): number[] {
  const deals = wins.length
  const base = sum(wins.map((deal) => deal[0]!)) / deals
  const gains = behind.map((logit, k) => {
    if (k === 0) return 0
    const differences = wins.map((deal) => deal[k]! - deal[0]!)
    const mean = sum(differences) / deals
    const spread = sum(differences.map((one) => (one - mean) ** 2)) / Math.max(1, deals - 1)
    const blur = spread / deals + (scale * model_error) ** 2
    const unsure = (scale * doubt) ** 2
    const liked = scale * trust * logit
    const weight = logit >= STRANGE ? unsure / (unsure + blur) : 1
    return liked + weight * (mean - liked)
  })
  return gains.map((gain) => Math.min(1, Math.max(0, base + gain)))
}
