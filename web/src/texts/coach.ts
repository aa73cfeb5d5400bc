/** What the coach says at a table, and what is said where a match is gone on with. */
import { settings } from '../lib/settings.svelte'

const en = {
  coach: 'Coach',
  coachMeans: 'At tables of this device: how good each choice was, and what was better.',
  call: 'Call the coach',
  leave: 'Do without the coach',
  idea: 'Idea',
  thinks: 'The coach is thinking…',
  figures: 'What do the figures mean?',
  leftMeans:
    'The percentage is your chance of winning after that choice, judging by what you know.',
  /** How much depends on the choice. */
  leads: {
    one: 'A trained player would think of one choice only.',
    even: 'The best choices are equally good.',
    close: 'A close choice.',
    clear: 'One choice is clearly better.',
    key: 'Much depends on this choice.',
  },
  expected: 'To be expected then',
  takeBack: 'Take back and try',
  firstMatch: 'A first match, with the coach',
  playOn: 'Play on from here',
  playOnMeans:
    '“Play on” opens a table against bots at that choice, in the place of the player who made it. What that player could not see is dealt anew: you know what they knew, and no more.',
}
type CoachTexts = typeof en

const fr: CoachTexts = {
  coach: 'Entraîneur',
  coachMeans: 'Aux tables de cet appareil : ce que valait chaque choix, et ce qui valait mieux.',
  call: "Appeler l'entraîneur",
  leave: "Se passer de l'entraîneur",
  idea: 'Idée',
  thinks: "L'entraîneur réfléchit…",
  figures: 'Que veulent dire les chiffres ?',
  leftMeans:
    "Le pourcentage, ce sont vos chances de gagner après ce choix, d'après ce que vous savez.",
  leads: {
    one: "Un joueur entraîné ne songerait qu'à un seul choix.",
    even: 'Les meilleurs choix se valent.',
    close: 'Un choix serré.',
    clear: 'Un choix est nettement meilleur.',
    key: 'Beaucoup dépend de ce choix.',
  },
  expected: 'À prévoir ensuite',
  takeBack: 'Reprendre et essayer',
  firstMatch: "Une première partie, avec l'entraîneur",
  playOn: "Jouer à partir d'ici",
  playOnMeans:
    "« Jouer à partir d'ici » ouvre une table contre des bots au moment de ce choix, à la place du joueur qui l'a fait. Ce qu'il ne pouvait pas voir est redistribué : vous savez ce qu'il savait, et rien de plus.",
}

/** The texts in the language chosen. */
export const c = (): CoachTexts => (settings.lang === 'fr' ? fr : en)
