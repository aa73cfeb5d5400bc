/** The one line to the server, who we are, and whether it stands. */
import { api } from './api'
import type { Player } from './protocol'
import { settings } from './settings.svelte'
import { Socket, type Status } from './socket'

export const line = $state<{ status: Status; you: Player | null; broke: boolean }>({
  status: 'connecting',
  you: null,
  broke: false,
})

const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
export const socket = new Socket(`${scheme}//${location.host}/ws`, () => settings.lang, whoAmI)

let asking: Promise<void> | null = null
/** Who we are; asked once at a time, for the first answer makes us somebody. */
export function whoAmI(): Promise<void> {
  asking ??= api
    .me()
    .then((player) => {
      line.you = player
    })
    .finally(() => (asking = null))
  return asking
}

socket.onStatus((status) => {
  if (status === 'away') line.broke = true
  line.status = status
})

let started = false
export function connect(): void {
  if (!started) socket.start()
  started = true
}

/** Somebody else now: a new cookie needs a new line. */
export function become(player: Player): void {
  line.you = player
  socket.restart()
}

export async function speak(lang: 'en' | 'fr'): Promise<void> {
  if (socket.status === 'open') await socket.ask({ type: 'say', lang })
}
