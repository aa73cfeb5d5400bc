/** Asking about a card: by resting on it, by focus, by a long press. */

export interface Asked {
  /** Several where a stone tells of all that lies under it. */
  codes: string[]
  place: string
  box: DOMRect
}

const REST_MS = 350
const PRESS_MS = 450

/** Says which card of the table is asked about, and null when none is any more. */
export function abouts(
  root: HTMLElement,
  tell: (asked: Asked | null) => void,
): { destroy: () => void } {
  let timer = 0
  let pressed = false
  /** Where the mouse is, and on which card it came to rest: what slides under it is not asked about. */
  let mouse = ''
  let rested: Element | null = null

  const cardOf = (target: EventTarget | null): HTMLElement | null =>
    (target as Element | null)?.closest?.<HTMLElement>(
      '[data-card]:not([data-card=""]), [data-tells]',
    ) ?? null
  const read = (target: EventTarget | null): Asked | null => {
    const card = cardOf(target)
    if (!card) return null
    const place = card.closest<HTMLElement>('[data-place]')?.dataset['place'] ?? ''
    const codes = [card.dataset['card'] ?? card.dataset['tells']!.split(' ')].flat()
    return { codes, place, box: card.getBoundingClientRect() }
  }
  const later = (target: EventTarget | null, ms: number): void => {
    clearTimeout(timer)
    timer = window.setTimeout(() => tell(read(target)), ms)
  }
  /** Not at once: a card that is asked about may be taken off the table in the middle of drawing it. */
  const none = (): void => {
    clearTimeout(timer)
    timer = window.setTimeout(() => tell(null))
  }
  const over = ({ pointerType, buttons, clientX, clientY, target }: PointerEvent): void => {
    if (pointerType !== 'mouse') return
    const was = mouse
    mouse = `${clientX} ${clientY}`
    const card = cardOf(target)
    if (buttons || card === rested) return
    if (mouse === was) return none()
    rested = card
    later(target, card ? REST_MS : 0)
  }
  const down = (event: PointerEvent): void => {
    none()
    pressed = false
    if (event.pointerType === 'mouse') return
    tell(null)
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      const found = read(event.target)
      pressed = found !== null
      tell(found)
    }, PRESS_MS)
  }
  const move = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse') over(event)
    else if (Math.hypot(event.movementX, event.movementY) > 4) none()
  }
  /** A finger leaves whenever it is lifted: that is no reason to stop. */
  const leave = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') return
    mouse = ''
    rested = null
    none()
  }
  /** A finger that asked does not play; what it asked for stays until the next touch. */
  const up = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') clearTimeout(timer)
  }
  const click = (event: Event): void => {
    if (!pressed) return
    pressed = false
    event.stopPropagation()
    event.preventDefault()
  }
  const focus = (event: FocusEvent): void => {
    if ((event.target as Element).matches(':focus-visible')) later(event.target, REST_MS)
  }
  const menu = (event: Event): void => {
    if (pressed || matchMedia('(pointer: coarse)').matches) event.preventDefault()
  }
  const listeners: [string, (event: never) => void, boolean?][] = [
    ['pointerover', over],
    ['pointerleave', leave],
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['click', click, true],
    ['focusin', focus],
    ['focusout', none],
    ['contextmenu', menu],
    ['scroll', none, true],
  ]
  for (const [type, listen, capture] of listeners)
    root.addEventListener(type, listen as EventListener, capture)
  /** The next touch may be anywhere. */
  const elsewhere = (event: Event): void => {
    if (!root.contains(event.target as Node)) none()
  }
  document.addEventListener('pointerdown', elsewhere)
  return {
    destroy() {
      clearTimeout(timer)
      document.removeEventListener('pointerdown', elsewhere)
      for (const [type, listen, capture] of listeners)
        root.removeEventListener(type, listen as EventListener, capture)
    },
  }
}
