/** What goes over the wire. Made by tools/protocol.py from the server's models: do not edit. */
/* eslint max-lines: off */

export type Lang = 'en' | 'fr'

export type Said = Record<'en' | 'fr', string>

export type Entry = string | CardEntry | null

/** What somebody did; `by` is a player, or the console. */
export interface Act {
  at: number
  by: string
  by_name: string | null
  act: string
  player: string | null
  name: string | null
  details: Record<string, unknown>
}

/** What moderators and hosts did, the latest first. */
export interface Acts {
  acts: Act[]
}

/** Take your seat back from the bot. */
export interface Back {
  id?: number | string | null | undefined
  table: string
  type: 'back'
}

/** A player in the list of the best. */
export interface BestPlayer {
  value: number
  matches: number
  provisional: boolean
  id: string
  name: string
}

/** The best rated at a game: accounts with a public profile, at least so many rated matches of it (`least`), and a rating that has settled. */
export interface BestPlayers {
  players: BestPlayer[]
  least: number
}

/** Those whom you have blocked, the latest first. */
export interface Blocked {
  players: Named[]
}

/** A bot, with its levels. */
export interface Bot {
  bot: string
  levels: number[]
  default: number | null
  title: Said
  level_titles?: Said[] | undefined
}

/** The server goes down; come back in a moment. */
export interface ByeMessage {
  id?: number | string | undefined
  type: 'bye'
  why: string
}

/** A card with flags that are public; `card` is null where the seat does not know it. */
export interface CardEntry {
  card: string | null
  up?: boolean | undefined
  back?: string | undefined
  active?: string | null | undefined
  spent?: boolean | undefined
  known?: number[] | undefined
  [key: string]: unknown
}

/** What a step changed in a view; places that changed are there as a whole. */
export interface Change {
  to_act: number | null
  decision: string
  places: Record<string, Entry[]>
  facts?: Record<string, unknown> | undefined
  legal?: string[] | undefined
}

/** Another name, if one is given; `new_key`: a new link, and the old one stops working. */
export interface ChangedClub {
  name?: string | null | undefined
  new_key?: boolean | undefined
}

/** Say a line of at most 200 characters, none of them invisible, to the players at the table; also to and from spectators, where the host allows that. */
export interface Chat {
  id?: number | string | null | undefined
  table: string
  type: 'chat'
  text: string
}

/** How time is kept. */
export interface Clock {
  kind: 'none' | 'fischer' | 'days'
  seconds?: number | undefined
  increment?: number | undefined
  days?: number | undefined
}

export interface ClockChoice {
  kind?: 'none' | 'fischer' | 'days' | undefined
  seconds?: number | undefined
  increment?: number | undefined
  days?: number | undefined
}

/** Milliseconds left per seat at `now`, and the seat whose time passes. */
export interface Clocks {
  left: (number | null)[]
  running: number | null
}

/** Host: close the table before the start. */
export interface Close {
  id?: number | string | null | undefined
  table: string
  type: 'close'
}

export interface ClosedReport {
  report: string
}

/** A club. `members` are told to members; `leads`: whether you may do what its leaders may, and only then `key`, for the link by which people join: `/clubs/ID#KEY`. */
export interface Club {
  id: string
  name: string
  count: number
  you: 'leader' | 'member' | null
  created: number
  leads: boolean
  key: string | null
  members: ClubMember[]
  tournaments: TournamentInShort[]
}

/** A club in a list; `count`: its members; `you`: what you are in it. */
export interface ClubInShort {
  id: string
  name: string
  count: number
  you: 'leader' | 'member' | null
}

/** What stands after the `#` of a club's link. */
export interface ClubKey {
  key: string
}

/** Let a member lead, or no longer. */
export interface ClubLeader {
  player: string
  leader: boolean
}

/** Somebody in a club, since `at`. */
export interface ClubMember {
  player: string
  name: string
  leader: boolean
  at: number
}

/** Your clubs, or all for moderators and hosts; `may_found`: whether you may found one; `needs`: what you lack for it, if anything: an account, or to be a host. */
export interface Clubs {
  clubs: ClubInShort[]
  may_found: boolean
  needs: 'account' | 'host' | null
}

