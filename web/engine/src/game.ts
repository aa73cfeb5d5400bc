/** A game with its options settled: deals matches and sets up positions. */

import type { Card, Field, GameData, Options, Value } from './description.js'
import type { Engine } from './engine.js'
import { Fields } from './fields.js'
import { Match } from './match.js'
import { readPosition } from './reading.js'
import { repr, str } from './python.js'
import type { Terms } from './shapes.js'
import { termsOf, usedWith, vocabulary, type Entry } from './vocabulary.js'

export type Seed = number | bigint | Uint8Array | undefined

/** A value as it is written in records. */
export function written(value: Value): string {
  return String(value)
}

interface Choosable {
  name: string
  values: Value[]
  numbers: number[]
  default: Value
}

export class Game {
  readonly data: GameData
  readonly seats: number
  readonly options: Options
  readonly cards: readonly Card[]
  readonly codes: readonly string[]
  readonly vocabulary: readonly Entry[]
  readonly tokens: readonly string[]
  readonly actions: ReadonlyMap<string, number>
  readonly terms: Terms
  readonly optionList: readonly Choosable[]

  constructor(
    readonly engine: Engine,
    seats: number | undefined,
    options: Record<string, unknown>,
  ) {
    const data = (this.data = engine.data)
    this.seats = this.checkSeats(seats)
    const numbers = Array.from({ length: this.seats }, (_, seat) => seat)
    this.optionList = [{ name: 'first', values: numbers, numbers, default: 0 }, ...data.options]
    this.options = this.checkOptions(options)
    this.cards = data.cards.filter((card) => usedWith(card.when, this.options))
    this.codes = this.cards.map((card) => card.code)
    this.terms = termsOf(data, this.options, this.seats)
    this.vocabulary = vocabulary(data, this.options, this.terms)
    this.tokens = this.vocabulary.map((entry) => entry.token)
    this.actions = new Map(this.tokens.map((token, number) => [token, number]))
  }

  get name(): string {
    return this.data.name
  }

  /** The row of `known` for what everybody knows. */
  get publicRow(): number {
    return this.engine.fields.get('known')!.shape[0]! - 1
  }

  row(seat: number | null): number {
    return seat ?? this.publicRow
  }

  /** Start a match. The same seed gives the same match, everywhere. */
  deal(seed?: Seed): Match {
    const key = this.engine.seedBytes(seed)
    const s = this.newRecord(key)
    this.engine.run(s, 'deal')
    return new Match(this, s, key)
  }

  /** A match from a position; an error says what is wrong with it. */
  setup(position: unknown, seed?: Seed): Match {
    const key = this.engine.seedBytes(seed)
    const s = this.newRecord(key)
    readPosition(this, s, position)
    return new Match(this, s, key, s.copy())
  }

  rekey(s: Fields, key: Uint8Array): void {
    s.bytes.set(key, s.field('key').offset)
    this.engine.run(s, 'start_stream', { nonce: 0 })
  }

  private newRecord(key: Uint8Array): Fields {
    const s = new Fields(this.engine.fields as ReadonlyMap<string, Field>, this.data.record.size)
    s.fill('slots', -1)
    s.set('seats', this.seats)
    for (const option of this.optionList) {
      s.set(option.name, option.numbers[option.values.indexOf(this.options[option.name]!)]!)
    }
    this.rekey(s, key)
    return s
  }

  // -- options ----------------------------------------------------------------------------------

  private checkSeats(seats: number | undefined): number {
    const { seats: possible } = this.data
    if (seats === undefined) return possible[0]!
    if (possible.includes(seats)) return seats
    const [low, high] = [possible[0], possible.at(-1)]
    const allowed = low === high ? String(low) : `${low}–${high}`
    throw this.engine.error(
      'option/seats',
      { game: this.name, value: seats, allowed },
      'common.options',
    )
  }

  private checkOptions(given: Record<string, unknown>): Options {
    const names = this.optionList.map((option) => option.name)
    for (const name of Object.keys(given)) {
      if (!names.includes(name)) {
        const allowed = ['seats', ...names].join(', ')
        throw this.engine.error('option/name', { game: this.name, name, allowed }, 'common.options')
      }
    }
    return Object.fromEntries(
      this.optionList.map((option) => [
        option.name,
        this.checkOption(option, given[option.name] ?? option.default),
      ]),
    )
  }

  private checkOption(option: Choosable, value: unknown): Value {
    const { name, values } = option
    if (values.includes(value as Value)) return value as Value
    const many = values.length > 5 && values.every((one) => typeof one === 'number')
    const listed = many ? `${values[0]}–${values.at(-1)}` : values.map(written).join(', ')
    const allowed = values.includes(str(value)) ? values.map(repr).join(', ') : listed
    throw this.engine.error('option/value', { name, value, allowed }, 'common.options')
  }

  /** The value that a record writes so. */
  readOption(name: string, text: string): unknown {
    const option = this.optionList.find((one) => one.name === name)
    return (
      option?.values.find(
        (value) => written(value) === text || (typeof value === 'boolean' && str(value) === text),
      ) ?? text
    )
  }
}
