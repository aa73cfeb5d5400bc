/** A finished match understood on this device: its record in, numbers and words out. */
import {
  analysing,
  EngineError,
  METHOD,
  nothing,
  type Analysis,
  type Begun,
  type Engine,
  type Judged,
  type Match,
} from '../../engine/src'
import { endedBy } from '../../engine/src/outcome'
import { hex } from '../../engine/src/hex'
import { sha256 } from '../../engine/src/sha256'
import type { Lang } from '../lib/protocol'
import { engineOf, NAMES } from './records'
import { refuse } from './refusals'
import type * as Database from './studies'

/** What is said of a choice. */
export interface Told {
  chosen: string
  best: string
  /** Who is expected to do what after the best. */
  line: string[]
}

/** An analysis in the words of a language. */
export interface Spoken {
  title: string
  names: string[]
  choices: Told[]
}

export interface Studied {
  game: string
  analysis: Analysis
  said: Record<Lang, Spoken>
}

export interface Means {
  engine(game: string): Promise<Engine>
  /** Have an engine's network at hand; fails where it cannot be fetched. */
  learn(engine: Engine): Promise<void>
  kept: Pick<typeof Database, 'get' | 'put'>
}

/** How often it is kept how far it has got, in milliseconds. */
const OFTEN = 500

/** Analyse a record, or find that it was analysed before; one that was left goes on. */
export async function study(
  record: string,
  means: Means,
  progress: (done: number, of: number) => void,
): Promise<Studied> {
  const engine = await engineOf(record, means.engine)
  const { network } = engine.description
  if (!network) throw refuse('analysis/none')
  const match = engine.replay(record)
  if (match.toAct !== null && !endedBy(match.headers, match.game.seats))
    throw engine.error('record/running', {})
  const key = hex(sha256(record, network.sha256, METHOD))
  const before = await means.kept.get(key).catch(() => undefined)
  const keep = (analysis: Analysis | null, begun: Begun | null) =>
    means.kept.put({ key, at: Date.now(), analysis, begun }).catch(() => undefined)
  let analysis = before?.analysis
  if (!analysis) {
    await means.learn(engine).catch((error: unknown) => {
      throw error instanceof EngineError ? error : refuse('analysis/away')
    })
    analysis = await analysed(match, before?.begun, progress, (begun) => keep(null, begun))
    await keep(analysis, null)
  }
  return {
    game: engine.data.name,
    analysis,
    said: { en: spoken(match, analysis, 'en'), fr: spoken(match, analysis, 'fr') },
  }
}

async function analysed(
  match: Match,
  before: Begun | null | undefined,
  progress: (done: number, of: number) => void,
  keep: (begun: Begun) => Promise<void>,
): Promise<Analysis> {
  const begun = before ?? nothing()
  const steps = analysing(match, begun)
  progress(begun.choices.length, match.history.length)
  for (let last = performance.now(); ;) {
    const step = steps.next()
    if (step.done) return step.value
    progress(...step.value)
    if (performance.now() - last < OFTEN) continue
    await keep(begun)
    last = performance.now()
  }
}

function spoken(match: Match, analysis: Analysis, lang: Lang): Spoken {
  const words = match.game.engine.words(lang)
  const names = Array.from(
    { length: match.game.seats },
    (_, seat) => match.headers[`Seat${seat}`] || NAMES[seat]!,
  )
  const at = match.beginning()
  const choices = analysis.choices.map((choice) => {
    const said = told(at, choice, lang, names)
    at.play(choice.token)
    return said
  })
  return { title: words.text('title'), names, choices }
}

/** What is said of a choice in a match that stands before it. */
export function told(
  match: Match,
  { seat, token, best, line }: Judged,
  lang: Lang,
  names: readonly string[],
): Told {
  const view = match.view(seat)
  const [chosen, better] = [token, best].map((one) => match.tokenText(lang, one, view, names))
  return { chosen: chosen!, best: better!, line: following(match, line.slice(1), lang, names) }
}

const THEN = { en: 'then', fr: 'puis' }

/** Who is expected to do what; who goes on is named once. */
export function following(
  match: Match,
  line: readonly (readonly [number, string])[],
  lang: Lang,
  names: readonly string[],
): string[] {
  return line.map(([who, token], n) => {
    const does = match.tokenText(lang, token, undefined, names, 'does')
    return `${who === line[n - 1]?.[0] ? THEN[lang] : names[who]} ${does}`
  })
}
