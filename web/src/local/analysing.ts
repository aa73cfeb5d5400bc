/** The worker for one analysis: whoever has enough of it ends it. */
import { load, loadNetwork, type Engine } from '../../engine/src'
import type { RefusedMessage } from '../lib/protocol'
import { study, type Studied } from './analyst'
import { noSuchGame, refusal } from './refusals'
import * as kept from './studies'

export interface Wanted {
  record: string
  /** Where the engines are, and which there are. */
  folder: string
  available: string[]
}

export type Heard =
  | { type: 'progress'; done: number; of: number }
  | { type: 'studied'; studied: Studied }
  | Omit<RefusedMessage, 'id'>

const say = (message: Heard) => postMessage(message)

onmessage = async ({ data: { record, folder, available } }: MessageEvent<Wanted>) => {
  const engine = async (game: string) => {
    if (!available.includes(game)) throw noSuchGame(game, available)
    return load(game, folder)
  }
  const means = { engine, learn: (one: Engine) => loadNetwork(one, folder), kept }
  try {
    const studied = await study(record, means, (done, of) => say({ type: 'progress', done, of }))
    say({ type: 'studied', studied })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) console.error(error)
    say(refusal(error))
  }
}
