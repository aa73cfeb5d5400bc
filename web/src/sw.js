/**
 * The service worker: after the first visit the client is on the device, and every page comes from there.
 * When it is built, `FILES` (all of the client), `PAGES` (paths that are its pages), `GAMES` (where the server
 * tells them, if there is one) and `VERSION` are put in.
 * A new version waits until a page says that it may take over, or until no page is open any more.
 */
/* global FILES, PAGES, GAMES, VERSION */
const NAME = `tanistry-${VERSION}`
/** What bots learnt: large, fetched when somebody plays, and kept until there is a newer one. */
const NETWORKS = 'networks-of-tanistry'
const base = new URL('./', self.location.href)

addEventListener('install', (event) => event.waitUntil(fetchAll()))
addEventListener('activate', (event) => event.waitUntil(tidy().then(() => self.clients.claim())))
addEventListener('message', ({ data }) => data === 'take over' && self.skipWaiting())
addEventListener('fetch', (event) => {
  const answer = event.request.method === 'GET' && answerFor(event.request)
  if (!answer) return
  event.respondWith(answer)
  if (GAMES && event.request.mode === 'navigate')
    event.waitUntil(refreshGames().catch(() => undefined))
})

async function fetchAll() {
  const cache = await caches.open(NAME)
  const get = async (path) => {
    const url = new URL(path, base)
    // What has its hash in its name never changes: an older version may have it already.
    const had = path.startsWith('assets/') && (await caches.match(url))
    if (had) return cache.put(url, had)
    const answer = await fetch(url, { cache: path.startsWith('assets/') ? 'default' : 'no-cache' })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return cache.put(url, answer)
  }
  await Promise.all(FILES.map(get))
}

/** The version before stays: pages that are still open may ask for parts of it. */
async function tidy() {
  const ours = (await caches.keys()).filter((name) => name.startsWith('tanistry-'))
  const older = ours.filter((name) => name !== NAME)
  await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)))
}

function answerFor({ url: address, mode }) {
  const url = new URL(address)
  if (!url.href.startsWith(base.href)) return null
  const path = url.pathname.slice(base.pathname.length)
  if (mode === 'navigate') return PAGES.test(path) ? kept(base, address) : null
  if (path.startsWith('engines/') && path.endsWith('.net')) return network(url)
  return FILES.includes(path) || path.startsWith('assets/') ? kept(url, address) : null
}

async function kept(url, address) {
  const cache = await caches.open(NAME)
  return (await cache.match(url)) ?? (await caches.match(url)) ?? fetch(address)
}

/** A page is shown as it is kept; the games the server has now are written into it for the next time. */
async function refreshGames() {
  const answer = await fetch(new URL(GAMES, base))
  if (!answer.ok) return
  const games = JSON.stringify(await answer.json()).replaceAll('<', '\\u003c')
  const cache = await caches.open(NAME)
  const page = await cache.match(base)
  if (!page) return
  const text = await page.text()
  const fresh = text.replace(/(?<= id="games">)[^<]*/, () => games)
  if (fresh !== text) await cache.put(base, new Response(fresh, { headers: page.headers }))
}

/** By its whole address, in which its hash stands; what has another hash is older. */
async function network(url) {
  const cache = await caches.open(NETWORKS)
  const found = await cache.match(url)
  if (found) return found
  const answer = await fetch(url)
  if (answer.ok) {
    await cache.delete(url, { ignoreSearch: true })
    await cache.put(url, answer.clone())
  }
  return answer
}

// -- your turn: words that the server sends by the browser's push service ------------------------

addEventListener('push', (event) => {
  const { title, body, path, stop } = event.data?.json() ?? {}
  if (title) event.waitUntil(tell(title, body, path, stop))
})
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(event.action === 'stop' ? leaveAlone() : show(event.notification.data))
})

/** Nothing while the table is open before one's eyes. */
async function tell(title, body, path, stop) {
  const url = new URL(path.slice(1), base).href
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of open) page.postMessage('turn')
  if (open.some((page) => page.url === url && page.visibilityState === 'visible')) return
  await self.registration.showNotification(title, {
    body,
    tag: url,
    data: url,
    icon: new URL('icon.svg', base).href,
    actions: [{ action: 'stop', title: stop }],
  })
}

async function show(url) {
  const open = await self.clients.matchAll({ type: 'window' })
  const there = open.find((page) => page.url === url)
  return there ? there.focus() : self.clients.openWindow(url)
}

async function leaveAlone() {
  const device = await self.registration.pushManager.getSubscription()
  if (!device) return
  // Even without a line to the server: it finds the address gone the next time.
  await device.unsubscribe()
  await fetch(new URL('api/v1/me/pushes/ended', base), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint: device.endpoint }),
  })
}
