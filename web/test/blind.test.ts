// @ts-expect-error: what Node.js has is not known to the client
import * as fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bot, instantiate } from '../engine/src'
import type { Description } from '../engine/src/description'

interface Files {
  existsSync(path: URL): boolean
  readFileSync(path: URL): Uint8Array<ArrayBuffer>
}
const { existsSync, readFileSync } = fs as Files
const file = (name: string) => new URL(`../public/engines/${name}`, import.meta.url)

async function engineOf(game: string) {
  const description = JSON.parse(
    new TextDecoder().decode(readFileSync(file(`${game}.json`))),
  ) as Description
  const engine = await instantiate(description, readFileSync(file(`${game}.wasm`)))
  if (description.network) await engine.learn(readFileSync(file(`${game}.net`)))
  return engine
}

const PLAYERS: [string, object][] = [
  ['random', {}],
  ['greedy', {}],
  ['ismcts', { iterations: 40 }],
  ['people', { level: 2 }],
  ['trained', {}],
]

describe.skipIf(!existsSync(file('claim.wasm')))('bots on this device', () => {
  it.each(['claim', 'kilt', 'schotten', 'lords'])(
    'choose the same in %s, whatever they cannot see',
    async (game) => {
      const engine = await engineOf(game)
      const match = engine.game().deal(5)
      for (let turn = 0; turn < 12 && match.toAct !== null; turn++) {
        const other = match.blind(match.toAct, turn)
        expect(other.view(match.toAct)).toEqual(match.view(match.toAct))
        expect(other.position()).not.toEqual(match.position())
        for (const [name, options] of PLAYERS) {
          const [one, another] = [match, other].map((seen) =>
            bot(engine, name, { seed: 1, ...options }).choose(seen),
          )
          expect(another, `${name} at choice ${turn}`).toBe(one)
        }
        match.play(match.legal()[0]!)
      }
    },
  )
})
