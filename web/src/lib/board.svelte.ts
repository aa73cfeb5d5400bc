/** What a game's table draws and points at: one view, one game's words, and the choice in the making. */
import { getContext, setContext } from 'svelte'
import type { Face, GameTable } from '../games'
import { choices, inviting, pick, tokenFor, type Path, type Target } from './choices'
import { codeOf } from './frames'
import { capital, t } from './i18n'
import type { Entry, GameEvent, Rule, View, Words } from './protocol'

/** `other`: it would begin another choice than the one in the making. */
export type Look = 'invites' | 'picked' | 'other' | 'idle'

interface Actions {
  play: (token: string) => void
  refused: (token: string | null) => void
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
  picked = $state.raw<Target[]>([])
  /** The token a hint or a forced choice points at. */
  marked = $state.raw<string | null>(null)
  /** All events of the match so far, for a count at the end. */
  log = $state.raw<GameEvent[]>([])
  /** The seat at the near side of the table: mine, or the first for a spectator. */
  near = $derived(this.view.seat ?? 0)
  mine = $derived(!!this.view.legal?.length)

  readonly game: GameTable
  private readonly actions: Actions

  constructor(
    game: GameTable,
    actions: Actions = { play: () => undefined, refused: () => undefined },
  ) {
    this.game = game
    this.actions = actions
  }

  private all = $derived(choices(this.view, (token, view) => this.path()(token, view)))
  inviting = $derived(inviting(this.all, this.picked))
  private elsewhere = $derived(this.picked.length ? inviting(this.all, []) : [])
  private hinted = $derived(this.all.find((choice) => choice.token === this.marked)?.path ?? [])

  private path(): Path {
    return this.game.path
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
    if (found.kind === 'more') this.picked = found.picked
    else if (found.kind === 'play') this.actions.play(found.token)
    else this.actions.refused(this.game.attempt?.(target, this.picked, this.view) ?? null)
  }

  stepBack(): void {
    this.picked = this.picked.slice(0, -1)
  }

  /** The buttons of this moment: targets that are not on the table. */
  buttons = $derived(this.inviting.filter((target) => target.startsWith('=')))

  /** What choosing a target does, in words, when it settles the choice. */
  does(target: Target): string {
    const token = tokenFor(this.all, this.picked, target)
    return token ? capital(this.labels[token] ?? token) : ''
  }

  face(code: string): Face {
    return this.game.face(code, this.words)
  }

  cardName(code: string | null): string {
    return code === null ? t().faceDown : (this.words?.cards[code] ?? code)
  }

  /** A card in words: its name, what it does, and the rule for it. */
  about(code: string, place: string): { title: string; lines: string[]; rule: Rule | undefined } {
    const found = this.game.about?.(code, place, this)
    return {
      title: this.cardName(code),
      lines: (found?.lines ?? []).filter(Boolean),
      rule: found?.rule ? this.rule(found.rule) : undefined,
    }
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

  name(seat: number | null | undefined): string {
    return seat === null || seat === undefined
      ? ''
      : (this.names[seat] ?? `${t().player} ${seat + 1}`)
  }

  cards(place: string): Entry[] {
    return this.view.places[place] ?? []
  }

  codes(place: string): (string | null)[] {
    return this.cards(place).map(codeOf)
  }

  fact<T>(name: string, otherwise: T): T {
    return (this.view.facts[name] as T | undefined) ?? otherwise
  }

  /** The other seats, clockwise from the near one. */
  others = $derived(
    Array.from({ length: this.view.seats - 1 }, (_, i) => (this.near + 1 + i) % this.view.seats),
  )
}

const KEY = Symbol('board')
export const setBoard = (board: () => Board): void => void setContext(KEY, board)
export const useBoard = (): (() => Board) => getContext<() => Board>(KEY)
