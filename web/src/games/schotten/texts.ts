import { settings } from '../../lib/settings.svelte'

const en = {
  places: {
    deck: 'clan deck',
    tactics: 'tactics deck',
    hand: 'hand',
    stone: 'stones',
    played: 'ruses',
    discard: 'discard',
  },
  /** Names that are too long for a card, in short, and where their lines may end. */
  short: {
    farlane: 'Mac\u00adFarlane',
    gregor: 'Mac\u00adGregor',
    support: 'Support',
    shield: 'Shield',
    redeploy: 'Rede\u00adploy\u00adment',
    deserter: 'Deser\u00adter',
  } as Readonly<Record<string, string>>,
  incomplete: 'not complete',
  stones: 'The nine stones',
  stone: 'Stone',
  clans: 'Clans',
  tactics: 'Tactics',
  ruses: (name: string) => `Ruses (${name})`,
  taken: 'taken, to be put elsewhere',
  claimedBy: (name: string) => `claimed by ${name}`,
  inARow: (name: string, stones: number[]) =>
    `${name} holds ${stones.length} stones in a row, ${stones[0]} to ${stones.at(-1)}.`,
  fiveStones: (name: string, count: number) => `${name} holds ${count} stones.`,
  stuck: 'Nobody can go on: whoever holds the most stones wins.',
  chooseStone: (card: string) => `${card}: now choose a stone`,
  playRuse: (card: string) => `${card}: it is played at once, and there is no way back`,
  drawFrom: 'Draw a card: choose one of the two piles',
}
const fr: typeof en = {
  places: {
    deck: 'pioche clan',
    tactics: 'pioche tactique',
    hand: 'main',
    stone: 'bornes',
    played: 'ruses',
    discard: 'défausse',
  },
  short: {
    farlane: 'Mac\u00adFarlane',
    gregor: 'Mac\u00adGregor',
    support: 'Soutien',
    shield: 'Bou\u00adclier',
    fog: 'Brouil\u00adlard',
    scout: 'Éclai\u00adreur',
    redeploy: 'Redé\u00adploie\u00adment',
    deserter: 'Déser\u00adteur',
  },
  incomplete: 'incomplète',
  stones: 'Les neuf bornes',
  stone: 'Borne',
  clans: 'Clans',
  tactics: 'Tactiques',
  ruses: (name) => `Ruses (${name})`,
  taken: 'prise, à poser ailleurs',
  claimedBy: (name) => `réclamée par ${name}`,
  inARow: (name, stones) =>
    `${name} a ${stones.length} bornes adjacentes, de\u00a0${stones[0]} à\u00a0${stones.at(-1)}.`,
  fiveStones: (name, count) => `${name} a ${count} bornes.`,
  stuck: 'Plus personne ne peut continuer : qui a le plus de bornes gagne.',
  chooseStone: (card) => `${card} : choisissez une borne`,
  playRuse: (card) => `${card} : la carte est jouée aussitôt, sans retour`,
  drawFrom: "Piochez une carte : choisissez l'une des deux pioches",
}
export const texts = () => (settings.lang === 'fr' ? fr : en)
