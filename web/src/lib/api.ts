/** The HTTP half of the protocol. */
import { games as engineGames } from 'virtual:engines'
import type { Spoken } from './gamedata'
import { said } from './i18n'
import type {
  Acts,
  BestPlayers,
  Blocked,
  ChangedClub,
  ClosedReport,
  Club,
  ClubKey,
  ClubLeader,
  Clubs,
  Confirmation,
  Credentials,
  Devices,
  Done,
  EndedInvitation,
  EndedPush,
  EndedSanction,
  Farewell,
  Forgotten,
  Games,
  History,
  Inviting,
  Lang,
  MoreBots,
  MyTables,
  MyTurns,
  NewBlock,
  NewClub,
  NewInvitation,
  NewMail,
  NewName,
  NewNotices,
  NewPassword,
  NewProfile,
  NewPush,
  NewReport,
  NewSanction,
  NewTable,
  NewTournament,
  Peace,
  Played,
  Player,
  Profile,
  PuzzleChoice,
  PuzzlesTried,
  PuzzleTry,
  Recovery,
  Refusal,
  RefusedName,
  Replay,
  SignIn,
  Table,
  Tables,
  ToRename,
  Tournament,
  Tournaments,
  ToVerify,
  Verified,
  WholeGame,
  Words,
} from './protocol'

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.say.en)
  }
}

/** Why something failed: the sentence of a refusal, or whatever went wrong. */
export const failure = (error: unknown): string =>
  error instanceof Refused ? said(error.refusal.say) : String(error)

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, credentials: 'same-origin' }
  if (body !== undefined) {
    init.headers = { 'Content-Type': 'application/json' }
    init.body = JSON.stringify(body)
  }
  let response: Response
  try {
    response = await fetch(`/api/v1${path}`, init)
  } catch {
    throw new Refused({
      code: 'server/away',
      rule: '',
      say: { en: 'The server does not answer.', fr: 'Le serveur ne répond pas.' },
    })
  }
  const text = await response.text()
  if (response.ok) {
    const json = response.headers.get('Content-Type')?.includes('json')
    return (json && text ? JSON.parse(text) : text) as T
  }
  let refusal: Refusal = {
    code: `http/${response.status}`,
    rule: '',
    say: { en: `The server says ${response.status}.`, fr: `Le serveur répond ${response.status}.` },
  }
  try {
    const given = JSON.parse(text) as Refusal
    if (given.say) refusal = given
  } catch {
    // not ours: keep the status
  }
  throw new Refused(refusal)
}

const kept = new Map<string, Promise<unknown>>()
function once<T>(path: string): Promise<T> {
  let answer = kept.get(path) as Promise<T> | undefined
  if (!answer) {
    answer = call<T>('GET', path)
    kept.set(path, answer)
    answer.catch(() => kept.delete(path))
  }
  return answer
}

/** The games, written into the page by the server; null where it was not (in development). */
const given = (engineGames ??
  JSON.parse(document.getElementById('games')?.textContent ?? 'null')) as Games | null
if (given) kept.set('/games', Promise.resolve(given))

/** What moderators ask for, by the end of the path. */
export interface Moderating {
  '/sanctions': NewSanction
  '/sanctions/ended': EndedSanction
  '/renames': ToRename
  '/names': RefusedName
  '/reports/closed': ClosedReport
  '/invitations': Inviting
  '/invitations/ended': EndedInvitation
}

