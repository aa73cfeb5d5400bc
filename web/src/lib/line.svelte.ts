/** The one line to the server, who we are, and whether it stands. */
import { local } from '../local/house'
import { api } from './api'
import type { Status } from './house'
import type { Player } from './protocol'
import { set, settings } from './settings.svelte'
import { Socket } from './socket'

export const line = $state<{ status: Status; you: Player | null; broke: boolean }>({
  status: 'connecting',
  you: null,
  broke: false,
})

const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
export const socket = new Socket(`${scheme}//${location.host}/ws`, () => settings.lang, whoAmI)

function known(player: Player): void {
  line.you = player
  set('name', player.name)
}

let asking: Promise<void> | null = null
/** Who we are; asked once at a time, for the first answer makes us somebody. */
export function whoAmI(): Promise<void> {
  asking ??= api
    .me()
    .then(known)
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
  known(player)
  socket.restart()
}

export async function speak(lang: 'en' | 'fr'): Promise<void> {
  void local.speak()
  if (socket.status === 'open') await socket.ask({ type: 'say', lang })
}
