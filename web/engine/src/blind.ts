/** What all bots share: each question reaches them as the seat to act knows it, and nothing else does. */

import type { Match } from './match.js'
import { sha256 } from './sha256.js'

export interface Bot {
  /** How it is written: `ismcts:3`. */
  readonly name: string
  /** The token it plays for the seat to act. */
  choose(match: Match): string
}

export interface Judgement {
  token: string
  visits: number
  /** The estimated chance to win; 0 for a token never tried. */
  win: number
  /** The expected points at the end. */
  score: number
  /** The choices it expects, as [seat, token], beginning with this one. */
  line: [number, string][]
}

export interface Insight {
  seat: number
  iterations: number
  seconds: number
  /** All legal tokens, best first. */
  tokens: Judgement[]
}

/** Shows a player what the seat to act knows. */
export abstract class BlindBot implements Bot {
  abstract readonly name: string
  private key: Uint8Array

  constructor(protected readonly seed: Uint8Array) {
    this.key = sha256('blind bot', seed)
  }

  choose(match: Match): string {
    return this.answer(this.seen(match))
  }

  protected seen(match: Match): Match {
    const { engine } = match.game
    if (match.toAct === null) throw engine.error('move/over', { token: '' }, 'common.illegal')
    this.key = sha256(this.key)
    return match.blind(match.toAct, this.key)
  }

  /** What it plays in a match that is blinded already. */
  abstract answer(match: Match): string
}

/** Two numbers from 0 to 1 from some bytes. */
export function chances(bytes: Uint8Array): [number, number] {
  const number = (at: number) =>
    bytes.subarray(at, at + 6).reduceRight((sum, byte) => 256 * sum + byte, 0) / 2 ** 48
  return [number(0), number(6)]
}
