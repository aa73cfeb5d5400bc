/** How Python writes values in texts: sentences and the order of twins depend on it. */

export function repr(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value).map(([key, item]) => `${repr(key)}: ${repr(item)}`).join(', ')}}`
  }
  return str(value)
}

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

/** A template with its values filled in; one that is missing shows its name. */
export function filled(template: string, values: Record<string, unknown>, listed: readonly unknown[] = []): string {
  return template.replace(/\{\{|\}\}|\{(\w+)(!r)?\}/g, (found, name: string | undefined, asRepr: string | undefined) => {
    if (name === undefined) return found[0]!
    const value = /^\d+$/.test(name) ? listed[Number(name)] : values[name]
    if (value === undefined && !(name in values)) return `{${name}}`
    return asRepr ? repr(value) : str(value)
  })
}
