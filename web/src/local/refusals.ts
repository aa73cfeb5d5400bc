/** What a table on this device refuses, in the words of the server (`server/words`). */
import { EngineError } from '../../engine/src/errors'
import type { RefusedMessage, Said } from '../lib/protocol'

const SENTENCES: Record<string, Said> = {
  'move/stale': {
    en: 'Something else happened first. Look again.',
    fr: "Il s'est passé autre chose entre-temps. Regardez la table avant de choisir.",
  },
  'move/not-your-turn': { en: 'It is not your turn.', fr: "Ce n'est pas votre tour." },
  'table/unknown': {
    en: 'This device has not kept that match.',
    fr: "Cet appareil n'a pas gardé cette partie.",
  },
  'table/over': { en: 'The match is over.', fr: 'La partie est terminée.' },
  'table/running': {
    en: 'Not before the match is over.',
    fr: 'Pas avant la fin de la partie.',
  },
  'table/no-undo': {
    en: 'There is nothing to take back.',
    fr: "Il n'y a rien à reprendre.",
  },
  'record/unreadable': {
    en: 'This is not a record: it must begin with headers such as [Game "claim"], of a game that can be played here.',
    fr: 'Ce n\'est pas un enregistrement : il doit commencer par des en-têtes comme [Game "claim"], d\'un jeu qui se joue ici.',
  },
  'analysis/none': {
    en: 'No trained player comes with this game, so its matches cannot be analysed.',
    fr: "Aucun joueur entraîné n'accompagne ce jeu : ses parties ne peuvent pas être analysées.",
  },
  'analysis/away': {
    en: 'The trained player of this game could not be fetched. Try again once there is a connection.',
    fr: "Le joueur entraîné de ce jeu n'a pas pu être chargé. Réessayez une fois la connexion rétablie.",
  },
  'engine/none': {
    en: 'This game cannot be played on this device alone.',
    fr: 'Ce jeu ne peut pas se jouer sur cet appareil seul.',
  },
  'engine/broken': {
    en: 'The game could not be loaded. Try again.',
    fr: "Le jeu n'a pas pu être chargé. Réessayez.",
  },
}

export class LocalRefusal extends Error {
  constructor(
    readonly code: string,
    readonly say: Said,
    readonly rule = '',
  ) {
    super(say.en)
  }
}

export function refuse(code: string): LocalRefusal {
  return new LocalRefusal(code, SENTENCES[code]!)
}

const LONGEST_NAME = 40

/** A record of a game that is none of ours. */
export function noSuchGame(name: string, games: string[]): LocalRefusal {
  const [shown, all] = [name.slice(0, LONGEST_NAME), games.join(', ')]
  return new LocalRefusal('option/game', {
    en: `This is the record of a game that is not played here, “${shown}”. Games: ${all}.`,
    fr: `C'est l'enregistrement d'un jeu qui ne se joue pas ici, « ${shown} ». Jeux : ${all}.`,
  })
}

/** Whatever went wrong, as an answer: a sentence in every language. */
export function refusal(error: unknown): Omit<RefusedMessage, 'id'> {
  if (error instanceof EngineError) {
    const say = { en: error.text('en'), fr: error.text('fr') }
    return { type: 'refused', code: error.code, rule: error.rule, say }
  }
  const { code, rule, say } = error instanceof LocalRefusal ? error : refuse('engine/broken')
  return { type: 'refused', code, rule, say }
}
