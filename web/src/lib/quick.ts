/** A match against bots, at once: on this device where it can be played here, else on the server. */
import { local } from '../local/house'
import { api } from './api'
import { keep, nonceFor } from './fairness'
import { t } from './i18n'
import { line, socket, whoAmI } from './line.svelte'
import type { Chosen } from './options'
import type { Game } from './protocol'
import { go } from './router.svelte'
import { settings } from './settings.svelte'

export interface Wanted {
  level?: number
  seats?: number
  options: Chosen
}

export async function playNow(game: Game, wanted: Wanted = { options: {} }): Promise<void> {
  if (local.plays(game)) {
    const name = settings.name || t().player
    return go(`/t/${(await local.create({ game: game.name, name, ...wanted })).id}`)
  }
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
  go(`/t/${table.id}`)
}
