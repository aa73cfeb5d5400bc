/** What `tanistry build-wasm` writes beside a game's module; see docs/browser.md. */

export type Lang = string
export type Value = string | number | boolean
export type Options = Record<string, Value>
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Shape {
  type: string
  least?: number
  most?: number
  codes?: string[]
  words?: string
  of?: Shape
  keys?: Shape
  distinct?: boolean
  letters?: string
  fields?: Named[]
  forms?: { text: string; parts: Named[] }[]
}

export interface Named extends Shape {
  name: string
}

export interface Card {
  code: string
  suit: string
  value: number | null
  kind: string
  back: string
  numbers: Record<string, number>
  rule: string | null
  when: Options
}

export interface Place {
  name: string
  kind: string
  index: number[]
  owner: number | null
  seen: Seen
  order: 'set' | 'pile' | 'row' | 'slots'
  most: number
  secret_from_public: boolean
}

export type Seen = 'nobody' | 'owner' | 'all'

export interface Part extends Named {
  values: number[]
  texts: string[]
  mine: boolean
  along: boolean
}

export interface Action {
  verb: string
  token: string
  parts: Part[]
  decisions: string[]
  when: Options
}

export interface Told {
  name: string
  values: Named[]
}

export interface Fact {
  name: string
  shape: Shape
  field: string | null
  unsaid: number | null
}

export interface Flag {
  name: string
  kinds: string[]
  field: string
  shape: Shape
  by: 'card' | 'slot'
  unsaid: Json
}

export interface Option {
  name: string
  values: Value[]
  numbers: number[]
  default: Value
}

export interface Field {
  name: string
  type: string
  offset: number
  shape: number[]
}

export interface Tree {
  [key: string]: string | Tree | Tree[]
}

/** A game as `game.describe()` gives it in Python. */
export interface GameData {
  name: string
  version: number
  seats: number[]
  has_draw: boolean
  options: Option[]
  presets: { name: string; seats: number; options: Options }[]
  record: { size: number; fields: Field[] }
  cards: Card[]
  places: Place[]
  actions: Action[]
  decisions: string[]
  /** Events that go without saying in a caption, by type or by rule. */
  asides: string[]
  rules: string[]
  events: Told[]
  refusals: Told[]
  problems: Told[]
  facts: Fact[]
  flags: Flag[]
  tally: Fact[]
  words: Record<Lang, Tree>
}

/** A kind of memory: a number such as `u8`, `record`, or a structure of its own. */
export type Layout =
  string | { size: number; fields: Record<string, [offset: number, kind: string, shape: number[]]> }

/** A kernel's parameter: a number (`int`, `long`), or memory with so many elements (null: the caller says). */
export type Parameter = [name: string, kind: Layout, length?: number | null]

export interface Style {
  title: string
  iterations: number
  blunder: number
}

/** What is where in an observation, for a number of seats and a set of cards. */
export interface Sight {
  head: number
  decision: number
  facts: number
  insights: number
  closed: number[][]
  strokes: number[][]
  ordered: number[][][]
  /** Without columns there is one for every code; a number is of slots with so many each. */
  sections: [name: string, rows: string[], columns: string[] | number | null][]
}

/** How the champion thinks, see `bots/players/champion.py`. */
export interface Effort {
  version: number
  evaluations: number
  turns: number
  most_candidates: number
  least_chance: number
  trust: number
  doubt: number
  model_error: number
  alike: number
  sense: number
  floor: number
  rows: number
  longest: number
  proofs: number
  fewest: number
  surely: number
  /** How far the generators of two imagined deals are apart. */
  apart: string
  /** Positions that are looked at to calculate an end. */
  positions: number
}

export interface Description {
  format: number
  game: GameData
  kernels: Record<string, Parameter[]>
  /** By seats and cards: see `Network`. */
  sights: Record<string, Sight>
  /** The file of the network that comes with the game. */
  network: { bytes: number; sha256: string } | null
  bots: {
    ismcts: {
      version: number
      default_level: number
      levels: Record<string, Style>
      settings: number[]
      whole_root: number
      pool: number
      line: { length: number; visits: number }
    }
    greedy: { version: number; policy: boolean; trials: number }
    trained: { version: number; sure: number }
    champion: Effort
    people: {
      version: number
      default_level: number
      /** How much sense each level but the last has, and below which chance nothing is chosen. */
      styles: [sense: number, floor: number][]
      /** What each level is called, and who plays at it. */
      titles: Record<Lang, string>[]
      personas: Record<string, Record<Lang, string>>[]
    }
  }
}
