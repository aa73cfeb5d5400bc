/** Tanistry's games in a browser or in Node.js: the same rules, bots and texts as in Python. */

import type { Description } from './description.js'
import { Engine } from './engine.js'

export { bot, IsmctsBot, type Bot, type Budget, type Insight, type Judgement } from './bots.js'
export type { Description, GameData, Json, Lang, Options } from './description.js'
export { Engine } from './engine.js'
export { EngineError } from './errors.js'
export { Game, type Seed } from './game.js'
export { Event, Match, type Result } from './match.js'
export { commitment } from './records.js'
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
export async function load(game: string, folder: string | URL = 'engines/'): Promise<Engine> {
  const base = String(folder).replace(/\/?$/, '/')
  const [description, module] = await Promise.all([
    fetched(`${base}${game}.json`),
    fetched(`${base}${game}.wasm`),
  ])
  return instantiate((await description.json()) as Description, await module.arrayBuffer())
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`)
  return response
}