export interface Confirmation {
  token: string
}

/** What a bot thinks of a choice: from 0 (all lost) to 1, and how much thought it took. */
export interface Considered {
  token: string
  value: number
  error?: number | undefined
  share: number
}

export interface Credentials {
  login: string
  password: string
}

/** What a game is made of, as `game.describe()` gives it, but for its texts and its kernels. */
export interface Description {
  name: string
}

/** Where one is signed in. */
export interface Device {
  id: string
  device: string
  created: number
  seen: number
  this: boolean
}

/** Where you are signed in. */
export interface Devices {
  devices: Device[]
}

/** It is done. */
export interface Done {
  ok: true
}

/** `offer`, `accept`, `decline` (also takes back your own offer), where the game has draws and all seats are people. An offer lapses when the player who was asked makes a choice. */
export interface Draw {
  id?: number | string | null | undefined
  table: string
  type: 'draw'
  do: 'offer' | 'accept' | 'decline'
}

export interface EndedInvitation {
  invitation: string
}

export interface EndedPush {
  endpoint: string
}

export interface EndedSanction {
  kind: 'mute' | 'ban'
  player: string
}

/** Somebody in a tournament. `entry`: identifies them, to remove them; `number`: the seed, from the start on; `here`: whether they are paired in the next round; `removed`: by the organiser. */
export interface Entrant {
  entry: string
  number: number | null
  player: string | null
  name: string
  bot: string | null
  level: number | null
  here: boolean
  removed: boolean
}

/** A kind of event, and what its values are: a type, or the codes there are. */
export interface EventKind {
  type: string
  values: Record<string, string | string[]>
}

/** What the cards come from: the commitment at once (empty where a device dealt), what the seats added when it has begun, seed and salt after the end. */
export interface Fairness {
  commitment: string
  seed: string | null
  salt: string | null
  nonces: (string | null)[] | null
}

/** `password`: of an account; a guest has none. */
export interface Farewell {
  password?: string | undefined
}

/** Follow a tournament: more `tournament` messages arrive whenever it changes. `on` false: stop following. */
export interface Follow {
  id?: number | string | null | undefined
  type: 'tournament'
  tournament: string
  on?: boolean | undefined
}

/** A login, or the address of an account. */
export interface Forgotten {
  who: string
  lang?: Lang | undefined
}

/** A game in brief. */
export interface Game {
  name: string
  version: number
  title: Said
  tagline: Said
  seats: number[]
  has_draw: boolean
  options: Option[]
  presets: Preset[]
}

/** Something that happened, as a seat saw it; `turn` and `by` (after the end left out): the choice it came of. The further fields are the game's own. */
export interface GameEvent {
  n: number
  type: string
  rule?: string | undefined
  card?: string | null | undefined
  from?: string | undefined
  to?: string | undefined
  seat?: number | undefined
  turn?: number | undefined
  by?: number | null | undefined
  text?: string | undefined
  [key: string]: unknown
}

/** The same at one game. */
export interface GameTally {
  matches: number
  won: number
  drawn: number
  lost: number
  game: string
}

/** All games, and the bots there are, strongest first. */
export interface Games {
  games: Game[]
  bots: Bot[]
}

/** First message. `say` (optional): word events and tokens in this language. */
export interface Hello {
  id?: number | string | null | undefined
  type: 'hello'
  v?: number | undefined
  say?: Lang | null | undefined
}

/** Solo tables, your turn: what would the bot do? */
export interface Hint {
  id?: number | string | null | undefined
  table: string
  type: 'hint'
}

/** What the strongest bot would do. */
export interface HintMessage {
  id?: number | string | undefined
  type: 'hint'
  table: string
  turn: number
  token: string
  label?: string | undefined
  considered: Considered[]
}

/** Your matches that are over, the latest first, and where the next page begins. */
export interface History {
  matches: PastMatch[]
  next: string | null
}

/** A link by which so many people may still come. */
export interface Invitation {
  id: string
  note: string
  left: number
  until: number
}

export interface Inviting {
  note?: string | undefined
  people?: number | undefined
  days?: number | undefined
}

