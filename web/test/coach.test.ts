// @ts-expect-error: what Node.js has is not known to the client
import * as fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { analyse, instantiate, judge, type Engine, type Match } from '../engine/src'
import type { Description } from '../engine/src/description'
import { leadOf } from '../src/lib/chances'
import type { ServerMessage } from '../src/lib/protocol'
import { ideaOf, verdictOn, type Idea, type Verdict } from '../src/local/coach'
import { headersOf, type Saved } from '../src/local/records'
import { Rooms, type Kept, type Message } from '../src/local/rooms'

interface Files {
  existsSync(path: URL): boolean
  readFileSync(path: URL): Uint8Array<ArrayBuffer>
}
const { existsSync, readFileSync } = fs as Files
const file = (name: string) => new URL(`../public/engines/${name}`, import.meta.url)
const GAMES = ['claim', 'kilt', 'lords', 'schotten']
const here = GAMES.every((game) => existsSync(file(`${game}.net`)))
const NAMES = ['Ailsa', 'Angus', 'Blair']

const bare = async (game: string) =>
  instantiate(
    JSON.parse(new TextDecoder().decode(readFileSync(file(`${game}.json`)))) as Description,
    readFileSync(file(`${game}.wasm`)),
  )
const learn = (engine: Engine) => engine.learn(readFileSync(file(`${engine.name}.net`)))

/** After so many choices, the first there is at each. */
async function after(game: string, choices: number, seats?: number): Promise<Match> {
  const engine = await bare(game)
  await learn(engine)
  const match = engine.game({ seats }).deal(7)
  for (let n = 0; n < choices; n++) match.play(match.legal()[0]!)
  while (match.legal().length === 1) match.play(match.legal()[0]!)
  return match
}

/** A device with one window. */
class Device {
  readonly shelf = new Map<string, Saved>()
  readonly heard: (ServerMessage | Verdict)[] = []
  private waiting: (() => void)[] = []
  private readonly kept: Kept = {
    all: () => Promise.resolve([...this.shelf.values()]),
    get: (id) => Promise.resolve(this.shelf.get(id)),
    put: (one) => Promise.resolve(!!this.shelf.set(one.id, one)),
    remove: (id) => Promise.resolve(void this.shelf.delete(id)),
  }
  readonly rooms: Rooms

  constructor(learned: (engine: Engine) => Promise<void> = learn) {
    const tell = (message: ServerMessage | Verdict) => {
      this.heard.push(message)
      this.waiting.splice(0).forEach((wake) => wake())
    }
    const engines = new Map<string, Promise<Engine>>()
    const engine = (game: string) => {
      if (!engines.has(game)) engines.set(game, bare(game))
      return engines.get(game)!
    }
    this.rooms = new Rooms(tell, engine, learned, this.kept)
  }

  ask<T = Record<string, unknown>>(message: Message): Promise<T> {
    return this.rooms.hear(message) as Promise<T>
  }

  /** What the device says, once it has. */
  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((wake) => this.waiting.push(wake))
    }
  }

  verdicts = () => this.heard.filter((message): message is Verdict => message.type === 'verdict')

  /** Until it is the person's turn; how it stands. */
  turn(since = 0): Promise<{ turn: number; legal: string[] }> {
    return this.until(() => {
      const last = [...this.heard]
        .reverse()
        .find(({ type }) => type === 'state' || type === 'played')
      if (last?.type !== 'state' && last?.type !== 'played') return undefined
      const legal = (last.type === 'state' ? last.view : last.change)?.legal
      return legal && last.turn >= since ? { turn: last.turn, legal } : undefined
    })
  }
}

