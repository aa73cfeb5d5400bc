/** All tables of this device: hears what a page says in the words of the protocol, and lets bots play. */
import { bot, type Bot, type Engine, type Insight, type Match } from '../../engine/src'
import type { HintMessage, Lang, ServerMessage } from '../lib/protocol'
import type { Played, Puzzle } from '../lib/puzzles'
import { ideaOf, verdictOn, type Idea, type Verdict } from './coach'
import type * as Database from './kept'
import { lessonOf, LessonTable, type Step } from './lesson'
import { puzzleMatch, PuzzleTable } from './puzzle'
import { refusal, refuse } from './refusals'
import { engineOf, headersFor, headersOf, newId, USUAL, type Sitting } from './records'
import { LocalTable } from './table'

export type Kept = Pick<typeof Database, 'all' | 'get' | 'put' | 'remove'>
export type Message = Record<string, unknown> & { type: string; table?: string }
type Answer = Record<string, unknown> & { type: string }

/** Milliseconds a bot takes at least, so that one can follow what it does. */
const PAUSE = 500
/** Finished matches that are kept. */
const MOST = 100

export class Rooms {
  lang: Lang = 'en'
  pause = PAUSE
  /** Whether the person is told how good each choice was. */
  coach = false
  /** Whoever sits at the tables of lessons and puzzles. */
  name = '?'
  private tables = new Map<string, LocalTable>()
  private watched = new Set<string>()
  private bots = new WeakMap<LocalTable, Bot[]>() // by seat
  private thinking = new Set<string>()

