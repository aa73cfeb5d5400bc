/** What a page is called in the browser: as its heading says, after what somebody is called for. */
import { t } from './i18n'

let called = ''

function write(): void {
  const heading = document.querySelector('main h1')?.textContent?.trim()
  const name = t().name
  const title = heading && heading !== name ? `${heading} · ${name}` : name
  document.title = called ? `● ${called} – ${title}` : title
}

/** Whoever looks elsewhere is called: to choose, or to say that they are ready. */
export function call(what: string): void {
  called = what
  write()
}

/** For where pages are drawn: they need not say what they are called a second time. */
export function titled(main: HTMLElement): void {
  new MutationObserver(write).observe(main, { subtree: true, childList: true, characterData: true })
}
