/** What this device was promised before the deal, and what it added to it: kept here, and nowhere else. */
import type { Table } from './protocol'

export interface Kept {
  commitment: string
  /** Whether it was seen before the cards were dealt. */
  before: boolean
  nonce?: string
}

const PREFIX = 'tanistry.fair.'
const MOST = 300

const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const bytes = (text: string) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))

export function kept(id: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

function store(id: string, value: Kept): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))
    if (names.length >= MOST) localStorage.removeItem(names[0]!)
    localStorage.setItem(PREFIX + id, JSON.stringify(value))
  } catch {
    // A device that keeps nothing has nothing to compare with later: the check says so.
  }
}

/** The first word counts: what the server says later is compared with it, never put in its place. */
export function keep(table: Table): void {
  if (table.status === 'over' || table.status === 'closed' || kept(table.id)) return
  store(table.id, { commitment: table.fairness.commitment, before: table.status === 'waiting' })
}

/** A number of our own for the deal, once the server's promise is kept; the same if asked again. */
export function nonceFor(id: string): string | undefined {
  const found = kept(id)
  if (!found?.before) return undefined
  if (!found.nonce) {
    found.nonce = hex(crypto.getRandomValues(new Uint8Array(16)))
    store(id, found)
  }
  return found.nonce
}

async function sha256(...parts: Uint8Array[]): Promise<string> {
  if (!globalThis.crypto?.subtle) return ''
  const data = new Uint8Array(parts.flatMap((part) => [...part]))
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', data)))
}

/** The fingerprint of seed and salt; empty where the browser cannot compute it. */
export const fingerprint = (seed: string, salt: string) => sha256(bytes(seed), bytes(salt))

/** The seed the cards were dealt from, as docs/fairness.md says. */
export async function dealSeed(seed: string, nonces: (string | null)[]): Promise<string> {
  if (!nonces.some(Boolean)) return seed
  const parts = nonces.flatMap((nonce) => {
    const own = bytes(nonce ?? '')
    return [Uint8Array.of(own.length), own]
  })
  return sha256(new TextEncoder().encode('tanistry deal'), bytes(seed), ...parts)
}
