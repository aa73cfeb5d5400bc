/** Which matches wait for us: looked at when the line stands, when we come back, and now and then. */
import { api } from './api'
import type { MyTurns } from './protocol'
import { line, socket } from './line.svelte'
import { keepPush } from './push'
import { settings } from './settings.svelte'

const EVERY = 60_000
export const turns = $state<{ tables: string[] }>({ tables: [] })
let looked = 0

export async function lookForTurns(): Promise<MyTurns> {
  looked = Date.now()
  const found = await api.turns()
  turns.tables = found.turns.filter((turn) => turn.mine).map((turn) => turn.table.id)
  return found
}

/** Whether a table that was just looked at waits for us need not be asked for. */
export function leftTable(id: string, waits: boolean): void {
  if (!waits) turns.tables = turns.tables.filter((other) => other !== id)
}

function look(): void {
  if (socket.status === 'open' && !document.hidden) void lookForTurns().catch(() => undefined)
}

socket.onStatus((status) => {
  if (status !== 'open') return
  look()
  if (line.you?.push_key) void keepPush(line.you.id, settings.lang).catch(() => undefined)
})
if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('message', look)
document.addEventListener('visibilitychange', look)
setInterval(() => Date.now() - looked >= EVERY && look(), EVERY)
