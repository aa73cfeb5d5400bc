/** A network that plays a game: what its file holds, and how it is asked. See `simulation/network.py`. */

import type { Sight } from './description.js'
import type { Engine } from './engine.js'
import { written, type Game } from './game.js'
import { hex } from './hex.js'
import type { Match } from './match.js'
import { sha256 } from './sha256.js'

const KIND = 'tanistry network 1\n'
const HASH = 32
/** What stands for 1 in logits, and from how many values on an option is one number. */
const ONE_X = 4096
const VALUES_BY_NAME = 5
/** Bits of the numbers that are reckoned with. */
const WIDEST = 32
/** Arrays in the order of the file, with the bytes of a number. */
const ARRAYS = {
  first: 1,
  first_scale: 4,
  start: 4,
  blocks: 1,
  block_scale: 4,
  block_bias: 4,
  out: 1,
  out_scale: 4,
  out_bias: 4,
} as const

type Arrays = Record<keyof typeof ARRAYS, Uint8Array>

interface Header {
  game: string
  inputs: string[]
  tokens: string[]
  first_bits: number
  shapes: Record<keyof typeof ARRAYS, number[]>
}

/** What a network makes of a position, for the seat to act. */
export interface Opinion {
  seat: number
  /** What the position is worth to the seat: −1 lost … 1 won. */
  value: number
  /** The legal tokens in their order, with the chance that it would choose each. */
  tokens: { token: string; logit: number; chance: number }[]
}

export class Network {
  private readonly start: Int32Array
  private readonly first: Int8Array
  private readonly scale: Int32Array
  private readonly rows: ReadonlyMap<string, number>
  private readonly outputs: ReadonlyMap<string, number>
  private current: Game | null = null

  private constructor(
    private readonly engine: Engine,
    private readonly header: Header,
    arrays: Arrays,
  ) {
    this.rows = new Map(header.inputs.map((name, row) => [name, row]))
    this.outputs = new Map(header.tokens.map((token, row) => [token, row]))
    this.start = new Int32Array(arrays.start.slice().buffer)
    this.scale = new Int32Array(arrays.first_scale.slice().buffer)
    this.first = new Int8Array(arrays.first.slice().buffer)
    const { module } = engine
    for (const [name, array] of Object.entries(arrays)) module.put(name, array)
    module.put('first_bits', new BigInt64Array([BigInt(header.first_bits)]))
    for (const name of ['x', 'z', 'total']) module.reserve(name, 4 * this.start.length)
  }

  /** From the contents of a file; an error says what is wrong with them. */
  static async read(engine: Engine, data: Uint8Array): Promise<Network> {
    const name = `${engine.name}.net`
    if (new TextDecoder().decode(data.subarray(0, KIND.length)) !== KIND)
      throw engine.error('network/foreign', { name })
    const rest = data.subarray(KIND.length + HASH)
    const hash = data.subarray(KIND.length, KIND.length + HASH)
    let parts: [Header, Arrays] | null
    try {
      if (hex(await digest(rest)) !== hex(hash)) throw new Error('not what was written')
      parts = unpacked(await inflated(rest))
    } catch {
      throw engine.error('network/damaged', { name })
    }
    if (!parts) throw engine.error('network/version', { name })
    const [{ game }] = parts
    if (game !== engine.name) throw engine.error('network/game', { name: game, game: engine.name })
    return new Network(engine, ...parts)
  }

  // -- made ready for a game ----------------------------------------------------------------------

  /** Have what depends on the seats and options of a game in memory. */
  ready(game: Game): void {
    if (this.current === game) return
    const { module, description } = this.engine
    const hash = hex(sha256(game.codes.join(' ')).subarray(0, 4))
    const sight = description.sights[`${game.name}_${game.seats}_${hash}`]!
    const codes = [...new Set(game.codes)]
    const inputs = this.inputs(sight, codes)
    const outputs = game.tokens.map((token) => this.outputs.get(token) ?? -1)
    if (outputs.includes(-1))
      throw this.engine.error('network/game', { name: this.header.game, game: game.name })
    const numbers: Record<string, number[]> = {
      codes: game.codes.map((code) => codes.indexOf(code)),
      closed: sight.closed.flat(),
      strokes: sight.strokes.flat(),
      ordered: sight.ordered.flat(2),
      marks: [sight.head, sight.decision, codes.length, sight.facts, sight.insights],
      inputs,
      outputs,
    }
    for (const [name, list] of Object.entries(numbers)) module.put(name, new Int32Array(list))
    module.put('start', this.startFor(game))
    module.reserve('observed', inputs.length)
    for (const name of ['logits', 'chances']) module.reserve(name, 8 * outputs.length)
    this.current = game
  }

  /** The row of each byte of an observation, −1 for those it has never heard of. */
  private inputs({ sections }: Sight, codes: string[]): number[] {
    return sections.flatMap(([name, rows, columns]) =>
      rows.flatMap((row) =>
        named(columns, codes).map((column) => this.rows.get(`${name}|${row}|${column}`) ?? -1),
      ),
    )
  }

