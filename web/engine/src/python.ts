/** How Python writes values in texts: sentences and the order of twins depend on it. */

export function repr(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `${repr(key)}: ${repr(item)}`)
      .join(', ')}}`
  }
  return str(value)
}

function inGuillemets(text: string): string {
  return `«\u00a0${quoted(text).slice(1, -1)}\u00a0»`
}

/** Without what Python takes for blanks at both ends; JavaScript takes other characters for that. */
export function stripped(text: string): string {
  return text.replace(EDGES, '')
}

// eslint-disable-next-line no-control-regex
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
const EDGES = new RegExp(`^${BLANKS.source}|${BLANKS.source}$`, 'g')

export function str(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'object') return repr(value)
  return String(value)
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replaceAll(quote, `\\${quote}`)
  return quote + escaped + quote
}

export interface Filling {
  /** What `{0}` and so on stand for. */
  listed?: readonly unknown[]
  /** The language whose rules apply to numbers and elision. */
  lang?: string
}

const VOWELS = /^[AEIOUYÀÂÉÈÊËÎÏÔÛÜaeiouyàâéèêëîïôûü]/

/**
 * A template with its values filled in; one that is missing shows its name. `{n:card|cards}` is the
 * form that goes with a number; in French « de {seat} » is elided before a name that asks for it,
 * « de le » becomes « du », and {name!r} is quoted in guillemets.
 */
export function filled(
  template: string,
  values: Record<string, unknown>,
  { listed = [], lang = 'en' }: Filling = {},
): string {
  const elided =
    lang === 'fr'
      ? template.replace(
          /(?<![\p{L}\p{N}_])([dD])e \{(\w+)\}/gu,
          (found, d: string, name: string) => {
            const value = str(values[name] ?? '')
            if (value.startsWith('le ')) return `${d}u ${value.slice(3).replace(/[{}]/g, '$&$&')}`
            return VOWELS.test(value) ? `${d}'{${name}}` : found
          },
        )
      : template
  return elided.replace(
    /\{\{|\}\}|\{(\w+)(!r)?(?::([^}]*))?\}/g,
    (found, name?: string, asRepr?: string, spec?: string) => {
      if (name === undefined) return found[0]!
      const value = name in values ? values[name] : listed[Number(name)]
      if (value === undefined && !(name in values)) return `{${name}}`
      if (asRepr && lang === 'fr' && typeof value === 'string') return inGuillemets(value)
      if (asRepr) return repr(value)
      return spec?.includes('|') ? form(spec, value, lang) : str(value)
    },
  )
}

/** The form of a word that goes with a number. */
function form(spec: string, value: unknown, lang: string): string {
  const bar = spec.indexOf('|')
  const one = value === 1 || (lang === 'fr' && value === 0)
  return one ? spec.slice(0, bar) : spec.slice(bar + 1)
}
