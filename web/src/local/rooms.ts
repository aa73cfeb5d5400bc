/** All tables of this device: hears what a page says in the words of the protocol, and lets bots play. */
import { bot, type Bot, type Engine, type Insight, type Match } from '../../engine/src'
import type { HintMessage, Lang, ServerMessage } from '../lib/protocol'
import type * as Database from './kept'
import { lessonOf, LessonTable, type Step } from './lesson'
import { refusal, refuse } from './refusals'
import { headersOf, newId, USUAL, type Sitting } from './records'
import { LocalTable } from './table'

export type Kept = Pick<typeof Database, 'all' | 'get' | 'put' | 'remove'>
export type Message = Record<string, unknown> & { type: string; table?: string }
type Answer = Record<string, unknown> & { type: string }

/** Milliseconds a bot takes at least, so that one can follow what it does. */
const PAUSE = 500
/** Who learns has not said a name. */
const YOU: Record<Lang, string> = { en: 'You', fr: 'Vous' }
/** Finished matches that are kept. */
const MOST = 100

export class Rooms {
  lang: Lang = 'en'
  pause = PAUSE
  private tables = new Map<string, LocalTable>()
  private watched = new Set<string>()
  private bots = new Map<string, Bot>()
  private thinking = new Set<string>()

  constructor(
    private tell: (message: ServerMessage) => void,
    private engine: (game: string) => Promise<Engine>,
    /** Have an engine's network at hand, if it can be had. */
    private learn: (engine: Engine) => Promise<void>,
    private kept: Kept,
    private lessons: (game: string) => Promise<Step[]> = () => Promise.resolve([]),
  ) {}

