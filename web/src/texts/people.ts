/** What is said about people: history, profiles, the best. Loaded with their pages. */
import { settings } from '../lib/settings.svelte'

const en = {
  history: 'History',
  historyMeans: 'Every match you have finished here, and those you have saved from a device.',
  none: 'No match fits these filters.',
  noneYet: 'None yet.',
  more: 'Show more',
  allGames: 'All games',
  game: 'Game',
  result: 'Result',
  anyResult: 'Any result',
  kind: 'Kind',
  anyKind: 'Rated or not',
  rated: 'Rated',
  casual: 'Not rated',
  opponent: 'Opponent',
  outcomes: { won: 'Won', drawn: 'Drawn', lost: 'Lost' },
  columns: ['Won', 'Drawn', 'Lost'],
  place: (place: number, of: number) => `place ${place} of ${of}`,
  kept: 'played on a device',
  ratingChange: (before: number, after: number) =>
    `rating ${before} → ${after} (${after < before ? '−' : '+'}${Math.abs(after - before)})`,
  exportAs: 'Download it',
  asJson: 'As JSON',
  asRecords: 'As records (ZIP)',
  profile: 'Profile',
  myProfile: 'My profile',
  since: (when: string) => `Here since ${when}`,
  private: 'Keep my profile private',
  privateMeans: 'You are then on no leaderboard, and others see your ratings only at a table.',
  guestMeans: 'The profile of a guest is always private.',
  ratingsOverTime: 'Ratings',
  noRatings: 'No rated match yet.',
  ratingAfter: (value: number, n: number) =>
    n === 1 ? `${value} after 1 rated match` : `${value} after ${n} rated matches`,
  provisional: 'provisional',
  plot: (game: string, first: number, from: string, last: number, to: string) =>
    `${game}: ${first} on ${from}, ${last} on ${to}`,
  between: (low: number, high: number) => `between ${low} and ${high}`,
  games: 'Games',
  opponents: 'Opponents',
  noOpponents: 'Nobody yet, or nobody with a public profile.',
  matches: 'Matches',
  name: 'Name',
  counted: (n: number) => (n === 1 ? 'Counted: 1 match.' : `Counted: the latest ${n} matches.`),
  welcome: (name: string) =>
    `Welcome, ${name}! Your history and your ratings now belong to this account: you will find them wherever you sign in. You can also look for rated matches, and your first tries at puzzles count.`,
  bestMeans: (least: number) =>
    `Players with at least ${least} rated matches of the game, a settled rating and a public profile.`,
  noBest: 'Nobody yet.',
  rating: 'Rating',
  playMeans:
    'You are seated with the next people who want the same. Leaving this page ends the search.',
  seats: 'Players',
  clock: 'Clock',
  clocks: { none: 'No clock', quick: '5 min + 5 s', calm: '15 min + 10 s' },
  isRated: 'Rated',
  ratedNeeds: 'To look for rated matches you need an account.',
  gone: 'They have left. You keep your place in the queue.',
  search: 'Look for somebody',
  searching: 'Looking for somebody…',
  waited: (time: string) => `Waiting for ${time}`,
  alone: 'Nobody else wants the same at the moment.',
  others: (n: number) =>
    n === 1 ? '1 other person is waiting, too.' : `${n} others are waiting, too.`,
  within: (range: number) => `Ratings within ${range} of yours; the range widens.`,
  found: 'Found someone! Setting up the table…',
  stop: 'Stop looking',
  ended: 'The search has ended.',
  meanwhile: 'It may take a while. Play a bot meanwhile?',
  playBot: 'Play a bot',
}
type PeopleTexts = typeof en

