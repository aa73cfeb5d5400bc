// @ts-expect-error: what Node.js has is not known to the client
import * as fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { instantiate } from '../engine/src'
import type { Description } from '../engine/src/description'
import type { ServerMessage, StateMessage } from '../src/lib/protocol'
import type { Verdict } from '../src/local/coach'
import { fits, lessonOf, lessonTable, type Step } from '../src/local/lesson'
import { Rooms, type Kept } from '../src/local/rooms'

interface Files {
  existsSync(path: URL): boolean
  readFileSync(path: URL): Uint8Array<ArrayBuffer>
}
const { existsSync, readFileSync } = fs as Files
const file = (name: string) => new URL(`../public/engines/${name}`, import.meta.url)
const data = <T>(name: string): T =>
  JSON.parse(new TextDecoder().decode(readFileSync(file(name)))) as T
const steps = (game: string): Promise<Step[]> =>
  Promise.resolve(data<Step[]>(`${game}.lessons.json`))
const engine = (game: string) =>
  instantiate(data<Description>(`${game}.json`), readFileSync(file(`${game}.wasm`)))

/** Whatever a lesson does, the device keeps nothing of it. */
const nothing: Kept = {
  all: () => Promise.resolve([]),
  get: () => Promise.resolve(undefined),
  put: () => Promise.reject(new Error('a lesson was kept')),
  remove: () => Promise.resolve(),
}

class Learner {
  state: StateMessage | undefined
  turn = 0
  legal: string[] = []
  over = false
  private waiting: (() => void)[] = []
  readonly rooms = new Rooms(
    (message) => this.hear(message),
    engine,
    () => Promise.resolve(),
    nothing,
    steps,
  )

  constructor() {
    this.rooms.pause = 0
  }

  private hear(message: ServerMessage | Verdict): void {
    if (message.type !== 'state' && message.type !== 'played') return
    const view = message.type === 'state' ? message.view : message.change
    if (!view) return
    this.turn = message.turn
    this.legal = view.legal ?? []
    this.over = view.to_act === null
    this.waiting.splice(0).forEach((wake) => wake())
  }

  /** Until there is something to choose, or nothing any more. */
  async asked(): Promise<void> {
    while (!this.legal.length && !this.over)
      await new Promise<void>((wake) => this.waiting.push(wake))
  }

  ask(message: Record<string, unknown> & { type: string }): Promise<Record<string, unknown>> {
    return this.rooms.hear(message as never)
  }
}

describe('the table of a lesson', () => {
  it('is told by its name', () => {
    expect(lessonOf(lessonTable('claim', 3, 7))).toEqual({ game: 'claim', step: 3 })
    expect(lessonOf('my-abcdef')).toBeNull()
  })
  it('knows a token by its pattern', () => {
    expect(fits('climb 1.2>', ['climb 1.2<', 'climb 1.*'])).toBe(true)
    expect(fits('climb 112>', ['climb 1.2>'])).toBe(false)
    expect(fits('R5@4', ['*@5', 'R5'])).toBe(false)
  })
})

const built = existsSync(file('claim.lessons.json'))

describe.skipIf(!built).each(['claim', 'kilt', 'schotten', 'lords'])('lessons of %s', (game) => {
  it('lead on, and answer whatever does not', { timeout: 60_000 }, async () => {
    for (const [number, step] of (await steps(game)).entries()) {
      const learner = new Learner()
      const table = lessonTable(game, number, 0)
      expect(await learner.ask({ type: 'watch', table })).toMatchObject({ type: 'ok' })
      for (;;) {
        await learner.asked()
        if (learner.over) break
        const { turn, legal } = learner
        const leading = legal.filter((token) => fits(token, step.line[turn]!))
        const other = legal.find((token) => !leading.includes(token))
        if (other) {
          const answer = await learner.ask({ type: 'play', table, turn, token: other })
          expect(answer).toMatchObject({ type: 'refused', code: 'lesson/other', rule: step.rule })
          expect(Object.values(answer['say'] as object).every(Boolean)).toBe(true)
          expect(learner.turn).toBe(turn)
        }
        learner.legal = []
        expect(await learner.ask({ type: 'play', table, turn, token: leading[0]! })).toMatchObject({
          type: 'ok',
        })
      }
      expect(learner.turn).toBe(step.line.length)
    }
  })
})

describe.skipIf(!built)('what cannot be', () => {
  it('is refused in a sentence', async () => {
    const learner = new Learner()
    const first = lessonTable('claim', 0, 0)
    expect(await learner.ask({ type: 'watch', table: lessonTable('claim', 99, 0) })).toMatchObject({
      code: 'table/unknown',
    })
    await learner.ask({ type: 'watch', table: first })
    const refused = await learner.ask({ type: 'play', table: first, turn: 0, token: 'G3' })
    expect(refused).toMatchObject({ type: 'refused', rule: 'claim.follow' })
    expect(await learner.ask({ type: 'undo', table: first })).toMatchObject({
      code: 'table/no-undo',
    })
  })
})
