/** The seed of a deal: what is promised of it, and what players add to it (docs/fairness.md). */

import { hex } from './hex.js'
import { sha256 } from './sha256.js'

/** What is published before the deal, so that the seed can be checked after the end. */
export function commitment(seed: Uint8Array, salt: Uint8Array = new Uint8Array()): string {
  return hex(sha256(seed, salt))
}

/** The seed of a deal to which players added a number each, by seat. */
export function dealSeed(seed: Uint8Array, nonces: readonly Uint8Array[]): Uint8Array {
  if (!nonces.some(({ length }) => length)) return seed
  const parts = nonces.flatMap((nonce) => [Uint8Array.of(nonce.length), nonce])
  return sha256('tanistry deal', seed, ...parts)
}
