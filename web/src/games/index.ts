/**
 * The tables of the games, found by name: `games/NAME/index.ts` and `games/NAME/Cover.svelte`.
 * A game without a folder gets the generic table, which works from places and tokens alone.
 */
import type { Component } from 'svelte'
import type { Board } from '../lib/board.svelte'
import type { Choice } from '../lib/choices'
import type { Card } from '../lib/gamedata'
import type { GameEvent } from '../lib/protocol'
import type { Target } from '../lib/targets'

/** How a card looks. */
export interface Face {
  /** A sett, or a plain colour. */
  cloth?: string
  plain?: string
  accent: string
  emblem: string
  /** Top left: the number, or the letters where a card has no number. */
  value: string
  letters: string
  /** A small emblem at the foot: a power, a chief's crown. */
  sign?: string
  foot?: string
  rank?: string
}

/** What things are called in the language chosen. */
export interface Names {
  word(key: string): string
  cardName(code: string): string
}

export interface GameTable {
  Table: Component<{ board: Board }>
  /** The count at the end, explained. */
  Count?: Component<{ board: Board }>
  /** Why a seat has won, where the score alone does not say it. */
  why?(board: Board, seat: number): string
  face(card: Card, board: Board): Face
  /** What to say about a card that lies in a place: lines of words, and a rule other than the card's own. */
  about?(code: string, place: string, board: Board): { lines: string[]; rule?: string }
  /** What to point at, step by step, for a choice. */
  path?(choice: Choice, board: Board): Target[]
  /** What is asked at this step, where the catalogue's words for the decision do not say it. */
  prompt?(board: Board): string
  /** A choice in words, for where the table shows what it names; otherwise it is the catalogue's. */
  saying?(choice: Choice, board: Board): string
  /** What a button says, where the words of its token are longer than the moment needs. */
  button?(target: Target): string
  /** Places an event speaks of, besides where a card went. */
  spots?(event: GameEvent): string[]
  /** Buttons that decline: the wanted act is elsewhere. */
  quiet?: Target[]
  /** The sett of a card's back. */
  back?(kind: string | undefined): string
}

const tables = import.meta.glob<{ game: GameTable }>('./*/index.ts')

export async function tableOf(name: string): Promise<GameTable> {
  const load = tables[`./${name}/index.ts`] ?? tables['./generic/index.ts']
  if (!load) throw new Error('no generic table')
  return (await load()).game
}
