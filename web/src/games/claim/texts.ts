import { settings } from '../../lib/settings.svelte'

const en = {
  prize: 'To win',
  followers: 'Your followers',
  votes: 'Cards won of each faction',
  ahead: 'ahead',
  inFaction: (faction: string, value: number) => `Faction: ${faction}. Value: ${value}.`,
}
const fr: typeof en = {
  prize: 'À gagner',
  followers: 'Vos partisans',
  votes: 'Cartes gagnées par faction',
  ahead: 'en tête',
  inFaction: (faction, value) => `Faction : ${faction}. Valeur : ${value}.`,
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
