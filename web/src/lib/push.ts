/** Words from the server to this device, through the push service of its browser. */
import { api } from './api'
import type { Lang, Player } from './protocol'
import { set, settings } from './settings.svelte'

export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window

async function manager(): Promise<PushManager | undefined> {
  return canPush() ? (await navigator.serviceWorker.getRegistration())?.pushManager : undefined
}

/** Whether this device tells somebody: a browser may be another's now, who has not asked. */
export async function isPushed(who: string): Promise<boolean> {
  return settings.pushed === who && !!(await (await manager())?.getSubscription())
}

/** Have this device told from now on; false if its owner, or the browser, does not want that. */
export async function startPush({ id, push_key }: Player, lang: Lang): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const found = await manager()
  const device = await found
    ?.subscribe({ userVisibleOnly: true, applicationServerKey: push_key })
    .catch(() => null) // why, a browser says in words of its own that help nobody
  if (!device) return false
  await tellServer(device, lang)
  set('pushed', id)
  return true
}

export async function stopPush(): Promise<void> {
  set('pushed', '')
  const device = await (await manager())?.getSubscription()
  if (!device) return
  await api.endPush(device.endpoint)
  await device.unsubscribe()
}

/** The cookie of this device may be a new one: say again that its owner wants to be told. */
export async function keepPush(who: string, lang: Lang): Promise<void> {
  const device = settings.pushed === who && (await (await manager())?.getSubscription())
  if (device) await tellServer(device, lang)
}

async function tellServer(device: PushSubscription, lang: Lang): Promise<void> {
  const { endpoint, keys } = device.toJSON()
  if (endpoint && keys?.['p256dh'] && keys['auth'])
    await api.push({ endpoint, p256dh: keys['p256dh'], auth: keys['auth'], lang })
}
