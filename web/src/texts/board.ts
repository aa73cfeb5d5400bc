/** What is said of cards on the table. */
import { settings } from '../lib/settings.svelte'

/** Where, and how many: `hand × 2, discard`, not torn apart at the end of a line. */
const counted = (found: [string, number][]): string =>
  found.map(([where, n]) => (n > 1 ? `${where}\u00a0×\u00a0${n}` : where)).join(', ')
const sum = (found: [string, number][]): number => found.reduce((all, [, n]) => all + n, 0)

const en = {
  kin: (found: [string, number][], count: number) =>
    `You see ${sum(found)} of the ${count} cards of its kind: ${counted(found)}.`,
}
const fr: typeof en = {
  kin: (found, count) =>
    `Vous voyez ${sum(found)} des ${count} cartes de ce genre\u00a0: ${counted(found)}.`,
}
export const b = () => (settings.lang === 'fr' ? fr : en)
