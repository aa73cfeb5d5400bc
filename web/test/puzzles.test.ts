// @ts-expect-error: what Node.js has is not known to the client
import * as fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { instantiate } from '../engine/src'
import type { Description } from '../engine/src/description'
import type { StateMessage, Table } from '../src/lib/protocol'
import {
  byTheme,
  dayOf,
  daysInARow,
  hasPuzzles,
  nameOf,
  nextOf,
  ofTheDay,
  solvedOn,
  tried,
  type Collection,
  type Puzzle,
  type Solving,
} from '../src/lib/puzzles'
import { lost, type Tried } from '../src/local/puzzle'
import { Rooms, type Kept } from '../src/local/rooms'

interface Files {
  existsSync(path: URL): boolean
  readFileSync(path: URL): Uint8Array<ArrayBuffer>
}
const { existsSync, readFileSync } = fs as Files
const engines = (name: string) => new URL(`../public/engines/${name}`, import.meta.url)
const read = <T>(file: URL): T => JSON.parse(new TextDecoder().decode(readFileSync(file))) as T
const collection = (game: string) =>
  read<Collection>(new URL(`../../src/tanistry/analysis/puzzles/${game}.json`, import.meta.url))

const fresh: Solving = { tried: {}, row: 0, days: 0, day: 0 }
const puzzle = (seed: number, rating: number, ...themes: string[]): Puzzle => ({
  seed,
  choices: [],
  solution: 'A',
  worth: [
    ['A', 0.6],
    ['B', 0.4],
  ],
  mistake: 'B',
  line: [[0, 'A']],
  answers: {},
  themes: themes.map((name) => [name, null, {}]),
  rating,
})

describe('the puzzle of the day', () => {
  it('is the one that the terminal tells', () => {
    // tanistry.analysis.puzzling.of_the_day(count, date(2026, 11, 16))
    const day = dayOf(Date.UTC(2026, 10, 16, 23, 59))
    expect(day).toBe(739_936)
    expect([1, 2, 7, 100, 113].map((count) => ofTheDay(count, day))).toEqual([0, 0, 4, 12, 109])
  })
  it.each([1, 2, 3, 7, 100, 300])('comes once in a round of %i', (count) => {
    const days = Array.from({ length: count }, (_, k) => ofTheDay(count, 739_936 + k))
    expect(new Set(days).size).toBe(count)
  })
})

describe('what was solved', () => {
  it('counts the first try alone', () => {
    const missed = tried(fresh, 'claim', '1-2', false)
    expect(tried(missed, 'claim', '1-2', true)).toBe(missed)
    const two = tried(tried(missed, 'claim', '3-4', true), 'kilt', '1-2', true)
    expect(two.tried).toEqual({ claim: { '1-2': false, '3-4': true }, kilt: { '1-2': true } })
    expect(two.row).toBe(2)
    expect(tried(two, 'kilt', '5-6', false).row).toBe(0)
  })
  it('counts days in a row, and forgives nobody a day', () => {
    const first = solvedOn(fresh, 100)
    expect(solvedOn(first, 100)).toBe(first)
    const second = solvedOn(first, 101)
    expect([daysInARow(second, 101), daysInARow(second, 102), daysInARow(second, 103)]).toEqual([
      2, 2, 0,
    ])
    expect(solvedOn(second, 103).days).toBe(1)
    expect(solvedOn(second, 100), 'opened the day before, solved past midnight').toBe(second)
  })
  it('says what to try next', () => {
    const all = [puzzle(1, 1000), puzzle(2, 1200), puzzle(3, 1400)]
    expect(nextOf(all, {})?.seed).toBe(1)
    expect(nextOf(all, { '1-0': true }, 1250)?.seed).toBe(2)
    expect(nextOf(all, { '2-0': false }, 1250)?.seed).toBe(3)
    expect(nextOf(all, { '1-0': true, '2-0': true, '3-0': true })).toBeUndefined()
  })
  it('tells a cost that is the difference of what it shows', () => {
    expect(lost(0.343, 0.2174)).toBeCloseTo(0.12, 9)
  })
  it('lies in order by theme', () => {
    const all = [puzzle(1, 1000, 'b'), puzzle(2, 1200, 'a', 'c'), puzzle(3, 1400, 'c')]
    expect(byTheme(all).map(([rule, found]) => [rule, found.length])).toEqual([
      ['c', 2],
      ['a', 1],
      ['b', 1],
    ])
  })
})

/** Whatever is tried, the device keeps nothing of it. */
const nothing: Kept = {
  all: () => Promise.resolve([]),
  get: () => Promise.resolve(undefined),
  put: () => Promise.reject(new Error('a puzzle was kept')),
  remove: () => Promise.resolve(),
}
const built = existsSync(engines('claim.wasm'))

describe.skipIf(!built).each(['claim', 'kilt', 'schotten', 'lords'])('puzzles of %s', (game) => {
  it('take the solution, and answer everything else', { timeout: 60_000 }, async () => {
    expect(hasPuzzles(game)).toBe(true)
    const { puzzles, ...about } = collection(game)
    let state: StateMessage | undefined
    let over = false
    const rooms = new Rooms(
      (message) => {
        if (message.type === 'state') state = message
        if (message.type === 'played') over = message.change?.to_act === null
      },
      (name) =>
        instantiate(
          read<Description>(engines(`${name}.json`)),
          readFileSync(engines(`${name}.wasm`)),
        ),
      () => Promise.resolve(),
      nothing,
    )
    await rooms.hear({ type: 'say', lang: 'fr', name: 'Ailsa' })
    for (const one of [puzzles[0]!, puzzles.at(-1)!]) {
      over = false
      const ask = (message: Record<string, unknown> & { type: string }) =>
        rooms.hear({ ...message, table }) as Promise<Record<string, unknown>>
      let table = ''
      const opened = await ask({ type: 'puzzle', collection: about, puzzle: one })
      const { id, seats } = opened['table'] as Table
      table = id
      expect(seats.filter(({ you }) => you).map(({ name }) => name)).toEqual(['Ailsa'])
      await ask({ type: 'watch' })
      const legal = state!.view!.legal!
      expect(legal).toContain(one.solution)
      const wrong = legal.filter((token) => token !== one.solution)
      for (const token of wrong.slice(0, 4)) {
        const answer = await ask({ type: 'play', turn: state!.turn, token })
        expect(answer).toMatchObject({ type: 'refused', code: 'puzzle/other' })
        const sentences = Object.values(answer['say'] as Record<string, string>)
        for (const sentence of sentences) expect(sentence).not.toMatch(/undefined|NaN/)
      }
      expect(await ask({ type: 'play', turn: state!.turn, token: 'nonsense' })).toMatchObject({
        type: 'refused',
      })
      expect(await ask({ type: 'play', turn: state!.turn, token: one.solution })).toMatchObject({
        type: 'ok',
      })
      expect(over).toBe(true)
      const { tokens, said } = (await ask({ type: 'tried' }))['tried'] as Tried
      expect(tokens).toEqual([...wrong.slice(0, 4), one.solution])
      for (const words of Object.values(said)) {
        expect(words.line).toHaveLength(one.line.length - 1)
        expect([words.solution, words.mistake].every(Boolean)).toBe(true)
        expect(words.line.join().includes('undefined')).toBe(false)
        expect(words.themes).toHaveLength(one.themes.length)
        for (const { rule, said } of words.themes) expect(rule ?? said).toBeTruthy()
      }
      expect(nameOf(one)).toBe(`${one.seed}-${one.choices.length}`)
    }
  })
})
