/**
 * Guided choosing. Every legal token is a path of targets to point at: `R7@4` is the card R7 in the hand,
 * then stone 4. What is picked is a prefix; what invites is whatever continues it. Pure functions.
 *
 * A target is written `hand.0/R7` (a card in a place), `army.1#2` (an entry of a place, from 1),
 * `stone.4` (a place or a spot), or `=up` (a button).
 */
import type { View } from './protocol'

export type Target = string
export type Path = (token: string, view: View) => Target[]

export interface Choice {
  token: string
  path: Target[]
}

export function choices(view: View, path: Path): Choice[] {
  return (view.legal ?? []).map((token) => ({ token, path: path(token, view) }))
}

function fits(choice: Choice, picked: Target[]): boolean {
  return picked.every((target, index) => choice.path[index] === target)
}

/** The choices that begin with what is picked. */
export function open(all: Choice[], picked: Target[]): Choice[] {
  return all.filter((choice) => fits(choice, picked))
}

/** What may be pointed at next, in the order of the legal tokens. */
export function inviting(all: Choice[], picked: Target[]): Target[] {
  const next = open(all, picked).flatMap((choice) => choice.path.slice(picked.length)[0] ?? [])
  return [...new Set(next)]
}

export type Picked =
  { kind: 'more'; picked: Target[] } | { kind: 'play'; token: string } | { kind: 'no' }

/**
 * Point at a target: one step further, the whole choice, a step back (what was picked last), or,
 * if it could have begun another choice, that one. Anything else is refused.
 */
export function pick(all: Choice[], picked: Target[], target: Target): Picked {
  if (picked.includes(target))
    return { kind: 'more', picked: picked.slice(0, picked.indexOf(target)) }
  for (let keep = picked.length; keep >= 0; keep--) {
    const path = [...picked.slice(0, keep), target]
    const left = open(all, path)
    if (!left.length) continue
    const done = left.find((choice) => choice.path.length === path.length)
    return done ? { kind: 'play', token: done.token } : { kind: 'more', picked: path }
  }
  return { kind: 'no' }
}

/** The token a button or last target stands for, to be labelled with the server's words. */
export function tokenFor(all: Choice[], picked: Target[], target: Target): string | null {
  const left = open(all, [...picked, target])
  return left.length === 1 ? left[0]!.token : null
}

/** Without knowing a game: one button for each token. */
export const plainPath: Path = (token) => [`=${token}`]
