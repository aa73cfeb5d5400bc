/** A finished match understood: the same as `tanistry.analyse` in Python, to the last digit it tells.
 * docs/analysis.md says what the numbers mean; `src/tanistry/analysis` has the same steps. */

import { CALIBRATION, calibrationOf, type Calibration } from './calibration.js'
import { deckDealtAnew, matchFrom } from './decks.js'
import type { Fields } from './fields.js'
import type { Match } from './match.js'
import { networkOf, type Network } from './network.js'
import {
  choiceTold,
  endedBy,
  expectedLine,
  FORCED,
  LINE,
  points,
  sum,
  told,
  VERDICTS,
  type Analysis,
  type Judged,
  type Line,
} from './outcome.js'
import { sha256 } from './sha256.js'
import { Endings, solved } from './solving.js'
import { anchored, odds, open, weighed } from './weighing.js'

const [DEALS, FEWER, LOOKS, DRAWS] = [12, 3, 3, 6]
const [MOST_CANDIDATES, LEAST_LIKELY] = [5, 0.02]
const [LONGEST, SURE] = [60, 64]
const ONE_LINE = 0.03
const COSTS = [0, 3, 6, 12]
/** What stands for the method: an analysis that was made by another is made anew. */
export const METHOD = `9 ${JSON.stringify(CALIBRATION)}`

/** The first choices of a match, judged already: what an analysis that was left goes on from. */
export interface Begun {
  curve: number[][]
  expected: number[][]
  choices: Judged[]
}

export const nothing = (): Begun => ({ curve: [], expected: [], choices: [] })

/**
 * Choice by choice: how many of how many are judged, and at the end everything. `begun` grows.
 * `deals` are imagined for each choice: more take longer and are surer.
 */
export function* analysing(
  match: Match,
  begun = nothing(),
  deals = DEALS,
): Generator<[done: number, of: number], Analysis> {
  const { engine } = match.game
  const ended = match.toAct === null ? null : endedBy(match.headers, match.game.seats)
  if (match.toAct !== null && !ended) throw engine.error('record/running', {})
  const mind = new Mind(match, deals)
  const at = match.beginning()
  const { curve, expected, choices } = begun
  if (!curve.length) curve.push(mind.chances(at))
  for (const [number, [, token]] of match.history.entries()) {
    if (number < choices.length) {
      at.play(token)
      continue
    }
    choices.push({ number, ...mind.judged(at, token) })
    const beforeTheDraw = mind.expected(at, token)
    at.play(token)
    const chances = mind.chances(at)
    curve.push(chances)
    expected.push(beforeTheDraw ?? chances)
    yield [number + 1, match.history.length]
  }
  return told(match.game.seats, begun, ended)
}

