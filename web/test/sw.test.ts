// @ts-expect-error: what Node.js has is not known to the client
import * as fs from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'

const { readFileSync } = fs as { readFileSync(path: URL, encoding: string): string }
const source = readFileSync(new URL('../src/sw.js', import.meta.url), 'utf8')
const HOME = 'https://play.example/'
const PAGE = (games: string) => `<p>old</p><script id="games">${games}</script>`

/** What a browser keeps, as far as a service worker asks. */
class Kept {
  readonly stores = new Map<string, Map<string, string>>()

  open(name: string) {
    const store = this.stores.get(name) ?? new Map<string, string>()
    this.stores.set(name, store)
    const plain = (url: URL | string, ignoreSearch?: boolean) =>
      ignoreSearch ? String(url).replace(/\?.*/, '') : String(url)
    return Promise.resolve({
      match: (url: URL | string) => {
        const found = store.get(String(url))
        return Promise.resolve(found === undefined ? undefined : new Response(found))
      },
      put: async (url: URL | string, answer: Response) =>
        void store.set(String(url), await answer.text()),
      delete: (url: URL | string, { ignoreSearch }: { ignoreSearch?: boolean } = {}) => {
        for (const key of store.keys())
          if (plain(key, ignoreSearch) === plain(url, ignoreSearch)) store.delete(key)
        return Promise.resolve(true)
      },
    })
  }

  async match(url: URL | string) {
    for (const name of this.stores.keys()) {
      const found = await (await this.open(name)).match(url)
      if (found) return found
    }
    return undefined
  }

  keys = () => Promise.resolve([...this.stores.keys()])
  delete = (name: string) => Promise.resolve(this.stores.delete(name))
}

type Shown = { body: string; tag: string; data: string; actions: { title: string }[] }

/** A server, a browser that keeps things, and the worker between them. */
class Device {
  readonly kept = new Kept()
  readonly asked: string[] = []
  /** Pages that are open, what they were told, and what was opened. */
  pages: { url: string; visibilityState: string }[] = []
  readonly done: string[] = []
  shown: { title: string; options: Shown }[] = []
  subscribed = true
  files: Record<string, string> = {
    '': PAGE('["then"]'),
    'assets/a-1.js': 'a',
    'api/v1/games': '["now"]',
    'engines/claim.net?1': 'learnt',
    'engines/claim.net?2': 'learnt more',
  }

  fetch = (address: URL | string) => {
    const path = String(address).slice(HOME.length)
    this.asked.push(path)
    const found = this.files[path]
    if (found === undefined) return Promise.reject(new TypeError('no connection'))
    return Promise.resolve(new Response(found))
  }

  private page = (page: { url: string }) => ({
    ...page,
    postMessage: (text: string) => this.done.push(`${text} ${page.url}`),
    focus: () => Promise.resolve(void this.done.push(`focus ${page.url}`)),
  })

  private subscription = {
    endpoint: 'https://push.example/1',
    unsubscribe: () => Promise.resolve((this.subscribed = false)),
  }

  /** A version of the worker; what it hears is answered once all it began is done. */
  worker(version: string, games = 'api/v1/games') {
    const heard = new Map<string, (event: object) => void>()
    const scope = {
      location: { href: `${HOME}sw.js` },
      clients: {
        claim: () => Promise.resolve(),
        matchAll: () => Promise.resolve(this.pages.map((page) => this.page(page))),
        openWindow: (url: string) => Promise.resolve(void this.done.push(`open ${url}`)),
      },
      registration: {
        showNotification: (title: string, options: Shown) =>
          Promise.resolve(void this.shown.push({ title, options })),
        pushManager: {
          getSubscription: () => Promise.resolve(this.subscribed ? this.subscription : null),
        },
      },
      skipWaiting: () => undefined,
    }
    const names = 'self addEventListener caches fetch FILES PAGES GAMES VERSION'.split(' ')
    new Function(...names, source)(
      scope,
      (type: string, hear: (event: object) => void) => heard.set(type, hear),
      this.kept,
      this.fetch,
      ['', 'assets/a-1.js'],
      /^(index\.html|(t|r)(\/.*)?)?$/,
      games,
      version,
    )
    const tell = async (type: string, event: object = {}) => {
      const begun: Promise<unknown>[] = []
      let answer: Promise<Response> | null = null
      heard.get(type)!({
        ...event,
        waitUntil: (work: Promise<unknown>) => begun.push(work),
        respondWith: (found: Promise<Response>) => (answer = found),
      })
      const said = answer && (await (answer as Promise<Response>).then((found) => found.text()))
      await Promise.all(begun)
      return said
    }
    const get = (path: string, mode = 'cors') =>
      tell('fetch', { request: { method: 'GET', url: HOME + path, mode } })
    return {
      install: () => tell('install').then(() => tell('activate')),
      get,
      open: (path: string) => get(path, 'navigate'),
      push: (said: object) => tell('push', { data: { json: () => said } }),
      click: (action = '') => {
        const { data } = this.shown.at(-1)!.options
        return tell('notificationclick', { action, notification: { data, close: () => undefined } })
      },
    }
  }
}

