/** What this device was promised before the deal, and what it added to it: kept here, and nowhere else. */
import { hex } from '../../engine/src/hex'
import type { Table } from './protocol'

export interface Kept {
  commitment: string
  /** Whether it was seen before the cards were dealt. */
  before: boolean
  nonce?: string
}

const PREFIX = 'tanistry.fair.'
const MOST = 300

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
