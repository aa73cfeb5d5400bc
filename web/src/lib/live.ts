/** What we know of one table, and how each message of the server changes it. Pure functions. */
import type {
  Clocks,
  GameEvent,
  PlayedMessage,
  Result,
  ServerMessage,
  StateMessage,
  Table,
  View,
} from './protocol'

export interface Live {
  table: Table | null
  turn: number
  view: View | null
  labels: Record<string, string>
  /** How the match stands: votes, strengths, formations. */
  tally: Record<string, unknown>
  log: GameEvent[]
  clocks: Clocks | null
  /** Seconds for which each seat had been away when the table was last told of; empty: nobody is. */
  away: number[]
  /** Server time minus ours, and when the clocks were read (server time). */
  now: number
  result: Result | null
  /** A step was missed: ask for the state anew. */
  lost: boolean
}

export const nothing: Live = {
  table: null,
  turn: -1,
  view: null,
  labels: {},
  tally: {},
  log: [],
  clocks: null,
  away: [],
  now: 0,
  result: null,
  lost: false,
}

export function apply(live: Live, message: ServerMessage): Live {
  switch (message.type) {
    case 'table':
      return {
        ...live,
        table: message.table,
        away: message.away ?? [],
        result: message.table.result ?? live.result,
      }
    case 'state':
      return replace(live, message)
    case 'played':
      return step(live, message)
    default:
      return live
  }
}

function replace(live: Live, message: StateMessage): Live {
  return {
    ...live,
    turn: message.turn,
    view: message.view,
    labels: message.labels ?? {},
    tally: message.tally ?? {},
    log: message.complete ? joined(live.log, message.events) : message.events,
    clocks: message.clocks ?? null,
    now: message.now,
    result: message.result ?? live.table?.result ?? null,
    lost: false,
  }
}

function step(live: Live, message: PlayedMessage): Live {
  if (message.again || message.turn <= live.turn) return live
  if (message.turn !== live.turn + 1 || !live.view) return { ...live, lost: true }
  return {
    ...live,
    turn: message.turn,
    view: changed(live.view, message),
    labels: message.labels ?? {},
    tally: message.tally ?? live.tally,
    log: joined(live.log, message.events ?? []),
    clocks: message.clocks ?? live.clocks,
    now: message.now ?? live.now,
    result: message.result ?? live.result,
  }
}

function changed(view: View, message: PlayedMessage): View {
  if (!message.change) return { ...view, to_act: null, decision: '', legal: undefined }
  return {
    ...view,
    legal: undefined,
    ...message.change,
    facts: message.change.facts ?? view.facts,
    places: { ...view.places, ...message.change.places },
  }
}

/** The log without repeats: events are numbered. */
function joined(log: GameEvent[], more: GameEvent[]): GameEvent[] {
  const last = log.at(-1)?.n ?? -1
  const fresh = more.filter((event) => event.n > last)
  return fresh.length ? [...log, ...fresh] : log
}

export function mySeat(live: Live): number | null {
  return live.table?.seats.find((seat) => seat.you)?.seat ?? live.view?.seat ?? null
}

/** Whether the match begins as soon as we say that we are ready. */
export function awaitsUs({ status, seats, clock }: Table): boolean {
  if (status !== 'waiting' || !seats.some(({ you, ready }) => you && !ready)) return false
  return seats.every(
    ({ you, kind, ready, present }) =>
      you || kind === 'bot' || (ready && (present || clock.kind === 'days')),
  )
}

export function myTurn(live: Live): boolean {
  return !live.result && !!live.view?.legal?.length
}
