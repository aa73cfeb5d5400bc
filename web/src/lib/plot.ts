/** A line through ratings over time, as an SVG draws it. Pure functions. */
import type { RatingPoint } from './protocol'

export interface Plot {
  line: string
  dots: { x: number; y: number }[]
  /** Values to read the height by, lowest first. */
  marks: { y: number; value: number }[]
  low: number
  high: number
}

const EDGE = 6
const STEPS = [10, 20, 50, 100, 200, 500, 1000]
const MOST_MARKS = 5

/** `left`: the room for the values beside it. */
export function plot(points: RatingPoint[], width: number, height: number, left: number): Plot {
  const values = points.map(({ value }) => value)
  const low = Math.min(...values)
  const high = Math.max(...values)
  const step = STEPS.find((step) => high - low <= step * (MOST_MARKS - 2)) ?? STEPS.at(-1)!
  const floor = Math.floor(low / step) * step
  const top = Math.max(floor + step, Math.ceil(high / step) * step)
  const y = (value: number) =>
    height - EDGE - ((value - floor) / (top - floor)) * (height - 2 * EDGE)
  const dots = points.map((point, index) => ({
    x: left + along(points, index) * (width - left - EDGE),
    y: y(point.value),
  }))
  const marks = []
  for (let value = floor; value <= top; value += step) marks.push({ y: y(value), value })
  const line = dots.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  return { line, dots, marks, low, high }
}

/** How far along a point lies, from 0 to 1: by its time, or by its number where all have one time. */
function along(points: RatingPoint[], index: number): number {
  const first = points[0]!.at
  const span = points.at(-1)!.at - first
  if (span > 0) return (points[index]!.at - first) / span
  return points.length > 1 ? index / (points.length - 1) : 1
}
