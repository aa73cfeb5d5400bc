/** One table we follow: the truth as it arrives, and the board that catches up with it in frames. */
import { tick } from 'svelte'
import { tableOf } from '../games'
import type { Idea, Verdict } from '../local/coach'
import { api, Refused } from './api'
import { Board } from './board.svelte'
import { keep, nonceFor } from './fairness'
import { FLIGHT_MS, frames } from './frames'
import { capital, t } from './i18n'
import { isLocal, type House } from './house'
import { line } from './line.svelte'
import { apply, mySeat, myTurn, nothing, type Live } from './live'
import { before, fly, wait } from './motion'
import { OwnOffers } from './offers'
import type {
  ClientMessage,
  GameEvent,
  HintMessage,
  RefusedMessage,
  ServerMessage,
} from './protocol'
import { settings } from './settings.svelte'
import * as sound from './sound'
import { caption, mark, news, reveal, since, spots, traces, unclaimed } from './telling'

/** More steps than this waiting to be shown: skip to the last. */
const PATIENCE = 6
const FORCED_MS = 700

export class TableStore {
  private settled = $state(true)
  /** What others did since our last choice, in a sentence or two. */
  caption = $state.raw<string[]>([])
  live = $state.raw<Live>(nothing)
  board = $state.raw<Board | null>(null)
  /** Said aloud by screen readers. */
  news = $state('')
  /** An alert wherever it is shown: said aloud by that alone. */
  refusal = $state.raw<RefusedMessage | null>(null)
  hint = $state.raw<HintMessage | null>(null)
  /** What the coach says of the position, when asked; and of our last choice that was one. */
  idea = $state.raw<Idea | null>(null)
  verdict = $state.raw<Verdict | null>(null)
  /** The coach was asked and has not answered yet. */
  consulted = $state(false)
  note = $state('')
  busy = $state(false)
  /** Why there is nothing to show. */
  missing = $state.raw<RefusedMessage | null>(null)
  /** The element cards travel in. */
  root: Element | null = null

  seat = $derived(mySeat(this.live))
  table = $derived(this.live.table)
  /** What has been told so far. */
  log = $derived(this.claimed(this.board?.log ?? []).filter((event) => event.text))
  over = $derived(!!this.live.result && this.settled)
  /** Who is to choose: while our own choice is still being shown, whoever comes after us. */
  acting = $derived.by(() => {
    const next = this.live.view?.to_act ?? null
    return this.board?.acting ?? (next === this.seat ? null : next)
  })
  /** Nobody has anything to choose any more. */
  ended = $derived(!!this.live.view && this.live.view.to_act === null && this.settled)
  /** We asked for a rematch; and its table, once we sit there. */
  wants = $state(false)
  next = $state<string | null>(null)
  /** We declined one. */
  declined = $state(false)

  private queue: { from: Live; to: Live }[] = []
  private running = false
  private undoing = false
  /** Whether a choice is being made for us, and what came of such choices. */
  private forcing = false
  private forced: number[] = []
  private answered: Promise<unknown> = Promise.resolve()
  private own = new OwnOffers()
  private stop: (() => void)[]

  readonly local: boolean

  constructor(
    readonly id: string,
    private readonly house: House,
  ) {
    this.local = isLocal(id)
    const watch = (status: House['status']) => void (status === 'open' && this.watch())
    this.stop = [house.listen((message) => this.hear(message)), house.onStatus(watch)]
    watch(house.status)
  }

  leave(): void {
    for (const stop of this.stop) stop()
    if (this.house.status === 'open')
      void this.house.ask({ type: 'leave', table: this.id }).catch(() => undefined)
  }

  private async watch(): Promise<void> {
    const asked = { type: 'watch', table: this.id, since: Math.max(0, this.live.turn) }
    const answer = await this.house.ask(asked).catch(() => null) // the line broke: again when it stands
    if (answer?.type === 'refused') this.missing = answer
  }

  private hear(message: ServerMessage | Verdict): void {
    if (message.type === 'verdict') {
      if (message.table === this.id && settings.coach) this.verdict = message
      return
    }
    if (message.type === 'refused' && message.table === this.id && message.code === 'table/apart') {
      if (this.seat === null) this.live = nothing // we are not to look any more
      this.missing = message
    }
    const about =
      message.type === 'table'
        ? message.table.id
        : message.type === 'state' || message.type === 'played'
          ? message.table
          : null
    if (about !== this.id) return
    const was = this.live
    this.live = apply(was, message)
    if (this.live.lost) return void this.watch()
    if (message.type === 'table') {
      if (!this.local) keep(message.table)
      this.refreshNames()
    }
    const declined = this.own.hear(message, was.table, this.table, this.seat)
    if (declined) this.caption = [...this.caption, (this.news = declined)]
    if (message.type === 'state') void this.replace()
    if (message.type === 'played' && this.live !== was) {
      if (this.forcing && message.seat === this.seat)
        this.forced.push(...(message.events ?? []).map(({ n }) => n))
      this.queue.push({ from: was, to: this.live })
      void this.show()
    }
  }

