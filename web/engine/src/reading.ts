/** Positions read back: set the table from plain data, or say what is wrong with it. */

import type { Fact, Told } from './description.js'
import { has, type Fields } from './fields.js'
import type { Game } from './game.js'
import { byCode, Look, spots } from './looks.js'
import { allowed, isSimple, Mismatch, read, stream, write } from './shapes.js'
import type { Data } from './words.js'

const HEAD = ['game', 'seats', 'options', 'to_act', 'decision', 'places', 'facts']
const MORE = -1

type Given = Record<string, unknown>

interface Marked {
  number: number
  card: number
  entry: Given
}

/** The first thing a kernel told: its values as data. */
export function readTold(
  game: Game,
  told: number[][],
  types: Told[],
): { kind: Told; values: Data } {
  const [first, ...rest] = told as [number[], ...number[][]]
  const kind = types[first[0]!]!
  const complex = kind.values.findIndex((value) => !isSimple(value))
  const simple = Math.min(4, complex < 0 ? kind.values.length : complex)
  const more = rest.filter((entry) => entry[0] === MORE).map((entry) => entry[2]!)
  const numbers = stream([...first.slice(2, 2 + simple), ...more])
  return {
    kind,
    values: Object.fromEntries(
      kind.values.map((value) => [value.name, write(value, numbers, game.terms)]),
    ),
  }
}

export function readPosition(game: Game, s: Fields, position: unknown): void {
  new Reader(game, s).read(position)
}

class Reader {
  constructor(
    private readonly game: Game,
    private readonly s: Fields,
  ) {}

  read(position: unknown): void {
    const given = this.mapping(position, 'position')
    this.checkHead(given)
    const left = new Map<string, number[]>()
    this.game.codes.forEach((code, card) => left.set(code, [...(left.get(code) ?? []), card]))
    const names = this.game.data.places.map((place) => place.name)
    const marked = Object.entries(this.mapping(given['places'], 'places')).flatMap(
      ([name, entries]) => {
        if (!names.includes(name)) throw this.wrong('place', { name, allowed: names.join(', ') })
        return this.readPlace(names.indexOf(name), entries, left)
      },
    )
    const missing = [...left].flatMap(([code, cards]) => cards.map(() => code))
    if (missing.length)
      throw this.wrong('missing', { cards: missing.slice(0, 5).join(', '), count: missing.length })
    this.readTurn(given)
    const facts = { ...this.mapping(given['facts'] ?? {}, 'facts') }
    this.restore(facts)
    const [extra] = Object.keys(facts)
    if (extra !== undefined) throw this.wrong('fact', { name: extra })
    for (const { number, card, entry } of marked) this.readKnown(number, card, entry['known'])
    this.check()
  }

  private wrong(code: string, values: Given): Error {
    return this.game.engine.error(`position/${code}`, values)
  }

  private mapping(value: unknown, name: string): Given {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.wrong('shape', { name })
    return value as Given
  }

  private checkHead(given: Given): void {
    for (const name of Object.keys(given)) {
      if (!HEAD.includes(name)) throw this.wrong('key', { name, allowed: HEAD.join(', ') })
    }
    const expected: Given = { game: this.game.name, seats: this.game.seats, ...this.game.options }
    const head = Object.fromEntries(
      ['game', 'seats'].filter((key) => key in given).map((key) => [key, given[key]]),
    )
    for (const [name, value] of Object.entries({
      ...head,
      ...this.mapping(given['options'] ?? {}, 'options'),
    })) {
      if (!(name in expected)) throw this.wrong('option', { name })
      if (value !== expected[name])
        throw this.wrong('other', { name, value, expected: expected[name] })
    }
  }

  private readPlace(number: number, entries: unknown, left: Map<string, number[]>): Marked[] {
    const place = this.game.data.places[number]!
    if (!Array.isArray(entries)) throw this.wrong('shape', { name: place.name })
    const room =
      (place.owner ?? -1) < this.game.seats ? Math.min(place.most, this.game.codes.length) : 0
    if (entries.length > room)
      throw this.wrong('crowded', { name: place.name, count: entries.length, most: room })
    const width = this.s.field('slots').shape[1]!
    return entries.flatMap((raw: unknown, index) => {
      if (raw === null && place.order === 'slots') return []
      const entry = typeof raw === 'string' ? { card: raw } : this.mapping(raw, place.name)
      const card = this.takeCard(entry['card'], left)
      this.s.add('place', number, card)
      const slot =
        place.order === 'set' ? -1 : place.order === 'pile' ? entries.length - 1 - index : index
      if (slot >= 0) this.s.set('slots', card, width * number + slot)
      this.readFlags(number, card, slot, entry)
      return [{ number, card, entry }]
    })
  }

  private takeCard(code: unknown, left: Map<string, number[]>): number {
    const cards = typeof code === 'string' ? left.get(code) : undefined
    if (!cards) throw this.wrong('card', { card: code ?? null })
    const card = cards.shift()
    if (card === undefined) {
      throw this.wrong('twice', {
        card: code,
        count: this.game.codes.filter((one) => one === code).length,
      })
    }
    return card
  }