describe('the service worker', () => {
  let device = new Device()
  beforeEach(() => void (device = new Device()))

  it('answers every page of the client from the device', async () => {
    const worker = device.worker('1')
    await worker.install()
    device.files = {}
    expect(await worker.open('')).toBe(PAGE('["then"]'))
    expect(await worker.open('t/my-1?x')).toBe(PAGE('["then"]'))
    expect(await worker.get('assets/a-1.js')).toBe('a')
    expect(await worker.open('api/v1/docs')).toBeNull()
    expect(await worker.open('docs/')).toBeNull()
    expect(await worker.get('api/v1/me')).toBeNull()
  })

  it('shows the games it has, and has those of the server the next time', async () => {
    const worker = device.worker('1')
    await worker.install()
    expect(await worker.open('')).toBe(PAGE('["then"]'))
    expect(await worker.open('t/my-1')).toBe(PAGE('["now"]'))
    device.files = { 'api/v1/games': '["</script><script>$&"]' }
    await worker.open('')
    expect(await worker.open('')).toBe(PAGE('["\\u003c/script>\\u003cscript>$&"]'))
    device.files = { 'api/v1/games': '<p>a proxy at lunch</p>' }
    expect(await worker.open('')).toContain('$&')
    device.files = {}
    expect(await worker.open('')).toContain('$&')
  })

  it('asks nobody for games where there is no server', async () => {
    const worker = device.worker('1', '')
    await worker.install()
    await worker.open('')
    expect(device.asked).not.toContain('api/v1/games')
  })

  it('keeps the version before, and no older one', async () => {
    for (const version of ['1', '2', '3']) await device.worker(version).install()
    expect([...device.kept.stores.keys()]).toEqual(['tanistry-2', 'tanistry-3'])
  })

  it('is not installed with a file missing', async () => {
    delete device.files['assets/a-1.js']
    await expect(device.worker('1').install()).rejects.toThrow()
  })

  const turn = { title: 'Claim', body: 'With Ailsa', path: '/t/1', stop: 'Stop these' }

  it('tells whose turn it is, but not at the table itself', async () => {
    const worker = device.worker('1')
    device.pages = [
      { url: `${HOME}t/1`, visibilityState: 'hidden' },
      { url: `${HOME}turns`, visibilityState: 'visible' },
    ]
    await worker.push(turn)
    expect(device.done).toEqual([`turn ${HOME}t/1`, `turn ${HOME}turns`])
    const [one] = device.shown
    expect(one).toMatchObject({
      title: 'Claim',
      options: { body: 'With Ailsa', tag: `${HOME}t/1` },
    })
    expect(one!.options.actions.map(({ title }) => title)).toEqual(['Stop these'])
    device.pages[0]!.visibilityState = 'visible'
    await worker.push(turn)
    await worker.push({})
    expect(device.shown).toHaveLength(1)
  })

  it('leads to the table, where it is open already', async () => {
    const worker = device.worker('1')
    await worker.push(turn)
    await worker.click()
    device.pages = [{ url: `${HOME}t/1`, visibilityState: 'hidden' }]
    await worker.click()
    expect(device.done).toEqual([`open ${HOME}t/1`, `focus ${HOME}t/1`])
  })

  it('leaves a device alone by one click, also without a connection', async () => {
    const worker = device.worker('1')
    await worker.push(turn)
    await worker.click('stop').catch(() => undefined)
    expect(device.subscribed).toBe(false)
    expect(device.asked).toEqual(['api/v1/me/pushes/ended'])
    await worker.click('stop')
    expect(device.asked).toHaveLength(1)
    expect(device.done).toEqual([])
  })

  it('keeps the newest network of a game', async () => {
    const worker = device.worker('1')
    expect(await worker.get('engines/claim.net?1')).toBe('learnt')
    expect(await worker.get('engines/claim.net?2')).toBe('learnt more')
    device.files = {}
    expect(await worker.get('engines/claim.net?2')).toBe('learnt more')
    expect(device.asked.filter((path) => path.includes('.net'))).toHaveLength(2)
  })
})
