/** Local matches in the browser's database (IndexedDB); where it gives none, for this visit only. */
import { entry, storeOf } from './database'
import type { Saved } from './records'

const memory = new Map<string, Saved>()
const within = storeOf('tanistry', 'matches', 'id')

export function all(): Promise<Saved[]> {
  return within<Saved[]>(
    'readonly',
    (store, done) => {
      const asked = store.getAll() as IDBRequest<Saved[]>
      asked.onsuccess = () => done(asked.result)
    },
    () => [...memory.values()],
  )
}

export const get = (id: string) => entry<Saved>(within, id, () => memory.get(id))

/** Keep a match, unless another window has gone on with it: false then. */
export function put(saved: Saved): Promise<boolean> {
  const newer = (was: Saved | undefined) => (was?.revision ?? -1) >= saved.revision
  return within<boolean>(
    'readwrite',
    (store, done) => {
      const asked = store.get(saved.id) as IDBRequest<Saved | undefined>
      asked.onsuccess = () => {
        done(!newer(asked.result))
        if (!newer(asked.result)) store.put(saved)
      }
    },
    () => {
      if (newer(memory.get(saved.id))) return false
      memory.set(saved.id, saved)
      return true
    },
  )
}

export async function remove(id: string): Promise<void> {
  await within<unknown>(
    'readwrite',
    (store) => store.delete(id),
    () => memory.delete(id),
  )
}
