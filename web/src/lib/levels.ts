import { said } from './i18n'
import type { Bot, Seat } from './protocol'

/** What a level is called; its number where it has no name. */
export function levelName(bots: Bot[], { bot, level }: Pick<Seat, 'bot' | 'level'>): string {
  if (level === null) return ''
  const named = bots.filter((one) => one.level_titles?.length)
  const own = named.find((one) => one.bot === bot) ?? named[0]
  return said(own?.level_titles?.[own.levels.indexOf(level)]) || String(level)
}
