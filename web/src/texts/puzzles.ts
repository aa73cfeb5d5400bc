/** What is said of puzzles. Loaded with their pages. */
import { settings } from '../lib/settings.svelte'

const en = {
  puzzles: 'Puzzles',
  one: (n: number) => `Puzzle ${n}`,
  puzzlesOf: (game: string) => `${game}: puzzles`,
  means:
    'A position from a match of trained players. One choice is clearly the best, given what you can know, and weaker players usually miss it.',
  today: 'Puzzle of the day',
  todayMeans: 'The same for everyone, a new one every day.',
  days: (n: number) => (n === 1 ? '1 day in a row' : `${n} days in a row`),
  row: (n: number) =>
    n === 1 ? '1 solved at the first try' : `${n} solved at the first try in a row`,
  done: (right: number, tried: number, of: number) =>
    `${right} of ${tried} solved at the first try; ${of} in all`,
  rating: (value: number) => `Your rating: ${value}`,
  itsRating: (value: number) => `Rating ${value}`,
  provisional: 'still a guess',
  signIn: 'With an account your first tries count for a rating.',
  next: 'Next puzzle',
  first: 'First puzzle',
  all: 'All puzzles',
  byTheme: 'By theme',
  ofTheme: (right: number, of: number) => `${right} of ${of} solved`,
  number: (n: number, rating: number) => `Puzzle ${n}, rated ${rating}`,
  marks: { right: 'solved at the first try', wrong: 'missed', open: 'not tried yet' },
  rated: (rating: number) => `Rated ${rating}`,
  ask: 'What is your best choice here?',
  before: 'What happened before',
  solve: 'Show the solution',
  again: 'Again',
  solved: 'Solved',
  missed: 'The solution',
  solution: (doing: string, win: string) =>
    `The best choice is ${doing}: the chance of winning is then ${win}.`,
  mistake: (doing: string, win: string, cost: string) =>
    `The usual mistake, ${doing}, leaves a chance of ${win}: it costs ${cost}.`,
  open: (doing: string, result: string) => `Nothing is hidden any more: ${doing} ${result}.`,
  sureMistake: (doing: string, result: string) => `The usual mistake, ${doing}, ${result}.`,
  second: (doing: string, win: string) => `The next best, ${doing}, leaves ${win}.`,
  line: (line: string) => `Expected then: ${line}.`,
  turnsOn: 'It turns on:',
  moved: (before: number, value: number) => `Your rating: ${before} → ${value}`,
  counted: (value: number) => `Only the first try counts. Your rating: ${value}`,
  none: 'No puzzles come with this game, or it cannot be played on this device.',
  unknown: 'There is no such puzzle any more.',
  share: 'Link to this puzzle',
  solvedOf: (solved: number, tried: number) => `${solved} of ${tried} solved`,
}
export type PuzzleTexts = typeof en

const fr: PuzzleTexts = {
  puzzles: 'Problèmes',
  one: (n) => `Problème ${n}`,
  puzzlesOf: (game) => `${game} : problèmes`,
  means:
    "Une position tirée d'une partie de joueurs entraînés. Un choix est nettement le meilleur d'après ce que vous pouvez savoir, et des joueurs moins forts passent souvent à côté.",
  today: 'Problème du jour',
  todayMeans: 'Le même pour tous, un nouveau chaque jour.',
  days: (n) => (n === 1 ? '1 jour de suite' : `${n} jours de suite`),
  row: (n) => (n === 1 ? '1 résolu du premier coup' : `${n} résolus du premier coup à la suite`),
  done: (right, tried, of) =>
    `${right} sur ${tried} ${right > 1 ? 'résolus' : 'résolu'} du premier coup ; ${of} en tout`,
  rating: (value) => `Votre classement : ${value}`,
  itsRating: (value) => `Classement ${value}`,
  provisional: 'encore incertain',
  signIn: 'Avec un compte, vos premiers essais comptent pour un classement.',
  next: 'Problème suivant',
  first: 'Premier problème',
  all: 'Tous les problèmes',
  byTheme: 'Par thème',
  ofTheme: (right, of) => (right > 1 ? `${right} sur ${of} résolus` : `${right} sur ${of} résolu`),
  number: (n, rating) => `Problème ${n}, classement ${rating}`,
  marks: { right: 'résolu du premier coup', wrong: 'manqué', open: 'pas encore essayé' },
  rated: (rating) => `Classement ${rating}`,
  ask: 'Quel est votre meilleur choix ?',
  before: "Ce qui s'est passé avant",
  solve: 'Montrer la solution',
  again: 'Réessayer',
  solved: 'Résolu',
  missed: 'La solution',
  solution: (doing, win) =>
    `Le mieux est ${/^[aeiouyéèê]/i.test(doing) ? "d'" : 'de '}${doing} : la probabilité de gagner est alors de ${win}.`,
  mistake: (doing, win, cost) =>
    `L'erreur habituelle, ${doing}, ne laisse que ${win} de chances : elle coûte ${cost}.`,
  open: (doing, result) => `Plus rien n'est caché : ${doing} ${result}.`,
  sureMistake: (doing, result) => `L'erreur habituelle, ${doing}, ${result}.`,
  second: (doing, win) => `Le deuxième meilleur choix, ${doing}, laisse ${win} de chances.`,
  line: (line) => `Suite attendue : ${line}.`,
  turnsOn: 'Ce qui fait la différence :',
  moved: (before, value) => `Votre classement : ${before} → ${value}`,
  counted: (value) => `Seul le premier essai compte. Votre classement : ${value}`,
  none: "Ce jeu n'a pas de problèmes à résoudre, ou ne peut pas se jouer sur cet appareil.",
  unknown: "Ce problème n'existe plus.",
  share: 'Lien vers ce problème',
  solvedOf: (solved, tried) =>
    solved > 1 ? `${solved} sur ${tried} résolus` : `${solved} sur ${tried} résolu`,
}

/** The texts in the language chosen. */
export const p = (): PuzzleTexts => (settings.lang === 'fr' ? fr : en)
