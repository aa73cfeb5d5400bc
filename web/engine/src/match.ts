/** One match: choices go in as tokens, events come out, and each seat sees what it may know. */

import type { Lang } from './description.js'
import { EngineError } from './errors.js'
import { members, type Fields } from './fields.js'
import type { Game, Seed } from './game.js'
import { Look } from './looks.js'
import { networkOf, type Opinion } from './network.js'
import { readTold } from './reading.js'
import { writeRecord } from './records.js'
import { sha256 } from './sha256.js'
import { stream, write } from './shapes.js'
import { choiceOf } from './vocabulary.js'
import { shapesOf, type Data, type Form } from './words.js'

export interface Result {
  scores: number[]
  /** Seats from best to last, ties together. */
  ranking: number[][]
}

/** Something that happened. `public` is for everybody; `private` adds what single seats see. */
export class Event {
  constructor(
    private readonly game: Game,
    readonly number: number,
    readonly type: string,
    readonly rule: string,
    readonly publicPart: Data,
    readonly privateParts: ReadonlyMap<number, Data>,
  ) {}

  /** The event as plain data for a seat, or for a spectator (null). */
  seenBy(seat: number | null): Data {
    const own = seat === null ? undefined : this.privateParts.get(seat)
    return { n: this.number, type: this.type, rule: this.rule, ...this.publicPart, ...own }
  }

  /** One line about it for a seat; empty if it is not worth a line. `by`: whose choice it came of. */
  text(lang: Lang, seat: number | null, names: readonly string[], by?: number): string {
    return this.game.engine.words(lang).event(this.seenBy(seat), names, by)
  }
}

export class Match {
  headers: Record<string, string> = { Date: today() }
  private tokens: [seat: number, token: string][] = []
  private told = 0

  constructor(
    readonly game: Game,
    private s: Fields,
    private key: Uint8Array,
    private start?: Fields,
  ) {}

  // -- whose choice -------------------------------------------------------------------------------

  /** The seat that must choose, null when the match is over. */
  get toAct(): number | null {
    const seat = this.s.get('to_act')
    return seat < 0 ? null : seat
  }

  get decision(): string {
    return this.toAct === null ? '' : this.game.data.decisions[this.s.get('decision')]!
  }

  /** All choices so far, as [seat, token]. */
  get history(): readonly (readonly [number, string])[] {
    return this.tokens
  }

  /** The legal choices as numbers of actions, ascending. */
  legalActions(): number[] {
    if (this.toAct === null) return []
    this.game.engine.ask(this.s, 'legal')
    const moves = this.game.engine.module.view('moves')
    let set = 0n
    for (let at = moves.byteLength - 8; at >= 0; at -= 8)
      set = (set << 64n) | moves.getBigUint64(at, true)
    return members(set)
  }

  /** The legal tokens in a fixed order. */
  legal(): string[] {
    return this.legalActions().map((action) => this.game.tokens[action]!)
  }

  /** The legal choices as data: token, verb, and what each names. */
  choices(): Data[] {
    const seat = this.toAct
    return seat === null
      ? []
      : this.legalActions().map((action) =>
          choiceOf(this.game.data, this.game.vocabulary[action]!, seat),
        )
  }

  /** What a token does, in a few words: to the one who sees a view, if there is one. */
  tokenText(
    lang: Lang,
    token: string,
    view?: Data,
    names?: readonly string[],
    form?: Form,
  ): string {
    const action = this.game.actions.get(token)
    return action === undefined
      ? token
      : this.game.engine.words(lang).choice(this.game.vocabulary[action]!, view, names, form)
  }

  // -- playing ------------------------------------------------------------------------------------

  /** Make a choice for the seat to act. An EngineError changes nothing. */
  play(token: string): Event[] {
    const seat = this.toAct
    const action = this.check(token)
    const entries = this.game.engine.told(this.s, 'play', { action })
    const events = entries.map((entry, i) => this.event(entry, this.told + i))
    this.told += events.length
    this.tokens = [...this.tokens, [seat!, token]]
    return events
  }

  private check(token: string): number {
    const { engine, actions } = this.game
    if (this.toAct === null) throw engine.error('move/over', { token }, 'common.illegal')
    const action = actions.get(token)
    if (action === undefined) throw engine.error('move/unreadable', { token }, 'common.illegal')
    if (!this.legalActions().includes(action)) throw this.refusal(token, action)
    return action
  }

  private refusal(token: string, number: number): EngineError {
    const { engine, data, vocabulary } = this.game
    const { decisions } = vocabulary[number]!.action
    let [rule, key, values, shapes] = [
      'common.illegal',
      'not_now',
      { decision: this.decision } as Data,
      {},
    ]
    if (decisions.length && !decisions.includes(this.decision)) {
      shapes = { decision: { type: 'decision' } }
    } else {
      const told = engine.told(this.s.copy(), 'refuse', { action: number })
      const why = readTold(this.game, told, data.refusals)
      rule = data.rules[told[0]![1]!] ?? rule
      ;[key, values, shapes] = [why.kind.name, why.values, shapesOf(why.kind)]
    }
    const sentences = engine.languages.map((lang) => [
      lang,
      engine.words(lang).refusal(token, key, values, shapes),
    ])
    return new EngineError(
      'move/illegal',
      { token, ...values },
      Object.fromEntries(sentences) as Record<Lang, string>,
      rule,
    )
  }

