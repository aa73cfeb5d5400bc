/** What is said about clubs. Loaded with their pages, and with those of tournaments. */
import { settings } from '../lib/settings.svelte'

const en = {
  title: 'Clubs',
  mean: 'A club plays tournaments among its members. Anyone with its link can join.',
  none: 'You are in no club.',
  needsAccount: 'As a guest you can join a club. To found one you need an account.',
  needsHost: 'On this server only hosts can found a club.',
  yourServer: 'Is this your server?',
  firstAccount: 'To become a host, make an account first',
  beHost:
    'To become a host, type this in a terminal, in the folder where you started the server (after “make run”, with .venv/bin/ before it), then reload this page:',
  found: 'Found a club',
  foundIt: 'Found the club',
  name: 'Name',
  members: (n: number) => (n === 1 ? '1 member' : `${n} members`),
  parts: { leader: 'You lead this club.', member: 'You are in this club.' },
  leads: 'leader',
  look: 'View',
  join: 'Join this club',
  joinMeans: 'Its members see your name; you can leave at any time.',
  needsLink: "Anyone with the club's link can join. Its leaders have that link.",
  everybody: 'Members',
  letLead: 'Make leader',
  letLeadNot: 'No longer leader',
  putOut: 'Remove',
  surePutOut: (name: string) =>
    `Remove ${name} from the club? The link is replaced, so that they cannot come back.`,
  link: 'Anyone who opens this link can join',
  newLink: 'Replace the link',
  sureNewLink: 'Replace the link? The old one will stop working.',
  lead: 'For leaders',
  rename: 'Rename',
  leave: 'Leave the club',
  sureLeave: 'Leave the club? You need its link to come back.',
  end: 'Dissolve the club',
  sureEnd: 'Dissolve the club? Its tournaments that have not begun are cancelled.',
}
type Texts = typeof en

const fr: Texts = {
  title: 'Clubs',
  mean: 'Un club organise des tournois entre ses membres. Qui a son lien peut le rejoindre.',
  none: "Vous n'êtes dans aucun club.",
  needsAccount:
    'Sans compte, vous pouvez rejoindre un club. Pour en fonder un, il vous faut un compte.',
  needsHost: 'Sur ce serveur, seuls les hôtes peuvent fonder un club.',
  yourServer: 'Ce serveur est-il le vôtre ?',
  firstAccount: "Pour devenir hôte, créez d'abord un compte",
  beHost:
    'Pour devenir hôte, tapez ceci dans un terminal, dans le dossier où vous avez lancé le serveur (après « make run », précédé de .venv/bin/), puis rechargez cette page :',
  found: 'Fonder un club',
  foundIt: 'Fonder le club',
  name: 'Nom',
  members: (n) => (n < 2 ? `${n} membre` : `${n} membres`),
  parts: {
    leader: 'Vous êtes responsable de ce club.',
    member: 'Vous êtes membre de ce club.',
  },
  leads: 'responsable',
  look: 'Voir',
  join: 'Rejoindre ce club',
  joinMeans: 'Ses membres voient votre nom ; vous pouvez le quitter à tout moment.',
  needsLink: "Qui a le lien du club peut le rejoindre. Ce sont ses responsables qui l'ont.",
  everybody: 'Membres',
  letLead: 'Nommer responsable',
  letLeadNot: 'Rendre simple membre',
  putOut: 'Retirer',
  surePutOut: (name) => `Retirer ${name} du club ? Le lien change alors, pour empêcher son retour.`,
  link: 'Qui ouvre ce lien peut rejoindre le club',
  newLink: 'Changer de lien',
  sureNewLink: "Changer de lien ? Celui d'aujourd'hui ne sera plus valable.",
  lead: 'Pour les responsables',
  rename: 'Renommer',
  leave: 'Quitter le club',
  sureLeave: 'Quitter le club ? Il vous faudra son lien pour revenir.',
  end: 'Dissoudre le club',
  sureEnd: "Dissoudre le club ? Ses tournois qui n'ont pas commencé sont annulés.",
}

const all = { en, fr }

/** The texts in the language chosen; follows a change at once. */
export function k(): Texts {
  return all[settings.lang]
}