  constructor(
    private tell: (message: ServerMessage | Verdict) => void,
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
        return this.prepare(message)
      case 'create':
        return this.create(message)
      case 'open':
        return this.open(String(message['record']))
      case 'playOn':
        return this.playOn(message)
      case 'puzzle':
        return this.puzzle(message['collection'] as Played, message['puzzle'] as Puzzle)
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
        table.undo(message['to'] as number | undefined)
        return this.changed(table)
      case 'resign':
        table.resign()
        return this.changed(table)
      case 'hint':
        return this.hint(table)
      case 'idea':
        return this.idea(table)
      case 'rematch':
        return this.rematch(table)
      case 'replay':
        return { type: 'replay', replay: table.steps(message['lang'] as Lang) }
      case 'record':
        return { type: 'record', record: table.record() }
      case 'tried':
        if (!(table instanceof PuzzleTable)) throw refuse('table/unknown')
        return { type: 'tried', tried: table.tried() }
      default:
        throw refuse('move/stale')
    }
  }

  // -- coming to a table --------------------------------------------------------------------------

  private say(message: Message): object {
    this.lang = message['lang'] as Lang
    this.pause = message['hurry'] ? 0 : PAUSE
    this.coach = !!message['coach']
    this.name = String(message['name'] ?? this.name)
    for (const id of this.watched) {
      const table = this.tables.get(id)
      if (table) this.tell(table.state(this.lang))
    }
    return { type: 'ok' }
  }

  /** Go through what a match begins with: the engine is fetched then, and its code is warm. */
  private async prepare(message: Message): Promise<object> {
    const { view } = (await this.dealt(message)).state(this.lang)
    return { type: 'prepared', seats: view!.seats, options: view!.options }
  }

  private async create(message: Message): Promise<object> {
    return this.begin(await this.dealt(message))
  }

  private async dealt(message: Message): Promise<LocalTable> {
    const engine = await this.engine(String(message['game']))
    const options = message['options'] as Record<string, unknown>
    const match = engine.game({ ...options, seats: message['seats'] as number }).deal()
    return new LocalTable(newId(), engine, match, company(match, 0, message))
  }

  /** A record from elsewhere becomes a match of this device. */
  private async open(record: string): Promise<object> {
    return this.begin(readAnew(record, await engineOf(record, this.engine)))
  }

  /**
   * From a choice of a match on, against bots: the person has the seat that made it, and knows what
   * it knew; all the rest is dealt anew.
   */
  private async playOn(message: Message): Promise<object> {
    const record = String(message['record'])
    const engine = await engineOf(record, this.engine)
    const whole = engine.replay(record)
    const match = whole.beginning()
    for (const [, token] of whole.history.slice(0, Number(message['number']))) match.play(token)
    const seat = match.toAct
    if (seat === null) throw refuse('table/over')
    const sitting = company(match, seat, message)
    return this.begin(readAnew(match.blind(seat).record(headersFor(sitting)), engine))
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
    return new LessonTable(id, engine, step, this.names(engine, step.position.seats, step.seat))
  }

  /** The person among people. */
  private names(engine: Engine, seats: number, you: number | null): string[] {
    const people = Object.keys(engine.description.bots.people.personas[0] ?? {})
    return Array.from({ length: seats }, (_, seat) =>
      seat === you ? this.name : (people[seat % people.length] ?? '?'),
    )
  }

  private async puzzle(collection: Played, puzzle: Puzzle): Promise<object> {
    const engine = await this.engine(collection.game)
    const match = puzzleMatch(engine, collection, puzzle)
    const names = this.names(engine, collection.seats, match.toAct)
    const table = new PuzzleTable(newId(), engine, match, puzzle, names)
    this.tables.set(table.id, table)
    return { type: 'table', table: table.table() }
  }

  private watch(table: LocalTable): object {
    this.watched.add(table.id)
    this.tell({ type: 'table', table: table.table() })
    this.tell(table.state(this.lang))
    if (table.kept) void this.learn(table.engine) // while the person thinks
    void this.letBotsPlay(table)
    return { type: 'ok' }
  }

  // -- playing ------------------------------------------------------------------------------------

  private play(table: LocalTable, turn: number, token: string): object {
    if (turn !== table.turn) throw refuse('move/stale')
    if (table.bot || table.toAct === null) throw refuse('move/not-your-turn')
    const before = table.copy
    table.play(token)
    const played = this.happened(table)
    if (this.coach && table.kept) void this.judge(table, before, token)
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
    const { bot: name, level } = table.bot!
    const bots = this.bots.get(table) ?? []
    this.bots.set(table, bots)
    return (bots[table.toAct!] ??= playerFor(table.engine, name!, level))
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

  // -- the coach ----------------------------------------------------------------------------------

  /** Whoever judges needs the network. */
  private async judging(engine: Engine): Promise<void> {
    if (!engine.description.network) throw refuse('analysis/none')
    await this.learn(engine)
    if (!engine.network) throw refuse('analysis/away')
  }

  private async idea(table: LocalTable): Promise<Idea> {
    if (table.bot || table.toAct === null) throw refuse('move/not-your-turn')
    const { turn, copy, names } = table
    await this.judging(table.engine)
    return { type: 'idea', table: table.id, turn, ...ideaOf(copy, names) }
  }

  /** Say how good a choice was, unless it has been taken back; a coach who is away says nothing. */
  private async judge(table: LocalTable, before: Match, token: string): Promise<void> {
    try {
      await this.judging(table.engine)
    } catch {
      return
    }
    await rest(0) // what happened is shown first
    const found = verdictOn(before, token, table.names)
    if (found && table.made(found.number) === token && this.isWatched(table))
      this.tell({ type: 'verdict', table: table.id, ...found })
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

/** The person at a seat, bots of a level at the others. */
function company({ game }: Match, mine: number, { name, level }: Message): Sitting[] {
  const { default_level, personas } = game.engine.description.bots.people
  const strength = Number(level ?? default_level)
  const names = Object.keys(personas[strength - 1] ?? {})
  return Array.from({ length: game.seats }, (_, seat) =>
    seat === mine
      ? { name: String(name), bot: null, level: null }
      : { name: names[seat % names.length] ?? '?', bot: USUAL, level: strength },
  )
}

function readAnew(record: string, engine: Engine): LocalTable {
  return LocalTable.read({ id: newId(), record, at: Date.now(), revision: 0 }, engine)
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