  private event(entry: number[], number: number): Event {
    const { game } = this
    const [type, rule] = entry as [number, number]
    const audience = entry[6]!
    const kind = game.data.events[type]!
    const shown: Data = {}
    const cards: Data = {}
    kind.values.slice(0, 4).forEach((value, i) => {
      const told = entry[2 + i]!
      if (value.type === 'card') {
        shown[value.name] = null
        cards[value.name] = told >= 0 ? game.codes[told]! : null
      } else if (value.type !== 'slot' || told >= 0) {
        shown[value.name] = write(value, stream([told]), game.terms)
      }
    })
    const everybody = (audience >> game.publicRow) & 1
    if (everybody) Object.assign(shown, cards)
    const back = type === 0 ? game.cards[entry[2]!]!.back : ''
    if (back) shown['back'] = back
    const own = new Map<number, Data>()
    if (!everybody && Object.keys(cards).length) {
      for (let seat = 0; seat < game.seats; seat++) if ((audience >> seat) & 1) own.set(seat, cards)
    }
    return new Event(game, number, kind.name, game.data.rules.at(rule)!, shown, own)
  }

  // -- looking ------------------------------------------------------------------------------------

  /** What a seat may know (null: a spectator), as plain data. */
  view(seat: number | null): Data {
    this.checkSeat(seat)
    const view = new Look(this.game, this.s).view(seat)
    return seat !== null && seat === this.toAct ? { ...view, legal: this.legal() } : view
  }

  /** How the match stands, as far as a seat can know it. */
  tally(seat: number | null): Data {
    this.checkSeat(seat)
    return new Look(this.game, this.s).tally(seat)
  }

  /** Everything, as plain data; `setup` takes it back. */
  position(): Data {
    return new Look(this.game, this.s).position()
  }

  private checkSeat(seat: number | null): void {
    if (seat === null || (Number.isInteger(seat) && seat >= 0 && seat < this.game.seats)) return
    throw this.game.engine.error('seat', { value: seat, allowed: `0–${this.game.seats - 1}` })
  }

  /** The result, null while the match runs. */
  get result(): Result | null {
    if (this.toAct !== null) return null
    const seats = Array.from({ length: this.game.seats }, (_, seat) => seat)
    const standing = seats.map((seat) => this.game.engine.ask(this.s, 'standing', { seat }))
    const levels = [...new Set(standing)].sort((a, b) => b - a)
    return {
      scores: seats.map((seat) => this.game.engine.ask(this.s, 'score', { seat })),
      ranking: levels.map((level) => seats.filter((seat) => standing[seat] === level)),
    }
  }

  /** What the game's network makes of it, by what the seat to act knows and nothing else. */
  judge(): Opinion {
    const seat = this.toAct
    if (seat === null) throw this.game.engine.error('move/over', { token: '' }, 'common.illegal')
    return networkOf(this.game.engine).judge(this.blind(seat, 0))
  }

  // -- keeping ------------------------------------------------------------------------------------

  /** The match as text. */
  record(headers: Record<string, string> = {}): string {
    const position = this.start && new Look(this.game, this.start).position()
    return writeRecord(this, this.key, { ...this.headers, ...headers }, position)
  }

  copy(): Match {
    const twin = new Match(this.game, this.s.copy(), this.key, this.start)
    twin.tokens = this.tokens
    twin.told = this.told
    twin.headers = { ...this.headers }
    return twin
  }

  /** The same match before its first choice. */
  beginning(): Match {
    return this.start
      ? new Match(this.game, this.start.copy(), this.key, this.start)
      : this.game.deal(this.key)
  }

  /** The match before its last choice; itself if there was none. */
  undone(): Match {
    const twin = this.beginning()
    for (const [, token] of this.tokens.slice(0, -1)) twin.play(token)
    twin.headers = { ...this.headers }
    return twin
  }

  /** A copy in which everything the seat cannot know is dealt anew and the stream re-keyed. */
  blind(seat: number | null, seed?: Seed): Match {
    this.checkSeat(seat)
    const { game } = this
    const key = game.engine.seedBytes(seed)
    const s = this.s.copy()
    game.engine.setGenerator(key)
    game.engine.run(s, 'resample', { seat: game.row(seat) })
    s.fill('scratch', 0)
    s.fill('block', 0)
    const blindKey = sha256('blind', key)
    game.rekey(s, blindKey)
    const twin = new Match(game, s, blindKey, s.copy())
    twin.told = this.told
    return twin
  }

  /** The record's memory, for bots; a copy. */
  memory(): Fields {
    return this.s.copy()
  }
}

function today(): string {
  const now = new Date()
  const two = (n: number) => String(n).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
