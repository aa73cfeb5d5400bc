/** A game's engine: its module and its description. */

import type { Description, Field, GameData, Lang } from './description.js'
import { EngineError } from './errors.js'
import type { Fields } from './fields.js'
import { Game, type Seed } from './game.js'
import type { Match } from './match.js'
import { Module } from './module.js'
import { Network } from './network.js'
import { readRecord } from './records.js'
import { sha256 } from './sha256.js'
import { Words } from './words.js'

export const FORMAT = 2

export class Engine {
  readonly data: GameData
  readonly fields: ReadonlyMap<string, Field>
  readonly module: Module
  /** What `champion`, `trained`, `people` and `match.judge()` ask; null until one is loaded. */
  network: Network | null = null
  private readonly catalogues: Map<Lang, Words>

  constructor(
    readonly description: Description,
    module: WebAssembly.Module,
  ) {
    if (description.format !== FORMAT)
      throw new Error(`This engine reads format ${FORMAT}, not ${description.format}.`)
    this.data = description.game
    this.fields = new Map(this.data.record.fields.map((field) => [field.name, field]))
    this.module = new Module(description, module)
    this.catalogues = new Map(
      Object.keys(this.data.words).map((lang) => [lang, new Words(lang, this.data)]),
    )
  }

  get name(): string {
    return this.data.name
  }

  get languages(): Lang[] {
    return [...this.catalogues.keys()]
  }

  /** The game with its seats and options settled. */
  game(options: { seats?: number } & Record<string, unknown> = {}): Game {
    const { seats, ...others } = options
    return new Game(this, seats, others)
  }

  /** Start a match with the usual seats and options. */
  deal(seed?: Seed): Match {
    return this.game().deal(seed)
  }

  /** Play a record again; an error says where it does not hold. */
  replay(text: string): Match {
    return readRecord(this, text)
  }

  /** Take a network from the contents of its file, `GAME.net`; an error says what is wrong with it. */
  async learn(file: Uint8Array): Promise<void> {
    this.network = await Network.read(this, file)
  }

  words(lang: Lang): Words {
    return this.catalogues.get(lang) ?? this.catalogues.values().next().value!
  }

  error(code: string, values: Record<string, unknown>, rule = ''): EngineError {
    const key = `errors.${code.replace('/', '.')}`
    const sentences = Object.fromEntries(
      this.languages.map((lang) => {
        const said = Object.entries(values).map(([name, value]) => [
          name,
          value instanceof EngineError ? value.text(lang) : value,
        ])
        return [
          lang,
          this.words(lang).text(key, Object.fromEntries(said) as Record<string, unknown>),
        ]
      }),
    )
    return new EngineError(code, values, sentences, rule)
  }

  // -- kernels ------------------------------------------------------------------------------------

  /** Run a kernel on a record. */
  run(s: Fields, kernel: string, numbers: Record<string, number | bigint> = {}): number {
    const memory = this.module.bytes('s')
    memory.set(s.bytes)
    const result = this.module.call(kernel, numbers)
    s.bytes.set(memory)
    return result
  }

  /** Run a kernel that only looks at a record. */
  ask(s: Fields, kernel: string, numbers: Record<string, number> = {}): number {
    this.module.bytes('s').set(s.bytes)
    return this.module.call(kernel, numbers)
  }

  /** Run a kernel that notes something about a record: the numbers it noted. */
  noted(s: Fields, kernel: string, numbers: Record<string, number> = {}): number[] {
    const notes = this.module.bytes('notes')
    notes.fill(0)
    this.ask(s, kernel, numbers)
    const found = new Int32Array(notes.buffer, notes.byteOffset, notes.length / 4)
    return [...found.subarray(1, found[0]! + 1)]
  }

  /** The entries that a kernel writes to the log of a record, which is empty then. */
  told(s: Fields, kernel: string, numbers: Record<string, number> = {}): number[][] {
    s.set('telling', 1)
    this.run(s, kernel, numbers)
    s.set('telling', 0)
    const width = s.field('log').shape[1]!
    const told = s.get('told')
    const entries = Array.from({ length: told }, (_, n) =>
      Array.from({ length: width }, (_, i) => s.get('log', width * n + i)),
    )
    s.bytes.fill(0, s.field('log').offset, s.field('log').offset + 2 * width * told)
    s.set('told', 0)
    return entries
  }

  seedBytes(seed: Seed): Uint8Array {
    if (seed === undefined) return crypto.getRandomValues(new Uint8Array(32))
    if (seed instanceof Uint8Array && seed.length === 32) return seed.slice()
    const whole =
      typeof seed === 'bigint' || (typeof seed === 'number' && Number.isSafeInteger(seed))
    if (!whole || seed < 0 || BigInt(seed) >= 1n << 256n)
      throw this.error('seed', { value: String(seed) })
    const bytes = new Uint8Array(32)
    for (let i = 0, rest = BigInt(seed); i < 32; i++, rest >>= 8n) bytes[i] = Number(rest & 255n)
    return bytes
  }

  /** The first state of a fast generator, from any seed; it lies in the module's memory then. */
  setGenerator(seed: Uint8Array): void {
    this.module.bytes('rng').set(sha256('fast', seed).subarray(0, 8))
  }
}
