/** A match against bots, at once: on this device where it can be played here, else on the server. */
import { local } from '../local/house'
import { api, Refused } from './api'
import { keep, nonceFor } from './fairness'
import { SERVER } from './house'
import { ownName } from './i18n'
import { line, socket, whoAmI } from './line.svelte'
import { drawn, type Chosen } from './options'
import type { Game, Table } from './protocol'
import { go } from './router.svelte'
import { settings } from './settings.svelte'

export interface Wanted {
  level?: number
  seats?: number
  options: Chosen
}

export async function playNow(game: Game, wanted?: Wanted): Promise<void> {
  go(`/t/${(await deal(game, wanted)).id}`)
}

export async function deal(game: Game, wanted: Wanted = { options: {} }): Promise<Table> {
  const options = drawn(wanted.options, wanted.seats ?? game.seats[0]!)
  const settled = { ...wanted, options }
  return (await here(game, settled)) ?? there(game, settled)
}

/** Null where the engine is missing, or this browser does not let it run, and a server can do it. */
async function here(game: Game, wanted: Wanted): Promise<Table | null> {
  if (SERVER && !local.plays(game)) return null
  try {
    return await local.create({ game: game.name, name: await nameGiven(), ...wanted })
  } catch (error) {
    // eslint-disable-next-line no-restricted-syntax -- a refusal's code
    const refused = error instanceof Refused && !error.refusal.code.startsWith('engine/')
    if (refused || !SERVER) throw error
    return null
  }
}

/** The server names a first visitor, who may have been quicker than its answer. */
async function nameGiven(): Promise<string> {
  if (SERVER && !settings.name) await whoAmI().catch(() => undefined)
  return ownName()
}

async function there(game: Game, wanted: Wanted): Promise<Table> {
  if (!line.you) await whoAmI()
  const { level, options, seats = game.seats[0]! } = wanted
  const bots = Array.from({ length: seats - 1 }, () => ({ kind: 'bot' as const, level }))
  const table = await api.create({
    game: game.name,
    options,
    rated: false,
    seats: [{ kind: 'me' }, ...bots],
  })
  keep(table) // the promise first, then our number
  const begin = { type: 'ready', table: table.id, ready: true, nonce: nonceFor(table.id) }
  void socket.ask(begin, true)
  return table
}
