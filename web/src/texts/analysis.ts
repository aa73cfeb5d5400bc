/** What is said of an analysis. Loaded with its page. */
import { settings } from '../lib/settings.svelte'

const en = {
  title: (game: string) => `${game}: analysis`,
  analysis: 'Analysis',
  working: (done: number, of: number) => `${done} of ${of} choices judged`,
  stop: 'Stop',
  goOn: 'Continue',
  stopped: 'Stopped. What was judged is kept.',
  paste: 'The record of a finished match, from here or elsewhere:',
  curve: 'Chances to win',
  curveMeans: 'For somebody who sees every hand but not the deck, after each choice.',
  curveOf: (name: string, first: string, low: string, high: string, last: string) =>
    `${name}: ${first} after the deal, between ${low} and ${high}, ${last} at the end`,
  choiceAxis: (n: number) => `choice ${n}`,
  deal: 'deal',
  players: 'Luck and skill',
  playersMean: (others: string, ended: boolean) =>
    `Start + own choices + ${others} + luck${ended ? ' + end' : ''} = result, in points of a hundred. Luck is the deal and the draws: by how much the cards came better or worse than on average. The rest is what the choices changed, all hands in view: a good choice may lose points because of a card in another hand; its verdict says how good it was.`,
  accuracy: (percent: string) => `Accuracy ${percent}`,
  noChoice: 'Never had a choice.',
  start: 'Start',
  own: 'Own choices',
  others: (seats: number): string => (seats > 2 ? "the others' choices" : "the opponent's choices"),
  luck: 'Luck',
  ofDeal: (points: string) => `of which the deal: ${points}`,
  end: 'End',
  endMeans: 'The match was not played out; what that changed is the end.',
  result: 'Result',
  moments: 'Key moments',
  noMoments: 'No single moment decided this match.',
  /** What is behind a verdict: by what was known, and by what was not. */
  inFigures: 'In figures',
  compared: (best: number, own: number) =>
    `Judged by what could be known then, the best choice would win ${best} of 100 such matches, this one ${own}.`,
  worth: (own: number) =>
    `Judged by what could be known then, this choice would win ${own} of 100 such matches.`,
  allHands: 'With all hands in view',
  moved: (name: string, before: string, after: string) =>
    before === after ? `${name} stays at ${before}.` : `${name} goes from ${before} to ${after}.`,
  choices: 'Every choice',
  costMeans: 'A choice that costs 5 points lowers the chance of winning by 5 in 100.',
  choicesMean: 'Each is judged by what its player could know then.',
  onlyFlawed: 'Only those that cost something',
  flawless: 'None cost anything.',
  verdicts: {
    best: 'best choice',
    good: 'good choice',
    inaccuracy: 'inaccuracy',
    mistake: 'mistake',
    blunder: 'blunder',
    forced: 'no choice',
  } as Record<string, string>,
  counts: {
    best: (n: number) => `${n} best or nearly`,
    good: (n: number) => `${n} good`,
    inaccuracy: (n: number) => (n === 1 ? '1 inaccuracy' : `${n} inaccuracies`),
    mistake: (n: number) => (n === 1 ? '1 mistake' : `${n} mistakes`),
    blunder: (n: number) => (n === 1 ? '1 blunder' : `${n} blunders`),
  } as Record<string, (n: number) => string>,
  cost: (points: number) => (points === 1 ? 'cost 1 point' : `cost ${points} points`),
  left: (percent: string) => `leaves ${percent}`,
  better: 'Better',
  then: 'then',
  look: (n: number) => `Choice ${n}: look at it in the replay`,
}
type AnalysisTexts = typeof en

const fr: AnalysisTexts = {
  title: (game) => `${game} : analyse`,
  analysis: 'Analyse',
  working: (done, of) => `${done} choix jugés sur ${of}`,
  stop: 'Arrêter',
  goOn: 'Continuer',
  stopped: 'Arrêté. Ce qui a été jugé est gardé.',
  paste: "L'enregistrement d'une partie finie, d'ici ou d'ailleurs :",
  curve: 'Chances de gagner',
  curveMeans: 'Pour qui verrait toutes les mains mais pas la pioche, après chaque choix.',
  curveOf: (name, first, low, high, last) =>
    `${name} : ${first} après la donne, entre ${low} et ${high}, ${last} à la fin`,
  choiceAxis: (n) => `choix ${n}`,
  deal: 'donne',
  players: 'Hasard et talent',
  playersMean: (others, ended) =>
    `Départ + ses choix + ${others} + hasard${ended ? ' + fin' : ''} = résultat, en points sur cent. Le hasard, c'est la donne et les pioches : de combien les cartes sont venues mieux ou moins bien qu'en moyenne. Le reste est ce que les choix ont changé, toutes mains ouvertes : un bon choix peut perdre des points à cause d'une carte dans une autre main ; son verdict dit ce qu'il valait.`,
  accuracy: (percent) => `Précision ${percent}`,
  noChoice: "N'a jamais eu le choix.",
  start: 'Départ',
  own: 'Ses choix',
  others: (seats) => (seats > 2 ? 'choix des autres' : "choix de l'adversaire"),
  luck: 'Hasard',
  ofDeal: (points) => `dont la donne : ${points}`,
  end: 'Fin',
  endMeans:
    "La partie n'a pas été jouée jusqu'au bout ; ce que cela a changé compte à part : c'est la fin.",
  result: 'Résultat',
  moments: 'Moments clés',
  noMoments: "Aucun moment n'a décidé à lui seul de cette partie.",
  inFigures: 'En chiffres',
  compared: (best, own) =>
    `D'après ce qu'on pouvait savoir alors, le meilleur choix gagnerait ${best} parties semblables sur 100, celui-ci ${own}.`,
  worth: (own) =>
    `D'après ce qu'on pouvait savoir alors, ce choix gagnerait ${own} parties semblables sur 100.`,
  allHands: 'En réalité, toutes mains ouvertes',
  moved: (name, de, a) => (de === a ? `${name} reste à ${de}.` : `${name} passe de ${de} à ${a}.`),
  choices: 'Tous les choix',
  costMeans: 'Un choix qui coûte 5 points a fait perdre 5 chances de gagner sur 100.',
  choicesMean: "Chacun est jugé d'après ce que son joueur pouvait savoir alors.",
  onlyFlawed: 'Seulement ceux qui ont coûté quelque chose',
  flawless: "Aucun n'a rien coûté.",
  verdicts: {
    best: 'meilleur choix',
    good: 'bon choix',
    inaccuracy: 'imprécision',
    mistake: 'erreur',
    blunder: 'gaffe',
    forced: 'pas le choix',
  },
  counts: {
    best: (n) => (n > 1 ? `${n} meilleurs ou presque` : `${n} meilleur ou presque`),
    good: (n) => (n > 1 ? `${n} bons` : `${n} bon`),
    inaccuracy: (n) => (n > 1 ? `${n} imprécisions` : `${n} imprécision`),
    mistake: (n) => (n > 1 ? `${n} erreurs` : `${n} erreur`),
    blunder: (n) => (n > 1 ? `${n} gaffes` : `${n} gaffe`),
  },
  cost: (points) => (points > 1 ? `coûte ${points} points` : `coûte ${points} point`),
  left: (percent) => `laisse ${percent}`,
  better: 'Mieux',
  then: 'puis',
  look: (n) => `Choix ${n} : le revoir dans la partie`,
}

/** The texts in the language chosen. */
export const a = (): AnalysisTexts => (settings.lang === 'fr' ? fr : en)
