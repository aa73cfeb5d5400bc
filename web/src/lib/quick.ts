/** A match against bots, at once: on this device where it can be played here, else on the server. */
import { local } from '../local/house'
import { api } from './api'
import { t } from './i18n'
import { line, whoAmI } from './line.svelte'
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
  go(`/t/${(await api.quick(game.name, { ...wanted })).id}`)
}
