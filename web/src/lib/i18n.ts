import { en, type Texts } from '../texts/en'
import { fr } from '../texts/fr'
import type { Said } from './protocol'
import { settings } from './settings.svelte'

const all: Record<'en' | 'fr', Texts> = { en, fr }

/** The texts in the language chosen; follows a change at once. */
export function t(): Texts {
  return all[settings.lang]
}

export function said(words: Partial<Said> | undefined): string {
  return words?.[settings.lang] ?? words?.en ?? ''
}

/** What one is called on this device. */
export const ownName = (): string => settings.name || t().player

/** Names in a sentence: "Ailsa, Blair and Callum". */
export const together = (names: string[]): string =>
  new Intl.ListFormat(settings.lang, { type: 'conjunction' }).format(names)

export { capital } from './capital'
