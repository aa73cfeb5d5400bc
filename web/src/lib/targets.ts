/**
 * What somebody may point at: a card in a place, an entry of a row, a place or spot, or a button.
 * Targets are our own: written here, read here, and compared everywhere else.
 */
export type Target = string

/** One of the cards with this code that lie in a place. */
export const cardIn = (place: string, code: string): Target => `${place}/${code}`
/** The entry of a place at a slot, counted from 0. */
export const entryOf = (place: string, slot: number): Target => `${place}#${slot}`
/** Something that is not on the table. */
export const button = (name: string): Target => `=${name}`

export const isButton = (target: Target): boolean => target.startsWith('=')
export const buttonName = (target: Target): string => target.slice(1)

/** The card a target is, and where it lies; null for any other target. */
export function cardAt(target: Target | undefined): { place: string; code: string } | null {
  const [place, code] = target?.split('/') ?? []
  return place && code ? { place, code } : null
}
