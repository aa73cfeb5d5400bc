/** The component of every page but the first, fetched when somebody goes there. */
import type { Component } from 'svelte'
import type { Route } from './router.svelte'

type Name = Exclude<Route['page'], 'start'>
/** What a page is given: what its route says. */
type Given<N extends Name> = Omit<Extract<Route, { page: N }>, 'page'>

const pages: { [N in Name]: () => Promise<{ default: Component<Given<N>> }> } = {
  account: () => import('../pages/Account.svelte'),
  analysis: () => import('../pages/Analysis.svelte'),
  best: () => import('../pages/Leaderboard.svelte'),
  check: () => import('../pages/Check.svelte'),
  club: () => import('../pages/Club.svelte'),
  clubs: () => import('../pages/Clubs.svelte'),
  history: () => import('../pages/History.svelte'),
  invite: () => import('../pages/Invite.svelte'),
  learn: () => import('../pages/Learn.svelte'),
  lost: () => import('../ui/Lost.svelte'),
  mine: () => import('../pages/Mine.svelte'),
  moderation: () => import('../pages/Moderation.svelte'),
  pairing: () => import('../pages/Pairing.svelte'),
  play: () => import('../pages/Play.svelte'),
  profile: () => import('../pages/Profile.svelte'),
  puzzle: () => import('../pages/Puzzle.svelte'),
  puzzles: () => import('../pages/Puzzles.svelte'),
  replay: () => import('../pages/Replay.svelte'),
  rules: () => import('../pages/RulesPage.svelte'),
  stop: () => import('../pages/Stop.svelte'),
  table: () => import('../pages/Table.svelte'),
  tournament: () => import('../pages/Tournament.svelte'),
  tournaments: () => import('../pages/Tournaments.svelte'),
  turns: () => import('../pages/Turns.svelte'),
}

/** A page; all that it is given is its route. */
export const pageOf = (page: Name) =>
  pages[page]() as unknown as Promise<{ default: Component<Route> }>
