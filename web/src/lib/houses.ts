/** Both houses, and which of them a table stands in. */
import { local } from '../local/house'
import { api, Refused } from './api'
import { isLocal, SERVER, type House } from './house'
import { socket } from './line.svelte'
import type { Lang, Words } from './protocol'

/** The words of a game: the server's, and those of the engine where no server answers. */
export async function wordsOf(game: string, lang: Lang): Promise<Words> {
  if (!SERVER) return local.words(game, lang)
  try {
    return await api.words(game, lang)
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code === 'game/unknown') throw error
    return local.words(game, lang)
  }
}

export const remote: House = {
  get status() {
    return socket.status
  },
  ask: (message, again) => socket.ask(message, again),
  listen: (listener) => socket.listen(listener),
  onStatus: (watcher) => socket.onStatus(watcher),
  words: wordsOf,
  description: api.description,
  replay: api.replay,
  record: api.record,
}

export const houseOf = (table: string): House => (isLocal(table) ? local : remote)