export const api = {
  me: () => call<Player>('GET', '/me'),
  rename: (name: string) => call<Player>('PATCH', '/me', { name } satisfies NewName),
  keep: (login: string, password: string) =>
    call<Player>('POST', '/account', { login, password } satisfies Credentials),
  password: (password: string, fresh: string) =>
    call<Player>('PUT', '/account/password', { password, new: fresh } satisfies NewPassword),
  mail: (password: string, mail: string | null, lang: Lang) =>
    call<Player>('PUT', '/account/mail', { password, mail, lang } satisfies NewMail),
  confirmMail: (token: string) =>
    call<Done>('POST', '/account/mail/confirmation', { token } satisfies Confirmation),
  forgot: (who: string, lang: Lang) =>
    call<Done>('POST', '/account/recovery', { who, lang } satisfies Forgotten),
  recover: (token: string, password: string) =>
    call<Player>('PUT', '/account/recovery', { token, password } satisfies Recovery),
  signIn: (login: string, password: string) =>
    call<Player>('POST', '/session', { login, password } satisfies SignIn),
  signOut: () => call<Done>('DELETE', '/session'),
  devices: () => call<Devices>('GET', '/me/devices'),
  signOutDevice: (id: string) => call<Done>('DELETE', `/me/devices/${id}`),
  matches: (status?: string, before?: string) => {
    const query = new URLSearchParams({ limit: '20' })
    if (status) query.set('status', status)
    if (before) query.set('before', before)
    return call<MyTables>('GET', `/me/matches?${query}`)
  },
  turns: () => call<MyTurns>('GET', '/me/turns'),
  notices: (mail: boolean, lang: Lang) =>
    call<Player>('PUT', '/me/notices', { mail, lang } satisfies NewNotices),
  push: (device: NewPush) => call<Done>('POST', '/me/pushes', device),
  endPush: (endpoint: string) =>
    call<Done>('POST', '/me/pushes/ended', { endpoint } satisfies EndedPush),
  stopLetters: (token: string) =>
    call<Done>('POST', `/notices/stop/${encodeURIComponent(token)}`, {}),
  /** Filters that are empty are none. */
  history: (wanted: Record<string, string>) => {
    const given = Object.entries(wanted).filter(([, value]) => value)
    return call<History>('GET', `/me/history?${new URLSearchParams(given)}`)
  },
  profile: (id: string) => call<Profile>('GET', `/players/${encodeURIComponent(id)}/profile`),
  hide: (hidden: boolean) =>
    call<Player>('PUT', '/me/profile', { private: hidden } satisfies NewProfile),
  best: (game: string) =>
    call<BestPlayers>('GET', `/players?${new URLSearchParams({ game, limit: '50' })}`),
  tournaments: () => call<Tournaments>('GET', '/tournaments'),
  announce: (tournament: NewTournament) => call<Tournament>('POST', '/tournaments', tournament),
  inTournament: (id: string, path: string, body: MoreBots = {}) =>
    call<Tournament | Done>('POST', `/tournaments/${id}${path}`, body),
  leaveTournament: (id: string) => call<Tournament>('DELETE', `/tournaments/${id}/players/me`),
  putOut: (id: string, entry: string) =>
    call<Tournament>('DELETE', `/tournaments/${id}/players/${entry}`),
  clubs: () => call<Clubs>('GET', '/clubs'),
  foundClub: (name: string) => call<Club>('POST', '/clubs', { name } satisfies NewClub),
  club: (id: string) => call<Club>('GET', `/clubs/${encodeURIComponent(id)}`),
  inClub: (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    id: string,
    path = '',
    body?: ClubKey | ClubLeader | ChangedClub,
  ) => call<Club | Done>(method, `/clubs/${id}${path}`, body),
  blocks: () => call<Blocked>('GET', '/me/blocks'),
  block: (player: string) => call<Done>('POST', '/me/blocks', { player } satisfies NewBlock),
  unblock: (player: string) => call<Done>('DELETE', `/me/blocks/${player}`),
  puzzles: () => call<PuzzlesTried>('GET', '/me/puzzles'),
  tryPuzzle: (game: string, puzzle: string, token: string | null) =>
    call<PuzzleTry>('POST', `/games/${game}/puzzles/tries`, {
      puzzle,
      token,
    } satisfies PuzzleChoice),
  report: (player: string, table: string, why: NewReport['why'], note: string) =>
    call<Done>('POST', '/reports', { player, table, why, note } satisfies NewReport),
  forgetMe: (password: string) =>
    call<Done>('POST', '/me/deletion', { password } satisfies Farewell),
  comeIn: (token: string) => call<Player>('POST', '/invitations', { token } satisfies Confirmation),
  moderation: () => call<Peace>('GET', '/moderation'),
  acts: () => call<Acts>('GET', '/moderation/acts'),
  moderate: <Path extends keyof Moderating>(path: Path, body: Moderating[Path]) =>
    call<Done | NewInvitation>('POST', `/moderation${path}`, body),
  keepMatch: (record: string) => call<Table>('POST', '/me/matches', { record } satisfies Played),
  games: () => once<Games>('/games'),
  game: (name: string) => once<WholeGame>(`/games/${name}`),
  description: (game: string) => once<Spoken>(`/games/${game}/description`),
  words: (game: string, lang: Lang) => once<Words>(`/games/${game}/words/${lang}`),
  tables: () => call<Tables>('GET', '/tables'),
  table: (id: string) => call<Table>('GET', `/tables/${id}`),
  create: (table: NewTable) => call<Table>('POST', '/tables', table),
  record: (id: string) => call<string>('GET', `/tables/${id}/record`),
  replay: (id: string, lang: Lang) => call<Replay>('GET', `/tables/${id}/replay?say=${lang}`),
  verify: (record: string) => call<Verified>('POST', '/verify', { record } satisfies ToVerify),
}
