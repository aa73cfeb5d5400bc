import type { GameTable } from '..'
import Count from './Count.svelte'
import { face } from './faces'
import Table from './Table.svelte'

export const game: GameTable = {
  Table,
  Count,
  face,
  path: (token, view) => [`hand.${view.to_act}/${token}`],
  minor: (event) => /\.(prize|spoils|undead|dwarf|discard)/.test(event.rule ?? '') && event.type === 'move',
  attempt: (target) => target.split('/')[1] ?? null,
}
