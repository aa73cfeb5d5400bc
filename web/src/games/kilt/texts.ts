import { settings } from '../../lib/settings.svelte'

const en = {
  pyramid: 'The pyramid',
  rows: {
    6: 'King',
    5: 'Guardians',
    4: 'Nobles',
    3: 'Commoners',
    2: 'Commoners',
    1: 'Commoners',
  } as Record<number, string>,
  pile: 'Pile',
  family: 'Family',
  influence: 'Influence',
  yourFamily: 'Family',
  yourInfluence: 'Influence',
  passed: 'passed',
  removed: 'Betrayed',
  left: (n: number) => (n === 1 ? '1 influence card left' : `${n} influence cards left`),
  whereClan: (standing: number, gone: number) =>
    `Of this clan, ${standing} in the pyramid, ${gone} betrayed.`,
  climbOrBetray: 'Choose a card that climbs, or an influence card that betrays',
  betrayOrPass: 'Choose an influence card that betrays, or pass for good',
  climbTo: (card: string) => `${card} climbs: choose where to`,
  betrayWhom: (clan: string) => `${clan} betrays a neighbour: choose whom`,
  fill: 'A gap must be filled: choose which card moves up',
}
const fr: typeof en = {
  pyramid: 'La pyramide',
  rows: { 6: 'Roi', 5: 'Gardiens', 4: 'Nobles', 3: 'Roturiers', 2: 'Roturiers', 1: 'Roturiers' },
  pile: 'Pioche',
  family: 'Famille',
  influence: 'Influence',
  yourFamily: 'Famille',
  yourInfluence: 'Influence',
  passed: 'a passé',
  removed: 'Trahis',
  left: (n) => (n <= 1 ? `${n} carte d’influence restante` : `${n} cartes d’influence restantes`),
  whereClan: (standing, gone) => `De ce clan : ${standing} dans la pyramide, ${gone} hors jeu.`,
  climbOrBetray: 'Choisissez une carte qui monte, ou une carte d’influence qui trahit',
  betrayOrPass: 'Choisissez une carte d’influence qui trahit, ou passez pour de bon',
  climbTo: (card) => `${card} monte : choisissez où`,
  betrayWhom: (clan) => `${clan} trahit une voisine : choisissez laquelle`,
  fill: 'Il faut combler un vide : choisissez la carte qui monte',
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