/** All that is kept of you. */
export interface Kept {
  account: Record<string, unknown>
  devices: (Record<string, unknown>)[]
  pushes: (Record<string, unknown>)[]
  matches: (Record<string, unknown>)[]
  puzzles: (Record<string, unknown>)[]
  chat: (Record<string, unknown>)[]
  blocked: (Record<string, unknown>)[]
  reports: (Record<string, unknown>)[]
  sanctions: (Record<string, unknown>)[]
  tournaments: (Record<string, unknown>)[]
  clubs: (Record<string, unknown>)[]
}

/** Stop following (the seat stays yours). */
export interface Leave {
  id?: number | string | null | undefined
  table: string
  type: 'leave'
}

/** Something said at a table. `text`: of an `emote` its code, of `level` who may chat now. */
export interface Line {
  n: number
  at: number
  player: string | null
  name: string
  seat: number | null
  kind: 'emote' | 'chat' | 'level'
  text: string
}

/** Follow the list of public tables. */
export interface Lobby {
  id?: number | string | null | undefined
  type: 'lobby'
  on?: boolean | undefined
}

/** The list of public tables; replaces the one before. */
export interface LobbyMessage {
  id?: number | string | undefined
  type: 'lobby'
  tables: Table[]
}

/** A board: numbers in the order of seats, and their ranks from 1 once it is over. `absent`: who did not come. `tables`: where it is played; several if draws were played again. */
export interface Meeting {
  status: 'none' | 'bye' | 'walkover' | 'waiting' | 'playing' | 'over' | 'closed'
  players: number[]
  ranks: number[] | null
  absent: number[]
  tables: string[]
}

/** Bots as players; without a name, the strongest we have. */
export interface MoreBots {
  bot?: string | null | undefined
  level?: number | null | undefined
  count?: number | undefined
}

/** Your tables, and where the next page begins. */
export interface MyTables {
  tables: Table[]
  next: string | null
}

/** A match that you play with others. `mine`: it waits for you; `left`: milliseconds for whoever it waits for, null without a clock. */
export interface MyTurn {
  table: Table
  mine: boolean
  left: number | null
}

/** Your matches with others, those that wait for you first, the most urgent before the rest; `waiting`: how many those are. */
export interface MyTurns {
  now: number
  waiting: number
  turns: MyTurn[]
}

/** Somebody, by name. */
export interface Named {
  id: string
  name: string
}

export interface NewBlock {
  player: string
}

export interface NewClub {
  name: string
}

/** The token of a new invitation, for a link to `/invite#…`; it is nowhere else. */
export interface NewInvitation {
  token: string
}

/** An address for the account; null: none any more. */
export interface NewMail {
  password: string
  mail: string | null
  lang?: Lang | undefined
}

export interface NewName {
  name: string
}

/** Whether letters say that it is your turn, and in which language. */
export interface NewNotices {
  mail: boolean
  lang?: Lang | undefined
}

export interface NewPassword {
  password: string
  new: string
}

/** Whether your profile is for you alone. */
export interface NewProfile {
  private: boolean
}

/** What the browser's `PushSubscription` says of itself. */
export interface NewPush {
  endpoint: string
  p256dh: string
  auth: string
  lang?: Lang | undefined
}

/** `table`: where it was; the last lines said there come with it. */
export interface NewReport {
  player: string
  table: string
  why: 'talk' | 'name' | 'play' | 'other'
  note?: string | undefined
}

/** `address`: with a ban, the addresses they are connected from just now as well. */
export interface NewSanction {
  kind: 'mute' | 'ban'
  player: string
  hours: number
  reason?: string | undefined
  address?: boolean | undefined
}

export interface NewTable {
  game: string
  options?: Record<string, boolean | number | string> | undefined
  public?: boolean | undefined
  rated?: boolean | undefined
  takebacks?: boolean | undefined
  clock?: ClockChoice | undefined
  spectators?: Spectators | undefined
  seats?: SeatChoice[] | null | undefined
}

/** `rounds` 0: as many as it takes; only Swiss tournaments and tables can have another number. `seats`: at a table, for `tables` 3 to 5. `grace`: seconds to come to a table that is called. `most`: players. `club`: only its members play, and its leaders run it. */
export interface NewTournament {
  name: string
  game: string
  options?: Record<string, boolean | number | string> | undefined
  system: 'robin' | 'swiss' | 'knockout' | 'tables'
  seats?: number | null | undefined
  rounds?: number | undefined
  clock?: ClockChoice | undefined
  grace?: number | undefined
  rated?: boolean | undefined
  most?: number | undefined
  club?: string | null | undefined
}

