/** A step of the lessons: a table that refuses what does not lead on, in the words of the step. */
import type { Engine } from '../../engine/src'
import { LOCAL } from '../lib/house'
import type { Lang, Result, Said } from '../lib/protocol'
import { LocalRefusal, refuse } from './refusals'
import { LocalTable } from './table'

export interface Texts {
  title: string
  text: string
  goal: string
  done: string
  /** What is said to other choices: pattern of the token, and answer; the first that fits. */
  wrong: [pattern: string, answer: string][]
}

/** As `GAME.lessons.json` has it (`tanistry.match.lessons`). */
export interface Step {
  name: string
  rule: string
  seat: number
  position: { seats: number; options: Record<string, unknown> }
  /** Choice by choice the tokens that lead on, as patterns. */
  line: string[][]
  said: Record<Lang, Texts>
}

const NAME = new RegExp(`^${LOCAL}learn\\.([^.]+)\\.(\\d+)\\.\\d+$`)

/** The table of a step; each try has one of its own. */
export const lessonTable = (game: string, step: number, attempt: number): string =>
  `${LOCAL}learn.${game}.${step}.${attempt}`

/** Of which game, and which step, a table is; null for any other. */
export function lessonOf(table: string): { game: string; step: number } | null {
  const found = NAME.exec(table)
  return found && { game: found[1]!, step: Number(found[2]) }
}

/** Whether a token is like one of these; `*` stands for anything. */
export function fits(token: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    // eslint-disable-next-line no-restricted-syntax -- the lesson's pattern, compared with the whole
    return new RegExp(`^${parts.join('.*')}$`).test(token)
  })
}

export class LessonTable extends LocalTable {
  override readonly kept = false

  constructor(
    id: string,
    engine: Engine,
    private readonly step: Step,
    names: readonly string[],
  ) {
    const { position, seat } = step
    const game = engine.game({ ...position.options, seats: position.seats })
    const sitting = names.map((name, n) => ({ name, bot: n === seat ? null : 'line', level: null }))
    super(id, engine, game.setup(position, 0), sitting)
  }

  /** A step ends with its line, whoever would be next; there is no result to look at. */
  override get result(): Result | null {
    return null
  }

  override get toAct(): number | null {
    return this.match.history.length === this.step?.line.length ? null : super.toAct
  }

  private leadsOn(token: string): boolean {
    return fits(token, this.step.line[this.match.history.length] ?? [])
  }

  /** What others do is settled. */
  override get settled(): string | null {
    return this.match.legal().find((token) => this.leadsOn(token)) ?? null
  }

  override play(token: string): void {
    if (this.match.legal().includes(token) && !this.leadsOn(token)) throw this.answer(token)
    super.play(token)
  }

  override undo(): void {
    throw refuse('table/no-undo')
  }

  private answer(token: string): LocalRefusal {
    const say = Object.entries(this.step.said).map(([lang, { wrong }]) => [
      lang,
      wrong.find(([pattern]) => fits(token, [pattern]))?.[1] ?? '',
    ])
    return new LocalRefusal('lesson/other', Object.fromEntries(say) as Said, this.step.rule)
  }
}
