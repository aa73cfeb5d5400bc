import { settings } from '../../lib/settings.svelte'

const en = {
  places: {
    deck: 'pile',
    family: 'family',
    influence: 'influence',
    pyramid: 'pyramid',
    discard: 'discard',
    removed: 'betrayed',
  },
  pyramid: 'The pyramid',
  pile: 'Pile',
  family: 'Family',
  influence: 'Influence',
  yourFamily: 'Family',
  yourInfluence: 'Influence',
  nth: (n: number, all: number) => `${n} of ${all}`,
  passed: 'passed',
  removed: 'Betrayed',
  left: (n: number) => (n === 1 ? '1 influence card left' : `${n} influence cards left`),
  worth: (points: number) =>
    `A relative of this clan is worth ${points === 1 ? '1 point' : `${points} points`} now.`,
  climbOrBetray: 'Choose a card that climbs, or an influence card that betrays',
  betrayOrPass: 'Choose an influence card that betrays, or pass for good',
  climbTo: (card: string) => `${card} climbs: choose where to`,
  betrayWhom: (clan: string) => `${clan} betrays a neighbour: choose whom`,
  climbs: (card: string) => `${card} climbs`,
  betrays: (clan: string, card: string) => `spend ${clan}: betray ${card}`,
  fill: 'A vacuum must be filled: choose which card moves up',
  mostPoints: (name: string, points: number) => `${name} has the most points: ${points}.`,
  tieBroken: (names: string, points: number, name: string, influence: number) =>
    `${names} have the same number of points (${points}); ${name} has more influence cards left (${influence}) and takes the throne.`,
  tie: (names: string, points: number, influence: number) =>
    `${names} have the same number of points (${points}) and of influence cards left (${influence}): they share the throne.`,
}
const fr: typeof en = {
  places: {
    deck: 'pioche',
    family: 'famille',
    influence: 'influence',
    pyramid: 'pyramide',
    discard: 'défausse',
    removed: 'trahis',
  },
  pyramid: 'La pyramide',
  pile: 'Pioche',
  family: 'Famille',
  influence: 'Influence',
  yourFamily: 'Famille',
  yourInfluence: 'Influence',
  nth: (n, all) => `${n} sur ${all}`,
  passed: 'a passé',
  removed: 'Trahis',
  left: (n) => (n <= 1 ? `${n} carte d'influence restante` : `${n} cartes d'influence restantes`),
  worth: (points) =>
    `Un parent de ce clan vaut maintenant ${points <= 1 ? `${points} point` : `${points} points`}.`,
  climbOrBetray: "Choisissez une carte qui monte, ou une carte d'influence qui trahit",
  betrayOrPass: "Choisissez une carte d'influence qui trahit, ou passez pour de bon",
  climbTo: (card) => `${card} monte : choisissez où`,
  betrayWhom: (clan) => `${clan} trahit une voisine : choisissez laquelle`,
  climbs: (card) => `${card} monte`,
  betrays: (clan, card) => `dépenser ${clan} : trahir ${card}`,
  fill: 'Il faut combler un vide : choisissez la carte qui monte',
  mostPoints: (name, points) => `${name} a le plus de points : ${points}.`,
  tieBroken: (names, points, name, influence) =>
    `${names} ont le même nombre de points (${points}) ; il reste à ${name} plus de cartes d'influence (${influence}) : le trône lui revient.`,
  tie: (names, points, influence) =>
    `${names} ont le même nombre de points (${points}) et de cartes d'influence restantes (${influence}) : ils se partagent le trône.`,
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