const fr: PeopleTexts = {
  history: 'Historique',
  historyMeans:
    'Toutes les parties que vous avez terminées ici, et celles que vous y avez envoyées depuis un appareil.',
  none: 'Aucune partie de ce genre.',
  noneYet: "Aucune pour l'instant.",
  more: 'En voir plus',
  allGames: 'Tous les jeux',
  game: 'Jeu',
  result: 'Résultat',
  anyResult: 'Tous les résultats',
  kind: 'Genre',
  anyKind: 'Classées ou non',
  rated: 'Classée',
  casual: 'Non classée',
  opponent: 'Adversaire',
  outcomes: { won: 'Gagnée', drawn: 'Nulle', lost: 'Perdue' },
  columns: ['Gagnées', 'Nulles', 'Perdues'],
  place: (place, of) => `place ${place} sur ${of}`,
  kept: 'jouée sur un appareil',
  ratingChange: (before, after) =>
    `classement ${before} → ${after} (${after < before ? '−' : '+'}${Math.abs(after - before)})`,
  exportAs: 'Tout télécharger',
  asJson: 'En JSON',
  asRecords: 'En enregistrements (ZIP)',
  profile: 'Profil',
  myProfile: 'Mon profil',
  since: (when) => `Ici depuis le ${when}`,
  private: "Ne montrer mon profil à personne d'autre",
  privateMeans:
    "Vous n'êtes alors sur aucune liste, et les autres ne voient votre classement qu'à une table.",
  guestMeans: "Le profil d'un invité n'est montré à personne d'autre.",
  ratingsOverTime: 'Classements',
  noRatings: 'Pas encore de partie classée.',
  ratingAfter: (value, n) =>
    n === 1 ? `${value} après 1 partie classée` : `${value} après ${n} parties classées`,
  provisional: 'encore incertain',
  plot: (game, first, from, last, to) => `${game} : ${first} le ${from}, ${last} le ${to}`,
  between: (low, high) => `entre ${low} et ${high}`,
  games: 'Jeux',
  opponents: 'Adversaires',
  noOpponents: "Personne pour l'instant, ou personne dont le profil soit public.",
  matches: 'Parties',
  name: 'Nom',
  counted: (n) =>
    n === 1 ? 'Prise en compte : 1 partie.' : `Prises en compte : les ${n} dernières parties.`,
  welcome: (name) =>
    `Bienvenue, ${name} ! Votre historique et vos classements sont désormais liés à ce compte : vous les retrouvez partout où vous vous connectez. Vous pouvez aussi chercher des parties classées, et vos premiers essais aux problèmes comptent.`,
  bestMeans: (least) =>
    `Les joueurs qui ont au moins ${least} parties classées de ce jeu, un classement assez sûr et un profil public.`,
  noBest: "Personne pour l'instant.",
  rating: 'Classement',
  playMeans:
    'On vous assoit avec les prochains qui veulent la même chose. Quitter cette page met fin à la recherche.',
  seats: 'Joueurs',
  clock: 'Pendule',
  clocks: { none: 'Sans pendule', quick: '5 min + 5 s', calm: '15 min + 10 s' },
  isRated: 'Classée',
  ratedNeeds: 'Pour chercher une partie classée, il faut un compte.',
  gone: "Quelqu'un est parti. Vous gardez votre place dans la file.",
  search: "Chercher quelqu'un",
  searching: "Nous cherchons quelqu'un…",
  waited: (time) => `Attente : ${time}`,
  alone: "Personne d'autre ne veut la même chose pour l'instant.",
  others: (n) => (n === 1 ? '1 autre personne attend aussi.' : `${n} autres attendent aussi.`),
  within: (range) => `Classements à ${range} points du vôtre au plus ; l'écart s'élargit.`,
  found: "Quelqu'un est là ! On prépare la table…",
  stop: 'Ne plus chercher',
  ended: 'La recherche est terminée.',
  meanwhile: 'Cela peut durer. Jouer contre un bot en attendant ?',
  playBot: 'Jouer contre un bot',
}

const all = { en, fr }

/** The texts in the language chosen; follows a change at once. */
export function p(): PeopleTexts {
  return all[settings.lang]
}