  private readFlags(number: number, card: number, slot: number, entry: Given): void {
    const place = this.game.data.places[number]!
    const flags = this.game.data.flags.filter((flag) => flag.kinds.includes(place.kind))
    for (const name of Object.keys(entry)) {
      if (name !== 'card' && name !== 'known' && !flags.some((flag) => flag.name === name)) {
        throw this.wrong('flag', { name, place: place.name })
      }
    }
    for (const flag of flags) {
      const value = flag.name in entry ? entry[flag.name] : flag.unsaid
      const row = this.matching(
        () => read(flag.shape, value, this.game.terms)[0]!,
        () =>
          this.wrong('flag_value', {
            name: flag.name,
            card: this.game.codes[card],
            place: place.name,
            value,
          }),
      )
      const member = flag.by === 'slot' ? slot : card
      if (byCode(flag) ? row >= 0 : row > 0)
        this.s.add(flag.field, byCode(flag) ? row : 0, byCode(flag) ? card : member)
    }
  }

  private matching<T>(attempt: () => T, wrong: () => Error): T {
    try {
      return attempt()
    } catch (reason) {
      throw reason instanceof Mismatch ? wrong() : reason
    }
  }

  private readTurn(given: Given): void {
    const { decisions } = this.game.data
    const seat = given['to_act'] ?? null
    const decision = given['decision'] ?? ''
    if (seat === null && decision === '') return this.s.set('to_act', -1)
    if (!Number.isInteger(seat) || Number(seat) < 0 || Number(seat) >= this.game.seats) {
      throw this.wrong('to_act', { value: seat, most: this.game.seats - 1 })
    }
    if (!decisions.includes(decision as string)) {
      throw this.wrong('decision', { value: decision, allowed: decisions.join(', ') })
    }
    this.s.set('to_act', Number(seat))
    this.s.set('decision', decisions.indexOf(decision as string))
  }

  private restore(given: Given): void {
    const { data, engine } = this.game
    const noted: number[] = []
    for (const fact of data.facts) {
      const numbers = this.readFact(fact, given)
      if (fact.field) this.setField(fact, numbers)
      else noted.push(...(numbers ? [1, ...numbers] : [0]))
    }
    if (!engine.module.has('restore')) return
    const notes = engine.module.view('notes')
    if (4 * noted.length + 4 >= notes.byteLength) throw this.wrong('shape', { name: 'facts' })
    engine.module.bytes('notes').fill(0)
    noted.forEach((number, i) => notes.setInt32(4 * i + 4, number, true))
    this.tellProblem('restore')
  }

  private readFact(fact: Fact, given: Given): number[] | undefined {
    if (!(fact.name in given) && !(fact.field && fact.unsaid === null)) return undefined
    const value = given[fact.name] ?? null
    Reflect.deleteProperty(given, fact.name)
    return this.matching(
      () => read(fact.shape, value, this.game.terms),
      () =>
        this.wrong('fact_value', {
          name: fact.name,
          value,
          allowed: allowed(fact.shape, this.game.terms),
        }),
    )
  }

  private setField({ field, unsaid }: Fact, numbers: number[] | undefined): void {
    this.s.fill(field!, unsaid ?? 0)
    numbers?.forEach((number, index) => this.s.set(field!, number, index))
  }

  private readKnown(number: number, card: number, known: unknown): void {
    const { game, s } = this
    const seats = game.seats
    let who = new Look(game, s).implied(number, card)
    if (known !== undefined && known !== null) {
      const fits =
        Array.isArray(known) &&
        known.every((seat) => Number.isInteger(seat) && seat >= 0 && seat < seats)
      if (!fits) throw this.wrong('known', { card: game.codes[card], most: seats - 1 })
      who = [...new Set(known as number[])]
    }
    const secret = game.data.places[number]!.secret_from_public
    const everybody = who.length === seats && (known === undefined || known === null || !secret)
    // Unused seats follow the public: kernels show a card to every row.
    const rows = everybody ? Array.from({ length: game.publicRow + 1 }, (_, row) => row) : who
    for (const row of rows) s.add('known', row, card)
  }

  private check(): void {
    const look = new Look(this.game, this.s)
    this.game.data.places.forEach((place, number) => {
      for (const { card } of spots(this.game, this.s, number)) {
        if (card < 0 || look.implied(number, card).every((row) => has(look.known[row]!, card)))
          continue
        throw this.wrong('unknown', { card: this.game.codes[card], name: place.name })
      }
    })
    if (this.game.engine.module.has('check')) this.tellProblem('check')
  }

  /** Run a kernel that tells problems; the first is an error. */
  private tellProblem(kernel: string): void {
    const told = this.game.engine.told(this.s, kernel)
    if (!told.length) return
    const { kind, values } = readTold(this.game, told, this.game.data.problems)
    throw this.wrong(kind.name, values)
  }
}
