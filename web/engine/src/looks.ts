/** What each seat sees of a match, and everything there is: views, positions, facts. */

import type { Fact, Flag, Json, Place, Seen } from './description.js'
import { has, members, type Fields } from './fields.js'
import type { Game } from './game.js'
import { repr, str } from './python.js'
import { stream, write, type Numbers } from './shapes.js'
import type { Data } from './words.js'

const SEEN: Seen[] = ['nobody', 'owner', 'all']
const NOWHERE = -1

export interface Spot {
  card: number
  slot: number
}

/** The cards of a place as they are listed, each with its slot; card −1 for a gap. */
export function spots(game: Game, s: Fields, number: number): Spot[] {
  const place = game.data.places[number]!
  if (place.order === 'set')
    return members(s.sets('place')[number]!).map((card) => ({ card, slot: NOWHERE }))
  const width = s.field('slots').shape[1]!
  const all = Array.from({ length: width }, (_, slot) => s.get('slots', width * number + slot))
  if (place.order === 'slots') {
    return all.some((card) => card >= 0)
      ? all.slice(0, place.most).map((card, slot) => ({ card, slot }))
      : []
  }
  const listed = all.filter((card) => card >= 0).map((card, slot) => ({ card, slot }))
  return place.order === 'pile' ? listed.reverse() : listed
}

export function byCode(flag: Flag): boolean {
  return flag.shape.type === 'maybe'
}

/** A record read once: how cards lie in it and who knows them. */
export class Look {
  readonly known: bigint[]
  private readonly flags: Map<string, bigint[]>

  constructor(
    readonly game: Game,
    readonly s: Fields,
  ) {
    this.known = s.sets('known')
    this.flags = new Map(game.data.flags.map((flag) => [flag.field, s.sets(flag.field)]))
  }

  // -- a card -------------------------------------------------------------------------------------

  marks(place: Place, { card, slot }: Spot): Data {
    const found: Data = {}
    for (const flag of this.game.data.flags) {
      if (!flag.kinds.includes(place.kind)) continue
      const sets = this.flags.get(flag.field)!
      const member = flag.by === 'slot' ? slot : card
      const rows = sets.flatMap((set, row) => (has(set, member) ? [row] : []))
      found[flag.name] = byCode(flag)
        ? write(flag.shape, stream([rows[0] ?? -1]), this.game.terms)
        : rows.length > 0
    }
    return found
  }

  back(card: number): Data {
    const { back } = this.game.cards[card]!
    return back ? { back } : {}
  }

  /** The seats that know a card because of where it lies. */
  implied(number: number, card: number): number[] {
    const { engine, data, seats } = this.game
    const place = data.places[number]!
    const told = engine.module.has('seen_by')
    const seen = told ? SEEN[engine.ask(this.s, 'seen_by', { place: number, card })]! : place.seen
    if (seen === 'owner') return [place.owner!]
    return seen === 'all' ? Array.from({ length: seats }, (_, seat) => seat) : []
  }

  knowers(card: number): number[] {
    return Array.from({ length: this.game.seats }, (_, seat) => seat).filter((seat) =>
      has(this.known[seat]!, card),
    )
  }

  // -- a place ------------------------------------------------------------------------------------

  private seenEntries(number: number, row: number): Json[] {
    const place = this.game.data.places[number]!
    const entries = spots(this.game, this.s, number).map((spot): Json => {
      if (spot.card < 0) return null
      const flags = this.marks(place, spot)
      if (!has(this.known[row]!, spot.card))
        return { card: null, ...flags, ...this.back(spot.card) }
      const code = this.game.codes[spot.card]!
      return Object.keys(flags).length ? { card: code, ...flags } : code
    })
    return place.order === 'set'
      ? sortedBy(entries, (entry) => (isHidden(entry) ? [1, str(entry)] : [0, '']))
      : entries
  }

  private entries(number: number): Json[] {
    const place = this.game.data.places[number]!
    const entries = spots(this.game, this.s, number).map((spot): Json => {
      if (spot.card < 0) return null
      const entry: Data = { card: this.game.codes[spot.card]!, ...this.marks(place, spot) }
      const known = this.knowers(spot.card)
      const implied = this.implied(number, spot.card)
      if (known.length !== implied.length || known.some((seat) => !implied.includes(seat)))
        entry['known'] = known
      return Object.keys(entry).length > 1 ? entry : entry['card']!
    })
    if (place.order !== 'set') return entries
    const order = [...new Set(entries.map(codeOf))] // twins that differ in who knows them have no order
    return sortedBy(entries, (entry) => [
      order.indexOf(codeOf(entry)),
      typeof entry === 'string' ? entry : repr(entry),
    ])
  }

  private places(entries: (number: number) => Json[]): Data {
    const found: Data = {}
    this.game.data.places.forEach((place, number) => {
      const listed = entries(number)
      if (listed.length) found[place.name] = listed
    })
    return found
  }

  // -- the whole ----------------------------------------------------------------------------------

  private head(): Data {
    const { name, seats, options, data } = this.game
    const seat = this.s.get('to_act')
    return {
      game: name,
      seats,
      options: { ...options },
      to_act: seat < 0 ? null : seat,
      decision: seat < 0 ? '' : data.decisions[this.s.get('decision')]!,
    }
  }

  /** Without `legal`, which the match adds. */
  view(seat: number | null): Data {
    const places = this.places((number) => this.seenEntries(number, this.game.row(seat)))
    return { ...this.head(), places, facts: this.facts(), seat }
  }

  position(): Data {
    return {
      ...this.head(),
      places: this.places((number) => this.entries(number)),
      facts: this.facts(),
    }
  }

  facts(): Data {
    const { data, engine } = this.game
    const derived = data.facts.some((fact) => !fact.field) && engine.module.has('facts')
    return this.written(data.facts, stream(derived ? engine.noted(this.s, 'facts') : []))
  }

  /** How the match stands, as far as a seat can know it. */
  tally(seat: number | null): Data {
    const { data, engine } = this.game
    if (!data.tally.length) return {}
    return this.written(
      data.tally,
      stream(engine.noted(this.s, 'tally', { seat: this.game.row(seat) })),
    )
  }

  private written(facts: Fact[], derived: Numbers): Data {
    const found: Data = {}
    for (const { name, shape, field, unsaid } of facts) {
      if (!field) {
        if (derived.next().value) found[name] = write(shape, derived, this.game.terms)
        continue
      }
      const numbers = this.s.all(field)
      if (unsaid === null || numbers.some((number) => number !== unsaid)) {
        found[name] = write(shape, stream(numbers), this.game.terms)
      }
    }
    return found
  }
}

function isHidden(entry: Json): boolean {
  return (
    typeof entry === 'object' && entry !== null && !Array.isArray(entry) && entry['card'] === null
  )
}

function codeOf(entry: Json): string {
  return typeof entry === 'string' ? entry : String((entry as Data)['card'])
}

function sortedBy(entries: Json[], key: (entry: Json) => [number, string]): Json[] {
  const keyed = entries.map((entry) => ({ entry, key: key(entry) }))
  keyed.sort(
    (a, b) => a.key[0] - b.key[0] || (a.key[1] < b.key[1] ? -1 : a.key[1] > b.key[1] ? 1 : 0),
  )
  return keyed.map(({ entry }) => entry)
}
