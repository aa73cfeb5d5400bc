/** Cards travel: from where the card was drawn to where it is drawn now (events say which). */
import type { Flight } from './frames'
import { FLIGHT_MS } from './frames'
import { settings } from './settings.svelte'
import { spot } from './spots'

type Spot = DOMRect | undefined

/** Where the cards of these flights lie before the table is drawn anew. */
export function before(root: Element | null, flights: Flight[]): Spot[] {
  if (!root || settings.motion === 'none') return []
  return flights.map((flight) => spot(root, flight.from, flight.card)?.getBoundingClientRect())
}

/** After it: let each card come from there. */
export function fly(root: Element | null, flights: Flight[], from: Spot[]): void {
  if (!root || settings.motion === 'none') return
  flights.forEach((flight, index) => {
    const element = spot(root, flight.to, flight.card)
    if (!element) return
    const start = from[index]
    if (settings.motion === 'gentle' || !start) {
      element.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: FLIGHT_MS })
      return
    }
    travel(element, start, 25 * index)
  })
}

/** A copy flies above everything, for the table it comes to may scroll and would cut it off. */
function travel(element: Element, start: DOMRect, delay: number): void {
  const end = element.getBoundingClientRect()
  if (!end.width) return
  const ghost = element.cloneNode(true) as HTMLElement
  ghost.removeAttribute('data-target')
  ghost.removeAttribute('data-place')
  ghost.setAttribute('aria-hidden', 'true')
  ghost.style.cssText += `;position:fixed;left:${end.left}px;top:${end.top}px;margin:0;z-index:40;pointer-events:none;--card:${end.width}px;--ratio:${end.width}/${end.height}`
  document.body.append(ghost)
  const dx = start.left + start.width / 2 - end.left - end.width / 2
  const dy = start.top + start.height / 2 - end.top - end.height / 2
  const scale = Math.min(1.6, Math.max(0.5, start.width / end.width))
  const timing = {
    duration: FLIGHT_MS,
    delay,
    easing: 'cubic-bezier(.2,.7,.2,1)',
    fill: 'backwards' as const,
  }
  element.animate([{ opacity: 0 }, { opacity: 0 }], timing)
  const flight = ghost.animate(
    [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: 'none' }],
    timing,
  )
  const land = (): void => ghost.remove()
  flight.finished.then(land, land)
}

export function wait(ms: number): Promise<void> {
  if (settings.motion === 'none' || ms <= 0) return Promise.resolve()
  return new Promise((resolve) => setTimeout(resolve, ms))
}
