/** Pages by path: a handful, so no library. Without a server the path stands after the `#`. */
import { taught } from 'virtual:engines'
import { isLocal, SERVER } from './house'

export type Route =
  | { page: 'start' }
  | { page: 'play'; game: string }
  | { page: 'table'; id: string }
  /** Opened after so many choices. */
  | { page: 'replay'; id: string; step: number }
  | { page: 'analysis'; id: string | null }
  | { page: 'account' }
  | { page: 'mine' }
  | { page: 'moderation' }
  | { page: 'invite' }
  | { page: 'history' }
  | { page: 'turns' }
  | { page: 'stop' }
  | { page: 'pairing' }
  | { page: 'profile'; id: string }
  | { page: 'best'; game: string | null }
  | { page: 'tournaments' }
  | { page: 'tournament'; id: string }
  | { page: 'clubs' }
  | { page: 'club'; id: string }
  | { page: 'check'; id: string | null }
  | { page: 'rules'; game: string }
  /** At a step, if one is named. */
  | { page: 'learn'; game: string; step: string | null }
  | { page: 'puzzles'; game: string | null }
  | { page: 'puzzle'; game: string; name: string }
  | { page: 'lost' }

function read(path: string): Route {
  const [first, second, third] = path.split('/').filter(Boolean)
  if (!first) return { page: 'start' }
  if (first === 'play' && second) return { page: 'play', game: second }
  const here = !!second && (SERVER || isLocal(second))
  if (first === 't' && here) return { page: 'table', id: second }
  if (first === 'r' && here) return { page: 'replay', id: second, step: Number(third) || 0 }
  if (first === 'analysis') return { page: 'analysis', id: second ?? null }
  if (first === 'account' && SERVER) return { page: 'account' }
  if (first === 'pairing' && SERVER) return { page: 'pairing' }
  if (first === 'history' && SERVER) return { page: 'history' }
  if (first === 'turns' && SERVER) return { page: 'turns' }
  if (first === 'stop' && SERVER) return { page: 'stop' }
  if (first === 'p' && second && SERVER) return { page: 'profile', id: second }
  if (first === 'best' && SERVER) return { page: 'best', game: second ?? null }
  if (first === 'tournaments' && SERVER)
    return second ? { page: 'tournament', id: second } : { page: 'tournaments' }
  if (first === 'clubs' && SERVER) return second ? { page: 'club', id: second } : { page: 'clubs' }
  if (first === 'moderation' && SERVER) return { page: 'moderation' }
  if (first === 'invite' && SERVER) return { page: 'invite' }
  if (first === 'mine') return { page: 'mine' }
  if (first === 'check' && SERVER) return { page: 'check', id: second ?? null }
  if (first === 'rules' && second) return { page: 'rules', game: second }
  if (first === 'learn' && second && taught.includes(second))
    return { page: 'learn', game: second, step: third ?? null }
  if (first === 'puzzles' && second && third) return { page: 'puzzle', game: second, name: third }
  if (first === 'puzzles') return { page: 'puzzles', game: second ?? null }
  return { page: 'lost' }
}

const path = () => (SERVER ? location.pathname : location.hash.slice(1))
export const router = $state<{ route: Route }>({ route: read(path()) })

/** The address of a page. */
export const at = (path: string): string => (SERVER ? path : `#${path}`)

/** `state`: what the page is handed, and finds again after a reload. */
export function go(path: string, replace = false, state: object = {}): void {
  history[replace ? 'replaceState' : 'pushState'](state, '', at(path))
  router.route = read(path)
  scrollTo(0, 0)
}
addEventListener('popstate', () => {
  router.route = read(path())
  if (!SERVER) scrollTo(0, 0)
})

/** Links stay links: they can be opened in a new tab and copied. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)
    return
  const link = (event.target as Element).closest?.('a')
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download'))
    return
  if (!SERVER) return // the browser follows what stands after the `#`
  if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname))
    return
  event.preventDefault()
  go(link.pathname)
})
