/** A store in the browser's database (IndexedDB); where the browser gives none, there is none. */

/** Do something in one transaction; what it resolves with is there once that is complete. */
export type Within = <T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore, done: (value: T) => void) => void,
  otherwise: () => T,
) => Promise<T>

/** `made`: the store is new. Each has a database of its own: none waits for another's version. */
export function storeOf(
  name: string,
  store: string,
  keyPath: string,
  made: (store: IDBObjectStore) => void = () => undefined,
): Within {
  let opening: Promise<IDBDatabase | null> | undefined

  function database(): Promise<IDBDatabase | null> {
    opening ??= new Promise((resolve) => {
      try {
        const asked = indexedDB.open(name, 1)
        asked.onupgradeneeded = () => made(asked.result.createObjectStore(store, { keyPath }))
        asked.onsuccess = () => {
          const ours = asked.result.objectStoreNames.contains(store)
          resolve(ours ? asked.result : null) // somebody else's of the same name is left alone
        }
        asked.onerror = asked.onblocked = () => resolve(null)
      } catch {
        resolve(null)
      }
    })
    return opening
  }

  return async <T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore, done: (value: T) => void) => void,
    otherwise: () => T,
  ): Promise<T> => {
    const opened = await database()
    if (!opened) return otherwise()
    return new Promise((resolve, reject) => {
      let value: T
      const transaction = opened.transaction(store, mode)
      transaction.oncomplete = () => resolve(value)
      transaction.onerror = transaction.onabort = () =>
        reject(transaction.error ?? new Error('the browser keeps nothing'))
      work(transaction.objectStore(store), (found) => (value = found))
    })
  }
}

/** What a store holds by a key. */
export function entry<T>(
  within: Within,
  key: string,
  otherwise: () => T | undefined,
): Promise<T | undefined> {
  return within<T | undefined>(
    'readonly',
    (store, done) => {
      const asked = store.get(key) as IDBRequest<T | undefined>
      asked.onsuccess = () => done(asked.result)
    },
    otherwise,
  )
}
