/** What is told of an analysis: numbers that add up, and the moments on which the match turned. */

export type Line = [seat: number, token: string][]

export interface Judged {
  number: number
  seat: number
  token: string
  verdict: string
  /** The chance to win it left, as far as the seat could know; how much less than the best. */
  win: number
  cost: number
  best: string
  line: Line
  tried: [token: string, win: number][]
}

export interface Analysis {
  seats: number
  start: number
  /** The chance of every seat after the deal and after each choice. */
  curve: number[][]
  /** The same that was to be expected of each choice, before anything was drawn. */
  expected: number[][]
  choices: Judged[]
  players: Player[]
  /** The numbers of the choices on which the match turned. */
  moments: number[]
}

export interface Player {
  seat: number
  accuracy: number | null
  verdicts: Record<string, number>
  result: number
  start: number
  own: number
  others: number
  luck: number
  deal: number
}

const FALL = 10
const [MOST_MOMENTS, LEAST_MOMENT] = [5, 0.05]
export const VERDICTS = ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
export const FORCED = 'forced'

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** To a hundredth of a percent. */
export function rounded(value: number): number {
  return Math.trunc(value * 10_000 + (value >= 0 ? 0.5 : -0.5)) / 10_000
}

/** A choice as it is told. */
export function choiceTold(choice: Judged): Judged {
  return {
    ...choice,
    win: rounded(choice.win),
    cost: rounded(choice.cost),
    tried: choice.tried.map(([token, win]) => [token, rounded(win)]),
  }
}

export function told(
  seats: number,
  { curve, expected, choices }: Pick<Analysis, 'curve' | 'expected' | 'choices'>,
): Analysis {
  const start = 1 / seats
  const players = Array.from({ length: seats }, (_, seat): Player => {
    const mine = choices.filter((choice) => choice.seat === seat)
    const free = mine.filter(({ verdict }) => verdict !== FORCED)
    const gained = ({ number }: Judged) => expected[number]![seat]! - curve[number]![seat]!
    const own = sum(mine.map(gained))
    const others = sum(choices.filter((choice) => choice.seat !== seat).map(gained))
    const result = curve.at(-1)![seat]!
    const kept = free.map(({ cost }) => Math.exp(-FALL * cost))
    const counts = VERDICTS.map((name) => [name, free.filter((c) => c.verdict === name).length])
    return {
      seat,
      accuracy: kept.length ? rounded(sum(kept) / kept.length) : null,
      verdicts: Object.fromEntries(counts) as Record<string, number>,
      result: rounded(result),
      start: rounded(start),
      own: rounded(own),
      others: rounded(others),
      luck: rounded(result - start - own - others),
      deal: rounded(curve[0]![seat]! - start),
    }
  })
  return {
    seats,
    start: rounded(start),
    curve: curve.map((row) => row.map(rounded)),
    expected: expected.map((row) => row.map(rounded)),
    choices: choices.map(choiceTold),
    players,
    moments: moments(curve, choices),
  }
}

function moments(curve: number[][], choices: Judged[]): number[] {
  const weights = choices.map(({ number, cost }) => {
    const moved = curve[number + 1]!.map((after, seat) => Math.abs(after - curve[number]![seat]!))
    return rounded(Math.max(cost, ...moved))
  })
  const order = choices.map(({ number }) => number)
  order.sort((a, b) => weights[b]! - weights[a]! || a - b)
  const found = order.slice(0, MOST_MOMENTS).filter((number) => weights[number]! >= LEAST_MOMENT)
  return found.sort((a, b) => a - b)
}
