/** A browser tells whoever has asked for it there, and nobody else who signs in to it later. */
import { expect, it, vi } from 'vitest'
import type { Player } from '../src/lib/protocol'

const told = vi.hoisted(() => [] as string[])
const settings = vi.hoisted(() => ({ pushed: '' }))
vi.mock('../src/lib/api', () => ({
  api: { push: () => told.push('push'), endPush: () => told.push('end') },
}))
vi.mock('../src/lib/settings.svelte', () => ({
  settings,
  set: (_name: 'pushed', value: string) => (settings.pushed = value),
}))

it('asks for its owner alone', async () => {
  let device: object | null = null
  const subscription = {
    endpoint: 'https://push.example/1',
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'a', auth: 'b' } }),
    unsubscribe: () => Promise.resolve((device = null)),
  }
  const pushManager = {
    getSubscription: () => Promise.resolve(device),
    subscribe: () => Promise.resolve((device = subscription)),
  }
  const serviceWorker = { getRegistration: () => Promise.resolve({ pushManager }) }
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('window', { PushManager: {} })
  vi.stubGlobal('Notification', { requestPermission: () => Promise.resolve('granted') })
  const { isPushed, keepPush, startPush, stopPush } = await import('../src/lib/push')
  const ailsa = { id: 'ailsa', push_key: 'key' } as Player

  expect(await startPush(ailsa, 'en')).toBe(true)
  await keepPush('ailsa', 'en')
  expect(told.splice(0)).toEqual(['push', 'push'])
  await keepPush('blair', 'en') // who has signed in there since
  expect(await isPushed('blair')).toBe(false)
  expect(told).toEqual([])
  expect(await isPushed('ailsa')).toBe(true)
  await stopPush()
  expect(await isPushed('ailsa')).toBe(false)
  await keepPush('ailsa', 'en')
  expect(told).toEqual(['end'])
})
