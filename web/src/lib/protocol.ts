/** What goes over the wire: the types of docs/protocol.md. */

export type Lang = 'en' | 'fr'
export type Said = Record<Lang, string>

export interface CardEntry {
  card: string | null
  up?: boolean
  back?: string
  active?: string | null
  spent?: boolean
  known?: number[]
}
/** A code, a card with flags, or a gap. */
export type Entry = string | CardEntry | null

export interface View {
  game: string
  seats: number
  options: Record<string, unknown>
  to_act: number | null
  decision: string
  places: Record<string, Entry[]>
  facts: Record<string, unknown>
  seat: number | null
  legal?: string[] | undefined
}

export interface GameEvent {
  n: number
  type: string
  rule?: string
  card?: string | null
  from?: string
  to?: string
  seat?: number
  text?: string
  /** The turn it came of, and whose choice that was. */
  turn?: number
  by?: number | null
  [key: string]: unknown
}

export interface Seat {
  seat: number
  kind: 'person' | 'bot' | 'open'
  player: string | null
  name: string | null
  you: boolean
  present: boolean
  ready: boolean
  bot: string | null
  level: number | null
  bot_plays: boolean
  rating: { value: number } | number | null
  resigned: boolean
}

export interface Result {
  scores: number[] | null
  ranking: number[][]
  ended_by: 'play' | 'resign' | 'flag' | 'draw'
  by?: number
}

export interface Clock {
  kind: 'none' | 'fischer' | 'days'
  seconds?: number
  increment?: number
  days?: number
}

export interface Table {
  id: string
  game: string
  options: Record<string, unknown>
  status: 'waiting' | 'playing' | 'over' | 'closed'
  public: boolean
  rated: boolean
  solo: boolean
  host: string
  created: number
  started: number | null
  ended: number | null
  seats: Seat[]
  clock: Clock
  spectators: { allowed: boolean; delay: number; watching: number }
  draw_offer: number | null
  rematch: string | null
  rematch_of: string | null
  turn: number
  revision: number
  fairness: { commitment: string; seed: string | null; salt: string | null; nonces: (string | null)[] | null }
  result: Result | null
}

export interface Clocks {
  left: (number | null)[]
  running: number | null
}

interface Message {
  id?: number
}
export interface StateMessage extends Message {
  type: 'state'
  table: string
  turn: number
  now: number
  view: View | null
  labels?: Record<string, string>
  events: GameEvent[]
  complete: boolean
  clocks?: Clocks
  result: Result | null
}
export interface Change {
  to_act: number | null
  decision: string
  places: Record<string, Entry[]>
  facts?: Record<string, unknown>
  legal?: string[]
}
export interface PlayedMessage extends Message {
  type: 'played'
  table: string
  turn: number
  seat: number
  kind: 'play' | 'resign' | 'flag' | 'draw'
  now: number
  events?: GameEvent[]
  change?: Change
  labels?: Record<string, string>
  clocks?: Clocks
  result?: Result | null
  again?: boolean
}
export interface TableMessage extends Message {
  type: 'table'
  table: Table
}
export interface Refusal {
  code: string
  rule?: string | null
  say: Said
}
export interface RefusedMessage extends Message, Refusal {
  type: 'refused'
  table?: string
}
export interface HintMessage extends Message {
  type: 'hint'
  table: string
  turn: number
  token: string
  label?: string
  considered: { token: string; value: number; share: number }[]
}
export interface LobbyMessage extends Message {
  type: 'lobby'
  tables: Table[]
}
export interface WelcomeMessage extends Message {
  type: 'welcome'
  now: number
  you: Player
}
export type ServerMessage =
  | StateMessage
  | PlayedMessage
  | TableMessage
  | RefusedMessage
  | HintMessage
  | LobbyMessage
  | WelcomeMessage
  | (Message & { type: 'ok' })
  | (Message & { type: 'pong'; now: number })
  | (Message & { type: 'bye'; why: string })

export interface Player {
  id: string
  name: string
  guest: boolean
  login?: string | null
  ratings: Record<string, { value: number; matches: number; provisional: boolean }>
}

export interface Option {
  name: string
  values: (string | number | boolean)[]
  default: string | number | boolean
  title: Said
  say: Record<string, Said>
}
export interface Game {
  name: string
  version: number
  title: Said
  tagline: Said
  seats: number[]
  has_draw: boolean
  options: Option[]
}
export interface Bot {
  bot: string
  levels: number[]
  default: number
  title: Said
}
export interface Games {
  games: Game[]
  bots: Bot[]
}

export interface Rule {
  id: string
  title: string
  text: string
}
export interface Words {
  game: string
  lang: Lang
  words: Record<string, unknown>
  cards: Record<string, string>
  places: Record<string, string>
  rules: Rule[]
}

export interface ReplayStep {
  turn: number
  seat: number | null
  token: string | null
  label?: string
  events: GameEvent[]
  position: Omit<View, 'seat'>
}
export interface Replay {
  table: Table
  steps: ReplayStep[]
}
