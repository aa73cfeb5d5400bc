/** Do something once the page has been drawn, and can be used. */
export function afterFrame(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}

/** Do something when the page has nothing else to do. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work, 500)
}

/** Do something when the whole client is on the device, and nobody's data is spent by fetching more. */
export function onceKept(work: () => void): void {
  if ('serviceWorker' in navigator) void navigator.serviceWorker.ready.then(() => whenIdle(work))
}
