import { settings } from '../../lib/settings.svelte'

const en = {
  places: {
    hand: 'hand',
    prize: 'prize',
    trick: 'trick',
    followers: 'followers',
    score: 'score pile',
    discard: 'discard',
  },
  prize: 'Prize',
  followers: 'Your followers',
  followersOf: (name: string) => `Followers of ${name}`,
  votes: 'Cards won of each faction',
  ahead: 'ahead',
  inFaction: (faction: string, value: number) => `Faction: ${faction}. Value: ${value}.`,
  votesFor: (name: string, count: number) =>
    `${name} has the ${count === 1 ? 'vote of 1 faction' : `votes of ${count} factions`}.`,
  noVote: 'no vote',
}
const fr: typeof en = {
  places: {
    hand: 'main',
    prize: 'carte à gagner',
    trick: 'pli',
    followers: 'partisans',
    score: 'pile de score',
    discard: 'défausse',
  },
  prize: 'À gagner',
  followers: 'Vos partisans',
  followersOf: (name) => `Partisans (${name})`,
  votes: 'Cartes gagnées par faction',
  ahead: 'en tête',
  inFaction: (faction, value) => `Faction : ${faction}. Valeur : ${value}.`,
  votesFor: (name, count) =>
    `${name} a ${count <= 1 ? `le vote de ${count} faction` : `les votes de ${count} factions`}.`,
  noVote: 'aucun vote',
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
