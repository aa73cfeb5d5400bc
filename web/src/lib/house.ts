/** Where tables stand: on the server, or on this device. Both say the same, so pages ask neither which. */
import type { Spoken } from './gamedata'
import type { Lang, Replay, ServerMessage, Words } from './protocol'

export type Status = 'connecting' | 'open' | 'away'
export type Outgoing = Record<string, unknown> & { type: string }

export interface House {
  readonly status: Status
  /** Send and wait for the answer; a refusal is an answer. `again`: safe to send twice. */
  ask(message: Outgoing, again?: boolean): Promise<ServerMessage>
  listen(listener: (message: ServerMessage) => void): () => void
  onStatus(watcher: (status: Status) => void): () => void
  words(game: string, lang: Lang): Promise<Words>
  /** What a game is made of. */
  description(game: string): Promise<Spoken>
  /** A finished match with all hands open. */
  replay(table: string, lang: Lang): Promise<Replay>
  record(table: string): Promise<string>
}

/** Tables of this device have names that no table of a server has. */
export const LOCAL = 'my-'
export const isLocal = (table: string): boolean => table.startsWith(LOCAL)

/** Whether this client was built to have a server behind it. */
export const SERVER = import.meta.env.MODE !== 'static'
