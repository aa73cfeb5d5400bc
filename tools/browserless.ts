/** What the web client finds in a browser, for drawing its cards without one (tools/figures.ts). */
export const $state = <T>(value: T): T => value
export const document = { documentElement: { dataset: {}, lang: '' }, querySelector: () => null }
export const localStorage = { getItem: () => null }
export const location = { search: '' }
export const matchMedia = () => ({ matches: false, addEventListener: () => undefined })
export const navigator = { languages: ['en'] }
