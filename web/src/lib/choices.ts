/**
 * Guided choosing. Every legal choice is a path of targets to point at: the card in the hand, then
 * the stone. What is picked is a prefix; what invites is whatever continues it. Pure functions.
 */
import type { Target } from './targets'

/** A choice as data: what is done, and what it names (`match.choices()`). */
export interface Choice {
  token: string
  verb: string
  card?: string
  from?: string
  to?: string
  place?: string
  slot?: number
  [part: string]: unknown
}

export interface Way {
  token: string
  path: Target[]
}

function fits(way: Way, picked: Target[]): boolean {
  return picked.every((target, index) => way.path[index] === target)
}

/** The ways that begin with what is picked. */
export function open(all: Way[], picked: Target[]): Way[] {
  return all.filter((way) => fits(way, picked))
}

/** What may be pointed at next, in the order of the legal choices. */
export function inviting(all: Way[], picked: Target[]): Target[] {
  const next = open(all, picked).flatMap((way) => way.path.slice(picked.length)[0] ?? [])
  return [...new Set(next)]
}

export type Picked =
  { kind: 'more'; picked: Target[] } | { kind: 'play'; token: string } | { kind: 'no' }

/**
 * Point at a target: one step further, the whole choice, a step back (what was picked last), or,
 * if it could have begun another choice, that one. Anything else is refused.
 */
export function pick(all: Way[], picked: Target[], target: Target): Picked {
  if (picked.includes(target))
    return { kind: 'more', picked: picked.slice(0, picked.indexOf(target)) }
  for (let keep = picked.length; keep >= 0; keep--) {
    const path = [...picked.slice(0, keep), target]
    const left = open(all, path)
    if (!left.length) continue
    const done = left.find((way) => way.path.length === path.length)
    return done ? { kind: 'play', token: done.token } : { kind: 'more', picked: path }
  }
  return { kind: 'no' }
}

/** The token a button or last target stands for, to be labelled with the server's words. */
export function tokenFor(all: Way[], picked: Target[], target: Target): string | null {
  const left = open(all, [...picked, target])
  return left.length === 1 ? left[0]!.token : null
}

/** The token somebody seems to mean who points at what does not invite; the server says why not. */
export function meant(possible: Way[], picked: Target[], target: Target): string | null {
  for (const path of [[...picked, target], [target]]) {
    const found = open(possible, path)[0]
    if (found) return found.token
  }
  return null
}