  /** What a message is answered with; whatever goes wrong is said in a sentence. */
  async hear(message: Message): Promise<Answer> {
    try {
      return (await this.do(message)) as Answer
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) console.error(error)
      return { ...refusal(error), table: message.table }
    }
  }

  private async do(message: Message): Promise<object> {
    switch (message.type) {
      case 'say':
        return this.say(message)
      case 'prepare':
        await this.engine(String(message['game']))
        return { type: 'ok' }
      case 'create':
        return this.create(message)
      case 'open':
        return this.open(String(message['record']))
      default:
        return this.at(await this.find(String(message.table)), message)
    }
  }

  private at(table: LocalTable, message: Message): object | Promise<object> {
    switch (message.type) {
      case 'watch':
        return this.watch(table)
      case 'leave':
        this.watched.delete(table.id)
        if (!table.kept) this.tables.delete(table.id)
        return { type: 'ok' }
      case 'play':
        return this.play(table, Number(message['turn']), String(message['token']))
      case 'undo':
        table.undo()
        return this.changed(table)
      case 'resign':
        table.resign()
        return this.changed(table)
      case 'hint':
        return this.hint(table)
      case 'rematch':
        return this.rematch(table)
      case 'replay':
        return { type: 'replay', replay: table.steps(message['lang'] as Lang) }
      case 'record':
        return { type: 'record', record: table.record() }
      default:
        throw refuse('move/stale')
    }
  }

  // -- coming to a table --------------------------------------------------------------------------

  private say(message: Message): object {
    this.lang = message['lang'] as Lang
    this.pause = message['hurry'] ? 0 : PAUSE
    for (const id of this.watched) {
      const table = this.tables.get(id)
      if (table) this.tell(table.state(this.lang))
    }
    return { type: 'ok' }
  }

  private async create(message: Message): Promise<object> {
    const engine = await this.engine(String(message['game']))
    const options = message['options'] as Record<string, unknown>
    const match = engine.game({ ...options, seats: message['seats'] as number }).deal()
    const { default_level, personas } = engine.description.bots.people
    const level = Number(message['level'] ?? default_level)
    const names = Object.keys(personas[level - 1] ?? {})
    const sitting = Array.from({ length: match.game.seats }, (_, seat): Sitting => {
      if (!seat) return { name: String(message['name']), bot: null, level: null }
      return { name: names[seat % names.length] ?? '?', bot: USUAL, level }
    })
    void this.learn(engine)
    return this.begin(new LocalTable(newId(), engine, match, sitting))
  }

  /** A record from elsewhere becomes a match of this device. */
  private async open(record: string): Promise<object> {
    const engine = await this.engine(headersOf(record)['Game'] ?? '').catch(() => {
      throw refuse('record/unreadable')
    })
    return this.begin(LocalTable.read({ id: newId(), record, at: Date.now(), revision: 0 }, engine))
  }

  private begin(table: LocalTable): object {
    this.tables.set(table.id, table)
    void this.save(table).then(() => this.tidy())
    return { type: 'table', table: table.table() }
  }

  private async find(id: string): Promise<LocalTable> {
    const found = this.tables.get(id) ?? (await this.read(id))
    this.tables.set(id, found)
    return found
  }

  private async read(id: string): Promise<LocalTable> {
    const lesson = lessonOf(id)
    if (lesson) return this.step(id, lesson.game, lesson.step)
    const saved = await this.kept.get(id)
    if (!saved) throw refuse('table/unknown')
    const game = typeof saved.record === 'string' ? headersOf(saved.record)['Game'] : undefined
    if (!game) throw refuse('record/unreadable')
    return LocalTable.read(saved, await this.engine(game))
  }

  private async step(id: string, game: string, number: number): Promise<LocalTable> {
    const [engine, steps] = await Promise.all([this.engine(game), this.lessons(game)])
    const step = steps[number]
    if (!step) throw refuse('table/unknown')
    const people = Object.keys(engine.description.bots.people.personas[0] ?? {})
    const names = Array.from({ length: step.position.seats }, (_, seat) =>
      seat === step.seat ? YOU[this.lang] : (people[seat % people.length] ?? '?'),
    )
    return new LessonTable(id, engine, step, names)
  }

  private watch(table: LocalTable): object {
    this.watched.add(table.id)
    this.tell({ type: 'table', table: table.table() })
    this.tell(table.state(this.lang))
    void this.letBotsPlay(table)
    return { type: 'ok' }
  }

  // -- playing ------------------------------------------------------------------------------------

  private play(table: LocalTable, turn: number, token: string): object {
    if (turn !== table.turn) throw refuse('move/stale')
    if (table.bot || table.toAct === null) throw refuse('move/not-your-turn')
    table.play(token)
    const played = this.happened(table)
    void this.letBotsPlay(table)
    return played
  }

  /** A choice was made: kept, and told to whoever watches. */
  private happened(table: LocalTable): object {
    const played = table.played(this.lang)
    this.tell(played)
    if (table.result) this.tell({ type: 'table', table: table.table() })
    void this.save(table)
    return { type: 'ok' }
  }

  private changed(table: LocalTable): object {
    const state = table.state(this.lang)
    this.tell({ type: 'table', table: table.table() })
    void this.save(table).then(() => this.letBotsPlay(table))
    return state
  }

  private async letBotsPlay(table: LocalTable): Promise<void> {
    if (this.thinking.has(table.id)) return
    this.thinking.add(table.id)
    try {
      while (table.bot && this.isWatched(table)) await this.botTurn(table)
    } finally {
      this.thinking.delete(table.id)
    }
  }

  private isWatched(table: LocalTable): boolean {
    return this.watched.has(table.id) && this.tables.get(table.id) === table
  }

  private async botTurn(table: LocalTable): Promise<void> {
    const { turn } = table
    const began = performance.now()
    if (!table.settled) await this.learn(table.engine)
    await rest(0) // whoever has said something is heard first
    if (table.turn !== turn || !table.bot) return
    const token = table.settled ?? this.botAt(table).choose(table.copy)
    await rest(this.pause + began - performance.now())
    if (table.turn !== turn || !this.isWatched(table)) return
    table.play(token)
    this.happened(table)
  }

  private botAt(table: LocalTable): Bot {
    const key = `${table.id} ${table.toAct}`
    const { bot: name, level } = table.bot!
    const made = this.bots.get(key) ?? playerFor(table.engine, name!, level)
    this.bots.set(key, made)
    return made
  }

  private async hint(table: LocalTable): Promise<HintMessage> {
    if (table.bot || table.toAct === null) throw refuse('move/not-your-turn')
    const { engine, turn, copy } = table
    await this.learn(engine)
    const { tokens } = (bot(engine, USUAL) as Bot & { analyse(match: Match): Insight }).analyse(
      copy,
    )
    const spent = tokens.reduce((sum, judged) => sum + judged.visits, 0) || 1
    const considered = tokens
      .filter(({ visits }) => visits)
      .map(({ token, visits, win }) => ({ token, value: win, share: visits / spent }))
    const { token } = tokens[0]!
    const label = table.label(this.lang, token)
    return { type: 'hint', table: table.id, turn, token, label, considered }
  }

  /** The same again; everybody moves on by one seat. */
  private rematch(table: LocalTable): object {
    if (!table.result) throw refuse('table/running')
    const { sitting, engine } = table
    const moved = sitting.map((_, seat) => sitting.at(seat - 1)!)
    const { options, seats } = table.copy.game
    const next = new LocalTable(newId(), engine, engine.game({ ...options, seats }).deal(), moved)
    this.begin(next)
    return { type: 'table', table: table.table(next.id) }
  }

  // -- keeping ------------------------------------------------------------------------------------

  private async save(table: LocalTable): Promise<void> {
    if (!table.kept) return
    const stored = await this.kept.put(table.saved()).catch(() => true)
    if (stored) return
    // Another window has gone on with this match: that is how it stands now.
    this.tables.delete(table.id)
    if (this.watched.has(table.id)) await this.hear({ type: 'watch', table: table.id })
  }

  private async tidy(): Promise<void> {
    const over = (await this.kept.all()).filter(({ record }) => !/^\[Result "\*"\]$/m.test(record))
    over.sort((a, b) => b.at - a.at)
    for (const { id } of over.slice(MOST)) await this.kept.remove(id)
  }
}

function playerFor(engine: Engine, name: string, level: number | null): Bot {
  try {
    return bot(engine, name, level === null ? {} : { level })
  } catch {
    return bot(engine, USUAL) // one that a foreign record names, and that is not here
  }
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds))
}
