/** What somebody at a table offers or asks the others for, and how that ends. */
import { u } from '../texts/turns'
import type { ServerMessage, Table } from './protocol'

export type Verb = 'draw' | 'undo'
export interface Offer {
  verb: Verb
  by: number
  /** Those who have agreed. */
  agreed: number[]
}

export function offersAt(table: Table | null): Offer[] {
  if (table?.status !== 'playing') return []
  const { draw_offer: draw, undo_offer: undo } = table
  return [
    ...(draw !== null ? [{ verb: 'draw' as const, by: draw, agreed: [] }] : []),
    ...(undo ? [{ verb: 'undo' as const, by: undo.seat, agreed: undo.agreed }] : []),
  ]
}

/** Whether a seat's word is asked for. */
export const asks = ({ by, agreed }: Offer, seat: number | null): boolean =>
  seat !== null && seat !== by && !agreed.includes(seat)

export const sayOffer = ({ verb, by }: Offer, seat: number | null, name: string): string =>
  by === seat ? u().offering[verb] : u().offered[verb](name)

/** Our own offers: they are withdrawn, granted, overtaken by a choice, or else declined. */
export class OwnOffers {
  private moot: Partial<Record<Verb, boolean>> = {}

  asked(verb: Verb, what: unknown): void {
    this.moot[verb] = what !== 'offer'
  }

  /** The table before and after a message; the sentence for an offer that was declined. */
  hear(
    message: ServerMessage,
    was: Table | null,
    table: Table | null,
    seat: number | null,
  ): string {
    if (message.type === 'state') this.moot.undo = true
    if (message.type === 'played') {
      this.moot.draw ||= message.seat !== seat
      this.moot.undo ||= !table?.seats[message.seat ?? -1]?.bot_plays
    }
    if (message.type !== 'table' || table?.status !== 'playing') return ''
    const open = offersAt(table).map(({ verb }) => verb)
    const gone = offersAt(was).find(({ verb, by }) => by === seat && !open.includes(verb))
    return gone && !this.moot[gone.verb] ? u().declined[gone.verb] : ''
  }
}