/** It is done. */
export interface OkMessage {
  id?: number | string | undefined
  type: 'ok'
}

/** Who else sat there. */
export interface Opponent {
  seat: number
  kind: 'person' | 'bot'
  player: string | null
  name: string
  bot: string | null
  level: number | null
}

/** The same against one person. */
export interface OpponentTally {
  matches: number
  won: number
  drawn: number
  lost: number
  player: string
  name: string
}

/** An option of a game, its values, what they are called and what they mean. */
export interface Option {
  name: string
  values: (boolean | number | string)[]
  default: boolean | number | string
  title: Said
  meaning: Said
  say: Record<string, Said>
  meanings: Record<string, Said>
}

/** What a tournament asks of you: `table`, where you play now, `due`, until when you must have said there that you are ready; `left`: you have resigned there, or run out of time, and the others go on; `removed`: the organiser removed you. */
export interface OwnPart {
  number: number | null
  here: boolean
  table: string | null
  due: number | null
  left: boolean
  removed: boolean
}

/** A match of yours that is over. `outcome`: `won` alone, `drawn` with others in the first place, or `lost`, as whoever left early; `place` of `seats`. `kept`: it was played on your device. */
export interface PastMatch {
  table: string
  game: string
  options: Record<string, boolean | number | string>
  ended: number
  seat: number
  seats: number
  opponents: Opponent[]
  outcome: 'won' | 'drawn' | 'lost'
  place: number
  scores: number[] | null
  ended_by: 'play' | 'resign' | 'flag' | 'draw'
  rated: boolean
  rating: RatingChange | null
  kept: boolean
}

/** What moderators look at; `invited`: whether the server is by invitation. */
export interface Peace {
  reports: Report[]
  sanctions: Sanction[]
  names: string[]
  invitations: Invitation[]
  invited: boolean
}

/** Any message within 60 s keeps you present; the server also sends WebSocket pings. */
export interface Ping {
  id?: number | string | null | undefined
  type: 'ping'
}

/** Where cards may lie. */
export interface Place {
  name: string
  seen: string
  owner: number | null
  order: string
  most: number
}

/** Where somebody stands. Places are shared by who is level in everything. `points`: of a win 1, at tables for several 12; `breaks`: what decides between those with as many, in this order. */
export interface Placing {
  place: number
  number: number
  points: number
  won: number
  drawn: number
  lost: number
  breaks: Record<string, number>
}

/** Your choice at turn 12. Answered only once it is safely stored. */
export interface Play {
  id?: number | string | null | undefined
  table: string
  type: 'play'
  turn: number
  token: string
}

export interface Played {
  record: string
}

/** One step of a match; `again`: it was stored before, and there is nothing to change. */
export interface PlayedMessage {
  id?: number | string | undefined
  type: 'played'
  table: string
  turn: number
  seat?: number | null | undefined
  kind?: 'play' | 'resign' | 'flag' | 'draw' | undefined
  now?: number | undefined
  events?: GameEvent[] | undefined
  change?: Change | undefined
  labels?: Record<string, string> | undefined
  tally?: Record<string, unknown> | undefined
  clocks?: Clocks | null | undefined
  result?: Result | undefined
  again?: true | undefined
}

/** Somebody. Only in your own: `login`, the confirmed address `mail`, `letters`, whether this server sends any, `turn_mail`, whether some tell you that it is your turn, `push_key`, for browsers that are to be told so (null: none are), `people`, whether it shows profiles and lists, `tournaments` and `clubs`, whether it has any, `private`, whether your profile is for you alone, and your `role`, if you have one; of others with a private profile there are no `ratings`. */
export interface Player {
  id: string
  name: string
  guest: boolean
  login?: string | null | undefined
  mail?: string | null | undefined
  letters?: boolean | undefined
  turn_mail?: boolean | undefined
  push_key?: string | null | undefined
  people?: boolean | undefined
  tournaments?: boolean | undefined
  clubs?: boolean | undefined
  private?: boolean | undefined
  role?: 'moderator' | 'host' | undefined
  ratings: Record<string, Rating>
}

