/** What a table is played with, in words. */
import { said, t } from './i18n'
import type { ClockChoice, Game, Option } from './protocol'

export type Chosen = Record<string, string | number | boolean>

/** Options a person chooses between; the seats have a place of their own. */
export function choosable(game: Game): Option[] {
  return game.options.filter((option) => option.name !== 'seats' && option.values.length > 1)
}

/** Options as they are kept: what is as usual is left out. */
export function without(game: Game, chosen: Chosen): Chosen {
  const usual = Object.fromEntries(game.options.map((option) => [option.name, option.default]))
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => usual[name] !== value))
}

/** Of who begins: nobody chooses. */
export const LOT = 'lot'

/** The options of a match about to be dealt: where nobody chose who begins, a seat is drawn. */
export function drawn(chosen: Chosen, seats: number): Chosen {
  if (chosen['first'] !== LOT) return chosen
  return { ...chosen, first: Math.floor(Math.random() * seats) }
}

const MANY = 20
const STEP = 5

/** The values to choose between: of a long row of numbers every fifth, and the one chosen. */
export function offered(option: Option, seats: number, chosen: unknown): Option['values'] {
  if (option.name === 'first') return [...option.values.filter((seat) => Number(seat) < seats), LOT]
  if (option.values.length <= MANY) return option.values
  return option.values.filter((value) => Number(value) % STEP === 0 || value === chosen)
}

export function valueWords(option: Option, value: unknown): string {
  const written = said(option.say?.[String(value)])
  return written || (value === true ? t().on : value === false ? t().off : String(value))
}

/** Those that are offered. */
export const clocks: Record<string, ClockChoice> = {
  none: { kind: 'none' },
  quick: { kind: 'fischer', seconds: 300, increment: 5 },
  calm: { kind: 'fischer', seconds: 900, increment: 10 },
  day: { kind: 'days', days: 1 },
  days: { kind: 'days', days: 3 },
  week: { kind: 'days', days: 7 },
}

export function clockWords(clock: ClockChoice): string {
  if (clock.kind === 'fischer') return t().minutes((clock.seconds ?? 0) / 60, clock.increment ?? 0)
  return clock.kind === 'days' ? t().daysPer(clock.days ?? 1) : t().noClock
}

/** What differs from the usual rules; nothing, if they are played as usual. */
export function optionWords(game: Game, options: Record<string, unknown>): string[] {
  return choosable(game).flatMap((option) => {
    const value = options[option.name]
    if (option.name === 'first' || value === undefined || value === option.default) return []
    return [t().pair(said(option.title) || option.name, valueWords(option, value))]
  })
}