  /** Where the first layer begins: what it is told of the options, which observations do not tell. */
  private startFor(game: Game): Int32Array {
    const start = this.start.slice()
    const told: [string, number][] = [[`seats=${game.seats}`, 1]]
    for (const { name, values } of game.optionList) {
      const value = game.options[name]!
      const number = typeof value === 'number' && values.length > VALUES_BY_NAME
      told.push(number ? [name, value] : [`${name}=${written(value)}`, 1])
    }
    for (const [name, value] of told) {
      const row = this.rows.get(name)
      if (row === undefined) continue
      const factor = value * this.scale[row]!
      for (let j = 0; j < start.length; j++)
        start[j]! += factor * this.first[row * start.length + j]!
    }
    return start
  }

  // -- asking it ----------------------------------------------------------------------------------

  /** What it chooses for the seat to act; chance comes from the generator in memory. */
  choose(match: Match, sense: number, floor: number): number {
    this.observed(match)
    this.engine.module.call('legal')
    return this.consult(sense, floor)
  }

  /** The bytes that it reads of the position, for the seat to act. */
  observed(match: Match): Uint8Array {
    this.ready(match.game)
    this.engine.ask(match.memory(), 'see', { seat: match.toAct! })
    return this.engine.module.bytes('observed').slice()
  }

  /** What it chooses by the observation and the legal actions that are in memory. */
  consult(sense: number, floor: number): number {
    const style = this.engine.module.view('style')
    style.setFloat64(0, sense, true)
    style.setFloat64(8, floor, true)
    return this.engine.module.call('consult')
  }

  /** What the position that it was asked about is worth to the seat: −1 lost … 1 won. */
  get value(): number {
    return this.engine.module.view('worth').getFloat64(0, true)
  }

  /** What it makes of a position: in the order of the legal tokens. */
  judge(match: Match): Opinion {
    this.choose(match, 1, 0)
    const { module } = this.engine
    const [logits, chances] = [module.view('logits'), module.view('chances')]
    const { value } = this
    const judged = match.legalActions().map((action) => ({
      token: match.game.tokens[action]!,
      logit: Number(logits.getBigInt64(8 * action, true)) / ONE_X,
      chance: chances.getFloat64(8 * action, true),
    }))
    const sum = judged.reduce((total, { chance }) => total + chance, 0)
    const tokens = judged.map((one) => ({ ...one, chance: one.chance / sum }))
    return { seat: match.toAct!, value, tokens }
  }
}

/** The network of an engine; an error tells whoever has not loaded it. */
export function networkOf(engine: Engine): Network {
  if (engine.network) return engine.network
  throw new Error(
    `${engine.name}.net is not loaded: engine.learn(bytes), or load(…, { network: true })`,
  )
}

/** The header and the arrays of a file, null if there are more than we know of; an error if they do
 * not fit together: kernels do not look. */
function unpacked(content: Uint8Array): [Header, Arrays] | null {
  let at = 4 + new DataView(content.buffer).getUint32(0, true)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const header = JSON.parse(decoder.decode(content.subarray(4, at))) as Header
  const { inputs, tokens, first_bits: bits, shapes } = header
  if (Object.keys(shapes).length > Object.keys(ARRAYS).length) return null
  const arrays = Object.entries(ARRAYS).map(([name, width]) => {
    const from = at
    at += width * shapes[name as keyof typeof ARRAYS].reduce((product, n) => product * n, 1)
    return [name, content.subarray(from, at)]
  })
  const [width, blocks] = [shapes.start[0]!, shapes.blocks[0]!]
  const [rows, outputs] = [inputs.length, tokens.length + 1]
  const wanted: Header['shapes'] = {
    first: [rows, width],
    first_scale: [rows],
    start: [width],
    blocks: [blocks, width, width],
    block_scale: [blocks, width],
    block_bias: [blocks, width],
    out: [outputs, width],
    out_scale: [outputs],
    out_bias: [outputs],
  }
  const strange = Object.entries(wanted).some(
    ([name, shape]) =>
      JSON.stringify(shapes[name as keyof typeof ARRAYS]) !== JSON.stringify(shape),
  )
  const counts = [bits, ...Object.values(shapes).flat()].every((n) => Number.isInteger(n) && n >= 0)
  const lists = Array.isArray(inputs) && Array.isArray(tokens)
  const texts = [header.game, ...inputs, ...tokens].every((name) => typeof name === 'string')
  const names = new Set(inputs).size === rows && new Set(tokens).size === outputs - 1
  const fits = counts && width > 0 && bits < WIDEST && lists && texts && names
  if (strange || !fits || at !== content.length) throw new Error('parts that do not fit together')
  return [header, Object.fromEntries(arrays) as Arrays]
}

/** The columns of a section by name. */
function named(columns: Sight['sections'][number][2], codes: string[]): string[] {
  if (typeof columns !== 'number') return columns ?? codes
  const slots = Array.from({ length: columns }, (_, slot) => slot + 1)
  return slots.flatMap((slot) => codes.map((code) => `${code} in ${slot}`))
}

/** The browser's own SHA-256 is quicker; without HTTPS it has none. */
async function digest(data: Uint8Array): Promise<Uint8Array> {
  const { subtle } = crypto as Partial<Crypto>
  return subtle
    ? new Uint8Array(await subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>))
    : sha256(data)
}

async function inflated(data: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([data as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