/** All of it at once. */
export function analyse(match: Match, deals = DEALS): Analysis {
  const steps = analysing(match, undefined, deals)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * A choice of the seat to act judged as an analysis will judge it, by what that seat knows; without
 * a token the one that a trained player likes best, beside the others worth a thought.
 */
export function judge(match: Match, token?: string): Judged {
  const { engine } = match.game
  if (match.toAct === null)
    throw engine.error('move/over', { token: token ?? '' }, 'common.illegal')
  return choiceTold({ number: match.history.length, ...new Mind(match).judged(match, token) })
}

/** A choice tried in one imagined deal: the chance of the seat once the others have answered. */
interface Tried {
  win: number
  line: Line
}

class Mind {
  private readonly network: Network
  private readonly calibration: Calibration
  private readonly seats: number
  private readonly sure: number

  constructor(
    match: Match,
    private readonly deals = DEALS,
  ) {
    const { engine, name, seats } = match.game
    this.network = networkOf(engine)
    this.seats = seats
    this.sure = engine.description.bots.trained.sure
    this.calibration = calibrationOf(name, seats)
  }

  // -- what the network says ----------------------------------------------------------------------

  private chance(value: number): number {
    return open((value * (this.seats - 1) + 1) / this.seats)
  }

  private stretched(chance: number): number {
    const even = odds(1 / this.seats)
    const { own, lean } = this.calibration
    return 1 / (1 + Math.exp(-(even + own * (odds(chance) - even) - lean)))
  }

  /** What it would choose in a record, for whoever is to act; `network.value` then answers for it. */
  private ask(match: Match, s: Fields): number {
    const { engine } = match.game
    engine.ask(s, 'see', { seat: s.get('to_act') })
    engine.module.call('legal')
    return this.network.consult(this.sure, 0)
  }

  /** The one thing there is to do in a record, if it is one: the network need not be asked. */
  private only(match: Match, s: Fields): number | null {
    const { engine } = match.game
    engine.ask(s, 'legal')
    let found: number | null = null
    for (const [at, byte] of engine.module.bytes('moves').entries()) {
      if (!byte) continue
      if (found !== null || byte & (byte - 1)) return null
      found = 8 * at + 31 - Math.clz32(byte)
    }
    return found
  }

  private result(match: Match): number[] {
    const [first] = match.result!.ranking
    return Array.from({ length: this.seats }, (_, seat) =>
      first!.includes(seat) ? 1 / first!.length : 0,
    )
  }

  /** The same of a record. */
  private outcomeIn(match: Match, s: Fields): number[] {
    return this.result(matchFrom(match, s))
  }

  private readonly endings = new Endings((match) => this.network.observed(match).join())

  // -- the curve ----------------------------------------------------------------------------------

  /** The chance of every seat, for somebody who sees every hand but not the deck. */
  chances(match: Match): number[] {
    if (match.toAct === null) return this.result(match)
    return this.endings.settled(match) ?? this.together(this.believed(match))
  }

  /** The same after a choice, before anything is drawn; null: nothing was. */
  expected(match: Match, token: string): number[] | null {
    const { engine, actions } = match.game
    const key = sha256('draws', this.network.observed(match))
    const others = Array.from({ length: DRAWS }, (_, deck) =>
      deckDealtAnew(match, sha256(key, Uint8Array.of(deck))),
    )
    const real = match.memory()
    for (const s of [real, ...others]) engine.run(s, 'play', { action: actions.get(token)! })
    const seen = this.seenBy(match, real)
    if (others.every((s) => this.seenBy(match, s) === seen)) return null
    const every = others.map((s) => this.chances(matchFrom(match, s)))
    return every[0]!.map((_, seat) => sum(every.map((row) => row[seat]!)) / DRAWS)
  }

  /** What every seat sees of a record. */
  private seenBy({ game: { engine } }: Match, s: Fields): string {
    const seats = Array.from({ length: this.seats }, (_, seat) => seat)
    return seats
      .map((seat) => {
        engine.ask(s, 'see', { seat })
        return engine.module.bytes('observed').join()
      })
      .join(';')
  }

  /** What all believe as one set of chances that add up to 1. */
  private together(believed: number[]): number[] {
    const weights = believed.map((chance) => Math.exp(this.calibration.together * odds(chance)))
    const total = sum(weights)
    return weights.map((weight) => weight / total)
  }

  private believed(match: Match): number[] {
    const key = sha256('curve', this.network.observed(match))
    const action = this.ask(match, match.memory())
    const own = this.chance(this.network.value)
    const looks = Array.from({ length: LOOKS }, (_, look) =>
      this.lookAhead(match, deckDealtAnew(match, sha256(key, Uint8Array.of(look))), action, own),
    )
    return Array.from({ length: this.seats }, (_, seat) =>
      seat === match.toAct ? own : sum(looks.map((look) => look[seat]!)) / LOOKS,
    )
  }

  /** Play on until every seat has been asked, as the one to act was: it sees the same in every deck. */
  private lookAhead(match: Match, s: Fields, action: number, own: number): number[] {
    const found = new Map([[s.get('to_act'), own]])
    for (let n = 0; n < LONGEST; n++) {
      match.game.engine.run(s, 'play', { action })
      const actor = s.get('to_act')
      if (actor < 0) break
      action = this.ask(match, s)
      if (!found.has(actor)) found.set(actor, this.chance(this.network.value))
      if (found.size === this.seats) break
    }
    return this.completed(match, s, found)
  }

  /** What the seats that were asked on the way believe, and of the others what its end says. */
  private completed(match: Match, s: Fields, found: ReadonlyMap<number, number>): number[] {
    const over = s.get('to_act') < 0 ? this.outcomeIn(match, s) : null
    return Array.from(
      { length: this.seats },
      (_, seat) =>
        found.get(seat) ??
        (over ? Math.min(1 - ONE_LINE, Math.max(ONE_LINE, over[seat]!)) : 1 / this.seats),
    )
  }

  // -- choices ------------------------------------------------------------------------------------

  /** A choice judged by what the seat to act knows. */
  judged(match: Match, made?: string): Omit<Judged, 'number'> {
    const { value, tokens } = this.network.judge(match)
    const seat = match.toAct!
    const own = this.stretched(this.chance(value))
    const exact = this.endings.solved(match)
    const { actions } = match.game
    const result = (k: number) => exact!.get(actions.get(tokens[k]!.token)!)!
    const order = tokens.map((_, k) => k)
    order.sort((a, b) => tokens[b]!.chance - tokens[a]!.chance || a - b)
    const token = made ?? tokens[order[0]!]!.token
    if (tokens.length === 1) {
      const line: Line = [[seat, token]]
      const end = this.knownEnds(match, exact ? [] : [token], this.network.observed(match))
      const win = exact ? result(0) : (end.get(token) ?? own)
      const none = { verdict: FORCED, win, cost: 0 }
      return { seat, token, ...none, best: token, line, tried: [[token, win]] }
    }
    const key = sha256('analysis', this.network.observed(match))
    if (exact) order.sort((a, b) => result(b) - result(a)) // of equals what is liked more
    const first = order.slice(0, MOST_CANDIDATES)
    const likely = first.filter((k) => exact || tokens[k]!.chance >= LEAST_LIKELY)
    const picked = likely.length ? likely : order.slice(0, 1)
    const chosen = tokens.findIndex((one) => one.token === token)
    if (!picked.includes(chosen)) picked.push(chosen)
    const candidates = picked.map((k) => tokens[k]!)
    const fewer = candidates.length === 1 ? Math.ceil(this.deals / FEWER) : this.deals
    const tried = this.imagine(match, candidates, key, exact ? 1 : fewer, exact !== null)
    const worth = exact
      ? picked.map(result)
      : this.estimated(match, candidates, tried, own, key, made)
    const ranked = worth.map((_, k) => k)
    ranked.sort((a, b) => worth[b]! - worth[a]! || a - b)
    const mine = candidates.findIndex((one) => one.token === token)
    const best = ranked[0]!
    const cost = worth[best]! - worth[mine]!
    const place = COSTS.findIndex((most) => points(cost) <= most)
    return {
      seat,
      token,
      verdict: VERDICTS.at(place < 0 ? -1 : place)!,
      win: worth[mine]!,
      cost,
      best: candidates[best]!.token,
      line: expectedLine(tried.map((row) => row[best]!.line)),
      tried: ranked.map((k) => [candidates[k]!.token, worth[k]!]),
    }
  }

  /** What choices leave, by what was imagined and what the network likes. */
  private estimated(
    match: Match,
    candidates: { token: string; chance: number; logit: number }[],
    tried: Tried[][],
    own: number,
    key: Uint8Array,
    made?: string,
  ): number[] {
    const wins = tried.map((row) => row.map((one) => one.win))
    const behind = candidates.map((one) => one.logit - candidates[0]!.logit)
    const { champion } = match.game.engine.description.bots
    const worth = weighed(wins, behind, champion, (this.seats - 1) / this.seats)
    const [tokens, likings] = [candidates.map((c) => c.token), candidates.map((c) => c.chance)]
    const ends = this.knownEnds(match, tokens, key)
    const end = made === undefined ? null : this.endings.after(match, made)
    if (end !== null) ends.set(made!, end)
    if (ends.size) return tokens.map((token, k) => ends.get(token) ?? open(worth[k]!))
    return anchored(worth, likings, own)
  }

  /** Of choices after which nobody has anything left to choose, the result that the seat knows. */
  private knownEnds(match: Match, tokens: string[], key: Uint8Array): Map<string, number> {
    const ends = new Map<string, number>()
    let left = tokens
    for (let deal = 0; deal < SURE && left.length; deal++) {
      const known = match.blind(match.toAct, sha256(key, 'end', Uint8Array.of(deal))).memory()
      left = left.filter((token) => {
        const end = this.end(match, known.copy(), token)
        if (end !== null && !ends.has(token)) ends.set(token, end)
        return end !== null && ends.get(token) === end
      })
    }
    return new Map([...ends].filter(([token]) => left.includes(token)))
  }

  /** The result of a match in which only one choice is left to make; null if there are more. */
  private end(match: Match, s: Fields, token: string): number | null {
    const { engine, actions } = match.game
    for (let action: number | null = actions.get(token)!; ;) {
      engine.run(s, 'play', { action })
      if (s.get('to_act') < 0) return this.outcomeIn(match, s)[match.toAct!]!
      action = this.only(match, s)
      if (action === null) return null
    }
  }

  /** All choices in the same deals, by deal and choice. */
  private imagine(
    match: Match,
    choices: { token: string }[],
    key: Uint8Array,
    deals: number,
    calculating: boolean,
  ): Tried[][] {
    return Array.from({ length: deals }, (_, deal) => {
      const seed = sha256(key, Uint8Array.of(deal & 255, deal >> 8))
      const known = match.blind(match.toAct, seed).memory()
      return choices.map(({ token }) => this.tried(match, known.copy(), token, calculating))
    })
  }

  /** Make a choice in an imagined deal and play on until the others have answered. */
  private tried(match: Match, s: Fields, token: string, calculating: boolean): Tried {
    const { engine, tokens, actions } = match.game
    const seat = match.toAct!
    const line: Line = [[seat, token]]
    let answered = false
    engine.run(s, 'play', { action: actions.get(token)! })
    for (let n = 0; n < LONGEST; n++) {
      const actor = s.get('to_act')
      if (actor < 0 || (actor === seat && answered)) break
      answered ||= actor !== seat
      const best = calculating ? this.calculated(match, s) : null
      const action = best ?? this.only(match, s) ?? this.ask(match, s)
      line.push([actor, tokens[action]!])
      engine.run(s, 'play', { action })
    }
    return { win: this.inTheEnd(match, s, seat), line: line.slice(0, LINE) }
  }

  /** What the network likes best of what gets the most, where that can be calculated. */
  private calculated(match: Match, s: Fields): number | null {
    const at = matchFrom(match, s)
    const exact = solved(at)
    if (!exact) return null
    const legal = at.legalActions()
    const { tokens } = this.network.judge(at)
    const worth = legal.map((action, k) => exact.get(action)! + tokens[k]!.chance / 4)
    return legal[worth.indexOf(Math.max(...worth))]!
  }

  /** The chance of a seat where an imagined match was left. */
  private inTheEnd(match: Match, s: Fields, seat: number): number {
    const actor = s.get('to_act')
    if (actor < 0) return this.outcomeIn(match, s)[seat]!
    this.ask(match, s)
    const win = this.stretched(this.chance(this.network.value))
    return actor === seat ? win : (1 - win) / (this.seats - 1)
  }
}
