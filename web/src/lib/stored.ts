/** What a browser has kept may be anything: written by hand, or by another version of ours. */

type Plain = Record<string, unknown>
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As it was kept where that is of the usual kind, and as usual elsewhere. `only`: the values that
 * some may have. */
export function fitting<T extends object>(
  usual: T,
  kept: unknown,
  only: { [K in keyof T]?: readonly T[K][] } = {},
): T {
  if (!isPlain(kept)) return usual
  const parts = Object.entries(usual).map(([name, value]) => {
    const allowed = only[name as keyof T]
    const found = kept[name]
    const fits = allowed ? allowed.includes(found as never) : isLike(value, found)
    if (!fits) return [name, value]
    return [name, isPlain(value) && Object.keys(value).length ? fitting(value, found) : found]
  })
  return Object.fromEntries(parts) as T
}

function isLike(usual: unknown, found: unknown): boolean {
  if (isPlain(usual)) return isPlain(found)
  return Array.isArray(usual) ? Array.isArray(found) : typeof usual === typeof found
}
