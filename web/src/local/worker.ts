/** The worker: engines, matches and bots live here, so that the page is never kept waiting. */
import { load, type Engine } from '../../engine/src'
import * as kept from './kept'
import { refuse } from './refusals'
import { Rooms, type Message } from './rooms'

const engines = new Map<string, Promise<Engine>>()
let folder = ''
let available: string[] = []

async function engine(game: string): Promise<Engine> {
  if (!available.includes(game)) throw refuse('engine/none')
  let found = engines.get(game)
  if (!found) {
    found = load(game, folder)
    engines.set(game, found)
    found.catch(() => engines.delete(game))
  }
  return found
}

const rooms = new Rooms((message) => postMessage(message), engine, kept)

onmessage = async ({ data }: MessageEvent<Message>) => {
  if (data.type === 'hello') {
    folder = String(data['folder'])
    available = data['available'] as string[]
  } else postMessage({ ...(await rooms.hear(data)), id: data['id'] })
}