/** The answer to `ping`. */
export interface PongMessage {
  id?: number | string | undefined
  type: 'pong'
  now: number
}

/** Everything on the table; see docs/architecture.md. */
export interface Position {
  game: string
  seats: number
  options: Record<string, boolean | number | string>
  to_act: number | null
  decision: string
  places: Record<string, Entry[]>
  facts: Record<string, unknown>
}

/** Seats and options that go well together. */
export interface Preset {
  name: string
  seats: number
  options: Record<string, boolean | number | string>
  title: Said
  meaning: Said
}

/** Somebody's ratings and results. `opponents`: in others' profiles only those whose own profile is public too. `counted`: how many of the latest matches the results are of. */
export interface Profile {
  id: string
  name: string
  guest: boolean
  you: boolean
  private: boolean
  since: number
  ratings: Record<string, RatingHistory>
  puzzles: Record<string, PuzzleRating>
  games: GameTally[]
  opponents: OpponentTally[]
  counted: number
}

/** What you would choose in a puzzle; nothing if you would rather be told. */
export interface PuzzleChoice {
  puzzle: string
  token?: string | null | undefined
}

/** How well somebody solves the puzzles of a game: only the first try of each counts. */
export interface PuzzleRating {
  value: number
  tried: number
  solved: number
  provisional: boolean
}

/** What came of a try. `counts`: it was the first of this puzzle; `before` and `value`: your rating before it and now. */
export interface PuzzleTry {
  solved: boolean
  counts: boolean
  before: number
  value: number
}

/** Your ratings at puzzles; by game and name which you have tried, and whether the first try was right. */
export interface PuzzlesTried {
  ratings: Record<string, PuzzleRating>
  tried: Record<string, Record<string, boolean>>
}

export interface QuickPlay {
  game: string
  options?: Record<string, boolean | number | string> | undefined
  seats?: number | null | undefined
  bot?: string | null | undefined
  level?: number | null | undefined
  nonce?: string | null | undefined
}

/** How well somebody plays a game; everybody begins at 1500. */
export interface Rating {
  value: number
  matches: number
  provisional: boolean
}

/** A rating before and after a match. */
export interface RatingChange {
  before: number
  after: number
}

/** A rating, and how it came about. */
export interface RatingHistory {
  value: number
  matches: number
  provisional: boolean
  points: RatingPoint[]
}

/** A rating at a time. */
export interface RatingPoint {
  at: number
  value: number
}

/** Agree to start, at this table and with these options; you follow the table from then on. The match starts when all seats are taken and all people are ready and present; with a clock of `days` they need not be present, for a week after the table was made. `nonce` (also in `start` and `rematch`, always optional): 16 to 32 random bytes in lower-case hex that go into the deal; keep it, and the commitment you were shown before. With a `fischer` clock, someone who is gone for more than 10 s is no longer ready. */
export interface Ready {
  id?: number | string | null | undefined
  table: string
  type: 'ready'
  ready?: boolean | undefined
  nonce?: string | null | undefined
}

export interface Recovery {
  token: string
  password: string
}

/** A refusal: a stable code, the rule, a sentence in every language. */
export interface Refusal {
  code: string
  rule: string
  say: Said
}

/** It is not done; nothing has changed. */
export interface RefusedMessage {
  code: string
  rule: string
  say: Said
  id?: number | string | undefined
  type: 'refused'
  table?: string | undefined
}

/** `refused` false: it is allowed again. */
export interface RefusedName {
  name: string
  refused?: boolean | undefined
}

/** After the end: offer a rematch with seats rotated, or accept one. `table.rematch` names the new table, which has a seat for everyone and which you follow from then on; it starts when every person has asked and is present (at once in a solo match). `ready` false: only take the seat, so that you see its commitment before you ask with your nonce. `do` `decline`: give up your seat there, or take back your own offer; the new table is closed if fewer than two people are left. */
export interface Rematch {
  id?: number | string | null | undefined
  table: string
  type: 'rematch'
  do?: 'offer' | 'accept' | 'decline' | undefined
  ready?: boolean | undefined
  nonce?: string | null | undefined
}

