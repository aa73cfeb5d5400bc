// @ts-expect-error: what Node.js has is not known to the client
import * as fs from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { instantiate, type Engine } from '../engine/src'
import type { Description } from '../engine/src/description'
import { accountOf, lineOf, movedBy } from '../src/lib/chances'
import { study, type Means } from '../src/local/analyst'
import { engineOf } from '../src/local/records'
import type { Study } from '../src/local/studies'

interface Files {
  existsSync(path: URL): boolean
  readFileSync(path: URL): Uint8Array<ArrayBuffer>
}
const { existsSync, readFileSync } = fs as Files
const file = (name: string) => new URL(`../public/engines/${name}`, import.meta.url)
const here = ['claim.json', 'claim.wasm', 'claim.net'].every((name) => existsSync(file(name)))

const claim = () =>
  instantiate(
    JSON.parse(new TextDecoder().decode(readFileSync(file('claim.json')))) as Description,
    readFileSync(file('claim.wasm')),
  )

/** A device that keeps analyses as long as the test runs. */
class Device implements Means {
  readonly shelf = new Map<string, Study>()
  /** What would have been found if the page had been left. */
  readonly begun: Study[] = []
  fetched = 0
  away = false
  readonly kept: Means['kept'] = {
    get: (key) => Promise.resolve(structuredClone(this.shelf.get(key))),
    put: (one) => {
      this.shelf.set(one.key, structuredClone(one))
      if (one.begun) this.begun.push(structuredClone(one))
      return Promise.resolve()
    },
  }
  engine = claim
  async learn(engine: Engine): Promise<void> {
    if (this.away) throw new Error('no connection')
    this.fetched++
    await engine.learn(readFileSync(file('claim.net')))
  }
}

/** A match in which everybody plays the first card there is. */
async function played(choices = Infinity): Promise<string> {
  const match = (await claim()).game({ seats: 2 }).deal(7)
  for (let n = 0; n < choices && match.toAct !== null; n++) match.play(match.legal()[0]!)
  return match.record({ Seat0: 'Ailsa' })
}

const refused = (found: Promise<unknown>) =>
  found.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

describe.skipIf(!here)('a match is analysed on this device', () => {
  it('choice by choice, said in both languages, and kept; what was left goes on', async () => {
    onTestFinished(() => void vi.restoreAllMocks())
    let clock = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000)) // kept at every choice
    const device = new Device()
    const record = await played()
    const steps: [number, number][] = []
    const whole = await study(record, device, (...step) => steps.push(step))
    const { analysis, said } = whole
    const of = analysis.choices.length
    expect(steps).toEqual(Array.from({ length: of + 1 }, (_, done) => [done, of]))
    expect(said.en.names).toEqual(['Ailsa', 'Angus'])
    expect(said.fr.names).toEqual(['Ailsa', 'Angus'])
    expect(said.en.choices.map(({ chosen }) => chosen)).not.toContain('')
    expect(said.fr.choices[0]!.chosen).not.toBe(said.en.choices[0]!.chosen)

    const again: unknown[] = []
    expect(await study(record, device, (...step) => again.push(step))).toEqual(whole)
    expect([again, device.fetched]).toEqual([[], 1])

    const [left] = device.begun.filter(({ begun }) => begun!.choices.length === of - 9)
    device.shelf.set(left!.key, left!)
    const resumed: number[] = []
    const found = await study(record, device, (many) => resumed.push(many))
    expect(resumed).toEqual(Array.from({ length: 10 }, (_, n) => of - 9 + n))
    expect(found).toEqual(whole)
    expect(device.shelf.get(left!.key)!.begun).toBeNull()
  })

  it('that somebody gave up, too', async () => {
    const given = (await played(5)).replace('[Seats', '[EndedBy "resign 1"]\n[Seats')
    const { analysis, said } = await study(given, new Device(), () => undefined)
    expect(analysis.ended).toEqual({ how: 'resign', by: 1 })
    expect([analysis.choices.length, said.en.choices.length]).toEqual([5, 5])
    expect(analysis.curve.at(-1)).toEqual([1, 0])
    const { start, own, others, luck, end, result } = accountOf(analysis.players[0]!)
    expect(start + own + others + luck + end).toBe(result)
    expect(result).toBe(100)
    const nonsense = given.replace('resign 1', 'resign 7')
    expect(await refused(study(nonsense, new Device(), () => undefined))).toBe('record/running')
  })

  it('or refused in a sentence', async () => {
    const device = new Device()
    const nothing = () => undefined
    const record = await played()
    expect(await refused(study('Hello', device, nothing))).toBe('record/line')
    expect(await refused(study(' ', device, nothing))).toBe('record/empty')
    expect(await refused(study('[Seats "2"]', device, nothing))).toBe('record/lacks')
    const unversioned = record.replace(/\[Version "\d+"\]/, '')
    expect(await refused(study(unversioned, device, nothing))).toBe('record/lacks')
    expect(await refused(study(await played(5), device, nothing))).toBe('record/running')
    const other = record.replace(/\[Version "\d+"\]/, '[Version "99"]')
    expect(await refused(study(other, device, nothing))).toMatch(/^record\//)
    const broken = record.replace(/\n0: \S+\n/, '\n0: X9\n')
    expect(await refused(study(broken, device, nothing))).toBe('record/move')
    const away = Object.assign(new Device(), { away: true })
    expect(await refused(study(record, away, nothing))).toBe('analysis/away')
    const untaught = new Device()
    untaught.engine = async () => {
      const engine = await claim()
      Object.assign(engine.description, { network: null })
      return engine
    }
    expect(await refused(study(record, untaught, nothing))).toBe('analysis/none')
    expect(device.shelf.size).toBe(0)
  })
})

