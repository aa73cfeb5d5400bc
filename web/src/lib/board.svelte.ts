/** What a game's table draws and points at: one view, one game's words, and the choice in the making. */
import { getContext, setContext, type Component } from 'svelte'
import { inviting, meant, pick, tokenFor, type Choice, type Way } from './choices'
import { codeOf } from './frames'
import { bookOf, settledIn, type Card, type Place, type Spoken } from './gamedata'
import { b } from '../texts/board'
import { capital, t } from './i18n'
import type { Entry, GameEvent, Rule, View, Words } from './protocol'
import { button, cardAt, isButton, type Target } from './targets'

/** `other`: it would begin another choice than the one in the making. */
export type Look = 'invites' | 'picked' | 'other' | 'idle'

interface Actions {
  play: (token: string) => void
  picked: () => void
  refused: (token: string | null) => void
}

/** How a card looks. */
export interface Face {
  /** A sett, or a plain colour. */
  cloth?: string
  plain?: string
  accent: string
  emblem: string
  /** Top left: the number, or the letters where a card has no number. */
  value: string
  letters: string
  /** A small emblem at the foot: a power, a chief's crown. */
  sign?: string
  foot?: string
  /** It has a name and no suit: where there is room, the name is written out. */
  named?: boolean
  rank?: string
}

/** What things are called in the language chosen. */
export interface Names {
  word(key: string): string
  cardName(code: string): string
}

export interface GameTable {
  Table: Component<{ board: Board }>
  /** The count at the end, explained. */
  Count?: Component<{ board: Board }>
  /** Why a seat has won, where the score alone does not say it. */
  why?(board: Board, seat: number): string
  face(card: Card, board: Board): Face
  /** Kinds of places, as short titles. */
  places?(): Readonly<Record<string, string>>
  /** What to say about a card that lies in a place: lines of words, and a rule other than the card's own. */
  about?(code: string, place: string, board: Board): { lines: string[]; rule?: string }
  /** What to point at, step by step, for a choice. */
  path?(choice: Choice, board: Board): Target[]
  /** What is asked at this step, where the catalogue's words for the decision do not say it. */
  prompt?(board: Board): string
  /** The rule that says more of what is asked. */
  explains?(board: Board): string
  /** A choice in words, for where the table shows what it names; otherwise it is the catalogue's. */
  saying?(choice: Choice, board: Board): string
  /** What a button says, where the words of its token are longer than the moment needs. */
  button?(target: Target): string
  /** Places an event speaks of, besides where a card went. */
  spots?(event: GameEvent): string[]
  /** Events that begin something new: they are nobody's doing. */
  begins?: string[]
  /** Events that go without saying, but are marked on the table all the same. */
  marks?: string[]
  /** Buttons that decline: the wanted act is elsewhere. */
  quiet?: Target[]
  /** The sett of a card's back. */
  back?(kind: string | undefined): string
}

const EMPTY: View = {
  game: '',
  seats: 2,
  options: {},
  to_act: null,
  decision: '',
  places: {},
  facts: {},
  seat: null,
}

export class Board {
  view = $state.raw<View>(EMPTY)
  words = $state.raw<Words | null>(null)
  names = $state.raw<string[]>([])
  labels = $state.raw<Record<string, string>>({})
  /** What the game is made of, as the server describes it. */
  data = $state.raw<Spoken | null>(null)
  /** How the match stands. */
  tallied = $state.raw<Record<string, unknown>>({})
  picked = $state.raw<Target[]>([])
  /** The token a hint or a forced choice points at. */
  marked = $state.raw<string | null>(null)
  /** A card is under somebody's finger: nothing else moves meanwhile. */
  dragging = $state(false)
  /** Nothing is secret any more: hands are shown that nobody else could see. */
  open = $state(false)
  /** All events of the match so far, for a count at the end. */
  log = $state.raw<GameEvent[]>([])
  /** The seat at the near side of the table: mine, or the first for a spectator. */
  near = $derived(this.view.seat ?? 0)
  mine = $derived(!!this.view.legal?.length)
  /** Who is to choose; in a match that is being played not we, as long as we cannot. */
  acting = $derived(
    this.view.to_act === this.view.seat && !this.mine && !this.open ? null : this.view.to_act,
  )

  readonly game: GameTable
  private readonly actions: Actions

  constructor(
    game: GameTable,
    actions: Actions = {
      play: () => undefined,
      picked: () => undefined,
      refused: () => undefined,
    },
  ) {
    this.game = game
    this.actions = actions
  }

  /** The description with the options of this table; the same as long as those are. */
  private settled = $derived(settledIn(this.view))
  book = $derived(this.data && bookOf(this.data, this.settled))
  private all = $derived((this.view.legal ?? []).map((token) => this.way(token)))
  inviting = $derived(inviting(this.all, this.picked))
  private elsewhere = $derived(this.picked.length ? inviting(this.all, []) : [])
  private hinted = $derived(this.all.find((choice) => choice.token === this.marked)?.path ?? [])