/** A finished match, all hands open. */
export interface Replay {
  table: Table
  steps: ReplayStep[]
}

/** A choice that stood, what happened by it, and everything on the table after it. */
export interface ReplayStep {
  turn: number
  seat: number | null
  token: string | null
  label?: string | undefined
  events: GameEvent[]
  position: Position
  tally?: Record<string, unknown> | undefined
}

/** What somebody told of somebody, and what had been said there. */
export interface Report {
  id: string
  at: number
  player: string
  name: string
  by: string | null
  by_name: string | null
  table_id: string | null
  why: 'talk' | 'name' | 'play' | 'other'
  note: string
  evidence: Line[]
  closed: number | null
}

/** Against one opponent, or against bots alone, it ends the match; otherwise a bot plays on for you. */
export interface Resign {
  id?: number | string | null | undefined
  table: string
  type: 'resign'
}

/** How a match ended; `by`: the seat that resigned or was flagged. */
export interface Result {
  scores: number[] | null
  ranking: number[][]
  ended_by: 'play' | 'resign' | 'flag' | 'draw'
  by?: number | null | undefined
}

/** A rule of a game. */
export interface Rule {
  id: string
  title: string
  text: string
}

/** A mute or a ban that holds. */
export interface Sanction {
  id: string
  kind: 'mute' | 'ban'
  player: string
  name: string | null
  reason: string
  at: number
  until: number
}

/** Change the language (null: none); every followed table then sends its `state` again. */
export interface Say {
  id?: number | string | null | undefined
  type: 'say'
  lang?: Lang | null | undefined
}

/** Who sits where; `rating_change` when a rated match is over that counted. */
export interface Seat {
  seat: number
  kind: 'person' | 'bot' | 'open'
  player: string | null
  name: string
  you: boolean
  present: boolean
  ready: boolean
  bot: string | null
  level: number | null
  bot_plays: boolean
  rating: number | null
  resigned: boolean
  weight: number | null
  rating_change?: RatingChange | undefined
}

export interface SeatChoice {
  kind: 'me' | 'open' | 'person' | 'bot'
  player?: string | null | undefined
  bot?: string | null | undefined
  level?: number | null | undefined
}

/** Look for opponents; you are seated with the next people who want the same. `clock`: `none`, `quick` (5 min + 5 s a choice) or `calm` (15 min + 10 s). `rated` needs an account. Sending it again restarts the search; it ends with the connection. More `seeking` messages follow. */
export interface Seek {
  id?: number | string | null | undefined
  type: 'seek'
  game: string
  seats?: number | null | undefined
  clock?: 'none' | 'quick' | 'calm' | undefined
  rated?: boolean | undefined
}

/** How the search for somebody to play with stands; replaces. `table`: you are seated there with the others: follow it and say `ready`, or after 20 s your place is another's; null again: somebody has gone, and you wait where you were. `on` false: you are looked for no longer (the match began, or it was asked for elsewhere). `waiting`: how many want the same, you included; `range`: how far another's rating may be from yours by now, null: any. */
export interface SeekingMessage {
  id?: number | string | undefined
  type: 'seeking'
  on: boolean
  table: string | null
  now: number
  game?: string | undefined
  seats?: number | undefined
  clock?: 'none' | 'quick' | 'calm' | undefined
  rated?: boolean | undefined
  since?: number | undefined
  waiting?: number | undefined
  range?: number | null | undefined
}

/** Say one of six things; everyone at the table reads it in their own language. */
export interface SendEmote {
  id?: number | string | null | undefined
  table: string
  type: 'emote'
  emote: 'well_played' | 'thanks' | 'good_luck' | 'oops' | 'think' | 'bye'
}

/** Host, before the start: make a seat `open` or a `bot`; anyone sitting there has to leave. */
export interface SetSeat {
  id?: number | string | null | undefined
  table: string
  type: 'seat'
  seat: number
  kind: 'open' | 'bot'
  bot?: string | null | undefined
  level?: number | null | undefined
}

