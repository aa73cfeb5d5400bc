/** What is kept of a local match is its record, and nothing else; its headers say who sat where. */
import type { Engine } from '../../engine/src'
import { endedBy, type Ended } from '../../engine/src/outcome'
import { LOCAL } from '../lib/house'
import type { Result, Seat, Table } from '../lib/protocol'
import { LocalRefusal, refuse } from './refusals'

export type Headers = Record<string, string>

/** A match as it is kept. */
export interface Saved {
  id: string
  record: string
  /** When it was last played at, and how often it was written: two windows must not both go on. */
  at: number
  revision: number
}

/** Who sits at a seat: a person, or a bot with its level. */
export interface Sitting {
  name: string
  bot: string | null
  level: number | null
}

const HEADER = /^\s*\[([A-Z][A-Za-z0-9]*) "((?:[^"\\]|\\.)*)"\]\s*$/gm
const LONGEST_NAME = 24
const ANY = 'claim'
/** Who sits where no name is given: the same as in `session/names.py`. */
export const NAMES = ['Ailsa', 'Angus', 'Blair', 'Bonnie', 'Callum']
/** Who plays where nobody else is named. */
export const USUAL = 'people'

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return LOCAL + [...bytes].map((byte) => (byte % 36).toString(36)).join('')
}

/** The headers of a text that may be a record; whether it is one, the engine says. */
export function headersOf(text: string): Headers {
  const found = [...text.replace(/^\uFEFF/, '').matchAll(HEADER)]
  return Object.fromEntries(found.map(([, name, value]) => [name!, value!.replace(/\\(.)/g, '$1')]))
}

/** The engine of a record; a text that names no game is refused by any, with what is wrong in it. */
export async function engineOf(
  record: string,
  engine: (game: string) => Promise<Engine>,
): Promise<Engine> {
  const game = headersOf(record)['Game']
  const found = await engine(game ?? ANY).catch((error: unknown) => {
    const none = error instanceof LocalRefusal && error.code === 'engine/none'
    throw none ? refuse('record/unreadable') : error
  })
  if (!game) found.replay(record)
  return found
}

/** Who sits where: bots are named by headers; the first seat without one is the person's. */
export function sittings(headers: Headers, seats: number): Sitting[] {
  const mine =
    Array.from({ length: seats }, (_, seat) => seat).find((n) => !headers[`Bot${n}`]) ?? 0
  return Array.from({ length: seats }, (_, seat) => {
    const name = (headers[`Seat${seat}`] ?? '').slice(0, LONGEST_NAME)
    if (seat === mine) return { name: name || NAMES[seat]!, bot: null, level: null }
    const [bot, level] = (headers[`Bot${seat}`] ?? '').split(':')
    return {
      name: name || NAMES[seat]!,
      bot: bot || USUAL,
      level: level && /^\d$/.test(level) ? Number(level) : null,
    }
  })
}

export function headersFor(sitting: readonly Sitting[]): Headers {
  const found: Headers = {}
  sitting.forEach(({ name, bot, level }, seat) => {
    found[`Seat${seat}`] = name
    if (bot) found[`Bot${seat}`] = level === null ? bot : `${bot}:${level}`
  })
  return found
}

/** How a match ended that was not played to its end: given up, out of time, or agreed to be drawn. */
export function endedEarly(headers: Headers, seats: number): Result | null {
  if (headers['EndedBy'] === undefined) return null
  const ended = endedBy(headers, seats)
  if (!ended) throw refuse('record/unreadable')
  return early(ended, seats)
}

/** What that came to: the others have won, or all share the first place. */
export function early({ how, by }: Ended, seats: number): Result {
  const everybody = Array.from({ length: seats }, (_, seat) => seat)
  const others = everybody.filter((seat) => seat !== by)
  return { scores: null, ranking: by === null ? [others] : [others, [by]], ended_by: how, by }
}

/** A table in the words of the protocol. */
export function tableData(
  id: string,
  game: string,
  options: Table['options'],
  sitting: readonly Sitting[],
  more: { turn: number; result: Result | null; at: number },
): Table {
  const { turn, result, at } = more
  return {
    id,
    game,
    options,
    status: result ? 'over' : 'playing',
    public: false,
    rated: false,
    solo: true,
    host: '',
    created: at,
    started: at,
    ended: result ? at : null,
    seats: sitting.map(seatData),
    clock: { kind: 'none' },
    spectators: { allowed: false, delay: 0, watching: 0 },
    draw_offer: null,
    takebacks: false,
    undo_offer: null,
    rematch: null,
    rematch_of: null,
    turn,
    revision: turn,
    fairness: { commitment: '', seed: null, salt: null, nonces: null },
    result,
  }
}

function seatData({ name, bot, level }: Sitting, seat: number): Seat {
  return {
    seat,
    kind: bot ? 'bot' : 'person',
    player: null,
    name,
    you: !bot,
    present: true,
    ready: true,
    bot,
    level,
    bot_plays: !!bot,
    rating: null,
    resigned: false,
    weight: null,
  }
}

/** A kept match as a list shows it, by its headers alone; null if they say too little or nonsense. */
export function listed(saved: Saved): Table | null {
  try {
    return read(saved)
  } catch {
    return null
  }
}

function read({ id, record, at }: Saved): Table | null {
  const headers = headersOf(record)
  const seats = Number(headers['Seats'])
  if (!headers['Game'] || !(seats >= 1 && seats <= 9)) return null
  const scores = (headers['Result'] ?? '*').split('-').map(Number)
  const played = !scores.some(Number.isNaN)
  const result: Result | null = played
    ? { scores: null, ranking: [], ended_by: 'play' }
    : endedEarly(headers, seats)
  return tableData(id, headers['Game'], {}, sittings(headers, seats), { turn: 0, result, at })
}
