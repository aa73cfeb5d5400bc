/** What happened, told: a log in turns, a caption, and the cards on the table that it speaks of. */
import type { Board, GameTable } from './board.svelte'
import { spot } from './spots'
import type { GameEvent } from './protocol'

export interface Turn {
  key: string
  by: number | null
  events: GameEvent[]
}

/** What begins anew is nobody's doing, nor is what follows from it. */
export function unclaimed(log: GameEvent[], begins: string[] = []): GameEvent[] {
  let since = NaN
  return log.map((event) => {
    const turn = event.turn ?? -1
    if (begins.includes(event.type)) since = turn
    return turn === since ? { ...event, by: null } : event
  })
}

/** The log cut where another player acts, newest turn first. */
export function turns(log: GameEvent[]): Turn[] {
  const found: Turn[] = []
  for (const event of log) {
    if (!event.text) continue
    const by = event.by ?? null
    const last = found.at(-1)
    if (last && last.by === by) last.events.push(event)
    else found.push({ key: `${event.n}`, by, events: [event] })
  }
  return found.reverse()
}

/** Numbers of events that came of a choice made for us, there being only one: it is news too. */
type Forced = readonly number[]
const NONE: Forced = []

/** What others did since the last choice of a seat; for those who only watch, the last turn. */
export function since(log: GameEvent[], seat: number | null, forced = NONE): GameEvent[] {
  const last = log.filter(({ by }) => by !== null).at(-1)?.by
  const others = (by: GameEvent['by']) => by !== null && by !== last
  const stop = log
    .map(({ by, n }) => (seat === null ? others(by) : by === seat && !forced.includes(n)))
    .lastIndexOf(true)
  return log.slice(stop + 1)
}

/** What came of the last choice of a seat, besides what was chosen. */
function outcome(log: GameEvent[], seat: number | null, forced: Forced): GameEvent[] {
  const own = log.filter(
    ({ n, by, text }) => text && seat !== null && by === seat && !forced.includes(n),
  )
  return own.filter((event) => event.turn === own.at(-1)?.turn).slice(1)
}

/** Whether an event goes without saying. */
type Aside = (event: GameEvent) => boolean

/** Several of a kind that came of one choice are to be seen on the table and read in the log. */
function single({ type, turn }: GameEvent, _: number, all: GameEvent[]): boolean {
  const alike = all.filter((event) => event.type === type && event.turn === turn)
  return type === 'move' || alike.length === 1
}

/** Sentences in a row; one that would be said again is counted instead. */
function joined(texts: string[]): string {
  const runs: [string, number][] = []
  for (const text of texts) {
    const last = runs.at(-1)
    if (last?.[0] === text) last[1]++
    else runs.push([text, 1])
  }
  return runs
    .map(([text, times]) => (times > 1 ? text.replace(/\.?$/, ` (×${times}).`) : text))
    .join(' ')
}

/** A line for each player's turn: who did what, without what goes without saying. */
export function caption(
  events: GameEvent[],
  aside: Aside,
  name: (seat: number) => string,
): string[] {
  const worth = events.filter((event) => event.text && !aside(event))
  return turns(worth.length ? worth : events)
    .reverse()
    .map(({ by, events }) => {
      const said = joined(events.filter(single).map((event) => event.text!))
      const actor = by === null ? '' : name(by)
      return !actor || said.includes(actor) ? said : `${actor} – ${said}`
    })
    .filter(Boolean)
}

/** All that is new to a seat: what came of its choice, then what others did. */
export function news(
  log: GameEvent[],
  seat: number | null,
  aside: Aside,
  name: (seat: number) => string,
  forced = NONE,
): string[] {
  const came = outcome(log, seat, forced)
    .filter((event) => !aside(event))
    .filter(single)
  const own = joined(came.map((event) => event.text!))
  return [...(own ? [own] : []), ...caption(since(log, seat, forced), aside, name)]
}

/** Where on the table an event can be seen. */
export function spots(root: Element, event: GameEvent, game: GameTable): Element[] {
  const cards = [event.card, event['other']].filter((card) => typeof card === 'string')
  const places = [event.to ?? event.from, ...(game.spots?.(event) ?? [])].filter(
    (place) => place !== undefined,
  )
  const found = places.flatMap((place) => spot(root, place, event.card ?? null) ?? [])
  if (found.length || !event.text) return found
  return cards.flatMap((card) => [
    ...root.querySelectorAll(`.open [data-card="${CSS.escape(card)}"]`),
  ])
}

/** Where on the table it can be seen what happened, as far as it is worth a look and not gone again. */
export function traces(
  root: Element,
  events: GameEvent[],
  { game, isAside }: Pick<Board, 'game' | 'isAside'>,
): Element[] {
  const stays = ({ n, card, to }: GameEvent) =>
    !events.some((next) => next.n > n && next.card === card && next.from === (to ?? ''))
  return events
    .filter((event) => !isAside(event) || game.marks?.includes(event.type))
    .filter((event) => (event.text || event.to !== 'discard') && stays(event))
    .flatMap((event) => spots(root, event, game))
}

/** Bring something that lies open into sight: the table is scrolled, and not the page. */
export function reveal(element: Element | undefined): void {
  const box = element?.closest('.game > .open')
  if (!element || !box) return
  const FADE = 28
  const [at, seen] = [element.getBoundingClientRect(), box.getBoundingClientRect()]
  if (at.top < seen.top) box.scrollTop -= seen.top - at.top + 8
  else if (at.bottom > seen.bottom - FADE) box.scrollTop += at.bottom - seen.bottom + FADE
}

/** Mark elements, and no others, with an attribute that only styles look at. */
export function mark(
  root: Element,
  attribute: 'data-fresh' | 'data-told',
  elements: Element[],
): void {
  for (const element of root.querySelectorAll(`[${attribute}]`)) element.removeAttribute(attribute)
  for (const element of elements) element.setAttribute(attribute, '')
}
