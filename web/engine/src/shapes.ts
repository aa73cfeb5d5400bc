/** Shapes: what the integers that kernels tell mean, as JSON data and back (`games/shapes.py`). */

import type { Json, Shape } from './description.js'
import { filled, str } from './python.js'

/** What numbers stand for in a game with its options settled. */
export interface Terms {
  cards: readonly string[]
  places: readonly string[]
  decisions: readonly string[]
  seats: number
}

/** Of more names than this an error lists a few only. */
const MANY = 20

export class Mismatch extends Error {}

export type Numbers = Iterator<number>

export function stream(numbers: Iterable<number>): Numbers {
  return numbers[Symbol.iterator]()
}

function next(numbers: Numbers): number {
  const { value, done } = numbers.next()
  return done ? 0 : value
}

function names(shape: Shape, terms: Terms): readonly string[] {
  switch (shape.type) {
    case 'card':
      return terms.cards
    case 'place':
      return terms.places
    case 'decision':
      return terms.decisions
    default:
      return shape.codes ?? []
  }
}

function several<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

/** The next integers as JSON data. */
export function write(shape: Shape, numbers: Numbers, terms: Terms): Json {
  switch (shape.type) {
    case 'number':
    case 'slot':
    case 'seat':
      return next(numbers)
    case 'truth':
      return next(numbers) !== 0
    case 'maybe': {
      const number = next(numbers)
      return number === -1 ? null : write(shape.of!, stream([number]), terms)
    }
    case 'list':
      return several(next(numbers), () => write(shape.of!, numbers, terms))
    case 'by_seat':
      return several(terms.seats, () => write(shape.of!, numbers, terms))
    case 'map':
      return Object.fromEntries(
        several(next(numbers), () => [
          str(write(shape.keys!, numbers, terms)),
          write(shape.of!, numbers, terms),
        ]),
      ) as Json
    case 'fields':
      return Object.fromEntries(
        shape.fields!.map((field) => [field.name, write(field, numbers, terms)]),
      )
    case 'letters':
      return several(next(numbers), () => shape.letters![next(numbers)]).join('')
    case 'line': {
      const form = shape.forms![next(numbers)]!
      return filled(
        form.text,
        Object.fromEntries(form.parts.map((part) => [part.name, write(part, numbers, terms)])),
      )
    }
    default: {
      const number = next(numbers)
      return number < 0 ? null : (names(shape, terms)[number] ?? null)
    }
  }
}

function most(shape: Shape, terms: Terms): number {
  return shape.type === 'seat' ? terms.seats - 1 : (shape.most ?? 32_767)
}

/** JSON data as integers; Mismatch if it has another shape. */
export function read(shape: Shape, value: unknown, terms: Terms): number[] {
  switch (shape.type) {
    case 'number':
    case 'slot':
    case 'seat':
      if (
        !Number.isInteger(value) ||
        Number(value) < (shape.least ?? 0) ||
        Number(value) > most(shape, terms)
      ) {
        throw new Mismatch()
      }
      return [Number(value)]
    case 'truth':
      if (typeof value !== 'boolean') throw new Mismatch()
      return [Number(value)]
    case 'maybe':
      return value === null || value === undefined ? [-1] : read(shape.of!, value, terms)
    case 'list':
      return readList(shape, value, terms)
    case 'by_seat':
      if (!Array.isArray(value) || value.length !== terms.seats) throw new Mismatch()
      return value.flatMap((item) => read(shape.of!, item, terms))
    case 'map': {
      const entries = Object.entries(object(value))
      return [
        entries.length,
        ...entries.flatMap(([key, item]) => [
          ...readText(shape.keys!, key, terms),
          ...read(shape.of!, item, terms),
        ]),
      ]
    }
    case 'fields': {
      const given = object(value)
      const fields = shape.fields!
      if (
        Object.keys(given).length !== fields.length ||
        fields.some((field) => !(field.name in given))
      )
        throw new Mismatch()
      return fields.flatMap((field) => read(field, given[field.name], terms))
    }
    case 'letters': {
      if (
        typeof value !== 'string' ||
        [...value].some((letter) => !shape.letters!.includes(letter))
      )
        throw new Mismatch()
      return [value.length, ...[...value].map((letter) => shape.letters!.indexOf(letter))]
    }
    case 'line':
      return readLine(shape, value, terms)
    default: {
      const index = typeof value === 'string' ? names(shape, terms).indexOf(value) : -1
      if (index < 0) throw new Mismatch()
      return [index]
    }
  }
}

function object(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Mismatch()
  return value as Record<string, unknown>
}

function readList(shape: Shape, value: unknown, terms: Terms): number[] {
  if (!Array.isArray(value) || value.length > (shape.most ?? 1000)) throw new Mismatch()
  const items = value.map((item) => read(shape.of!, item, terms))
  if (shape.distinct && new Set(items.map(String)).size < items.length) throw new Mismatch()
  return [items.length, ...items.flat()]
}

/** The same from a piece of text, where a number is written in digits. */
function readText(shape: Shape, text: string, terms: Terms): number[] {
  if (!['number', 'slot', 'seat'].includes(shape.type)) return read(shape, text, terms)
  if (!/^(0|-?[1-9]\d{0,4})$/.test(text)) throw new Mismatch()
  return read(shape, Number(text), terms)
}

function readLine(shape: Shape, value: unknown, terms: Terms): number[] {
  for (const [number, form] of (typeof value === 'string' ? shape.forms! : []).entries()) {
    const pattern = form.text
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{(\w+)\}/g, '(?<$1>[^ ]+?)')
    const found = new RegExp(`^${pattern}$`).exec(value as string)
    if (!found) continue
    try {
      return [
        number,
        ...form.parts.flatMap((part) => readText(part, found.groups![part.name]!, terms)),
      ]
    } catch (wrong) {
      if (!(wrong instanceof Mismatch)) throw wrong
    }
  }
  throw new Mismatch()
}

/** What `read` takes, for an error. */
export function allowed(shape: Shape, terms: Terms): string {
  switch (shape.type) {
    case 'number':
    case 'slot':
    case 'seat':
      return `${shape.least ?? 0}–${most(shape, terms)}`
    case 'truth':
      return 'true, false'
    case 'maybe':
      return `null, ${allowed(shape.of!, terms)}`
    case 'list':
      return `[${allowed(shape.of!, terms)} …]`
    case 'by_seat':
      return `[${several(terms.seats, () => allowed(shape.of!, terms)).join(', ')}]`
    case 'map':
      return `{"${allowed(shape.keys!, terms)}": ${allowed(shape.of!, terms)} …}`
    case 'fields':
      return `{${shape.fields!.map((field) => `${field.name}: ${allowed(field, terms)}`).join(', ')}}`
    case 'letters':
      return `"${shape.letters}"`
    case 'line':
      return shape.forms!.map((form) => `"${form.text}"`).join(', ')
    default: {
      const listed = [...new Set(names(shape, terms))]
      if (listed.length > MANY) return `${listed.slice(0, 3).join(', ')} … ${listed.at(-1)}`
      return listed.join(', ')
    }
  }
}

/** Whether a shape takes one integer. */
export function isSimple(shape: Shape): boolean {
  return !['list', 'by_seat', 'map', 'fields', 'letters', 'line'].includes(shape.type)
}
