/** What is said about people: history, profiles, the best. Loaded with their pages. */
import { settings } from '../lib/settings.svelte'

const en = {
  history: 'History',
  historyMeans: 'Every match you have finished here, and those you have kept from this device.',
  none: 'No match is like that.',
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
  against: (names: string) => `against ${names}`,
  kept: 'played on a device',
  ratingChange: (before: number, after: number) =>
    `rating ${before} → ${after} (${after < before ? '−' : '+'}${Math.abs(after - before)})`,
  exportAs: 'Take it along',
  asJson: 'As JSON',
  asRecords: 'As records (ZIP)',
  profile: 'Profile',
  myProfile: 'My profile',
  since: (when: string) => `Here since ${when}`,
  private: 'Show my profile to nobody else',
  privateMeans: 'You are then on no list, and others see your ratings at a table only.',
  guestMeans: 'The profile of a guest is shown to nobody else.',
  ratingsOverTime: 'Ratings',
  noRatings: 'No rated match yet.',
  ratingAfter: (value: number, n: number) =>
    n === 1 ? `${value} after 1 rated match` : `${value} after ${n} rated matches`,
  provisional: 'still a guess',
  plot: (game: string, first: number, from: string, last: number, to: string) =>
    `${game}: ${first} on ${from}, ${last} on ${to}`,
  between: (low: number, high: number) => `between ${low} and ${high}`,
  games: 'Games',
  opponents: 'Opponents',
  noOpponents: 'Nobody yet, or nobody who shows it.',
  matches: 'Matches',
  name: 'Name',
  counted: (n: number) => (n === 1 ? 'Counted: 1 match.' : `Counted: the latest ${n} matches.`),
  best: 'The best',
  bestMeans: (least: number) =>
    `Who has played at least ${least} rated matches of the game, so that the rating has settled, and shows a profile.`,
  noBest: 'Nobody yet.',
  rating: 'Rating',
}
type PeopleTexts = typeof en

const fr: PeopleTexts = {
  history: 'Historique',
  historyMeans:
    'Toutes les parties que vous avez terminées ici, et celles gardées depuis cet appareil.',
  none: 'Aucune partie de ce genre.',
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
  against: (names) => `contre ${names}`,
  kept: 'jouée sur un appareil',
  ratingChange: (before, after) =>
    `classement ${before} → ${after} (${after < before ? '−' : '+'}${Math.abs(after - before)})`,
  exportAs: 'Tout emporter',
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
  noOpponents: 'Personne encore, ou personne qui se montre.',
  matches: 'Parties',
  name: 'Nom',
  counted: (n) => (n === 1 ? 'Compté : 1 partie.' : `Compté : les ${n} dernières parties.`),
  best: 'Les meilleurs',
  bestMeans: (least) =>
    `Qui a joué au moins ${least} parties classées de ce jeu, assez pour que le classement soit sûr, et montre son profil.`,
  noBest: 'Personne encore.',
  rating: 'Classement',
}

const all = { en, fr }

/** The texts in the language chosen; follows a change at once. */
export function p(): PeopleTexts {
  return all[settings.lang]
}
