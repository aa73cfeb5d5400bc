/** The tables of this device, for pages: a worker that answers like a server. */
import { taught, versions } from 'virtual:engines'
import type { Description } from '../../engine/src/description'
import { Refused } from '../lib/api'
import type { Settled, Spoken } from '../lib/gamedata'
import type { House, Outgoing, Status } from '../lib/house'
import { ownName } from '../lib/i18n'
import { whenIdle } from '../lib/later'
import type {
  Game,
  Lang,
  RefusedMessage,
  Replay,
  ServerMessage,
  Table,
  Words,
} from '../lib/protocol'
import type { Collection, Puzzle } from '../lib/puzzles'
import { settings } from '../lib/settings.svelte'
import type { Heard, Wanted } from './analysing'
import type { Studied } from './analyst'
import type { Step } from './lesson'
import type { Tried } from './puzzle'
import { refusal, refuse } from './refusals'
import { wordsOf } from './wording'

/** Where `make web` puts the engines. */
const folder = new URL(`${import.meta.env.BASE_URL}engines/`, location.href).href

export interface NewMatch {
  game: string
  name: string
  level?: number
  seats?: number
  options: Record<string, unknown>
}

/** An analysis under way; once stopped it is never done, and goes on where it was when asked again. */
export interface Analysing {
  studied: Promise<Studied>
  stop(): void
}

class LocalHouse implements House {
  readonly status: Status = 'open'
  private worker: Worker | null = null
  private ids = 0
  private waiting = new Map<number, (answer: ServerMessage) => void>()
  private listeners = new Set<(message: ServerMessage) => void>()
  private descriptions = new Map<string, Promise<Description>>()

  /** Whether a game can be played here, by the rules that the server has, too. */
  plays({ name, version }: Pick<Game, 'name' | 'version'>): boolean {
    return versions[name] === version && typeof Worker !== 'undefined'
  }

  /** Whether there are lessons for a game that can be played here. */
  teaches(game: Pick<Game, 'name' | 'version'>): boolean {
    return this.plays(game) && taught.includes(game.name)
  }

  /** Whether a match can be analysed here: it is over. */
  analyses({ game, result }: Pick<Table, 'game' | 'result'>): boolean {
    return game in versions && !!result && typeof Worker !== 'undefined'
  }

  /** Analyse a record in a worker of its own, or find that it was analysed before. */
  analysis(record: string, progress: (done: number, of: number) => void): Analysing {
    const worker = new Worker(new URL('./analysing.ts', import.meta.url), { type: 'module' })
    const studied = new Promise<Studied>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Heard>) => {
        if (data.type === 'progress') return progress(data.done, data.of)
        worker.terminate()
        if (data.type === 'studied') resolve(data.studied)
        else reject(new Refused(data))
      }
      worker.onerror = ({ message }) => {
        worker.terminate()
        reject(new Refused(refusal(message)))
      }
    })
    worker.postMessage({ record, folder, available: Object.keys(versions) } satisfies Wanted)
    return { studied, stop: () => worker.terminate() }
  }

  /** The steps of a game's lessons. */
  async lessons(game: string): Promise<Step[]> {
    if (!taught.includes(game)) throw new Refused(refuse('engine/none'))
    return (await (await fetch(`${folder}${game}.lessons.json`)).json()) as Step[]
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<ServerMessage>) => this.hear(data)
    worker.onerror = (event) => this.broken(event.message)
    worker.postMessage({ type: 'hello', folder, available: Object.keys(versions) })
    this.worker = worker
    void this.speak()
    return worker
  }

  private hear(message: ServerMessage): void {
    this.waiting.get(message.id as number)?.(message)
    this.waiting.delete(message.id as number)
    for (const listener of this.listeners) listener(message)
  }

  private broken(why: string): void {
    this.worker?.terminate()
    this.worker = null
    console.error(why)
    const refused = refusal(why) as RefusedMessage
    for (const resolve of this.waiting.values()) resolve(refused)
    this.waiting.clear()
  }

  ask(message: Outgoing): Promise<ServerMessage> {
    const worker = this.worker ?? this.start()
    const id = ++this.ids
    return new Promise((resolve) => {
      this.waiting.set(id, resolve)
      worker.postMessage({ ...message, id })
    })
  }

  listen(listener: (message: ServerMessage) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  onStatus(): () => void {
    return () => undefined // it is always there
  }

  /** The language, who one is, and whether bots need not wait for pictures that move. */
  async speak(): Promise<void> {
    if (!this.worker) return
    await this.ask({
      type: 'say',
      lang: settings.lang,
      hurry: settings.motion === 'none',
      coach: settings.coach,
      name: ownName(),
    })
  }

  private async told<T>(message: Outgoing): Promise<T> {
    const answer = await this.ask(message)
    if (answer.type === 'refused') throw new Refused(answer as RefusedMessage)
    return answer as unknown as T
  }

  /** Have ready all that a match begins with, before somebody plays it. */
  async prepare(match: Omit<NewMatch, 'name'>): Promise<void> {
    const [settled, data, { bookOf, settledIn }] = await Promise.all([
      this.told<Settled>({ type: 'prepare', ...match, options: { ...match.options } }),
      this.description(match.game),
      import('../lib/gamedata'),
    ])
    whenIdle(() => bookOf(data, settledIn(settled)))
  }

  async create(match: NewMatch): Promise<Table> {
    const options = { ...match.options }
    void this.whole(match.game).catch(() => undefined) // the table will ask for it
    return (await this.told<{ table: Table }>({ type: 'create', ...match, options })).table
  }

  /** A record from elsewhere becomes a match of this device. */
  async open(record: string): Promise<Table> {
    return (await this.told<{ table: Table }>({ type: 'open', record })).table
  }

  /** From a choice of a match on, in the place of whoever made it; what they could not see is dealt anew. */
  async playOn(record: string, number: number): Promise<Table> {
    const who = { name: ownName(), level: settings.level || undefined }
    const message = { type: 'playOn', record, number, ...who }
    return (await this.told<{ table: Table }>(message)).table
  }

  /** A puzzle becomes a table; nothing of it is kept. */
  async puzzle({ game, seats, options }: Collection, puzzle: Puzzle): Promise<Table> {
    const collection = { game, seats, options }
    return (await this.told<{ table: Table }>({ type: 'puzzle', collection, puzzle })).table
  }

  /** What was tried at the table of a puzzle, and its solution in words. */
  async tried(table: string): Promise<Tried> {
    return (await this.told<{ tried: Tried }>({ type: 'tried', table })).tried
  }

  async replay(table: string, lang: Lang): Promise<Replay> {
    return (await this.told<{ replay: Replay }>({ type: 'replay', table, lang })).replay
  }

  async record(table: string): Promise<string> {
    return (await this.told<{ record: string }>({ type: 'record', table })).record
  }

  async words(game: string, lang: Lang): Promise<Words> {
    return wordsOf(await this.whole(game), lang)
  }

  async description(game: string): Promise<Spoken> {
    return (await this.whole(game)).game
  }

  private async whole(game: string): Promise<Description> {
    if (!(game in versions)) throw new Refused(refuse('engine/none'))
    let found = this.descriptions.get(game)
    if (!found) {
      found = fetch(`${folder}${game}.json`).then((answer) => answer.json() as Promise<Description>)
      this.descriptions.set(game, found)
      found.catch(() => this.descriptions.delete(game))
    }
    return found
  }
}

export const local = new LocalHouse()
