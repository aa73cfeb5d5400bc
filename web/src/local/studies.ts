/** Analyses that this device keeps, whole or begun, by what they are of. */
import type { Analysis, Begun } from '../../engine/src'
import { entry, storeOf } from './database'

export interface Study {
  key: string
  at: number
  analysis: Analysis | null
  /** As far as it had got when the page was left. */
  begun: Begun | null
}

/** The latest so many are kept. */
const MOST = 200
const within = storeOf('tanistry-analyses', 'analyses', 'key', (store) =>
  store.createIndex('at', 'at'),
)

export const get = (key: string) => entry<Study>(within, key, () => undefined)

export async function put(study: Study): Promise<void> {
  await within<unknown>(
    'readwrite',
    (store) => {
      store.put(study)
      const counted = store.count()
      counted.onsuccess = () => forgetOldest(store, counted.result - MOST)
    },
    () => undefined,
  )
}

function forgetOldest(store: IDBObjectStore, many: number): void {
  if (many <= 0) return
  let left = many
  const asked = store.index('at').openKeyCursor()
  asked.onsuccess = () => {
    const cursor = asked.result
    if (!cursor || left-- <= 0) return
    store.delete(cursor.primaryKey)
    cursor.continue()
  }
}
