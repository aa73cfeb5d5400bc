/** The table of a puzzle: it takes the solution, and answers everything else. */
import type { Engine, Match } from '../../engine/src'
import type { Data, Words } from '../../engine/src/words'
import { capital } from '../lib/capital'
import type { Lang, Result, Said } from '../lib/protocol'
import type { Played, Puzzle, Theme } from '../lib/puzzles'
import { following } from './analyst'
import { LocalRefusal, refuse } from './refusals'
import { LocalTable } from './table'

/** A solution in words. */
export interface Explained {
  /** Choices as a sentence speaks of them. */
  solution: string
  mistake: string
  second: string
  /** Who is expected to do what after it. */
  line: string[]
  /** What it turns on: a rule by its id, or a word; and how often that comes up. */
  themes: { rule: string | null; said: string }[]
}

/** How far one has got with it. */
export interface Tried {
  /** What was chosen, right or wrong, first things first. */
  tokens: string[]
  said: Record<Lang, Explained>
}

const LANGS = ['en', 'fr'] as const
/** In so much more of the imagined deals (`themes.py`). */
const TURNS = 0.3
const SAY = {
  en: {
    other: (doing: string, win: string, less: string) =>
      `${doing} is not the best: the chance of winning is then ${win}, ${less} less than with the solution.`,
    strange: (doing: string) =>
      `${doing} is not the best: a trained player would hardly think of it.`,
    leads: (line: string) => `Expected then: ${line}.`,
    both: (title: string, one: string, often: string, other: string, seldom: string) =>
      `${title}: ${one} leads to it in ${often} of the imagined deals, ${other} in ${seldom}.`,
    only: (title: string, one: string, other: string) =>
      `${title}: ${one} leads to it, ${other} does not.`,
    points: (n: number) => (n === 1 ? '1 percentage point' : `${n} percentage points`),
    results: { 1: 'wins by force', 0.5: 'shares the first place by force', 0: 'loses by force' },
    sure: (doing: string, result: string) => `${doing} is not the best: it ${result}.`,
    best: 'the solution',
    usual: 'the usual mistake',
    choice: 'your choice',
  },
  fr: {
    other: (doing: string, win: string, less: string) =>
      `${doing} n'est pas le meilleur choix : la probabilité de gagner est alors de ${win}, ${less} de moins qu'avec la solution.`,
    strange: (doing: string) =>
      `${doing} n'est pas le meilleur choix : un joueur entraîné n'y songerait guère.`,
    leads: (line: string) => `Suite attendue : ${line}.`,
    both: (title: string, one: string, often: string, other: string, seldom: string) =>
      `${title} : ${one} y mène dans ${often} des donnes imaginées, ${other} dans ${seldom}.`,
    only: (title: string, one: string, other: string) => `${title} : ${one} y mène, pas ${other}.`,
    points: (n: number) => (n > 1 ? `${n} points de pourcentage` : `${n} point de pourcentage`),
    results: {
      1: 'gagne à coup sûr',
      0.5: 'partage la première place à coup sûr',
      0: 'perd à coup sûr',
    },
    sure: (doing: string, result: string) =>
      `${doing} n'est pas le meilleur choix : cela ${result}.`,
    best: 'la solution',
    usual: "l'erreur habituelle",
    choice: 'votre choix',
  },
}

/** A choice, and what it is called. */
type Called = [token: string, name: 'best' | 'usual' | 'choice']

