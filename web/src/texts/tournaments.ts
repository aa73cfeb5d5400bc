/** What is said about tournaments. Loaded with their pages. */
import { settings } from '../lib/settings.svelte'

const en = {
  title: 'Tournaments',
  none: 'No tournament has been announced.',
  statuses: {
    open: 'Open: you can join',
    playing: 'Being played',
    over: 'Over',
    cancelled: 'Cancelled',
  },
  systems: { robin: 'Round robin', swiss: 'Swiss', knockout: 'Knockout', tables: 'Tables' },
  systemsMean: {
    robin: 'Everyone meets everyone once.',
    swiss: 'In each round you meet someone with a similar score, and nobody twice.',
    knockout: 'The loser is out; draws are replayed.',
    tables:
      'Three to five players at a table; you meet everyone as evenly as possible. Points by rank.',
  },
  count: (n: number, most: number) => `${n} of ${most} players`,
  round: (n: number, of: number) => `round ${n} of ${of}`,
  rounds: (n: number) => (n === 1 ? '1 round' : `${n} rounds`),
  look: 'View',
  announce: 'Announce a tournament',
  needsAccount: 'To announce a tournament you need an account.',
  needsHost: 'On this server only hosts can announce a tournament.',
  name: 'Name',
  game: 'Game',
  system: 'System',
  seats: 'Players at a table',
  howMany: 'Rounds (0: as many as needed)',
  grace: 'Minutes to get to a table',
  most: 'Maximum number of players',
  rated: 'Rated (needs accounts)',
  isRated: 'rated',
  isCasual: 'not rated',
  create: 'Announce it',
  join: 'Join',
  invite: 'Invite others with this link:',
  leave: 'Leave the tournament',
  back: 'I am back',
  outlook: {
    removed: 'You were removed from this tournament.',
    away: 'You did not come, or you left, so you are no longer paired.',
    out: 'You are out. You can follow the rest of the tournament.',
    done: 'You have played all your matches; others are still playing.',
    waits: 'This page calls you to your table when the next round begins.',
  },
  won: (names: string[]) =>
    names.length === 1
      ? `${names[0]} wins the tournament.`
      : `${names.join(', ')} share first place.`,
  mayLeave: 'You play in this tournament.',
  called: 'You are called to your table',
  due: (time: string) => `Say that you are ready within ${time}, or you forfeit.`,
  dueOthers: (time: string, several: boolean) =>
    several
      ? `The others have ${time} to be ready; after that you play without them.`
      : `Your opponent has ${time} to be ready; after that you win.`,
  walkover: (several: boolean): string =>
    several ? 'Too few players came: you win.' : 'Your opponent did not come: you win.',
  yourTable: 'To your table',
  goesOn: 'Your match goes on',
  gaveUp: 'For you the match is over; the others play on',
  run: 'For the organiser',
  player: 'Player',
  nobodyChosen: '—',
  putOut: 'Remove',
  surePutOut: 'Remove this player for good? A match they are playing is resigned.',
  removed: 'removed',
  ofClub: (name: string) => `club ${name}`,
  bots: 'Bots',
  addBots: 'Add bots',
  level: 'Level',
  start: 'Start the first round',
  cancel: 'Cancel the tournament',
  sure: 'Cancel it? Running matches are finished but do not count.',
  sureLeave: 'Leave? You will not be paired any more, and a match that has not begun is forfeited.',
  standings: 'Standings',
  players: 'Players',
  nobody: 'Nobody yet.',
  place: 'Place',
  points: 'Points',
  gone: 'away',
  record: (won: number, drawn: number, lost: number) => `${won} won, ${drawn} drawn, ${lost} lost`,
  breaks: {
    buchholz: 'Buchholz',
    sonneborn: 'Sonneborn–Berger',
    direct: 'direct encounter',
    wins: 'wins',
    rounds: 'rounds survived',
  } as Record<string, string>,
  breaksMean: {
    buchholz:
      'Buchholz: the points of all your opponents together. A round without a match counts as one against someone with your own points.',
    sonneborn:
      'Sonneborn–Berger: the points of those you beat, and half the points of those you drew with.',
    direct:
      'Direct encounter: points in the matches between the tied players, if they have all met.',
    wins: 'Wins: matches won at the table.',
    rounds: 'In a knockout, only the round you reach counts.',
  } as Record<string, string>,
  pointsMean: {
    two: 'A win is worth a point, a draw half a point; a bye counts as a win. Ties on points are broken by:',
    several:
      'The first at a table gets 12 points, the last none, the others evenly spaced between. Ties are broken by:',
    knockout: '',
  },
  howPlaced: 'How places are decided',
  boards: {
    none: 'not played',
    bye: 'bye',
    walkover: 'walkover',
    waiting: 'being called',
    playing: 'being played',
    over: '',
    closed: 'closed',
  },
  absent: 'did not come',
  nobodyReached: 'Nobody reached this board.',
  watch: 'Watch',
  replay: 'Replay',
  results: 'Results as CSV',
  versus: (one: string, other: string) => `${one} – ${other}`,
  roundTitle: (n: number) => `Round ${n}`,
}
type Texts = typeof en

