import { settings } from '../../lib/settings.svelte'

const en = {
  recruits: 'Recruits',
  supporters: 'Supporters',
  army: (name: string) => `Army of ${name}`,
  slot: 'slot',
  down: 'face down',
  up: 'face up',
  active: 'power active',
  spent: 'has stayed',
  initiative: 'Initiative',
  round: (n: number) => `Round ${n} of 5`,
  strength: 'Strength',
  doubled: 'doubled',
  victory: 'Victory pile',
  hand: 'cards in hand',
  target: (n: number) => `${n} strength wins`,
  last: 'The last skirmish',
}
const fr: typeof en = {
  recruits: 'Recrues',
  supporters: 'Partisans',
  army: (name) => `Armée de ${name}`,
  slot: 'case',
  down: 'face cachée',
  up: 'face visible',
  active: 'pouvoir actif',
  spent: 'est restée',
  initiative: 'Initiative',
  round: (n) => `Manche ${n} sur 5`,
  strength: 'Force',
  doubled: 'doublée',
  victory: 'Pile de victoire',
  hand: 'cartes en main',
  target: (n) => `${n} de force gagnent`,
  last: 'La dernière escarmouche',
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
