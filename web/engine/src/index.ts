/** Tanistry's games in a browser or in Node.js: the same rules, bots and texts as in Python. */

import type { Description } from './description.js'
import { Engine } from './engine.js'

export { analyse, analysing, judge, METHOD, nothing, type Begun } from './analysis.js'
export { CALIBRATION } from './calibration.js'
export type { Bot, Insight, Judgement } from './blind.js'
export { bot, BOTS } from './bots.js'
export { ChampionBot } from './champion.js'
export type { Description, GameData, Json, Lang, Options } from './description.js'
export { Engine } from './engine.js'
export { EngineError } from './errors.js'
export { Game, type Seed } from './game.js'
export { IsmctsBot, type Budget } from './ismcts.js'
export { Event, Match, type Result } from './match.js'
export type { Opinion } from './network.js'
export {
  accountFor,
  points,
  VERDICTS,
  type Account,
  type Analysis,
  type Ended,
  type Judged,
  type Player,
} from './outcome.js'
export { commitment } from './deals.js'
export { Words, type Data, type Label } from './words.js'

/** An engine from a description and its module, however they were come by. */
export async function instantiate(
  description: Description,
  module: BufferSource | WebAssembly.Module,
): Promise<Engine> {
  return new Engine(
    description,
    module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module),
  )
}

/** Fetch a game's engine from a folder that `tanistry build-wasm` has written. */
export async function load(
  game: string,
  folder: string | URL = 'engines/',
  { network = false }: { network?: boolean } = {},
): Promise<Engine> {
  const base = String(folder).replace(/\/?$/, '/')
  const [description, module] = await Promise.all([
    fetched(`${base}${game}.json`).then((found) => found.json() as Promise<Description>),
    compiled(`${base}${game}.wasm`),
  ])
  const engine = await instantiate(description, module)
  if (network) await loadNetwork(engine, folder)
  return engine
}

/** Fetch the network that comes with an engine's game, if there is one and it is not here yet. */
export async function loadNetwork(
  engine: Engine,
  folder: string | URL = 'engines/',
): Promise<void> {
  const { network } = engine.description
  if (!network || engine.network) return
  const base = String(folder).replace(/\/?$/, '/')
  // The hash is for whoever keeps files: another network is another address.
  const found = await fetched(`${base}${engine.name}.net?${network.sha256.slice(0, 16)}`)
  await engine.learn(new Uint8Array(await found.arrayBuffer()))
}

/** Compile while it arrives, where the host says what kind of file it is. */
async function compiled(address: string): Promise<WebAssembly.Module> {
  const found = await fetched(address)
  return found.headers.get('Content-Type') === 'application/wasm'
    ? WebAssembly.compileStreaming(found)
    : WebAssembly.compile(await found.arrayBuffer())
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`)
  return response
}
