import type { Seat, Table } from './protocol'

/** Where everybody begins. */
const FIRST = 1500

/** A person's rating, where one is at stake. */
export function ratingAt(table: Table | null, seat: Seat): number | null {
  if (!table?.rated || table.solo || seat.kind !== 'person') return null
  return seat.rating ?? FIRST
}