describe.skipIf(!here)('the coach', () => {
  it.each(GAMES)(
    'judges in %s by what the seat knows, and says what an analysis will',
    async (game) => {
      const match = await after(game, 4)
      const token = match.legal().at(-1)!
      const verdict = verdictOn(match, token, NAMES)!
      const idea = ideaOf(match, NAMES)
      let differed = false
      for (const seed of [1, 2, 3]) {
        const other = match.blind(match.toAct, seed)
        differed ||= JSON.stringify(other.position()) !== JSON.stringify(match.position())
        expect({ ...verdictOn(other, token, NAMES), number: verdict.number }).toEqual(verdict)
        expect(ideaOf(other, NAMES)).toEqual(idea)
      }
      expect(differed).toBe(true)
      expect(idea.choices.map(({ win }) => win)).toEqual(
        idea.choices.map(({ win }) => win).sort((a, b) => b - a),
      )
      const texts = JSON.stringify([verdict.said, idea.choices, idea.line])
      expect(texts).not.toMatch(/\bseat \d|la place \d|\{\w+\}/)
    },
  )

  it('says of a choice what the analysis of the match says', async () => {
    const match = await after('claim', 20)
    const number = match.history.length
    const token = match.legal()[0]!
    const { verdict, win, cost } = judge(match, token)
    while (match.toAct !== null) match.play(match.legal()[0]!)
    expect(analyse(match).choices[number]).toMatchObject({ verdict, win, cost, token })
  })

  it('sits at a table: an idea before, a verdict after, and the choice taken back', async () => {
    const device = new Device()
    await device.ask({ type: 'say', lang: 'en', hurry: true, coach: true })
    const created = { type: 'create', game: 'claim', name: 'Ailsa', level: 1, options: {} }
    const { table } = await device.ask<{ table: { id: string } }>(created)
    await device.ask({ type: 'watch', table: table.id })
    const { turn, legal } = await device.turn()
    const idea = await device.ask<Idea & { type: string }>({ type: 'idea', table: table.id })
    expect(idea.type).toBe('idea')
    expect(legal).toContain(idea.token)
    expect(idea.choices[0]!.says.en).toMatch(/^play /)
    const worst = legal.find((token) => token !== idea.token)!
    await device.ask({ type: 'play', table: table.id, turn, token: worst })
    const verdict = await device.until(() => device.verdicts()[0])
    expect(verdict).toMatchObject({ number: 0, table: table.id })
    expect(verdict.said.fr.chosen).toMatch(/^jouer /)
    const next = await device.turn(turn + 1)
    const back = await device.ask<{ view: { legal: string[] }; turn: number }>({
      type: 'undo',
      table: table.id,
      to: verdict.number,
    })
    expect(back.view.legal).toEqual(legal)
    expect(back.turn).toBeGreaterThan(next.turn)

    await device.ask({ type: 'say', lang: 'en', hurry: true, coach: false })
    const played = { type: 'play', table: table.id, turn: back.turn, token: idea.token }
    await device.ask(played)
    await device.turn(back.turn + 1)
    expect(device.verdicts()).toHaveLength(1)
  })

  it('says that it is away, and lets the match go on', async () => {
    const device = new Device(() => Promise.resolve())
    await device.ask({ type: 'say', lang: 'en', hurry: true, coach: true })
    const created = { type: 'create', game: 'claim', name: 'Ailsa', level: 1, options: {} }
    const { table } = await device.ask<{ table: { id: string } }>(created)
    await device.ask({ type: 'watch', table: table.id })
    const { turn, legal } = await device.turn()
    const refused = await device.ask({ type: 'idea', table: table.id })
    expect(refused).toMatchObject({ type: 'refused', code: 'analysis/away' })
    await device.ask({ type: 'play', table: table.id, turn, token: legal[0]! })
    await device.turn(turn + 1)
    expect(device.verdicts()).toEqual([])
  })

  it('tells how much depends on a choice', () => {
    const wins = [[0.5], [0.5, 0.5], [0.5, 0.48], [0.5, 0.466], [0.5, 0.4], [0.5, 0.2]]
    expect(wins.map(leadOf)).toEqual(['one', 'even', 'close', 'close', 'clear', 'key'])
  })
})

describe.skipIf(!here)('a match gone on with', () => {
  it.each(GAMES)('%s: in the seat that chose, by what it knew', async (game) => {
    const whole = await after(game, 6)
    const record = whole.record({ Seat0: 'X', Seat1: 'Y' })
    const device = new Device()
    const number = whole.history.length - 1
    const before = whole.undone()
    const seat = before.toAct!
    const asked = { type: 'playOn', record, number, name: 'Ailsa', level: 1 }
    const { table } = await device.ask<{ table: { id: string; seats: { you: boolean }[] } }>(asked)
    expect(table.seats.findIndex(({ you }) => you)).toBe(seat)
    const saved = device.shelf.get(table.id)!.record
    expect(headersOf(saved)).toMatchObject({ [`Seat${seat}`]: 'Ailsa', Result: '*' })
    const opened = (await bare(game)).replay(saved)
    expect(opened.view(seat)).toEqual(before.view(seat))
    expect(headersOf(saved)['Seed']).not.toBe(headersOf(record)['Seed'])
    // in King's Kilt so little is hidden that it may fall the same way again
    if (game !== 'kilt') expect(opened.position()).not.toEqual(before.position())

    const over = { ...asked, number: 1e9, record: await finished(game) }
    expect(await device.ask(over)).toMatchObject({ type: 'refused', code: 'table/over' })
    expect(await device.ask({ ...asked, record: 'Hello' })).toMatchObject({
      code: 'record/line',
    })
  })
})

async function finished(game: string): Promise<string> {
  const match = (await bare(game)).game().deal(7)
  for (let n = 0; match.toAct !== null; n++) {
    const legal = match.legal()
    match.play(legal[n % legal.length]!)
  }
  return match.record()
}
