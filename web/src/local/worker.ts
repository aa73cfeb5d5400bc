/** The worker: engines, matches and bots live here, so that the page is never kept waiting. */
import { load, loadNetwork, type Engine } from '../../engine/src'
import * as kept from './kept'
import type { Step } from './lesson'
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

const learning = new Map<Engine, Promise<void>>()

/** Without a network, and without a connection to fetch it by, bots search. */
function learn(engine: Engine): Promise<void> {
  let found = learning.get(engine)
  if (!found) {
    found = loadNetwork(engine, folder).catch(() => void learning.delete(engine))
    learning.set(engine, found)
  }
  return found
}

async function lessons(game: string): Promise<Step[]> {
  if (!available.includes(game)) throw refuse('engine/none')
  return (await (await fetch(`${folder}${game}.lessons.json`)).json()) as Step[]
}

const rooms = new Rooms((message) => postMessage(message), engine, learn, kept, lessons)

onmessage = async ({ data }: MessageEvent<Message>) => {
  if (data.type === 'hello') {
    folder = String(data['folder'])
    available = data['available'] as string[]
  } else postMessage({ ...(await rooms.hear(data)), id: data['id'] })
}
