import { expect, it, vi } from 'vitest'
import { drawn, LOT, offered } from '../src/lib/options'
import type { Option } from '../src/lib/protocol'

vi.mock('../src/lib/settings.svelte', () => ({ settings: { lang: 'en' } }))

const first = { name: 'first', values: [0, 1, 2, 3, 4], default: 0 } as unknown as Option

it('who begins can be left to the lot, which draws every seat and no other', () => {
  expect(offered(first, 3, 0)).toEqual([0, 1, 2, LOT])
  const seats = Array.from({ length: 300 }, () => drawn({ first: LOT, target: 40 }, 3))
  expect(new Set(seats.map((options) => options['first']))).toEqual(new Set([0, 1, 2]))
  expect(seats.every((options) => options['target'] === 40)).toBe(true)
})

it('who begins is not drawn where it was chosen, or is as usual', () => {
  expect(drawn({ first: 1 }, 2)).toEqual({ first: 1 })
  expect(drawn({}, 2)).toEqual({})
})
