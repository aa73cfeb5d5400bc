/** Cloth from a thread count: `K/4 R32 K32 Y/4` woven in warp and weft with a 2/2 twill. */

export type Shades = Readonly<Record<string, string>>
export interface Stripe {
  colour: string
  threads: number
}

/** The stripes of one repeat. Slashes are pivots: there the sett is mirrored. */
export function parseSett(count: string): Stripe[] {
  const half = count
    .trim()
    .split(/\s+/)
    .map((part) => {
      const match = /^([A-Z])(\/?)(\d+)$/.exec(part)
      if (!match) throw new Error(`not a stripe: ${part}`)
      return { colour: match[1]!, pivot: match[2] === '/', threads: Number(match[3]) }
    })
  const mirrored = half.some((stripe) => stripe.pivot)
  const all = mirrored ? [...half, ...half.slice(1, -1).reverse()] : half
  return all.map(({ colour, threads }) => ({ colour, threads }))
}

/** Scale a sett to about `size` threads; the sum is a multiple of 4, as the twill needs. */
export function fitSett(stripes: Stripe[], size: number): Stripe[] {
  const total = stripes.reduce((sum, stripe) => sum + stripe.threads, 0)
  const scaled = stripes.map((stripe) => ({
    ...stripe,
    threads: Math.max(2, Math.round((stripe.threads * size) / total)),
  }))
  const sum = scaled.reduce((s, stripe) => s + stripe.threads, 0)
  const widest = scaled.reduce((a, b) => (b.threads > a.threads ? b : a))
  widest.threads += (4 - (sum % 4)) % 4
  return scaled
}

/** Two threads over, two under, one further each row. */
const TWILL = 'M0 0h2v1h-2zM1 1h2v1h-2zM2 2h2v1h-2zM3 3h1v1h-1zM0 3h1v1h-1z'

export function weave(count: string, shades: Shades, size = 88): string {
  const stripes = fitSett(parseSett(count), size)
  const n = stripes.reduce((sum, stripe) => sum + stripe.threads, 0)
  let at = 0
  let weft = ''
  let warp = ''
  for (const { colour, threads } of stripes) {
    const fill = shades[colour] ?? '#888'
    weft += `<path fill="${fill}" d="M0 ${at}h${n}v${threads}H0z"/>`
    warp += `<path fill="${fill}" d="M${at} 0h${threads}v${n}h-${threads}z"/>`
    at += threads
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n}" height="${n}" viewBox="0 0 ${n} ${n}">` +
    `<defs><pattern id="t" width="4" height="4" patternUnits="userSpaceOnUse">` +
    `<path fill="#fff" d="${TWILL}"/></pattern>` +
    `<mask id="m"><path fill="url(#t)" d="M0 0h${n}v${n}H0z"/></mask></defs>` +
    `${weft}<g mask="url(#m)">${warp}</g></svg>`
  )
}

const woven = new Map<string, string>()

/** The address of a picture of the cloth, woven once. */
export function cloth(count: string, shades: Shades): string {
  const key = count + JSON.stringify(shades)
  let image = woven.get(key)
  if (!image) {
    image = `data:image/svg+xml,${encodeURIComponent(weave(count, shades))}`
    woven.set(key, image)
  }
  return image
}
