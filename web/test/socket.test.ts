/** A network that falls away closes no line: the client finds out by itself, and soon. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Socket } from '../src/lib/socket'

const lines: Line[] = []
class Line {
  static OPEN = 1
  readyState = 1
  sent: { type: string; id?: number }[] = []
  closed = false
  onopen!: () => void
  onmessage!: (event: { data: string }) => void
  constructor() {
    lines.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string; id?: number })
  }
  close(): void {
    this.closed = true
  }
  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) })
  }
}
let heard: Record<string, () => void>
let socket: Socket

beforeEach(async () => {
  vi.useFakeTimers()
  lines.length = 0
  heard = {}
  const listen = (name: string, does: () => void) => (heard[name] = does)
  vi.stubGlobal('WebSocket', Line)
  vi.stubGlobal('addEventListener', listen)
  vi.stubGlobal('document', { hidden: false, addEventListener: listen })
  socket = new Socket(
    'ws://x',
    () => 'en',
    () => Promise.resolve(),
  )
  socket.start()
  await vi.advanceTimersByTimeAsync(0)
  lines[0]!.onopen()
  lines[0]!.say({ type: 'welcome', id: 0 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('stays as long as it is answered', async () => {
  for (let ping = 0; ping < 5; ping++) {
    await vi.advanceTimersByTimeAsync(25_000)
    expect(lines[0]!.sent.at(-1)).toEqual({ type: 'ping' })
    lines[0]!.say({ type: 'pong' })
  }
  expect(socket.status).toBe('open')
})

it('sends a choice again that nobody has answered', async () => {
  const answer = socket.ask({ type: 'play' }, true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(socket.status).toBe('away')
  expect(lines[0]!.closed).toBe(true)
  await vi.advanceTimersByTimeAsync(250)
  lines[1]!.onopen()
  lines[1]!.say({ type: 'welcome', id: 0 })
  expect(lines[1]!.sent.at(-1)).toEqual({ type: 'play', id: 1 })
  lines[1]!.say({ type: 'played', id: 1 })
  expect(await answer).toEqual({ type: 'played', id: 1 })
})

it('asks at once whether the line still stands when somebody comes back to the page', async () => {
  heard.visibilitychange!()
  expect(lines[0]!.sent.at(-1)).toEqual({ type: 'ping' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(socket.status).toBe('away')
})

it('knows at once that the device has no network', () => {
  heard.offline!()
  expect(socket.status).toBe('away')
  expect(lines[0]!.closed).toBe(true)
})
