/** The one line to the server, who we are, and whether it stands. */
import { local } from '../local/house'
import { api, Refused } from './api'
import type { Status } from './house'
import type { Player, Refusal } from './protocol'
import { set, settings } from './settings.svelte'
import { Socket } from './socket'

interface Line {
  status: Status
  you: Player | null
  broke: boolean
  /** Why the server does not let us in. */
  barred: Refusal | null
  /** Seconds somebody must be away before a bot may play on for them, as the host has set it. */
  absent: number
}
export const line = $state<Line>({
  status: 'connecting',
  you: null,
  broke: false,
  barred: null,
  absent: 30,
})
const BARRED = ['auth/invitation', 'auth/banned', 'auth/address']

/** Whether this address leads everybody else to their own device. */
export const ALONE = /^(localhost|127\.|\[::1\])/.test(location.hostname)

const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
export const socket = new Socket(`${scheme}//${location.host}/ws`, () => settings.lang, whoAmI)

function known(player: Player): void {
  line.you = player
  line.barred = null
  set('name', player.name)
  void local.speak()
}

let asking: Promise<void> | null = null
/** Who we are; asked once at a time, for the first answer makes us somebody. */
export function whoAmI(): Promise<void> {
  asking ??= api
    .me()
    .then(known)
    .catch((error: unknown) => {
      if (error instanceof Refused && BARRED.includes(error.refusal.code))
        line.barred = error.refusal
      throw error
    })
    .finally(() => (asking = null))
  return asking
}

/** The line is about to be closed by ourselves. */
let renewing = false
socket.onStatus((status) => {
  if (status === 'away') {
    line.broke = !renewing
    renewing = false
  }
  line.status = status
})

socket.listen((message) => {
  if (message.type === 'welcome') line.absent = message.absent
})

let started = false
export function connect(): void {
  if (!started) socket.start()
  started = true
}

/** Somebody else now: a new cookie needs a new line. */
export function become(player: Player): void {
  // What a guest has asked for goes along to their account.
  if (line.you?.guest && settings.pushed === line.you.id) set('pushed', player.id)
  known(player)
  renewing = socket.status === 'open'
  socket.restart()
}

export async function speak(lang: 'en' | 'fr'): Promise<void> {
  void local.speak()
  if (socket.status === 'open') await socket.ask({ type: 'say', lang })
}
