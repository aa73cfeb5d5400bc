/** The strongest bot: a network that thinks ahead. The same as `bots/players/champion.py`. */

import { BlindBot, type Insight, type Judgement } from './blind.js'
import type { Effort } from './description.js'
import type { Engine } from './engine.js'
import type { Fields } from './fields.js'
import { Match } from './match.js'
import { networkOf } from './network.js'
import { sha256 } from './sha256.js'
import { solved } from './solving.js'

/** By how much each candidate seems to be worth more than the first, and the variance of that. */
type Gain = [gain: number, variance: number]

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: number[]) => sum(values) / values.length

/** The standard error of a mean. */
function blur(values: number[]): number {
  if (values.length < 2) return 1
  const middle = mean(values)
  const spread = sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1)
  return Math.sqrt(spread) / Math.sqrt(values.length)
}

/** The numbers of a list, the largest first; of equals the one that comes first. */
function falling(values: number[]): number[] {
  return values.map((_, index) => index).sort((a, b) => values[b]! - values[a]! || a - b)
}

export class ChampionBot extends BlindBot {
  readonly name = 'champion'
  private readonly effort: Effort

  constructor(
    private readonly engine: Engine,
    seed: Uint8Array,
  ) {
    super(seed)
    networkOf(engine)
    this.effort = engine.description.bots.champion
  }

  answer(match: Match): string {
    const legal = match.legal()
    return legal.length === 1 ? legal[0]! : this.thoughts(match).tokens[0]!.token
  }

  /** What it thinks of every legal token of the seat to act, best first; of most it has no opinion. */
  analyse(match: Match): Insight {
    return this.thoughts(this.seen(match))
  }

  /** The same of a match that is blinded already. Chance comes from what the seat knows. */
  thoughts(match: Match): Insight {
    const began = performance.now()
    const { game } = match
    const seat = match.toAct!
    const legal = match.legalActions()
    const key = sha256('champion', networkOf(this.engine).observed(match))
    const s = match.memory()
    s.set('telling', 0)
    game.rekey(s, key)
    const known = new Match(game, s, key)
    const winning = this.winsAtOnce(known, legal, key)
    const judged =
      winning === null ? this.think(known, legal, key) : [this.judgement(known, winning, 1, 1)]
    const told = new Set(judged.map(({ token }) => token))
    for (const token of match.legal())
      if (!told.has(token))
        judged.push({ token, visits: 0, win: 0, score: 0, line: [[seat, token]] })
    const iterations = sum(judged.map(({ visits }) => visits))
    return { seat, iterations, seconds: (performance.now() - began) / 1000, tokens: judged }
  }

  /** Judgements of the choices that deserve thought, best first. */
  private think(known: Match, legal: number[], key: Uint8Array): Judgement[] {
    const { effort } = this
    const exact = solved(known)
    const best = exact && Math.max(...exact.values())
    const liked = networkOf(this.engine)
      .judge(known)
      .tokens.map((one, k) => [one, legal[k]!] as const)
    const kept = liked.filter(([, action]) => exact?.get(action) === best || !exact)
    const all = sum(kept.map(([{ chance }]) => chance))
    const tokens = kept.map(([one]) => ({ ...one, chance: one.chance / all }))
    const most = Math.max(...tokens.map(({ logit }) => logit))
    const order = falling(tokens.map(({ chance }) => chance))
      .slice(0, effort.most_candidates)
      .filter((index) => tokens[index]!.chance >= effort.least_chance)
    const actions = order.map((index) => kept[index]![1])
    const worth = this.outlook(known, actions, key)
    const gains = order.map((index, k) =>
      this.weighed(effort.trust * (tokens[index]!.logit - most), worth[k]!, worth[0]!),
    )
    gains[0] = [0, 0] // the one all others are compared with
    const base = mean(worth[0]!)
    const ranked = falling(gains.map(([gain]) => gain))
    const told = this.alike(ranked.map((k) => gains[k]!))
    return ranked.map((k, place) =>
      this.judgement(known, actions[k]!, worth[k]!.length, base + told[place]!),
    )
  }

  /** What was hoped of a candidate, set right by how much better it was in the same deals. */
  private weighed(hoped: number, worth: number[], first: number[]): Gain {
    const { doubt, model_error } = this.effort
    const gains = worth.map((value, deal) => value - first[deal]!).filter((gain) => !isNaN(gain))
    const weight = doubt ** 2 / (doubt ** 2 + blur(gains) ** 2 + model_error ** 2)
    return [hoped + weight * (mean(gains) - hoped), doubt ** 2 * (1 - weight)]
  }

  /** The worth of candidates, best first; those that cannot be told apart get the same. */
  private alike(gains: Gain[]): number[] {
    let [leader, error] = [gains[0]![0], Math.sqrt(gains[0]![1])]
    return gains.map(([gain, variance]) => {
      if (leader - gain > this.effort.alike * Math.max(error, Math.sqrt(variance)))
        [leader, error] = [gain, Math.sqrt(variance)]
      return leader
    })
  }