/** Host: who may chat at this table, `everybody`, those who are `seated`, or `nobody`. Emotes are left to all. */
export interface SetTalkers {
  id?: number | string | null | undefined
  table: string
  type: 'talkers'
  who: 'everybody' | 'seated' | 'nobody'
}

export interface SignIn {
  login: string
  password: string
}

/** Take an open seat (the one kept for you, else any, if `seat` is left out); you follow the table from then on. */
export interface Sit {
  id?: number | string | null | undefined
  table: string
  type: 'sit'
  seat?: number | null | undefined
}

export interface Spectators {
  allowed?: boolean | undefined
  delay?: number | undefined
}

/** Give up your seat, before the start; a table that a search brought about is closed by it. */
export interface Stand {
  id?: number | string | null | undefined
  table: string
  type: 'stand'
}

/** Let a bot stand in for an absent seat (away as long as `welcome` says; never with a clock of `days`), or for your own unless the match is rated. */
export interface StandIn {
  id?: number | string | null | undefined
  table: string
  type: 'bot'
  seat: number
}

/** Host: be ready and start now. Open seats become bots if `bots` is true; otherwise the start is refused, and so it is while a seat is kept for someone. Everyone else must be ready, and present as for `ready`. */
export interface Start {
  id?: number | string | null | undefined
  table: string
  type: 'start'
  bots?: boolean | undefined
  nonce?: string | null | undefined
}

/** Everything you may know of a match; replaces. */
export interface StateMessage {
  id?: number | string | undefined
  type: 'state'
  table: string
  turn: number
  now: number
  view: View | null
  labels?: Record<string, string> | undefined
  tally?: Record<string, unknown> | undefined
  events: GameEvent[]
  complete: boolean
  clocks: Clocks | null
  result: Result | null
}

/** Everything about a table except the cards; `tournament`: of which it is a board. */
export interface Table {
  id: string
  game: string
  options: Record<string, boolean | number | string>
  status: 'waiting' | 'playing' | 'over' | 'closed'
  public: boolean
  rated: boolean
  solo: boolean
  host: string
  created: number
  started: number | null
  ended: number | null
  seats: Seat[]
  clock: Clock
  spectators: Watching
  draw_offer: number | null
  takebacks: boolean
  undo_offer: UndoOffer | null
  rematch: string | null
  rematch_of: string | null
  tournament?: string | undefined
  turn: number | null
  revision: number
  fairness: Fairness
  result: Result | null
}

/** A table has changed; replaces what you knew of it. `away`, where you play and somebody is not there: for how many seconds each seat has been away. */
export interface TableMessage {
  id?: number | string | undefined
  type: 'table'
  table: Table
  away?: number[] | undefined
}

/** Tables, newest first. */
export interface Tables {
  tables: Table[]
}

/** What was said at a table that you follow: the last 100 lines, or those after line `since`. Later lines arrive without asking. */
export interface Talk {
  id?: number | string | null | undefined
  table: string
  type: 'talk'
  since?: number | null | undefined
}

/** What was said at a table: lines to add to those you have, by `n`; who may chat there (`silent`: not even emotes), and what you may say. */
export interface TalkMessage {
  id?: number | string | undefined
  type: 'talk'
  table: string
  who: 'everybody' | 'seated' | 'nobody' | 'silent'
  may: 'chat' | 'emotes' | 'nothing'
  lines: Line[]
}

/** How matches ended for somebody. */
export interface Tally {
  matches: number
  won: number
  drawn: number
  lost: number
}

export interface ToRename {
  player: string
}

export interface ToVerify {
  record: string
}

/** A tournament; `round`: the one that is being played, of `rounds` (0: not known yet); `runs`: whether you may start and cancel it; `boards`: by round. */
export interface Tournament {
  id: string
  name: string
  game: string
  system: 'robin' | 'swiss' | 'knockout' | 'tables'
  seats: number
  rated: boolean
  status: 'open' | 'playing' | 'over' | 'cancelled'
  created: number
  started: number | null
  ended: number | null
  most: number
  count: number
  club: Named | null
  options: Record<string, boolean | number | string>
  clock: Clock
  grace: number
  rounds: number
  round: number
  runs: boolean
  you: OwnPart | null
  players: Entrant[]
  standings: Placing[]
  boards: Meeting[][]
}

