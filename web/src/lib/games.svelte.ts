/** The games there are, and the bots that play them: none until the server has told. */
import { api } from './api'
import { said } from './i18n'
import type { Bot, Game, Games, Seat } from './protocol'

let told = $state.raw<Games>({ games: [], bots: [] })
void askGames().catch(() => undefined) // until somebody asks again

/** Ask for them; whoever does hears what is wrong. */
export function askGames(): Promise<Games> {
  return api.games().then((found) => (told = found))
}

export const games = (): Game[] => told.games
export const bots = (): Bot[] => told.bots
export const gameOf = (name: string | undefined): Game | undefined =>
  told.games.find((game) => game.name === name)

/** The same, once the server has told which there are. */
export const findGame = (name: string): Promise<Game | undefined> =>
  askGames().then(() => gameOf(name))

/** All of them by title, to choose from. */
export const titles = (): [name: string, title: string][] =>
  told.games.map(({ name, title }) => [name, said(title)])

/** A game in a sentence: its title, or its name while that is not known. */
export const titleOf = (name: string): string => said(gameOf(name)?.title) || name

/** What a level is called; its number where it has no name. */
export function levelName({ bot, level }: Pick<Seat, 'bot' | 'level'>): string {
  if (level === null) return ''
  const named = told.bots.filter((one) => one.level_titles?.length)
  const own = named.find((one) => one.bot === bot) ?? named[0]
  return said(own?.level_titles?.[own.levels.indexOf(level)]) || String(level)
}
