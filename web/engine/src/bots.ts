/** Bots by their names. All of them see a blinded match only. */

import { BlindBot, chances, type Bot, type Insight } from './blind.js'
import { ChampionBot } from './champion.js'
import type { Engine } from './engine.js'
import type { Seed } from './game.js'
import { Desk, IsmctsBot, type Budget } from './ismcts.js'
import type { Match } from './match.js'
import { networkOf } from './network.js'
import { sha256 } from './sha256.js'

export const BOTS = ['champion', 'greedy', 'ismcts', 'people', 'random', 'trained'] as const

/**
 * A bot by its name, those with levels at one of them. The same seed, the same choices. `champion`
 * and `trained` need the game's network; without it `people` search.
 */
export function bot(
  engine: Engine,
  name: string,
  options: { level?: number; seed?: Seed } & Budget = {},
): Bot {
  const seed = engine.seedBytes(options.seed)
  switch (name) {
    case 'random':
      return new RandomBot(seed)
    case 'greedy':
      return new GreedyBot(seed)
    case 'ismcts':
      return new IsmctsBot(engine, seed, options.level, options)
    case 'trained':
      return new TrainedBot(engine, seed)
    case 'champion':
      return new ChampionBot(engine, seed)
    case 'people':
      return new PeopleBot(engine, seed, options.level)
    default:
      throw engine.error('bot/name', { name, allowed: BOTS.join(', ') })
  }
}

/** Chooses evenly among the legal tokens. (Python's own takes its chances from another generator.) */
class RandomBot extends BlindBot {
  readonly name = 'random'
  private state = sha256('random bot', this.seed)

  answer(match: Match): string {
    this.state = sha256(this.state)
    const legal = match.legal()
    return legal[Math.floor(chances(this.state)[0] * legal.length)]!
  }
}

/** Takes what looks best at once. */
class GreedyBot extends BlindBot {
  readonly name = 'greedy'
  private state = sha256('greedy', this.seed)

  answer(match: Match): string {
    const { game } = match
    const { engine } = game
    this.state = sha256(this.state)
    engine.setGenerator(this.state)
    const actions = match.legalActions()
    const { policy, trials } = engine.description.bots.greedy
    if (policy) {
      engine.module.bytes('notes').fill(0)
      return game.tokens[engine.ask(match.memory(), 'advise')]!
    }
    const { module } = engine
    const desk = new Desk(match, sha256('blind', this.state))
    module.reserve('actions', 8 * actions.length)
    const listed = module.view('actions')
    actions.forEach((action, i) => listed.setBigInt64(8 * i, BigInt(action), true))
    module.bytes('totals').fill(0)
    desk.settings(0)
    module.call('rank_actions', { seat: match.toAct!, rounds: trials })
    const totals = module.view('totals')
    const worth = actions.map((_, i) => totals.getFloat64(8 * i, true))
    return game.tokens[actions[worth.indexOf(Math.max(...worth))]!]!
  }
}

/** Plays what the network likes best. */
class TrainedBot extends BlindBot {
  readonly name = 'trained'

  constructor(
    private readonly engine: Engine,
    seed: Uint8Array,
  ) {
    super(seed)
    networkOf(engine)
  }

  answer(match: Match): string {
    const { sure } = this.engine.description.bots.trained
    return match.game.tokens[networkOf(this.engine).choose(match, sure, 0)]!
  }
}

/** Six levels that play like people: what the network likes, with more or less sense. */
class PeopleBot extends BlindBot {
  readonly name: string
  private readonly level: number
  private readonly searcher: IsmctsBot
  private readonly adviser: IsmctsBot
  private readonly champion: ChampionBot | null
  private rng = sha256('fast', sha256('people', this.seed)).subarray(0, 8)

  constructor(
    private readonly engine: Engine,
    seed: Uint8Array,
    level: number | undefined,
  ) {
    super(seed)
    const { people, ismcts } = engine.description.bots
    const most = people.titles.length
    this.level = level ?? people.default_level
    if (!Number.isInteger(this.level) || this.level < 1 || this.level > most) {
      const allowed = people.titles.map((_, index) => index + 1).join(', ')
      throw engine.error('bot/level', { name: 'people', value: this.level, allowed })
    }
    this.name = `people:${this.level}`
    const strongest = Math.max(...Object.keys(ismcts.levels).map(Number))
    this.searcher = new IsmctsBot(engine, seed, Math.min(this.level, strongest), {})
    this.adviser = new IsmctsBot(engine, seed, strongest, {})
    this.champion = engine.network && new ChampionBot(engine, seed)
  }

  answer(match: Match): string {
    if (!this.champion) return this.searcher.answer(match)
    const style = this.engine.description.bots.people.styles[this.level - 1]
    if (!style) return this.champion.answer(match)
    const { module } = this.engine
    module.bytes('rng').set(this.rng)
    const action = networkOf(this.engine).choose(match, ...style)
    this.rng = module.bytes('rng').slice()
    return match.game.tokens[action]!
  }

  /** What the best of them thinks of every legal token: advice is the champion's. */
  analyse(match: Match): Insight {
    return (this.champion ?? this.adviser).thoughts(this.seen(match))
  }
}
