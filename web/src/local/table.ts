/** A table on this device: a match, who sits at it, and what the person's seat is told of it. */
import type { Data, Engine, Event, Match } from '../../engine/src'
import type {
  Change,
  GameEvent,
  Lang,
  PlayedMessage,
  Position,
  Replay,
  ReplayStep,
  Result,
  StateMessage,
  Table,
  View,
} from '../lib/protocol'
import { refuse } from './refusals'
import {
  early,
  headersFor,
  endedEarly,
  sittings,
  tableData,
  type Headers,
  type Saved,
  type Sitting,
} from './records'

interface Told {
  event: Event
  turn: number
  by: number
}

/** Choices go in; what comes out is made from `view(seat)` and `event.seenBy(seat)` alone. */
export class LocalTable {
  /** Everything that happened counts, take-backs too: a page notices what it has missed. */
  turn = 0
  /** Whether the device keeps it. */
  readonly kept: boolean = true
  readonly seat: number
  private told: Told[] = []
  private ended: Result | null
  private view: View

  constructor(
    readonly id: string,
    readonly engine: Engine,
    protected match: Match,
    readonly sitting: readonly Sitting[],
    private revision = 0,
    readonly at = Date.now(),
  ) {
    this.seat = sitting.findIndex((held) => !held.bot)
    this.ended = endedEarly(match.headers, sitting.length)
    this.replay(match.history.map(([, token]) => token))
    this.turn = this.told.at(-1)?.turn ?? 0
    this.view = this.look()
  }

  /** A match that was kept, played again; an error says in which line it does not hold. */
  static read(saved: Saved, engine: Engine): LocalTable {
    const match = engine.replay(saved.record)
    const sitting = sittings(match.headers, match.game.seats)
    return new LocalTable(saved.id, engine, match, sitting, saved.revision, saved.at)
  }

  private replay(tokens: string[]): void {
    const { headers } = this.match
    this.match = this.match.beginning()
    this.match.headers = headers
    this.told = []
    tokens.forEach((token) => this.choose(token))
  }

  private choose(token: string): void {
    const by = this.match.toAct!
    const events = this.match.play(token)
    const turn = this.match.history.length
    this.told.push(...events.map((event) => ({ event, turn, by })))
  }

  // -- reading ------------------------------------------------------------------------------------

  get game(): string {
    return this.engine.name
  }

  get result(): Result | null {
    const { result } = this.match
    if (result) return { ...result, ended_by: 'play', by: null }
    return this.ended
  }

  /** The seat that must choose, null when nobody has to. */
  get toAct(): number | null {
    return this.result ? null : this.match.toAct
  }

  /** Whom a bot must choose for now; null if the person does, or nobody. */
  get bot(): Sitting | null {
    const seat = this.toAct
    return seat === null || seat === this.seat ? null : this.sitting[seat]!
  }

  /** What is chosen for whoever acts, where that is settled. */
  get settled(): string | null {
    return null
  }

  /** What bots and hints are made from; they blind it themselves. */
  get copy(): Match {
    return this.match.copy()
  }

  // -- what happens -------------------------------------------------------------------------------

  play(token: string): void {
    this.choose(token)
    this.turn++
  }

  /** Which choice was made as one of the match, counted from 0. */
  made(number: number): string | undefined {
    return this.match.history[number]?.[1]
  }

  /**
   * Take back the last choice that was one (a single card is played for people), and what followed;
   * or that with this number.
   */
  undo(to?: number): void {
    if (this.result) throw refuse('table/over')
    const { history } = this.match
    const tokens = history.map(([, token]) => token)
    for (let at = to ?? history.length - 1; at >= 0; at--) {
      if (history[at]?.[0] !== this.seat) continue
      this.replay(tokens.slice(0, at))
      if (this.match.legal().length > 1) return this.wentBack()
    }
    this.replay(tokens)
    throw refuse('table/no-undo')
  }

  private wentBack(): void {
    this.turn++
    this.view = this.look()
  }

  /** It is over: bots that play on would play for nobody. */
  resign(): void {
    if (this.result) throw refuse('table/over')
    this.ended = early({ how: 'resign', by: this.seat }, this.sitting.length)
    this.turn++
    this.view = this.look()
  }

