/** The bot that searches, and the memory it works in. */

import { BlindBot, chances, type Insight, type Judgement } from './blind.js'
import type { Engine } from './engine.js'
import type { Match } from './match.js'
import { sha256 } from './sha256.js'

export interface Budget {
  iterations?: number
  milliseconds?: number
  /** In how many percent it plays any legal token. */
  blunder?: number
}

/** The memory a search works in: the module's own, set up from a blinded match. */
export class Desk {
  private readonly engine: Engine

  constructor(match: Match, key: Uint8Array) {
    this.engine = match.game.engine
    const { module } = this.engine
    const s = match.memory()
    s.set('telling', 0)
    match.game.rekey(s, key)
    module.bytes('s').set(s.bytes)
    module.bytes('root').set(s.bytes.subarray(0, module.bytes('root').length))
    for (const name of ['wins', 'points', 'values', 'notes']) module.bytes(name).fill(0)
  }

  settings(wholeRoot: number): void {
    const { settings, whole_root } = this.engine.description.bots.ismcts
    const view = this.engine.module.view('settings')
    settings.forEach((value, i) =>
      view.setFloat64(8 * i, i === whole_root ? wholeRoot : value, true),
    )
  }

  /** An empty tree with room for so many nodes. */
  plant(nodes: number): void {
    const { module } = this.engine
    const [, kind] = module.parameter('search', 'nodes')
    module.reserve('nodes', nodes * module.size(kind))
    module.bytes('nodes').fill(0, 0, module.size(kind))
    module.view('used').setBigInt64(0, 1n, true)
  }
}

interface Node {
  total: number
  visits: number
  action: number
  actor: number
  child: number
  sibling: number
}

/** Searches a tree of choices over many possible deals. */
export class IsmctsBot extends BlindBot {
  readonly name: string
  private readonly blunder: number
  private readonly iterations: number
  private readonly milliseconds: number | undefined
  private questions = 0
  private question: Uint8Array = new Uint8Array()

  constructor(engine: Engine, seed: Uint8Array, level: number | undefined, budget: Budget) {
    super(seed)
    const { levels, default_level } = engine.description.bots.ismcts
    const chosen = level ?? default_level
    const style = levels[String(chosen)]
    if (!style)
      throw engine.error('bot/level', {
        name: 'ismcts',
        value: chosen,
        allowed: Object.keys(levels).join(', '),
      })
    this.name = `ismcts:${chosen}`
    this.iterations = budget.iterations ?? style.iterations
    this.milliseconds = budget.milliseconds
    const own = budget.iterations !== undefined || budget.milliseconds !== undefined
    this.blunder = (budget.blunder ?? (own ? 0 : style.blunder)) / 100
  }

  answer(match: Match): string {
    const [first, second] = this.begin()
    const legal = match.legal()
    if (legal.length === 1) return legal[0]!
    if (first < this.blunder) return legal[Math.floor(second * legal.length)]!
    this.search(match, 0)
    return match.game.tokens[this.children(match, 0)[0]!.action]!
  }

  /** What it thinks of every legal token of the seat to act, best first. */
  analyse(match: Match): Insight {
    return this.thoughts(this.seen(match))
  }

  /** The same of a match that is blinded already. */
  thoughts(known: Match): Insight {
    this.begin()
    const legal = known.legal()
    const seat = known.toAct!
    const began = performance.now()
    const iterations = this.search(known, legal.length)
    const seconds = (performance.now() - began) / 1000
    const { module } = known.game.engine
    const [wins, points] = [module.view('wins'), module.view('points')]
    const judged = this.children(known, 0).map((node): Judgement => {
      const { action, visits } = node
      return {
        token: known.game.tokens[action]!,
        visits,
        win: wins.getFloat64(8 * action, true) / visits,
        score: points.getFloat64(8 * action, true) / visits,
        line: this.line(known, node),
      }
    })
    const tried = new Set(judged.map(({ token }) => token))
    const untried = legal.filter((token) => !tried.has(token))
    const rest = untried.map((token): Judgement => ({
      token,
      visits: 0,
      win: 0,
      score: 0,
      line: [[seat, token]],
    }))
    return { seat, iterations, seconds, tokens: [...judged, ...rest] }
  }

  /** Turn to the next question; two numbers from 0 to 1 that it is answered by. */
  private begin(): [number, number] {
    const number = new Uint8Array(8)
    new DataView(number.buffer).setBigUint64(0, BigInt(++this.questions), true)
    this.question = sha256('ismcts', this.seed, number)
    return chances(sha256('style', this.question))
  }

  private search(match: Match, least: number): number {
    const { game } = match
    const { engine } = game
    const { module } = engine
    const { pool } = engine.description.bots.ismcts
    const iterations = Math.max(this.iterations, least)
    const budget = this.milliseconds === undefined ? iterations : pool
    const desk = new Desk(match, sha256('blind', this.question))
    desk.plant(Math.max(Math.min(8 * budget, pool), game.tokens.length) + 1)
    desk.settings(least)
    engine.setGenerator(sha256('search', this.question))
    const seat = match.toAct!
    const go = (first: number, count: number) =>
      module.call('search', { seat, first, iterations: count })
    if (this.milliseconds === undefined) {
      go(0, iterations)
      return iterations
    }
    let done = 0
    for (
      const end = performance.now() + this.milliseconds;
      done === 0 || performance.now() < end;
      done += 16
    )
      go(done, 16)
    return done
  }

  private node(match: Match, number: number): Node {
    const { module } = match.game.engine
    const [, kind] = module.parameter('search', 'nodes')
    const { size, fields } = kind as Exclude<typeof kind, string>
    const view = module.view('nodes')
    const read = (name: string) => view.getInt32(size * number + fields[name]![0], true)
    return {
      total: view.getFloat64(size * number + fields['total']![0], true),
      visits: read('visits'),
      action: read('action'),
      actor: read('actor'),
      child: read('child'),
      sibling: read('sibling'),
    }
  }

  /** The nodes below a node, most visited first, of equals the one with the better results. */
  private children(match: Match, parent: number | Node): Node[] {
    const found: Node[] = []
    const above = typeof parent === 'number' ? this.node(match, parent) : parent
    for (let number = above.child; number; number = found.at(-1)!.sibling)
      found.push(this.node(match, number))
    const worth = (node: Node) => node.total / Math.max(node.visits, 1)
    return found.sort((a, b) => b.visits - a.visits || worth(b) - worth(a) || a.action - b.action)
  }

  private line(match: Match, from: Node): [number, string][] {
    const { length, visits } = match.game.engine.description.bots.ismcts.line
    const line: [number, string][] = []
    for (let node: Node | undefined = from; node && line.length < length;) {
      line.push([node.actor, match.game.tokens[node.action]!])
      const [best]: Node[] = this.children(match, node)
      node = best && best.visits >= visits ? best : undefined
    }
    return line
  }
}
