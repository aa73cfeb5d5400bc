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

export interface Description {
  format: number
  game: GameData
  kernels: Record<string, Parameter[]>
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
  }
}
