/** A game's description, looked things up in: what a card is, where a place lies, what a token names. */
import type { Card, GameData, Place } from '../../engine/src/description'
import {
  choiceOf,
  termsOf,
  usedWith,
  vocabulary,
  type Entry,
  type Spoken as Vocabulary,
} from '../../engine/src/vocabulary'
import type { Choice } from './choices'
import { codeOf } from './frames'
import type { GameEvent, View } from './protocol'

export type { Card, Place }
export type Spoken = Vocabulary & Pick<GameData, 'asides'>

export type Settled = Pick<View, 'seats' | 'options'>

export class GameBook {
  private readonly used: Card[]
  private readonly cards = new Map<string, Card>()
  private readonly places: Map<string, Place>
  private readonly entries: Map<string, Entry>

  constructor(
    readonly data: Spoken,
    { seats, options }: Settled,
  ) {
    this.used = data.cards.filter((card) => usedWith(card.when, options))
    for (const card of this.used) if (!this.cards.has(card.code)) this.cards.set(card.code, card)
    this.places = new Map(data.places.map((place) => [place.name, place]))
    const all = vocabulary(data, options, termsOf(data, options, seats))
    this.entries = new Map(all.map((entry) => [entry.token, entry]))
  }

  card(code: string): Card | undefined {
    return this.cards.get(code)
  }

  /** All cards of a card's suit, itself included. */
  kin(code: string): Card[] {
    const suit = this.card(code)?.suit
    return suit ? this.used.filter((card) => card.suit === suit) : []
  }

  /** Where cards of a card's suit lie, and how many, as far as a view shows them. */
  seen(code: string, { places }: View, title: (place: Place) => string): [string, number][] {
    const codes = this.kin(code).map((card) => card.code)
    const found = new Map<string, number>()
    for (const place of this.data.places) {
      const entries = places[place.name] ?? []
      const count = entries.filter((entry) => codes.includes(codeOf(entry) ?? '')).length
      if (count) found.set(title(place), (found.get(title(place)) ?? 0) + count)
    }
    return [...found]
  }

  place(name: string): Place | undefined {
    return this.places.get(name)
  }

  /** All places of a kind, in the order of the description. */
  placesOf(kind: string): string[] {
    return this.data.places.filter((place) => place.kind === kind).map((place) => place.name)
  }

  /** The suits there are, in the order of the cards. */
  get suits(): string[] {
    return [...new Set([...this.cards.values()].map((card) => card.suit))].filter(Boolean)
  }

  /** Whether an event goes without saying: what is drawn, turned up or filled in after a choice. */
  isAside(event: GameEvent): boolean {
    return [event.type, event.rule].some((name) => this.data.asides.includes(name ?? ''))
  }

  choice(token: string, seat: number): Choice | null {
    const entry = this.entries.get(token)
    return entry ? (choiceOf(this.data, entry, seat) as Choice) : null
  }

  /** Everything that could be chosen in a decision, were it legal. */
  possible(decision: string, seat: number): Choice[] {
    return [...this.entries.values()]
      .filter(({ action }) => !action.decisions.length || action.decisions.includes(decision))
      .map((entry) => choiceOf(this.data, entry, seat) as Choice)
  }
}

const opened = new WeakMap<Spoken, { settled: string; book: GameBook }>()

/** A game's book with its seats and options settled; the one opened last lies ready for the next match. */
export function bookOf(data: Spoken, settled: string): GameBook {
  const last = opened.get(data)
  if (last?.settled === settled) return last.book
  const book = new GameBook(data, JSON.parse(settled) as Settled)
  opened.set(data, { settled, book })
  return book
}

/** What a book depends on. */
export const settledIn = ({ seats, options }: Settled): string => JSON.stringify({ seats, options })
