/** Cards travel: from where the card was drawn to where it is drawn now (events say which). */
import type { Flight } from './frames'
import { FLIGHT_MS } from './frames'
import { settings } from './settings.svelte'
import { spot } from './spots'

interface Start {
  rect: DOMRect
  /** The card that was drawn there, if it was one. */
  copy: HTMLElement | false
}

/** Where the cards of these flights lie before the table is drawn anew. */
export function before(root: Element | null, flights: Flight[]): (Start | null)[] {
  if (!root || settings.motion === 'none') return []
  return flights.map((flight) => {
    const element = spot(root, flight.from, flight.card)
    return (
      element && {
        rect: element.getBoundingClientRect(),
        copy: isCard(element) && copyOf(element),
      }
    )
  })
}

const copyOf = (element: Element) => element.cloneNode(true) as HTMLElement
const isCard = (element: Element) => element.matches('[data-card]')

/** After it: let each card come from there. */
export function fly(root: Element | null, flights: Flight[], from: (Start | null)[]): void {
  if (!root || settings.motion === 'none') return
  flights.forEach((flight, index) => {
    const element = spot(root, flight.to, flight.card)
    if (!element) return
    const start = from[index]
    const ghost = start && (isCard(element) ? copyOf(element) : start.copy)
    if (settings.motion === 'gentle' || !ghost) {
      element.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: FLIGHT_MS })
      return
    }
    travel(element, ghost, start.rect, 25 * index)
  })
}

/**
 * A copy flies above everything, for the table it comes to may scroll and would cut it off: of the
 * card that is drawn there now, or where cards are only counted, of the one that was drawn before.
 */
function travel(element: Element, ghost: HTMLElement, start: DOMRect, delay: number): void {
  const end = element.getBoundingClientRect()
  if (!end.width) return
  const arrives = isCard(element)
  const [home, away] = arrives ? [end, start] : [start, end]
  ghost.removeAttribute('data-target')
  ghost.removeAttribute('data-place')
  ghost.setAttribute('aria-hidden', 'true')
  ghost.style.cssText += `;position:fixed;left:${home.left}px;top:${home.top}px;margin:0;z-index:40;pointer-events:none;--card:${home.width}px;--ratio:${home.width}/${home.height}`
  document.body.append(ghost)
  const dx = away.left + away.width / 2 - home.left - home.width / 2
  const dy = away.top + away.height / 2 - home.top - home.height / 2
  const scale = arrives ? Math.min(1.6, Math.max(0.5, away.width / home.width)) : 0.5
  const far = { transform: `translate(${dx}px, ${dy}px) scale(${scale})` }
  const near = { transform: 'none' }
  const timing = {
    duration: FLIGHT_MS,
    delay,
    easing: 'cubic-bezier(.2,.7,.2,1)',
    fill: 'backwards' as const,
  }
  if (arrives) element.animate([{ opacity: 0 }, { opacity: 0 }], timing)
  const flight = ghost.animate(arrives ? [far, near] : [near, far], timing)
  const land = (): void => ghost.remove()
  flight.finished.then(land, land)
}

export function wait(ms: number): Promise<void> {
  if (settings.motion === 'none' || ms <= 0) return Promise.resolve()
  return new Promise((resolve) => setTimeout(resolve, ms))
}
