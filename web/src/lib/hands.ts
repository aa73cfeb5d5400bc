/** Pointing by keyboard and by dragging; tapping and clicking are buttons' own. */
import type { Board } from './board.svelte'

const FORWARD = ['ArrowRight', 'ArrowDown']
const BACKWARD = ['ArrowLeft', 'ArrowUp']

/** Arrow keys go round what invites; Escape takes a step back. */
export function keys(event: KeyboardEvent, board: Board, root: HTMLElement | undefined): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  if ((event.target as Element).closest('input, textarea, select, dialog')) return
  if (event.key === 'Escape' && board.picked.length) {
    board.stepBack()
    event.preventDefault()
  }
  const way = FORWARD.includes(event.key) ? 1 : BACKWARD.includes(event.key) ? -1 : 0
  if (!way || !root) return
  const all = [...root.querySelectorAll<HTMLElement>('[data-look=invites], [data-look=picked]')]
  if (!all.length) return
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? (way > 0 ? 0 : all.length - 1) : (at + way + all.length) % all.length
  all[next]!.focus()
  event.preventDefault()
}

const FAR = 10

/** Drag a card onto a target; dropping it on the open table plays a card that needs no target. */
export function drags(root: HTMLElement, board: () => Board | null): { destroy: () => void } {
  let from: HTMLElement | null = null
  let start = { x: 0, y: 0 }
  let moving = false

  const down = (event: PointerEvent): void => {
    if (event.button || !event.isPrimary) return
    from = (event.target as Element).closest<HTMLElement>('.card[data-target]')
    if (from?.classList.contains('idle')) from = null
    start = { x: event.clientX, y: event.clientY }
    moving = false
  }
  const move = (event: PointerEvent): void => {
    if (!from) return
    const dx = event.clientX - start.x
    const dy = event.clientY - start.y
    if (!moving && Math.hypot(dx, dy) < FAR) return
    if (!moving) {
      moving = true
      board()!.dragging = true
      const target = from.dataset['target']!
      if (board()?.look(target) === 'invites' && !board()?.does(target)) board()!.point(target)
    }
    from.style.transform = `translate(${dx}px, ${dy}px) rotate(${Math.max(-6, Math.min(6, dx / 20))}deg)`
    from.style.zIndex = '30'
    from.style.pointerEvents = 'none'
  }
  const up = (event: PointerEvent): void => {
    const card = from
    from = null
    const now = board()
    if (!card || !moving || !now) return
    now.dragging = false
    const under = document.elementFromPoint(event.clientX, event.clientY)
    card.style.transform = card.style.zIndex = card.style.pointerEvents = ''
    // a card that lies at a target, or the ground around it, will do as well
    const target =
      under?.closest<HTMLElement>('[data-target]:not(.idle)')?.dataset['target'] ??
      under?.closest<HTMLElement>('[data-drop]')?.dataset['drop']
    const own = card.dataset['target']!
    const back = card.parentElement?.contains(under) // among those it was taken from
    if (back || !under || !root.contains(under)) {
      // it stays picked, and no other is
    } else if (now.picked.includes(own)) {
      if (target && target !== own && now.look(target) !== 'other') now.point(target)
    } else if (now.look(own) === 'invites') now.point(own)
    root.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => root.removeEventListener('click', swallow, { capture: true }), 50)
  }
  const swallow = (event: Event): void => {
    event.stopPropagation()
    event.preventDefault()
  }
  const cancel = (): void => {
    if (moving && board()) board()!.dragging = false
    if (from) from.style.transform = from.style.zIndex = from.style.pointerEvents = ''
    from = null
  }
  root.addEventListener('pointerdown', down)
  addEventListener('pointermove', move)
  addEventListener('pointerup', up)
  addEventListener('pointercancel', cancel)
  return {
    destroy() {
      root.removeEventListener('pointerdown', down)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', cancel)
    },
  }
}
