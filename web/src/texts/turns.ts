/** What is said of take-backs, of matches that take days, and of being told when it is your turn. */
import { settings } from '../lib/settings.svelte'

const en = {
  askUndo: 'Take back',
  askUndoMeans: 'Ask the others to let you take back your last choice',
  offered: {
    draw: (name: string) => `${name} offers a draw.`,
    undo: (name: string) => `${name} asks to take back their last choice.`,
  },
  offering: {
    draw: 'You have offered a draw.',
    undo: 'You have asked to take back your last choice.',
  },
  declined: {
    draw: 'Your offer of a draw was declined.',
    undo: 'Your request was declined: your last choice stands.',
  },
  undoRevealed: 'New cards may have been seen since.',
  withdraw: { draw: 'Withdraw the offer', undo: 'Withdraw the request' },
  ratedMatch: 'Rated match',
  takebacks: 'Take-backs may be asked for',
  days: (days: number, hours: number) => `${days} d ${hours} h`,
  myTurns: 'My turns',
  waiting: (n: number) =>
    n === 1 ? '1 match is waiting for you' : `${n} matches are waiting for you`,
  forMe: 'Waiting for you',
  forOthers: 'Waiting for others',
  nothingWaits: 'No match is waiting for you.',
  turnsMean: 'Your matches with other people. With days for each choice, nobody has to be online.',
  with: (names: string) => `with ${names}`,
  left: (time: string) => `${time} left`,
  open: 'Open',
  mayLeave:
    'You may leave this page: the match begins when everyone is ready, even if you are away.',
  willBeTold: 'You will be told when it is your turn.',
  askToBeTold: 'You can ask to be told when it is your turn:',
  lookAtTurns: 'To see when it is your turn:',
  notices: 'When it is your turn',
  noticesMean:
    'In matches with days for each choice, you can be told when it is your turn: once per turn, and not while you have the table open. E-mail is sent only if no device was notified.',
  byPush: 'Notify this device',
  pushRefused:
    'Your browser blocks notifications from this page; you can change that in its settings.',
  byMail: (mail: string) => `Write to ${mail}`,
  mailFirst: 'By e-mail, once an address is confirmed above',
  stopped:
    'You will get no more e-mails about your turns. You can turn them on again on your account page.',
  noStop:
    'This link is not complete. Copy all of it from the e-mail, or turn these e-mails off on your account page.',
}
export type Texts = typeof en

const fr: Texts = {
  askUndo: 'Reprendre',
  askUndoMeans: 'Demander aux autres de pouvoir reprendre votre dernier choix',
  offered: {
    draw: (name) => `${name} propose la nulle.`,
    undo: (name) => `${name} demande à reprendre son dernier choix.`,
  },
  offering: {
    draw: 'Vous avez proposé la nulle.',
    undo: 'Vous avez demandé à reprendre votre dernier choix.',
  },
  declined: {
    draw: 'Votre proposition de nulle a été refusée.',
    undo: 'Votre demande a été refusée : votre dernier choix est maintenu.',
  },
  undoRevealed: 'De nouvelles cartes ont pu être vues depuis.',
  withdraw: { draw: 'Retirer la proposition', undo: 'Retirer la demande' },
  ratedMatch: 'Partie classée',
  takebacks: 'On peut demander à reprendre un choix',
  days: (days, hours) => `${days} j ${hours} h`,
  myTurns: 'À moi de jouer',
  waiting: (n) => (n === 1 ? '1 partie vous attend' : `${n} parties vous attendent`),
  forMe: 'On vous attend',
  forOthers: 'On attend les autres',
  nothingWaits: 'Aucune partie ne vous attend.',
  turnsMean:
    "Vos parties avec d'autres personnes. Quand on a plusieurs jours pour chaque choix, nul besoin de rester là.",
  with: (names) => `avec ${names}`,
  left: (time) => `encore ${time}`,
  open: 'Ouvrir',
  mayLeave:
    'Vous pouvez quitter cette page : la partie commence quand tous sont prêts, même sans vous.',
  willBeTold: 'On vous préviendra quand ce sera à vous.',
  askToBeTold: 'Vous pouvez demander à être prévenu quand ce sera à vous :',
  lookAtTurns: "Pour savoir si c'est à vous :",
  notices: "Quand c'est à vous",
  noticesMean:
    "Dans les parties où l'on a plusieurs jours pour chaque choix, on peut vous prévenir que c'est à vous : une fois par tour, et jamais quand vous êtes à la table. Par e-mail, seulement si aucun appareil n'a pu être prévenu.",
  byPush: 'Prévenir cet appareil',
  pushRefused:
    'Votre navigateur ne permet pas à cette page de vous prévenir ; ses réglages peuvent y remédier.',
  byMail: (mail) => `Écrire à ${mail}`,
  mailFirst: 'Par e-mail, une fois votre adresse confirmée ci-dessus',
  stopped:
    "Vous ne recevrez plus d'e-mails à ce sujet. Vous pouvez les réactiver sur la page de votre compte.",
  noStop:
    "Ce lien est incomplet. Recopiez-le en entier depuis l'e-mail, ou désactivez ces e-mails sur la page de votre compte.",
}

/** The texts in the language chosen. */
export const u = (): Texts => (settings.lang === 'fr' ? fr : en)
