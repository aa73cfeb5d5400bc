/** One WebSocket for everything live. It comes back by itself and sends again what was not answered. */
import type { Outgoing, Status } from './house'
import type { Lang, ServerMessage } from './protocol'

interface Waiting {
  message: Outgoing
  /** Safe to send twice: a choice carries its turn. Others fail when the line breaks. */
  again: boolean
  resolve: (answer: ServerMessage) => void
  reject: (reason: Error) => void
}

const FIRST_WAIT = 250
const LONGEST_WAIT = 8000
const PING_EVERY = 25_000
/** A line on which a ping or a choice stays without an answer is dead. */
const ANSWER_WITHIN = 10_000

export class Socket {
  status: Status = 'connecting'
  private line: WebSocket | null = null
  private ids = 0
  private wait = FIRST_WAIT
  private waiting = new Map<number | string, Waiting>()
  private listeners = new Set<(message: ServerMessage) => void>()
  private watchers = new Set<(status: Status) => void>()
  private closed = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private pinging: ReturnType<typeof setInterval> | undefined
  private expecting: ReturnType<typeof setTimeout> | undefined

  constructor(
    private url: string,
    private lang: () => Lang,
    /** Before the first line: makes sure that we are somebody. */
    private prepare: () => Promise<unknown>,
  ) {}

  start(): void {
    this.closed = false
    addEventListener('online', this.hurry)
    addEventListener('offline', this.cut)
    document.addEventListener('visibilitychange', this.hurry)
    void this.open()
  }

  private hurry = (): void => {
    if (document.hidden) return
    if (this.status === 'open') this.ping() // the line may have died while nobody looked
    if (this.status !== 'away') return
    clearTimeout(this.timer)
    this.wait = FIRST_WAIT
    void this.open()
  }

  /** Where the network is gone, nobody else closes the line for a minute. */
  private cut = (): void => {
    const line = this.line
    if (!line) return
    this.dropped()
    line.close()
  }

  private async open(): Promise<void> {
    if (this.closed || this.line) return
    try {
      await this.prepare()
    } catch {
      return this.later()
    }
    if (this.line) return
    const line = new WebSocket(this.url)
    this.line = line
    line.onopen = () => line.send(JSON.stringify({ type: 'hello', v: 1, say: this.lang(), id: 0 }))
    line.onmessage = (event) => {
      if (this.line === line) this.hear(JSON.parse(String(event.data)) as ServerMessage)
    }
    line.onclose = () => {
      if (this.line === line) this.dropped()
    }
  }

  private hear(message: ServerMessage): void {
    this.expectNothing()
    if (message.type === 'welcome') this.welcomed()
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id)
    // A watch is answered by `table` and then `state`: both go to the listeners, the first settles it.
    if (waiting && message.id !== undefined) {
      this.waiting.delete(message.id)
      waiting.resolve(message)
    }
    for (const listener of this.listeners) listener(message)
  }

  private welcomed(): void {
    this.wait = FIRST_WAIT
    clearInterval(this.pinging)
    this.pinging = setInterval(() => this.ping(), PING_EVERY)
    this.turnTo('open') // followers watch their tables now, before anything is sent again
    for (const [id, waiting] of this.waiting) if (waiting.again) this.put(waiting.message, id)
  }

  private ping(): void {
    this.put({ type: 'ping' })
    this.expect()
  }

  private expect(): void {
    this.expecting ??= setTimeout(this.cut, ANSWER_WITHIN)
  }

  private expectNothing(): void {
    clearTimeout(this.expecting)
    this.expecting = undefined
  }

  private dropped(): void {
    this.line = null
    clearInterval(this.pinging)
    this.expectNothing()
    for (const [id, waiting] of this.waiting) {
      if (waiting.again) continue
      this.waiting.delete(id)
      waiting.reject(new Error('the line broke'))
    }
    this.later()
  }

  private later(): void {
    this.turnTo('away')
    if (this.closed) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.open(), this.wait)
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT)
  }

  private turnTo(status: Status): void {
    this.status = status
    for (const watcher of this.watchers) watcher(status)
  }

  private put(message: Outgoing, id?: number | string): void {
    if (this.line?.readyState === WebSocket.OPEN) {
      this.line.send(JSON.stringify(id === undefined ? message : { ...message, id }))
    }
  }

  /** Send and wait for the answer; a refusal is an answer. */
  ask(message: Outgoing, again = false): Promise<ServerMessage> {
    const id = ++this.ids
    return new Promise((resolve, reject) => {
      if (this.status !== 'open' && !again) return reject(new Error('not connected'))
      this.waiting.set(id, { message, again, resolve, reject })
      if (this.status !== 'open') return
      this.put(message, id)
      if (again) this.expect()
    })
  }

  listen(listener: (message: ServerMessage) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  onStatus(watcher: (status: Status) => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  /** A new cookie needs a new line. */
  restart(): void {
    this.line?.close()
  }
}
