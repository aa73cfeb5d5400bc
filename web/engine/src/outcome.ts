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

/** How a match ended that was not played out: `by` gave up or ran out of time. */
export type Ended = { how: 'resign' | 'flag'; by: number } | { how: 'draw'; by: null }

export interface Analysis {
  seats: number
  ended: Ended | null
  start: number
  /** The chance of every seat after the deal and after each choice, and where the match was not
   * played out what each has of it. */
  curve: number[][]
  /** The same that was to be expected of each choice, before anything was drawn. */
  expected: number[][]
  choices: Judged[]
  players: Player[]
  /** The numbers of the choices on which the match turned. */
  moments: number[]
}

/** Start + own + others + luck + end = result; `deal` is the part of luck that came with the deal,
 * `end` what it did that the match was not played out. */
export type Account = Record<
  'start' | 'own' | 'others' | 'luck' | 'end' | 'deal' | 'result',
  number
>

export interface Player extends Account {
  seat: number
  accuracy: number | null
  verdicts: Record<string, number>
}

const FALL = 10
/** Choices that an expected line shows at most. */
export const LINE = 3
const [MOST_MOMENTS, LEAST_MOMENT] = [5, 0.05]
export const VERDICTS = ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
export const FORCED = 'forced'

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** To a hundredth of a percent. */
export function rounded(value: number): number {
  return Math.trunc(value * 10_000 + (value >= 0 ? 0.5 : -0.5)) / 10_000
}

/** In points of a hundred, as people are told: what reads the same is judged the same. */
export const points = (chance: number): number => Math.round(100 * rounded(chance))

/** Parts in whole units that add up to a total; the last ones go where most is left over. */
export function addingUp(parts: readonly number[], total: number, unit: number): number[] {
  const whole = parts.map((part) => Math.floor(part / unit))
  const left = parts.map((part, k) => part / unit - whole[k]!)
  const order = parts.map((_, k) => k).sort((a, b) => left[b]! - left[a]! || a - b)
  for (const k of order.slice(0, Math.max(0, total - sum(whole)))) whole[k]! += 1
  return whole.map((units) => units + 0) // no −0
}

/** How a match ended by its header, unless it was played out; null: it says nothing, or nonsense. */
export function endedBy(headers: Readonly<Record<string, string>>, seats: number): Ended | null {
  const [, how, by, draw] = /^(?:(resign|flag) (\d)|(draw))$/.exec(headers['EndedBy'] ?? '') ?? []
  if (draw) return { how: 'draw', by: null }
  return how && Number(by) < seats ? { how: how as 'resign' | 'flag', by: Number(by) } : null
}

/** What every seat has of a match that was not played out: the others share the first place. */
export function resultOf({ by }: Ended, seats: number): number[] {
  const first = by === null ? seats : seats - 1
  return Array.from({ length: seats }, (_, seat) => (seat === by ? 0 : 1 / first))
}

/** What adds up, in whole units: own, others, luck and end are the result less the start. */
export function accountFor(
  { start, own, others, luck, end, result }: Omit<Account, 'deal'>,
  unit: number,
): Omit<Account, 'deal'> {
  const [from, to] = [Math.round(start / unit), Math.round(result / unit)]
  const parts = addingUp([own, others, luck, end], to - from, unit)
  const [mine, theirs, lucky, last] = parts as [number, number, number, number]
  return { start: from, own: mine, others: theirs, luck: lucky, end: last, result: to }
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
  ended: Ended | null,
): Analysis {
  const start = 1 / seats
  const skills = skillsOf(seats, { curve, expected, choices })
  const players = Array.from({ length: seats }, (_, seat): Player => {
    const mine = choices.filter((choice) => choice.seat === seat)
    const free = mine.filter(({ verdict }) => verdict !== FORCED)
    const gained = ({ number }: Judged) => skills.get(number)?.[seat] ?? 0
    const own = sum(free.map(gained))
    const others = sum(choices.filter((choice) => choice.seat !== seat).map(gained))
    const last = curve[choices.length]![seat]!
    const result = ended ? resultOf(ended, seats)[seat]! : last
    const luck = last - start - own - others
    const kept = free.map(({ cost }) => Math.exp(-FALL * cost))
    const counts = VERDICTS.map((name) => [name, free.filter((c) => c.verdict === name).length])
    return {
      seat,
      accuracy: kept.length ? rounded(sum(kept) / kept.length) : null,
      verdicts: Object.fromEntries(counts) as Record<string, number>,
      ...inTenThousandths({ start, own, others, luck, end: result - last, result }),
      deal: rounded(curve[0]![seat]! + skills.get(-1)![seat]! - start),
    }
  })
  return {
    seats,
    ended,
    start: rounded(start),
    curve: (ended ? [...curve, resultOf(ended, seats)] : curve).map((row) => row.map(rounded)),
    expected: expected.map((row) => row.map(rounded)),
    choices: choices.map(choiceTold),
    players,
    moments: moments(curve, choices),
  }
}

function inTenThousandths(exact: Omit<Account, 'deal'>): Omit<Account, 'deal'> {
  const units = Object.entries(accountFor(exact, 0.0001))
  return Object.fromEntries(units.map(([name, n]) => [name, n / 10_000])) as typeof exact
}

/** What came of each choice that was one; -1: of the deal, before anybody had a choice. */
function skillsOf(
  seats: number,
  { curve, expected, choices }: Pick<Analysis, 'curve' | 'expected' | 'choices'>,
): Map<number, number[]> {
  const nothing = Array.from({ length: seats }, () => 0)
  const found = new Map([[-1, nothing]])
  let since = -1
  for (const { number, verdict } of choices) {
    if (verdict !== FORCED) since = number
    const before = found.get(since) ?? nothing
    found.set(
      since,
      before.map((value, seat) => value + (expected[number]![seat]! - curve[number]![seat]!)),
    )
  }
  return found
}

function moments(curve: number[][], choices: Judged[]): number[] {
  const free = choices.filter(({ verdict }) => verdict !== FORCED)
  const weighed = free.map(({ number, cost }) => {
    const moved = curve[number + 1]!.map((after, seat) => Math.abs(after - curve[number]![seat]!))
    return { number, weight: rounded(Math.max(cost, ...moved)) }
  })
  weighed.sort((a, b) => b.weight - a.weight || a.number - b.number)
  const found = weighed.slice(0, MOST_MOMENTS).filter(({ weight }) => weight >= LEAST_MOMENT)
  return found.map(({ number }) => number).sort((a, b) => a - b)
}

/** What was played most often, step by step; of equals what came first. */
export function expectedLine(lines: Line[]): Line {
  const found: Line = []
  for (let going = lines; found.length < LINE;) {
    const following = new Map<string, number>()
    for (const line of going)
      if (line.length > found.length) {
        const step = JSON.stringify(line[found.length])
        following.set(step, (following.get(step) ?? 0) + 1)
      }
    if (!following.size) break
    const most = Math.max(...following.values())
    const [step] = [...following].find(([, times]) => times === most)!
    const at = found.push(JSON.parse(step) as [number, string]) - 1
    going = going.filter((line) => JSON.stringify(line[at]) === step)
  }
  return found
}
