import { expect, test } from 'vitest'
import { plot } from '../src/lib/plot'

const at = (...values: [number, number][]) => values.map(([at, value]) => ({ at, value }))

test('a line goes from the left to the right, higher ratings higher up', () => {
  const found = plot(at([0, 1500], [50, 1560], [100, 1440]), 300, 100, 40)
  const [first, second, third] = found.dots
  expect([first!.x, third!.x]).toEqual([40, 294])
  expect(second!.x).toBe(167)
  expect(second!.y).toBeLessThan(first!.y)
  expect(third!.y).toBeGreaterThan(first!.y)
  expect([found.low, found.high]).toEqual([1440, 1560])
})

test.each([
  at([1, 1500], [1, 1553]),
  at([5, 1500]),
  at([0, 1500], [9, 1500]),
  at([0, 100], [9, 2900]),
])('whatever the points, all lie within and few values stand beside', (...points) => {
  const found = plot(points, 300, 100, 40)
  for (const { x, y } of found.dots) {
    expect(x).toBeGreaterThanOrEqual(40)
    expect(x).toBeLessThanOrEqual(300)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThanOrEqual(100)
  }
  expect(found.marks.length).toBeGreaterThanOrEqual(2)
  expect(found.marks.length).toBeLessThanOrEqual(6)
})