/** In French what is one, or none, is singular. */
const several = (n: number, word: string) => (n < 2 ? word : `${word}s`)

const fr: Texts = {
  title: 'Tournois',
  none: "Aucun tournoi n'est annoncé.",
  statuses: {
    open: 'Ouvert : on peut le rejoindre',
    playing: 'En cours',
    over: 'Terminé',
    cancelled: 'Annulé',
  },
  systems: {
    robin: 'Toutes rondes',
    swiss: 'Suisse',
    knockout: 'Élimination directe',
    tables: 'Tables',
  },
  systemsMean: {
    robin: 'Chacun rencontre tous les autres une fois.',
    swiss:
      "À chaque ronde, on rencontre quelqu'un qui a à peu près autant de points, et jamais deux fois la même personne.",
    knockout: 'Le perdant est éliminé ; les nulles sont rejouées.',
    tables:
      'De trois à cinq par table ; on rencontre tout le monde aussi équitablement que possible. Les points dépendent du rang.',
  },
  count: (n, most) => `${n} ${several(n, 'joueur')} sur ${most}`,
  round: (n, of) => `ronde ${n} sur ${of}`,
  rounds: (n) => (n === 1 ? '1 ronde' : `${n} rondes`),
  look: 'Voir',
  announce: 'Annoncer un tournoi',
  needsAccount: 'Pour annoncer un tournoi, il vous faut un compte.',
  needsHost: 'Sur ce serveur, seuls les hôtes peuvent annoncer un tournoi.',
  name: 'Nom',
  game: 'Jeu',
  system: 'Système',
  seats: 'Joueurs par table',
  howMany: "Rondes (0 : autant qu'il en faut)",
  grace: 'Minutes pour rejoindre sa table',
  most: 'Nombre maximal de joueurs',
  rated: 'Classé (il faut un compte)',
  isRated: 'classé',
  isCasual: 'non classé',
  create: 'Annoncer',
  join: 'Participer',
  invite: "Invitez d'autres personnes par ce lien :",
  leave: 'Quitter le tournoi',
  back: 'Me revoilà',
  outlook: {
    removed: 'On vous a retiré de ce tournoi.',
    away: "Vous n'êtes pas venu, ou vous êtes parti : vous n'êtes plus apparié.",
    out: 'Vous êtes éliminé. Vous pouvez suivre la fin du tournoi.',
    done: "Vous avez joué toutes vos parties ; d'autres jouent encore.",
    waits: 'Cette page vous appelle à votre table dès que la prochaine ronde commence.',
  },
  won: (names) =>
    names.length === 1
      ? `${names[0]} gagne le tournoi.`
      : `${names.join(', ')} se partagent la première place.`,
  mayLeave: 'Vous participez à ce tournoi.',
  called: 'On vous appelle à votre table',
  due: (time) => `Vous avez ${time} pour dire que vous êtes prêt, sinon la partie est perdue.`,
  dueOthers: (time, several) =>
    several
      ? `Les autres ont ${time} pour être prêts ; passé ce délai, vous jouez sans eux.`
      : `Votre adversaire a ${time} pour être prêt ; passé ce délai, vous gagnez.`,
  walkover: (several) =>
    several
      ? 'Trop peu de joueurs sont venus : vous gagnez.'
      : "Votre adversaire n'est pas venu : vous gagnez.",
  yourTable: 'À votre table',
  goesOn: 'Votre partie continue',
  gaveUp: 'Pour vous la partie est finie ; les autres continuent',
  run: "Pour l'organisateur",
  player: 'Joueur',
  nobodyChosen: '—',
  putOut: 'Retirer du tournoi',
  surePutOut: "Retirer cette personne pour de bon ? La partie qu'elle joue est abandonnée.",
  removed: 'retiré',
  ofClub: (name) => `club ${name}`,
  bots: 'Bots',
  addBots: 'Ajouter des bots',
  level: 'Niveau',
  start: 'Lancer la première ronde',
  cancel: 'Annuler le tournoi',
  sure: "L'annuler ? Les parties en cours se terminent, et ne comptent pour rien.",
  sureLeave:
    "Quitter ? Vous ne serez plus apparié, et une partie qui n'a pas commencé est perdue par forfait.",
  standings: 'Classement',
  players: 'Joueurs',
  nobody: "Personne pour l'instant.",
  place: 'Place',
  points: 'Points',
  gone: 'absent',
  record: (won, drawn, lost) =>
    `${won} ${several(won, 'gagnée')}, ${drawn} ${several(drawn, 'nulle')}, ${lost} ${several(lost, 'perdue')}`,
  breaks: {
    buchholz: 'Buchholz',
    sonneborn: 'Sonneborn-Berger',
    direct: 'rencontre directe',
    wins: 'victoires',
    rounds: 'rondes passées',
  },
  breaksMean: {
    buchholz:
      "Buchholz : les points de tous vos adversaires réunis. Une ronde sans partie compte comme une rencontre avec quelqu'un qui aurait vos propres points.",
    sonneborn:
      'Sonneborn-Berger : les points de ceux que vous avez battus, et la moitié de ceux avec qui vous avez fait nulle.',
    direct:
      "Rencontre directe : les points des parties entre ceux qui sont à égalité, s'ils se sont tous rencontrés.",
    wins: 'Victoires : les parties gagnées en jouant.',
    rounds: "En élimination directe, une seule chose compte : jusqu'où l'on va.",
  },
  pointsMean: {
    two: 'Une victoire vaut un point, une nulle la moitié ; une exemption vaut une victoire. À points égaux, on départage par :',
    several:
      "Le premier d'une table a 12 points, le dernier aucun, les autres régulièrement entre les deux. À points égaux, on départage par :",
    knockout: '',
  },
  howPlaced: 'Comment les places sont décidées',
  boards: {
    none: 'non jouée',
    bye: 'exempt',
    walkover: 'forfait',
    waiting: 'on les appelle',
    playing: 'en cours',
    over: '',
    closed: 'fermée',
  },
  absent: "n'est pas venu",
  nobodyReached: "Personne n'est arrivé jusqu'ici.",
  watch: 'Voir la partie',
  replay: 'Revoir',
  results: 'Résultats en CSV',
  versus: (one, other) => `${one} – ${other}`,
  roundTitle: (n) => `Ronde ${n}`,
}

const all = { en, fr }

/** The texts in the language chosen; follows a change at once. */
export function c(): Texts {
  return all[settings.lang]
}