  private way(token: string): Way {
    const choice = this.book?.choice(token, this.near)
    return { token, path: choice ? this.path(choice) : [button(token)] }
  }

  /** What to point at for a choice; without a table of its own a game has one button for each. */
  private path(choice: Choice): Target[] {
    return this.game.path?.(choice, this) ?? [button(choice.token)]
  }

  look(target: Target | undefined): Look {
    if (!target) return 'idle'
    if (this.picked.includes(target)) return 'picked'
    if (this.inviting.includes(target)) return 'invites'
    return this.elsewhere.includes(target) ? 'other' : 'idle'
  }

  isMarked(target: Target | undefined): boolean {
    return !!target && this.hinted.includes(target)
  }

  point(target: Target): void {
    if (!this.mine) return
    const found = pick(this.all, this.picked, target)
    if (found.kind === 'more') {
      this.picked = found.picked
      this.actions.picked()
    } else if (found.kind === 'play') this.actions.play(found.token)
    else this.actions.refused(this.meant(target))
  }

  private meant(target: Target): string | null {
    const possible = this.book?.possible(this.view.decision, this.near) ?? []
    const ways = possible.map((choice) => ({ token: choice.token, path: this.path(choice) }))
    return meant(ways, this.picked, target)
  }

  stepBack(): void {
    this.picked = this.picked.slice(0, -1)
  }

  /** The buttons of this moment: targets that are not on the table. */
  buttons = $derived(this.inviting.filter(isButton))

  /** A choice in words; what it names is to be seen on the table. */
  saying(token: string): string {
    const choice = this.book?.choice(token, this.near)
    return (choice && this.game.saying?.(choice, this)) || (this.labels[token] ?? token)
  }

  /** What choosing a target does, in words, when it settles the choice. */
  does(target: Target): string {
    const token = tokenFor(this.all, this.picked, target)
    return token ? capital(this.saying(token)) : ''
  }

  /** Whether an event goes without saying. */
  isAside = (event: GameEvent): boolean => this.book?.isAside(event) ?? false

  face(code: string): Face {
    const card = this.card(code)
    return card
      ? this.game.face(card, this)
      : { accent: '#443', emblem: 'crown', value: '', letters: '' }
  }

  /** What a card is: suit, value, kind. */
  card(code: string | null | undefined): Card | undefined {
    return code ? this.book?.card(code) : undefined
  }

  /** The card picked first in the choice in the making. */
  get held(): string | null {
    return cardAt(this.picked[0])?.code ?? null
  }

  cardName(code: string | null): string {
    return code === null ? t().faceDown : (this.words?.cards[code] ?? code)
  }

  /** A card in words: its name, what it does, where others of its kind are, and the rule for it. */
  about(code: string, place: string): { title: string; lines: string[]; rule: Rule | undefined } {
    const found = this.game.about?.(code, place, this)
    return {
      title: this.cardName(code),
      lines: [...(found?.lines ?? []), this.kin(code)].filter(Boolean),
      rule: this.rule(found?.rule ?? this.card(code)?.rule ?? ''),
    }
  }

  /** How many cards of a card's kind this view shows, and where. */
  private kin(code: string): string {
    const count = this.book?.kin(code).length ?? 0
    const found = count > 1 ? this.book!.seen(code, this.view, this.placeTitle) : []
    return found.length ? b().kin(found, count) : ''
  }

  /** A place in short, with whose it is. */
  placeTitle = ({ name, kind, owner }: Place): string => {
    const title = this.game.places?.()[kind]
    if (!title) return this.placeName(name)
    const own = owner === this.view.seat && !this.open
    return owner === null ? title : `${title} (${own ? t().you : this.name(owner)})`
  }

  word(key: string): string {
    let node: unknown = this.words?.words
    for (const part of key.split('.')) node = (node as Record<string, unknown> | undefined)?.[part]
    return typeof node === 'string' ? node : ''
  }

  /** A rule's title and text, by its id. */
  rule(id: string): Rule | undefined {
    return this.words?.rules.find((rule) => rule.id === id)
  }

  placeName(place: string): string {
    return this.words?.places[place] ?? place
  }

  name = (seat: number | null | undefined): string =>
    seat === null || seat === undefined ? '' : (this.names[seat] ?? `${t().player} ${seat + 1}`)

  cards(place: string): Entry[] {
    return this.view.places[place] ?? []
  }

  codes(place: string): (string | null)[] {
    return this.cards(place).map(codeOf)
  }

  fact<T>(name: string, otherwise: T): T {
    return (this.view.facts[name] as T | undefined) ?? otherwise
  }

  /** What the rules tell of how the match stands. */
  tally<T>(name: string, otherwise: T): T {
    return (this.tallied[name] as T | undefined) ?? otherwise
  }

  /** The other seats, clockwise from the near one. */
  others = $derived(
    Array.from({ length: this.view.seats - 1 }, (_, i) => (this.near + 1 + i) % this.view.seats),
  )
}

const KEY = Symbol('board')
export const setBoard = (board: () => Board): void => void setContext(KEY, board)
export const useBoard = (): (() => Board) => getContext<() => Board>(KEY)