  /** Worth is that of a result, from −1 / (seats − 1) to 1; a win counts from 0 to 1. */
  private judgement(match: Match, action: number, visits: number, worth: number): Judgement {
    const { seats, tokens } = match.game
    const win = Math.min(1, Math.max(0, (worth * (seats - 1) + 1) / seats))
    const token = tokens[action]!
    return { token, visits, win, score: 0, line: [[match.toAct!, token]] }
  }

  // -- imagined matches ---------------------------------------------------------------------------

  /** Imagined deals number `first` and on, so many that each candidate meets every one of them. */
  private deals(known: Match, candidates: number, first: number): Fields[] {
    const seat = known.toAct!
    return Array.from({ length: Math.ceil(this.effort.rows / candidates) }, (_, deal) => {
      const s = known.memory()
      this.engine.run(s, 'start_stream', { nonce: first + deal })
      this.engine.run(s, 'resample', { seat })
      return s
    })
  }

  /** The first action that ends the match and wins it, whatever the seat cannot know. */
  private winsAtOnce(known: Match, legal: number[], key: Uint8Array): number | null {
    const { rows, proofs } = this.effort
    const share = Math.floor(rows / proofs)
    this.engine.setGenerator(key)
    for (let first = 0; first < legal.length; first += share) {
      const tried = legal.slice(first, first + share)
      const deals = this.deals(known, tried.length, first * proofs).slice(0, proofs)
      const found = tried.find((action) => deals.every((deal) => this.wins(known, deal, action)))
      if (found !== undefined) return found
    }
    return null
  }

  private wins(known: Match, deal: Fields, action: number): boolean {
    const s = deal.copy()
    this.engine.run(s, 'play', { action })
    return s.get('to_act') < 0 && this.reward(known, s) === 1
  }

  /** What an ended match is worth to the seat that thinks: as in Python, which keeps 32 bits of it. */
  private reward(known: Match, s: Fields): number {
    const { seats } = known.game
    const [best] = new Match(known.game, s, new Uint8Array()).result!.ranking
    const share = best!.includes(known.toAct!) ? 1 / best!.length : 0
    return Math.fround((seats * share - 1) / (seats - 1))
  }

  /** Play on after a choice: what came of it for the seat, and how many positions were judged. */
  private playOn(known: Match, deal: Fields, first: number): [worth: number, judged: number] {
    const { module } = this.engine
    const { turns, longest, sense, floor } = this.effort
    const [network, seat, seats] = [networkOf(this.engine), known.toAct!, known.game.seats]
    const s = deal.copy()
    let [action, left, actor] = [first, turns, seat]
    for (let judged = 0; judged < longest; judged++) {
      this.engine.run(s, 'play', { action })
      actor = s.get('to_act')
      if (actor < 0) return [this.reward(known, s), judged]
      module.call('see', { seat: actor })
      module.call('legal')
      action = network.consult(sense, floor)
      if (actor === seat && --left <= 0) return [network.value, judged + 1]
    }
    return [actor === seat ? network.value : network.value * (-1 / (seats - 1)), longest]
  }

  /** What each candidate is worth in the deals it was tried in: the first ones, if it was given up. */
  private outlook(known: Match, actions: number[], key: Uint8Array): number[][] {
    const { module } = this.engine
    const { rows, fewest } = this.effort
    const apart = BigInt(this.effort.apart)
    const worth: number[][] = actions.map(() => [])
    let left = actions.map((_, k) => k)
    let evaluations = this.effort.evaluations
    this.engine.setGenerator(key)
    for (let done = 0; evaluations > 0 && (left.length > 1 || !done);) {
      const deals = this.deals(known, left.length, done)
      const begin = module.view('rng').getBigUint64(0, true)
      const setGenerator = (deal: number) =>
        module.view('rng').setBigUint64(0, begin + apart * BigInt(deal + 1), true)
      const share = Math.max(1, Math.floor(rows / left.length))
      let spent = 0
      for (let deal = 0; deal < share; deal++)
        for (const k of left) {
          setGenerator(deal)
          const [value, judged] = this.playOn(known, deals[deal]!, actions[k]!)
          worth[k]!.push(value)
          spent += judged
        }
      setGenerator(Math.floor((rows - 1) / left.length))
      done += share
      evaluations -= Math.max(1, spent)
      if (done >= fewest) left = this.promising(worth, left)
    }
    return worth
  }

  /** The candidates that may still be the best. */
  private promising(worth: number[][], left: number[]): number[] {
    const [best] = falling(left.map((k) => mean(worth[k]!)))
    const leader = worth[left[best!]!]!
    return left.filter((k) => {
      const behind = worth[k]!.map((value, deal) => leader[deal]! - value)
      return mean(behind) <= this.effort.surely * blur(behind) + 1e-9
    })
  }
}
