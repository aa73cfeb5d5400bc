/** Local matches in the browser's database (IndexedDB); where it gives none, for this visit only. */
import type { Saved } from './records'

const NAME = 'tanistry'
const STORE = 'matches'

const memory = new Map<string, Saved>()
let opening: Promise<IDBDatabase | null> | undefined

function database(): Promise<IDBDatabase | null> {
  opening ??= new Promise((resolve) => {
    try {
      const asked = indexedDB.open(NAME, 1)
      asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: 'id' })
      asked.onsuccess = () => resolve(asked.result)
      asked.onerror = asked.onblocked = () => resolve(null)
    } catch {
      resolve(null)
    }
  })
  return opening
}

/** Do something in one transaction; what it resolves with is there once that is complete. */
async function within<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore, done: (value: T) => void) => void,
  otherwise: () => T,
): Promise<T> {
  const opened = await database()
  if (!opened) return otherwise()
  return new Promise((resolve, reject) => {
    let value: T
    const transaction = opened.transaction(STORE, mode)
    transaction.oncomplete = () => resolve(value)
    transaction.onerror = transaction.onabort = () =>
      reject(transaction.error ?? new Error('the browser keeps nothing'))
    work(transaction.objectStore(STORE), (found) => (value = found))
  })
}

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

export function get(id: string): Promise<Saved | undefined> {
  return within<Saved | undefined>(
    'readonly',
    (store, done) => {
      const asked = store.get(id) as IDBRequest<Saved | undefined>
      asked.onsuccess = () => done(asked.result)
    },
    () => memory.get(id),
  )
}

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
