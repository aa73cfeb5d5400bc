/** Time in words. */
import { u } from '../texts/turns'
import { settings } from './settings.svelte'

/** A moment, to the minute. */
export const when = (at: number): string =>
  new Date(at).toLocaleString(settings.lang, { dateStyle: 'medium', timeStyle: 'short' })

/** The day of a moment, unless that is today. */
export function dayOf(at: number): string {
  const then = new Date(at)
  if (then.toDateString() === new Date().toDateString()) return ''
  return then.toLocaleDateString(settings.lang, { dateStyle: 'medium' })
}

/** Milliseconds that are left on a clock. */
export function timeLeft(left: number): string {
  const s = Math.ceil(left / 1000)
  if (s >= 86400) return u().days(Math.floor(s / 86400), Math.floor((s % 86400) / 3600))
  if (s >= 3600) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}
