/** Errors people can read: a stable code, the rule that was broken, a sentence in every language. */

import type { Lang } from './description.js'

export type Family = 'option' | 'seed' | 'seat' | 'position' | 'record' | 'move' | 'bot' | 'engine'

export class EngineError extends Error {
  constructor(
    /** Such as `option/value`, `position/twice`, `move/illegal`. */
    readonly code: string,
    readonly values: Record<string, unknown>,
    /** The sentence, by language. */
    readonly sentences: Record<Lang, string>,
    /** The id of the rule that was broken, "" if none was. */
    readonly rule = '',
  ) {
    super(sentences['en'] ?? code)
    this.name = 'EngineError'
  }

  /** What kind of mistake it is. */
  get family(): Family {
    return this.code.split('/')[0] as Family
  }

  text(lang: Lang): string {
    return this.sentences[lang] ?? this.message
  }
}
