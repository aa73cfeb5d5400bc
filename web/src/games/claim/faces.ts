import type { Board, Face, Names } from '../../lib/board.svelte'
import type { Card } from '../../lib/gamedata'

/** Plain cloth and an emblem for each faction. */
export const FACTIONS: Readonly<Record<string, { plain: string; accent: string; emblem: string }>> =
  {
    G: { plain: '#5f8a34', accent: '#3f6314', emblem: 'goblin' },
    K: { plain: '#a83232', accent: '#8c2020', emblem: 'knight' },
    U: { plain: '#5c5470', accent: '#433a5c', emblem: 'undead' },
    D: { plain: '#b07a2c', accent: '#7c4d08', emblem: 'dwarf' },
    X: { plain: '#2f7f8c', accent: '#125b68', emblem: 'doppel' },
  }

export function face({ suit, value }: Card, names: Names): Face {
  return { ...FACTIONS[suit]!, value: String(value), letters: names.word(`letters.${suit}`) }
}

/** How a faction votes so far, as the rules count it. */
export interface Vote {
  faction: string
  seat: number | null
  cards: number[]
  highest: (number | null)[]
  by: 'cards' | 'highest' | null
}
export const votes = (board: Board): Vote[] => board.tally<Vote[]>('votes', [])

/** The values somebody won of a faction, highest first. */
export function won(board: Board, seat: number, faction: string): number[] {
  return board
    .codes(`score.${seat}`)
    .flatMap((code) => board.card(code) ?? [])
    .flatMap((card) => (card.suit === faction ? [card.value ?? 0] : []))
    .sort((a, b) => b - a)
}
