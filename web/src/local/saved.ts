/** The matches that this device keeps, as lists show them; no engine is needed to look at them. */
import type { Table } from '../lib/protocol'
import * as kept from './kept'
import { listed, type Saved } from './records'

/** All of them, the latest first, with what each says of itself (null: it is damaged). */
export async function savedMatches(): Promise<{ saved: Saved; table: Table | null }[]> {
  const found = await kept.all()
  return found
    .map((saved) => ({ ...saved, at: Number(saved.at) || 0 }))
    .sort((a, b) => b.at - a.at)
    .map((saved) => ({ saved, table: typeof saved.record === 'string' ? listed(saved) : null }))
}

export async function savedTables(): Promise<Table[]> {
  return (await savedMatches()).flatMap(({ table }) => table ?? [])
}

export const forget = (id: string): Promise<void> => kept.remove(id)
