/** The puzzles that come with a game, which of them is that of a day, and what one has solved. */

/** As `tanistry.analysis.puzzling` keeps it. */
export interface Puzzle {
  seed: number
  /** What was chosen before, from the deal on. */
  choices: string[]
  solution: string
  /** The chance that each choice tried leaves, best first. */
  worth: [token: string, win: number][]
  /** The wrong choice that weaker players make most often. */
  mistake: string
  /** What is expected after the solution. */
  line: [seat: number, token: string][]
  /** What is expected after every other choice. */
  answers: Record<string, [seat: number, token: string][]>
  /** What it turns on. */
  themes: Theme[]
  rating: number
}

/** The id of a rule, or where the game's words name it (`formations.team`); whose it is; and in
 * which share of the imagined deals it comes up after each choice. */
export type Theme = [name: string, seat: number | null, often: Record<string, number>]

/** What the matches of puzzles are of. */
export interface Played {
  game: string
  seats: number
  options: Record<string, unknown>
}

export interface Collection extends Played {
  version: number
  /** Easiest first. */
  puzzles: Puzzle[]
}

/** What one has done on this device. */
export interface Solving {
  /** By game and name: whether the first try was right. */
  tried: Record<string, Record<string, boolean>>
  /** Puzzles solved at the first try, one after the other. */
  row: number
  /** Days in a row on which a puzzle of the day was solved, up to this one. */
  days: number
  day: number
}

const addresses = import.meta.glob<string>('../../../src/tanistry/analysis/puzzles/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})
const addressOf = (game: string) => addresses[`../../../src/tanistry/analysis/puzzles/${game}.json`]

export const hasPuzzles = (game: string): boolean => addressOf(game) !== undefined

/** Those of a game, fetched when they are asked for. */
export async function puzzlesOf(game: string): Promise<Collection> {
  const address = addressOf(game)
  if (!address) throw new Error(`no puzzles come with ${game}`)
  return (await (await fetch(new URL(address, location.href))).json()) as Collection
}

/** The same in every collection it is in, and in every address. */
export const nameOf = ({ seed, choices }: Puzzle): string => `${seed}-${choices.length}`

// -- the day --------------------------------------------------------------------------------------

const DAY = 86_400_000
/** Days from the year 1 to 1970: days are counted as Python counts them. */
const BEFORE = 719_163

export const dayOf = (now = Date.now()): number => Math.floor(now / DAY) + BEFORE

/** Which of so many puzzles is that of a day: the same for everybody, each once in a round. */
export function ofTheDay(count: number, day = dayOf()): number {
  let step = Math.floor((count * 2) / 3)
  while (divisor(step, count) !== 1) step++
  return (day * step) % count
}

const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a)

// -- what was solved ------------------------------------------------------------------------------

/** A puzzle was tried for the first time; later tries change nothing. */
export function tried(solving: Solving, game: string, name: string, right: boolean): Solving {
  const before = solving.tried[game] ?? {}
  if (name in before) return solving
  return {
    ...solving,
    tried: { ...solving.tried, [game]: { ...before, [name]: right } },
    row: right ? solving.row + 1 : 0,
  }
}

/** The puzzle of a day was solved, at whichever try; past midnight too, unless the next day's was. */
export function solvedOn(solving: Solving, day: number): Solving {
  if (solving.day === day || solving.day === day + 1) return solving
  return { ...solving, day, days: solving.day === day - 1 ? solving.days + 1 : 1 }
}

/** Days in a row that still count: yesterday's can be gone on with today. */
export const daysInARow = ({ days, day }: Solving, now = dayOf()): number =>
  day >= now - 1 ? days : 0

/** What to try next: of those not tried, the one nearest to somebody's rating, or the easiest. */
export function nextOf(
  puzzles: readonly Puzzle[],
  done: Readonly<Record<string, boolean>>,
  rating = 0,
): Puzzle | undefined {
  const left = puzzles.filter((puzzle) => !(nameOf(puzzle) in done))
  const far = (puzzle: Puzzle) => Math.abs(puzzle.rating - rating)
  return left.reduce<Puzzle | undefined>(
    (best, puzzle) => (best && far(best) <= far(puzzle) ? best : puzzle),
    undefined,
  )
}

/** What puzzles turn on, each with its puzzles; those with most come first. */
export function byTheme(puzzles: readonly Puzzle[]): [theme: string, puzzles: Puzzle[]][] {
  const found = new Map<string, Puzzle[]>()
  for (const puzzle of puzzles)
    for (const [theme] of puzzle.themes) found.set(theme, [...(found.get(theme) ?? []), puzzle])
  return [...found].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
}
