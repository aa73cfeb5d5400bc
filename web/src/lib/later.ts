/** Do something once the page has been drawn and can be used. */
export function afterFirstView(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}

/** Do something when the page has nothing else to do. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work, 500)
}
