import type { GameTable } from '..'
import Count from './Count.svelte'
import { face } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'

/** The rule that makes a faction special. */
const POWER: Readonly<Record<string, string>> = {
  G: 'claim.knight',
  K: 'claim.knight',
  U: 'claim.undead',
  D: 'claim.dwarf',
  X: 'claim.doppel',
}

export const game: GameTable = {
  Table,
  Count,
  face,
  path: (token, view) => [`hand.${view.to_act}/${token}`],
  about: (code, _place, board) => ({
    lines: [texts().inFaction(board.word(`factions.${code[0]}`), Number(code.slice(1)))],
    rule: POWER[code[0]!]!,
  }),
  minor: (event) =>
    /\.(prize|spoils|undead|dwarf|discard)/.test(event.rule ?? '') && event.type === 'move',
  attempt: (target) => target.split('/')[1] ?? null,
}
