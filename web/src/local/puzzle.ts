/** The table of a puzzle: it takes the solution, and answers everything else. */
import type { Engine, Match } from '../../engine/src'
import type { Lang, Result, Said } from '../lib/protocol'
import type { Played, Puzzle } from '../lib/puzzles'
import { LocalRefusal, refuse } from './refusals'
import { LocalTable } from './table'

/** A solution in words. */
export interface Explained {
  solution: string
  mistake: string
  second: string
  /** Who is expected to do what after it. */
  line: { name: string; choice: string }[]
}

/** How far one has got with it. */
export interface Tried {
  /** What was chosen, right or wrong, first things first. */
  tokens: string[]
  said: Record<Lang, Explained>
}

const LANGS = ['en', 'fr'] as const
const YOU: Record<Lang, string> = { en: 'You', fr: 'Vous' }
const LEAVES: Record<Lang, (choice: string, win: string, less: string) => string> = {
  en: (choice, win, less) =>
    `Not the best (${choice}): it leaves ${win} to win, ${less} less than the solution.`,
  fr: (choice, win, less) =>
    `Pas le meilleur choix (${choice}) : il reste ${win} de chances de gagner, ${less} de moins qu’avec la solution.`,
}
const STRANGE: Record<Lang, (choice: string) => string> = {
  en: (choice) => `Not the best (${choice}): a trained player would hardly think of it.`,
  fr: (choice) => `Pas le meilleur choix (${choice}) : un joueur entraîné n’y songerait guère.`,
}

export const percent = (lang: Lang, chance: number): string =>
  new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 0 }).format(chance)

/** What a choice costs, as the difference of the two chances that are shown. */
export const lost = (best: number, win: number): number =>
  (Math.round(100 * best) - Math.round(100 * win)) / 100

/** The match at the position of a puzzle. */
export function puzzleMatch(
  engine: Engine,
  { options, seats }: Played,
  { seed, choices }: Pick<Puzzle, 'seed' | 'choices'>,
): Match {
  const match = engine.game({ ...options, seats }).deal(seed)
  for (const token of choices) match.play(token)
  return match
}

export class PuzzleTable extends LocalTable {
  override readonly kept = false
  private readonly tokens: string[] = []
  private solved = false

  constructor(
    id: string,
    engine: Engine,
    match: Match,
    private readonly puzzle: Puzzle,
    names: readonly string[],
  ) {
    const sits = (name: string, seat: number) => ({
      name,
      bot: seat === match.toAct ? null : 'line',
      level: null,
    })
    super(id, engine, match, names.map(sits))
  }

  /** A puzzle ends with its solution; there is no result to look at. */
  override get result(): Result | null {
    return null
  }

  override get toAct(): number | null {
    return this.solved ? null : super.toAct
  }

  override play(token: string): void {
    const legal = this.match.legal().includes(token)
    if (legal) this.tokens.push(token)
    if (legal && token !== this.puzzle.solution) throw this.answer(token)
    this.solved = legal
    super.play(token)
  }

  override undo(): void {
    throw refuse('table/no-undo')
  }

  private answer(token: string): LocalRefusal {
    const worth = new Map(this.puzzle.worth)
    const win = worth.get(token)
    const sentences = LANGS.map((lang) => {
      const choice = this.label(lang, token)
      if (win === undefined) return [lang, STRANGE[lang](choice)]
      const less = lost(worth.get(this.puzzle.solution)!, win)
      return [lang, LEAVES[lang](choice, percent(lang, win), percent(lang, less))]
    })
    return new LocalRefusal('puzzle/other', Object.fromEntries(sentences) as Said)
  }

  /** What was tried, and the solution in words. */
  tried(): Tried {
    const said = LANGS.map((lang) => [lang, this.explained(lang)])
    return { tokens: [...this.tokens], said: Object.fromEntries(said) as Tried['said'] }
  }

  private explained(lang: Lang): Explained {
    const { puzzle, seat } = this
    const at = this.match.beginning()
    for (const token of puzzle.choices) at.play(token)
    const names = this.sitting.map((held) => held.name)
    const view = at.view(seat)
    const [solution, mistake, second] = [puzzle.solution, puzzle.mistake, puzzle.worth[1]![0]].map(
      (token) => at.tokenText(lang, token, view, names),
    )
    const line = puzzle.line.slice(1).map(([who, token]) => ({
      name: who === seat ? YOU[lang] : names[who]!,
      choice: at.tokenText(lang, token, undefined, names),
    }))
    return { solution: solution!, mistake: mistake!, second: second!, line }
  }
}