/** A tournament in a list; `count`: players so far, of `most`; `club`: whose members play, null if everybody may. */
export interface TournamentInShort {
  id: string
  name: string
  game: string
  system: 'robin' | 'swiss' | 'knockout' | 'tables'
  seats: number
  rated: boolean
  status: 'open' | 'playing' | 'over' | 'cancelled'
  created: number
  started: number | null
  ended: number | null
  most: number
  count: number
  club: Named | null
}

/** How a tournament that you follow stands; replaces. */
export interface TournamentMessage {
  id?: number | string | undefined
  type: 'tournament'
  now: number
  tournament: Tournament
}

/** The latest tournaments; `may_make`: whether you may announce one; `needs`: what you lack for it, if anything: an account, or to be a host. */
export interface Tournaments {
  tournaments: TournamentInShort[]
  may_make: boolean
  needs: 'account' | 'host' | null
}

/** Take your last choice back, and what followed it. Solo tables: at once. With others, in casual matches that allow it: `offer` asks them, and it happens when every person has said `accept`; `decline` also takes back your own offer. It lapses when a person makes a choice that is not forced. */
export interface Undo {
  id?: number | string | null | undefined
  table: string
  type: 'undo'
  do?: 'offer' | 'accept' | 'decline' | undefined
}

/** Who asks to take their last choice back, which of the others have agreed, and whether the asker may have seen cards since that they did not know then. */
export interface UndoOffer {
  seat: number
  agreed: number[]
  revealed: boolean
}

/** Stop looking. */
export interface Unseek {
  id?: number | string | null | undefined
  type: 'unseek'
}

/** A record that holds. */
export interface Verified {
  holds: true
  game: string
  commitment: string | null
  result: string
  choices: number
  players: Record<string, string>
}

/** What a seat may know; `seat` is null for a spectator, `legal` there when it may choose. */
export interface View {
  game: string
  seats: number
  options: Record<string, boolean | number | string>
  to_act: number | null
  decision: string
  places: Record<string, Entry[]>
  facts: Record<string, unknown>
  seat: number | null
  legal?: string[] | undefined
}

/** Follow a table: as your seat if you have one, else as a spectator. `since`: the last turn you have; you get the events after it. `0`: all from the start; left out: none. */
export interface Watch {
  id?: number | string | null | undefined
  table: string
  type: 'watch'
  since?: number | null | undefined
}

/** Who may watch, how many seconds behind, and how many do. */
export interface Watching {
  allowed: boolean
  delay: number
  watching: number
}

/** The answer to `hello`. `absent`: seconds away after which a bot may stand in for a player. */
export interface WelcomeMessage {
  id?: number | string | undefined
  type: 'welcome'
  v: number
  now: number
  you: Player
  say: Lang | null
  server: string
  absent: number
}

/** A game with what a table needs to know before it is drawn, for the options used. */
export interface WholeGame {
  name: string
  version: number
  title: Said
  tagline: Said
  seats: number[]
  has_draw: boolean
  options: Option[]
  presets: Preset[]
  options_used: Record<string, boolean | number | string>
  places: Place[]
  cards: string[]
  decisions: string[]
  events: EventKind[]
  rules: string[]
}

/** Every text of a game in one language. */
export interface Words {
  game: string
  lang: Lang
  words: Record<string, unknown>
  cards: Record<string, string>
  places: Record<string, string>
  rules: Rule[]
}

export type ServerMessage =
  | WelcomeMessage
  | OkMessage
  | PongMessage
  | RefusedMessage
  | LobbyMessage
  | SeekingMessage
  | TableMessage
  | StateMessage
  | PlayedMessage
  | HintMessage
  | TalkMessage
  | TournamentMessage
  | ByeMessage

export type ClientMessage =
  | Hello
  | Ping
  | Say
  | Lobby
  | Seek
  | Unseek
  | Follow
  | Watch
  | Leave
  | Sit
  | Stand
  | SetSeat
  | Ready
  | Start
  | Close
  | Play
  | Resign
  | Draw
  | StandIn
  | Back
  | Undo
  | Hint
  | Rematch
  | Talk
  | SendEmote
  | Chat
  | SetTalkers