  get names(): string[] {
    return this.sitting.map((held) => held.name)
  }

  // -- what is told -------------------------------------------------------------------------------

  private look(): View {
    const view = this.match.view(this.seat) as unknown as View
    const ended = this.toAct === null
    if (ended) delete view.legal
    return ended ? { ...view, to_act: null, decision: '' } : view
  }

  private labels(view: Pick<View, 'legal'>, lang: Lang): Record<string, string> {
    const legal = view.legal ?? []
    return Object.fromEntries(legal.map((token) => [token, this.label(lang, token)]))
  }

  /** What a choice does, in the person's words. */
  label(lang: Lang, token: string): string {
    return this.match.tokenText(lang, token, this.view as unknown as Data, this.names)
  }

  private events(first: number, lang: Lang): GameEvent[] {
    return this.told.slice(first).map(({ event, turn, by }) => {
      const text = event.text(lang, this.seat, this.names, by)
      return { ...(event.seenBy(this.seat) as unknown as GameEvent), turn, by, text }
    })
  }

  table(rematch: string | null = null): Table {
    const { turn, result, at } = this
    const options = this.match.game.options
    const data = tableData(this.id, this.game, options, this.sitting, { turn, result, at })
    return { ...data, rematch }
  }

  state(lang: Lang): StateMessage {
    return {
      type: 'state',
      table: this.id,
      turn: this.turn,
      now: Date.now(),
      view: this.view,
      labels: this.labels(this.view, lang),
      tally: this.match.tally(this.seat),
      events: this.events(0, lang),
      complete: false,
      clocks: null,
      result: this.result,
    }
  }

  /** What the last choice changed for the person. */
  played(lang: Lang): PlayedMessage {
    const { turn, by } = { turn: this.match.history.length, by: this.match.history.at(-1)![0] }
    const first = this.told.findIndex((told) => told.turn === turn)
    const before = Object.keys(this.view.places).map((place) => [place, []])
    const { to_act, decision, places, facts, legal } = (this.view = this.look())
    const change: Change = {
      to_act,
      decision,
      places: { ...(Object.fromEntries(before) as Change['places']), ...places },
      facts,
      legal,
    }
    return {
      type: 'played',
      table: this.id,
      turn: this.turn,
      seat: by,
      kind: 'play',
      now: Date.now(),
      events: first < 0 ? [] : this.events(first, lang),
      change,
      labels: this.labels(change, lang),
      tally: this.match.tally(this.seat),
      clocks: null,
      ...(this.result ? { result: this.result } : {}),
    }
  }

  /** Every position with all hands open, once nothing is secret any more. */
  steps(lang: Lang): Replay {
    if (!this.result) throw refuse('table/running')
    const { names } = this
    const match = this.match.beginning()
    const shown = () => ({
      position: match.position() as unknown as Position,
      tally: match.tally(null),
    })
    const steps: ReplayStep[] = [{ turn: 0, seat: null, token: null, events: [], ...shown() }]
    this.match.history.forEach(([seat, token], index) => {
      const label = match.tokenText(lang, token, match.view(seat), names)
      const events = match.play(token).map((event) => {
        const open = Object.assign(event.seenBy(null), ...event.privateParts.values())
        const text = this.engine.words(lang).event(open, names, seat)
        return { ...(open as unknown as GameEvent), text }
      })
      steps.push({ turn: index + 1, seat, token, label, events, ...shown() })
    })
    return { table: this.table(), steps }
  }

  // -- keeping ------------------------------------------------------------------------------------

  record(): string {
    const { ended_by: ended, by } = this.result ?? { ended_by: 'play' }
    const how: Headers = ended === 'play' ? {} : { EndedBy: by == null ? ended : `${ended} ${by}` }
    return this.match.record({ ...headersFor(this.sitting), ...how })
  }

  /** As it is to be kept; each time newer than the time before. */
  saved(): Saved {
    return { id: this.id, record: this.record(), at: Date.now(), revision: ++this.revision }
  }
}
