import { describe, expect, it } from 'vitest'
import { SETTS } from '../src/art/setts'
import { EMBLEMS } from '../src/art/emblems'
import { fitSett, parseSett, weave } from '../src/art/weave'

describe('tartan', () => {
  it('mirrors at pivots, repeats without', () => {
    const wallace = parseSett('K/4 R32 K32 Y/4').map((s) => s.colour + s.threads)
    expect(wallace).toEqual(['K4', 'R32', 'K32', 'Y4', 'K32', 'R32'])
    expect(parseSett('R8 G8')).toHaveLength(2)
  })
  it('keeps every stripe and a multiple of four threads', () => {
    for (const [name, sett] of Object.entries(SETTS)) {
      const fitted = fitSett(parseSett(sett.count), 88)
      expect(fitted.reduce((sum, s) => sum + s.threads, 0) % 4, name).toBe(0)
      expect(
        fitted.every((s) => s.threads >= 2 && sett.shades[s.colour]),
        name,
      ).toBe(true)
      expect(EMBLEMS[sett.emblem], name).toBeDefined()
    }
  })
  it('weaves warp over weft', () => {
    expect(weave('R/4 W/4', { R: '#f00', W: '#fff' })).toContain('mask="url(#m)"')
  })
  it('gives no two setts the same thread count', () => {
    const counts = Object.values(SETTS).map((sett) => sett.count)
    expect(new Set(counts).size).toBe(counts.length)
  })
})
