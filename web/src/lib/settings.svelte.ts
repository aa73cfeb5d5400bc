/** What a person chose for this device. Kept in the browser, nowhere else. */
import type { Lang } from './protocol'
import type { Solving } from './puzzles'
import { fitting } from './stored'

export type Theme = 'auto' | 'light' | 'dark'
export type Motion = 'full' | 'gentle' | 'none'
interface Kept {
  lang: Lang
  theme: Theme
  motion: Motion
  sound: boolean
  /** What we are called; the server's word for it, once it has said one. */
  name: string
  /** Strength of the bots in quick matches; 0: as the server thinks fit. */
  level: number
  /** Seats in quick matches, by game; left out: the fewest. */
  seats: Record<string, number>
  /** Options of quick matches, by game; left out: the usual rules. */
  options: Record<string, Record<string, string | number | boolean>>
  /** Whether a coach says at tables of this device how good each choice was. */
  coach: boolean
  /** Players of whom nothing is heard on this device. */
  muted: string[]
  /** The last line read of the talk at a table, by table; the latest table last. */
  read: Record<string, number>
  /** Who has asked to be told on this device that it is their turn. */
  pushed: string
  /** How far one has got in the lessons, by game: steps done, or all of them. */
  lessons: Record<string, number | 'done'>
  /** Which puzzles were tried, and what was solved in a row. */
  puzzles: Solving
}

const KEY = 'tanistry'
const ONLY = {
  lang: ['en', 'fr'],
  theme: ['auto', 'light', 'dark'],
  motion: ['full', 'gentle', 'none'],
} as const

function first(): Kept {
  const phone = matchMedia('(pointer: coarse)').matches
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const lang = navigator.languages.find((name) => /^(fr|en)\b/i.test(name)) ?? 'en'
  const kept: Kept = {
    lang: /^fr/i.test(lang) ? 'fr' : 'en',
    theme: 'auto',
    motion: still ? 'gentle' : 'full',
    sound: !phone,
    name: '',
    level: 0,
    seats: {},
    options: {},
    coach: false,
    muted: [],
    read: {},
    pushed: '',
    lessons: {},
    puzzles: { tried: {}, row: 0, days: 0, day: 0 },
  }
  const asked = /[?&]lang=(fr|en)\b/.exec(location.search)?.[1] as Lang | undefined // by a link
  const wanted = asked ? { lang: asked } : {}
  try {
    return { ...fitting(kept, JSON.parse(localStorage.getItem(KEY) ?? '{}'), ONLY), ...wanted }
  } catch {
    return { ...kept, ...wanted }
  }
}

export const settings = $state<Kept>(first())

const dark = matchMedia('(prefers-color-scheme: dark)')
function dress(): void {
  const theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme
  document.documentElement.dataset['theme'] = theme
  document.documentElement.dataset['motion'] = settings.motion
  document.documentElement.lang = settings.lang
  const ground = theme === 'dark' ? '#1d2528' : '#efe7d8'
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', ground)
}
dark.addEventListener('change', dress)

export function set<K extends keyof Kept>(key: K, value: Kept[K]): void {
  settings[key] = value
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // private browsing: chosen for this visit only
  }
  dress()
}
dress()
