import { settings } from '../../lib/settings.svelte'

const en = {
  stones: 'The nine stones',
  stone: 'Stone',
  clans: 'Clans',
  tactics: 'Tactics',
  ruses: 'Ruses of',
  taken: 'taken, to be put elsewhere',
  claimedBy: (name: string) => `claimed by ${name}`,
  nobody: 'nobody',
}
const fr: typeof en = {
  stones: 'Les neuf bornes',
  stone: 'Borne',
  clans: 'Clans',
  tactics: 'Tactiques',
  ruses: 'Ruses de',
  taken: 'prise, à poser ailleurs',
  claimedBy: (name) => `revendiquée par ${name}`,
  nobody: 'personne',
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
