/** The coach at a local table: what a position holds, and how good a choice was, by what the person knows. */
import { judge, type Match } from '../../engine/src'
import type { Lang } from '../lib/protocol'
import { told, type Told } from './analyst'

type InBoth<T> = Record<Lang, T>

/** Before a choice, on request. */
export interface Idea {
  type: 'idea'
  table: string
  turn: number
  /** The best choice, to be marked on the table. */
  token: string
  /** Those worth a thought, best first: what each does, and the chance to win that it leaves. */
  choices: { says: InBoth<string>; win: number }[]
  /** Who is expected to do what after the best. */
  line: InBoth<Told['line']>
}

/** After a choice: as an analysis of the match will say it. */
export interface Verdict {
  type: 'verdict'
  table: string
  /** Which choice of the match it was. */
  number: number
  verdict: string
  win: number
  cost: number
  said: InBoth<Told>
}

const inBoth = <T>(say: (lang: Lang) => T): InBoth<T> => ({ en: say('en'), fr: say('fr') })

/** What there is to think about for the seat to act. */
export function ideaOf(
  match: Match,
  names: readonly string[],
): Pick<Idea, 'token' | 'choices' | 'line'> {
  const found = judge(match)
  const view = match.view(found.seat)
  return {
    token: found.best,
    choices: found.tried.map(([token, win]) => ({
      says: inBoth((lang) => match.tokenText(lang, token, view, names)),
      win,
    })),
    line: inBoth((lang) => told(match, found, lang, names).line),
  }
}

/** How good a choice would be for the seat to act; null if there is none to make. */
export function verdictOn(
  match: Match,
  token: string,
  names: readonly string[],
): Omit<Verdict, 'type' | 'table'> | null {
  if (match.legal().length === 1) return null
  const found = judge(match, token)
  const { number, verdict, win, cost } = found
  return { number, verdict, win, cost, said: inBoth((lang) => told(match, found, lang, names)) }
}
