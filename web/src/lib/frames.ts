/**
 * A step of the match told in pictures: the server sends what it led to, the events tell how.
 * Each frame is the table after one or more events, with the pause it deserves. Pure functions.
 */
import type { CardEntry, Entry, GameEvent, View } from './protocol'

export interface Flight {
  card: string | null
  from: string
  to: string
}
export interface Frame {
  view: View
  flights: Flight[]
  /** Events told with this frame. */
  events: GameEvent[]
  /** Milliseconds to stay, at the full pace. */
  pause: number
}

export const FLIGHT_MS = 230
const BEAT_MS = 280

export function codeOf(entry: Entry): string | null {
  return typeof entry === 'string' ? entry : (entry?.card ?? null)
}

/** Take a card out of a place: the one named, else one whose face we do not know. */
function without(entries: Entry[], card: string | null): [Entry[], Entry] {
  let index = card === null ? -1 : entries.findIndex((entry) => codeOf(entry) === card)
  if (index < 0) index = entries.findIndex((entry) => entry !== null && codeOf(entry) === null)
  if (index < 0) index = entries.findIndex((entry) => entry !== null)
  if (index < 0) return [entries, null]
  return [[...entries.slice(0, index), ...entries.slice(index + 1)], entries[index]!]
}

export function moved(view: View, event: GameEvent): View {
  const { from, to } = event
  if (!from || !to) return view
  const [rest, taken] = without(view.places[from] ?? [], event.card ?? null)
  const back = typeof taken === 'object' && taken?.back ? { back: taken.back } : {}
  const hidden: CardEntry = { card: null, ...back }
  const entry: Entry = event.card ?? hidden
  return {
    ...view,
    places: { ...view.places, [from]: rest, [to]: [...(view.places[to] ?? []), entry] },
  }
}

/**
 * Frames from `before` to `after`. Moves by the same rule go together; the last frame
 * is always the truth. Nobody is asked anything before it.
 */
export function frames(before: View, events: GameEvent[], after: View): Frame[] {
  const quiet = { to_act: after.to_act, decision: after.decision, legal: undefined }
  const found: Frame[] = []
  let view: View = { ...before, ...quiet, to_act: before.to_act }
  for (const event of events) {
    const last = found.at(-1)
    if (event.type === 'move' && event.from && event.to) {
      view = moved(view, event)
      const flight = { card: event.card ?? null, from: event.from, to: event.to }
      if (last?.flights.length && last.events.at(-1)?.rule === event.rule) {
        Object.assign(last, { view })
        last.flights.push(flight)
        last.events.push(event)
      } else {
        found.push({ view, flights: [flight], events: [event], pause: FLIGHT_MS + BEAT_MS })
      }
    } else if (last && !event.text) {
      last.events.push(event)
    } else {
      found.push({ view, flights: [], events: [event], pause: event.text ? 2 * BEAT_MS : 0 })
    }
  }
  const end = found.at(-1)
  if (end) {
    Object.assign(end, { view: after })
    return found
  }
  return [{ view: after, flights: [], events: [], pause: 0 }]
}
