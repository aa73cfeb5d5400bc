/** The client on this device, and newer versions of it: fetched by themselves, offered, never forced. */
import { untrack } from 'svelte'

const HOUR = 3_600_000

/** Whether a newer version waits. */
export const update = $state({ waits: false })
let waiting: ServiceWorker | null = null

export function keepOnDevice(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const script = `${import.meta.env.BASE_URL}sw.js` // beside the page, in whatever folder that is
  void navigator.serviceWorker.register(script).then(follow, () => undefined)
}

function follow(registration: ServiceWorkerRegistration | undefined): void {
  if (!registration) return // some browsers are told to keep none
  const offer = (): void => {
    // Without one in charge this is the first visit: nothing is replaced.
    if (!registration.waiting || !navigator.serviceWorker.controller) return
    waiting = registration.waiting
    untrack(() => (update.waits = true))
  }
  offer()
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer())
  })
  let looked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - looked < HOUR) return
    looked = Date.now()
    void registration.update().catch(() => undefined)
  })
}

/** The person wants it: the new version takes over, and this page is loaded anew. */
export function take(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  })
  waiting?.postMessage('take over')
}
