/** Matches that stand as a record does, and other decks for them. */

import type { Fields } from './fields.js'
import { Match } from './match.js'
import { sha256 } from './sha256.js'

/** A match of the same game that stands as a record does. */
export const matchFrom = ({ game }: Match, s: Fields) => new Match(game, s, new Uint8Array())

/** A copy of the record in which what no seat knows is dealt anew and the stream re-keyed. */
export function deckDealtAnew(match: Match, key: Uint8Array): Fields {
  const { game } = match
  const s = match.memory()
  const { offset, shape } = s.field('known')
  const width = 8 * shape[1]!
  const row = (number: number) =>
    s.bytes.subarray(offset + width * number, offset + width * (number + 1))
  const open = row(game.publicRow)
  const before = open.slice()
  open.fill(0)
  for (let seat = 0; seat < game.seats; seat++) row(seat).forEach((byte, at) => (open[at]! |= byte))
  game.engine.setGenerator(key)
  game.engine.run(s, 'resample', { seat: game.publicRow })
  row(game.publicRow).set(before)
  s.fill('scratch', 0)
  game.rekey(s, sha256('deck', key))
  return s
}