describe.skipIf(!here)('a record of a server', () => {
  const record = `  [Game "claim"]
[Version "1"]
[Options "first=0"]
[Seats "2"]
[Salt "09090909090909090909090909090909"]
[ServerSeed "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"]
[Nonces "05050505050505050505050505050505,"]
[Seed "00c1d895db1b545f1b6364978f20907e3396b2beaf5bf6ccbb0b14f25ffdd919"]
[Commitment "72c758ff3f4607feeadb3f8827ca94a8d5b908b500b387fbefc47ecc2b61ae11"]
[Result "*"]

0: G0
`

  it('holds what players added to the deal', async () => {
    const engine = await engineOf(record, claim)
    const match = engine.replay(record)
    expect(match.record(match.headers)).toBe(record.trimStart())
  })

  it.each([
    ['0505', '0605', 'record/nonces'],
    ['0505', 'xx05', 'record/numbers'],
    ['Seed "0001', 'Seed "0002', 'record/commitment'],
  ])('and none that was changed: %s', async (old, fresh, code) => {
    const engine = await claim()
    expect(() => engine.replay(record.replace(old, fresh))).toThrow(
      expect.objectContaining({ code }) as Error,
    )
  })
})

describe('the numbers of an analysis', () => {
  const curve = [
    [0.5, 0.5],
    [0.25, 0.75],
    [0, 1],
  ]

  it('add up as they are shown', () => {
    const chances = {
      start: 0.5,
      own: -0.004,
      others: 0.126,
      luck: -0.122,
      end: 0,
      deal: 0.005,
      result: 0.5,
    }
    const account = accountOf({ seat: 0, accuracy: null, verdicts: {}, ...chances })
    const shown = { start: 50, own: 0, others: 12, luck: -12, end: 0, deal: 1, result: 50 }
    expect(account).toEqual(shown)
  })

  it('are drawn from the deal to the end', () => {
    expect(lineOf(curve, 1, 158, 136)).toBe('50.0,60.0 100.0,35.0 150.0,10.0')
  })
})

it('tells a key moment by whose chances moved most, too', () => {
  const told = (...curve: number[][]) => movedBy({ number: 0, seat: 0 }, curve)
  expect(told([0.2, 0.8], [0.7, 0.3])).toEqual([0])
  expect(told([0.04, 0.78, 0.18], [0.1, 0.47, 0.43])).toEqual([0, 1])
  expect(told([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])).toEqual([0])
})