  // -- showing ------------------------------------------------------------------------------------

  private async replace(): Promise<void> {
    this.queue = []
    this.forced = []
    this.forget() // now: what is advised while the table is fetched is to stay
    if (!this.live.view) return
    const [name, lang] = [this.live.view.game, settings.lang]
    const known = this.board?.words
    const [game, data, words] = await Promise.all([
      tableOf(name),
      this.board?.data ?? this.house.description(name),
      known?.lang === lang ? known : this.house.words(name, lang),
    ])
    // The board comes with all that lies on it, at once: else it would be drawn empty first.
    this.board ??= new Board(game, {
      play: (token) => void this.play(token),
      picked: () => (this.refusal = null), // what is picked now says what it does
      refused: (token) => void this.attempt(token),
    })
    Object.assign(this.board, { data, words })
    this.refreshNames()
    this.draw(this.live) // a bot may have played while the table was fetched
    await this.asked()
  }

  private refreshNames(): void {
    if (!this.board || !this.live.table) return
    this.board.names = this.live.table.seats.map((seat) => seat.name ?? t().open)
  }

  private draw(live: Live): void {
    if (!this.board || !live.view) return
    Object.assign(this.board, {
      view: live.view,
      labels: live.labels,
      tallied: live.tally,
      picked: [],
      log: live.log,
    })
    this.settled = true
    if (live.result) this.refusal = null // from now on it is about what comes after the match
    void this.recall(live)
  }

  /** Advice is for one position. */
  private forget(): void {
    this.hint = this.idea = null
    if (this.board) this.board.marked = null
  }

  /** What is new since our last choice: said, and marked on the table. */
  private async recall(live: Live): Promise<void> {
    const board = this.board!
    const seat = live.view!.seat
    const log = this.claimed(live.log)
    this.caption = news(log, seat, board.isAside, board.name, this.forced)
    const mine = `hand.${seat}`
    const drawn = log.slice(-12).filter((event) => event.to === mine && event.by === seat)
    await tick()
    if (!this.root || live !== this.live) return
    const fresh = [
      ...traces(this.root, since(log, seat, this.forced), board),
      ...drawn.slice(-1).flatMap((event) => spots(this.root!, event, board.game)),
    ]
    mark(this.root, 'data-fresh', fresh)
  }

  /** Events, with nobody named for what nobody did. */
  private claimed(log: GameEvent[]): GameEvent[] {
    return unclaimed(log, this.board?.game.begins)
  }

  /** Point at what a line of the log speaks of, and bring it into sight; at nothing without one. */
  pointOut(event: GameEvent | null): void {
    if (!this.root || !this.board) return
    const found = event ? spots(this.root, event, this.board.game) : []
    mark(this.root, 'data-told', found)
    reveal(found[0])
  }

  private async show(): Promise<void> {
    if (this.running) return
    this.running = true
    this.settled = false
    while (this.queue.length) {
      if (this.queue.length > PATIENCE) this.queue.splice(0, this.queue.length - 1)
      // What cannot be shown on its way is drawn as it lies in the end.
      await this.step(this.queue.shift()!).catch(console.error)
    }
    this.running = false
    this.forget()
    this.draw(this.live)
    await this.asked()
  }

  private async step({ from, to }: { from: Live; to: Live }): Promise<void> {
    const board = this.board
    if (!board || !from.view || !to.view) return
    const fresh = this.claimed(to.log.slice(from.log.length))
    const all = frames(from.view, fresh, to.view)
    for (const [index, frame] of all.entries()) {
      const last = index === all.length - 1
      const rects = before(this.root, frame.flights)
      board.picked = []
      board.view = { ...frame.view, legal: undefined }
      board.log = [...from.log, ...all.slice(0, index + 1).flatMap((shown) => shown.events)]
      const lines = frame.events.filter((event) => event.text)
      if (lines.length) {
        this.news = lines.map((event) => event.text!).join(' ')
        this.caption = caption(lines, board.isAside, board.name)
      }
      if (this.root) mark(this.root, 'data-fresh', [])
      await tick()
      if (frame.flights.length) void sound.paper()
      fly(this.root, frame.flights, rects)
      await wait(last ? FLIGHT_MS : frame.pause)
    }
  }

