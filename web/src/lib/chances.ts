/** The numbers of an analysis as a page shows them. Pure functions. */
import { accountFor, points, type Account, type Analysis, type Player } from '../../engine/src'

/** The room around the curves: percentages on the left, what the ends are below. */
export const ROOM = { left: 50, right: 8, top: 10, bottom: 26 }

/** Where a chance after so many choices lies. */
export function spotOf(
  curve: Analysis['curve'],
  width: number,
  height: number,
): (choices: number, chance: number) => { x: number; y: number } {
  const { left, right, top, bottom } = ROOM
  const along = (width - left - right) / Math.max(1, curve.length - 1)
  return (choices, chance) => ({
    x: left + choices * along,
    y: top + (1 - chance) * (height - top - bottom),
  })
}

/** A seat's chances as the points of a line. */
export function lineOf(
  curve: Analysis['curve'],
  seat: number,
  width: number,
  height: number,
): string {
  const spot = spotOf(curve, width, height)
  const points = curve.map((row, choices) => spot(choices, row[seat]!))
  return points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
}

/** In whole points of a hundred; what is shown adds up. */
export const accountOf = (player: Player): Account => ({
  ...accountFor(player, 0.01),
  deal: Math.round(100 * player.deal) + 0, // no −0
})

/** Whether there was something better. */
export const flawed = ({ verdict }: { verdict: string }): boolean =>
  verdict !== 'best' && verdict !== 'forced'

/** Of a hundred such matches: so many the best choice would win, and so many the one made. */
export function compared({ win, cost }: { win: number; cost: number }): [number, number] {
  const own = Math.round(100 * win)
  return [Math.min(100, own + points(cost)), own] // the difference is the cost shown
}

/** By so much the chances of another must have moved more to be told of, too. */
const MORE = 0.01

/** Whose chances tell of a choice: of whoever made it, and of another if theirs moved more. */
export function movedBy(
  { number, seat }: { number: number; seat: number },
  curve: Analysis['curve'],
): number[] {
  const [before, after] = curve.slice(number, number + 2) as [number[], number[]]
  const moved = after.map((chance, one) => Math.abs(chance - before[one]!))
  const most = moved.indexOf(Math.max(...moved))
  return moved[most]! - moved[seat]! >= MORE ? [seat, most] : [seat]
}

/** Chances as people read them. */
export function percents(lang: string): (chance: number) => string {
  const whole = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 0 })
  return (chance) => whole.format(chance)
}

/** How much depends on a choice, by what the best ones leave; the steps are those of verdicts. */
export function leadOf([best, next]: number[]): 'one' | 'even' | 'close' | 'clear' | 'key' {
  if (best === undefined || next === undefined) return 'one'
  const lead = points(best - next)
  return lead <= 0 ? 'even' : lead <= 3 ? 'close' : lead <= 12 ? 'clear' : 'key'
}