/** A difference of chances. */
export const pointsOf = (lang: Lang, chance: number): string =>
  SAY[lang].points(Math.round(100 * chance))

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
    const sentences = LANGS.map((lang) => [lang, this.answerFor(lang, token)])
    return new LocalRefusal('puzzle/other', Object.fromEntries(sentences) as Said)
  }

  /** Why a choice is not the best, and what it leads to. */
  private answerFor(lang: Lang, token: string): string {
    const { puzzle, names } = this
    const say = SAY[lang]
    const worth = new Map(puzzle.worth)
    const win = worth.get(token)
    const doing = capital(this.match.tokenText(lang, token, this.seen, names, 'doing'))
    const less = pointsOf(lang, lost(worth.get(puzzle.solution)!, win ?? 0))
    const result = certain(puzzle) && win !== undefined ? resultOf(lang, win) : null
    const judged = () => say.other(doing, percent(lang, win!), less)
    const told = [
      win === undefined ? say.strange(doing) : result ? say.sure(doing, result) : judged(),
    ]
    const line = this.following(lang, puzzle.answers[token] ?? [])
    if (line.length) told.push(say.leads(line.join(', ')))
    const theme = puzzle.themes.find((one) => setsApart(one, token, puzzle.solution))
    if (theme) told.push(this.compared(lang, theme, [token, 'choice'], [puzzle.solution, 'best']))
    return told.join(' ')
  }

  /** What was tried, and the solution in words. */
  tried(): Tried {
    const said = LANGS.map((lang) => [lang, this.explained(lang)])
    return { tokens: [...this.tokens], said: Object.fromEntries(said) as Tried['said'] }
  }

  private explained(lang: Lang): Explained {
    const { puzzle, names, before } = this
    const view = before.view(this.seat)
    const doing = (token: string) => before.tokenText(lang, token, view, names, 'doing')
    return {
      solution: doing(puzzle.solution),
      mistake: doing(puzzle.mistake),
      second: doing(puzzle.worth[1]![0]),
      line: this.following(lang, puzzle.line.slice(1)),
      themes: puzzle.themes.map((theme) => this.theme(lang, theme)),
    }
  }

  /** The match at the position of the puzzle, whatever was chosen since. */
  private get before(): Match {
    const at = this.match.beginning()
    for (const token of this.puzzle.choices) at.play(token)
    return at
  }

  private get seen(): Data {
    return this.match.view(this.seat)
  }

  private following(lang: Lang, line: Puzzle['line']): string[] {
    return following(this.match, line, lang, this.names)
  }

  /** What it turns on: how often, if the solution is told by it from others. */
  private theme(lang: Lang, theme: Theme): Explained['themes'][number] {
    const [name] = theme
    const { solution, mistake } = this.puzzle
    const rule = this.engine.words(lang).find(`rules.${name}`) ? name : null
    const said = setsApart(theme, solution, mistake)
      ? this.compared(lang, theme, [solution, 'best'], [mistake, 'usual'])
      : `${this.owned(lang, theme)}.`
    return { rule, said }
  }

  /** A theme by its title, and whose it is. */
  private owned(lang: Lang, [name, seat]: Theme): string {
    const title = titleOf(this.engine.words(lang), name)
    return seat === null ? title : `${title} (${this.names[seat]})`
  }

  /** How often each of two choices leads to a theme, by what they are called. */
  private compared(lang: Lang, theme: Theme, one: Called, other: Called): string {
    const say = SAY[lang]
    const title = this.owned(lang, theme)
    const [often, seldom] = [one, other].map(([token]) => theme[2][token] ?? 0)
    if (seldom! - often! === 1) return this.compared(lang, theme, other, one)
    if (often! - seldom! === 1) return say.only(title, say[one[1]], say[other[1]])
    const [more, less] = [percent(lang, often!), percent(lang, seldom!)]
    return say.both(title, say[one[1]], more, say[other[1]], less)
  }
}

/** Whether nothing is hidden there any more: what choices leave was calculated. */
export const certain = ({ worth }: Pick<Puzzle, 'worth'>): boolean =>
  worth.every(([, win]) => win in SAY.en.results)

/** What is said of a choice then. */
export const resultOf = (lang: Lang, win: number): string =>
  SAY[lang].results[win as keyof typeof SAY.en.results]

/** Whether something comes up much more often after one of two choices. */
const setsApart = ([, , often]: Theme, token: string, other: string): boolean =>
  token in often && other in often && Math.abs(often[token]! - often[other]!) >= TURNS

/** What a theme is called: a rule by its title, anything else by its word. */
function titleOf(words: Words, name: string): string {
  const rule = words.find(`rules.${name}.title`)
  if (typeof rule === 'string') return rule
  const [word, kind] = [words.text(name), `themes.${name.split('.')[0]}`]
  return capital(words.find(kind) ? words.text(kind, { word }) : word)
}