  // -- choosing -----------------------------------------------------------------------------------

  /** Our turn: say so; a choice with a single possibility is made for us, visibly. */
  private async asked(): Promise<void> {
    if (this.live.result) return sound.ending()
    if (!myTurn(this.live)) return
    const turn = this.live.turn
    const legal = this.live.view?.legal ?? []
    if (this.undoing) {
      if (legal.length === 1) return void this.undo()
      this.undoing = false
    }
    if (legal.length > 1) {
      this.note = ''
      return sound.yourTurn()
    }
    const token = legal[0]!
    this.note = t().forced(capital(this.board?.saying(token) ?? ''))
    if (this.board) this.board.marked = token
    await wait(FORCED_MS)
    await this.answered // what happened is told before our last choice is answered
    if (this.live.turn !== turn || this.busy) return
    this.forcing = true
    await this.play(token)
    this.forcing = false
  }

  async play(token: string): Promise<void> {
    if (this.busy) return
    this.hint = this.idea = null
    if ((this.live.view?.legal?.length ?? 0) > 1) this.verdict = null
    await this.put(token)
  }

  private async put(token: string): Promise<void> {
    this.busy = true
    this.refusal = null
    try {
      const asked = this.house.ask(
        { type: 'play', table: this.id, turn: this.live.turn, token },
        true,
      )
      this.answered = asked.catch(() => undefined)
      const answer = await asked
      if (answer.type === 'refused') {
        this.refusal = answer
        if (answer.code === 'move/stale') void this.watch()
      }
    } finally {
      this.busy = false
    }
  }

  /** Somebody points at what does not invite: let the server say why not. Advice stays. */
  private async attempt(token: string | null): Promise<void> {
    if (token && !this.busy && !this.live.view?.legal?.includes(token)) await this.put(token)
  }

  async askHint(): Promise<void> {
    const answer = await this.ask({ type: 'hint' })
    if (answer?.type !== 'hint' || answer.turn !== this.live.turn || !this.board) return
    this.hint = answer
    this.news = t().hintSays(this.board.saying(answer.token))
    await this.advise(answer.token)
  }

  /** What the coach thinks of the position. */
  async askIdea(): Promise<void> {
    this.idea = null
    this.consulted = true
    const answer = (await this.ask({ type: 'idea' })) as ServerMessage | Idea | null
    this.consulted = false
    if (answer?.type !== 'idea' || answer.turn !== this.live.turn || !this.board) return
    this.idea = answer
    await this.advise(answer.token)
  }

  /** Mark a choice on the table, where it can be seen: what is said of it takes room. */
  private async advise(token: string): Promise<void> {
    this.board!.marked = token
    await tick()
    this.root?.querySelector('.marked')?.scrollIntoView({ block: 'nearest' })
  }

  /** Take our last choice back, or that with a number. */
  async undo(to?: number): Promise<void> {
    this.undoing = true
    this.verdict = null
    const answer = await this.ask({ type: 'undo', to })
    if (answer?.type !== 'state') this.undoing = false
  }

  async rematch(): Promise<void> {
    this.wants = true
    try {
      let next = this.live.table?.rematch ?? (await this.again({ ready: false }))
      if (next && !this.local) {
        keep(await api.table(next)) // the promise first, then our number
        next = await this.again({ nonce: nonceFor(next) })
      }
      this.next = next
    } catch (error) {
      if (error instanceof Refused) this.refusal = { type: 'refused', ...error.refusal }
    }
    this.wants = this.next !== null
  }

  /** We would rather not play again. */
  async declineRematch(): Promise<void> {
    const answer = await this.ask({ type: 'rematch', do: 'decline' })
    this.declined = answer?.type === 'table'
  }

  /** The table of a rematch, unless it was refused. */
  private async again(more: Record<string, unknown>): Promise<string | null> {
    const answer = await this.ask({ type: 'rematch', ...more })
    return answer?.type === 'table' ? answer.table.rematch : null
  }

  do(
    verb: ClientMessage['type'],
    more: Record<string, unknown> = {},
  ): Promise<ServerMessage | null> {
    if (verb === 'draw' || verb === 'undo') this.own.asked(verb, more['do'])
    if (verb === 'ready' || verb === 'start') more = { ...more, nonce: nonceFor(this.id) }
    return this.ask({ type: verb, ...more })
  }

  private async ask(
    message: { type: string } & Record<string, unknown>,
  ): Promise<ServerMessage | null> {
    this.refusal = null
    try {
      const answer = await this.house.ask({ ...message, table: this.id })
      if (answer.type === 'refused') this.refusal = answer
      return answer
    } catch {
      line.broke = true
      return null
    }
  }
}
