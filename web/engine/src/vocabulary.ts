/** The vocabulary of a game: every action with its token and its parts, from the declared blocks. */

import type { Action, GameData, Json, Options, Part } from './description.js'
import { filled, str } from './python.js'
import { stream, write, type Terms } from './shapes.js'
import type { Choice, Data } from './words.js'

/** The parts of a description that tokens are made of. */
export type Spoken = Pick<GameData, 'cards' | 'places' | 'actions' | 'decisions'>

/** An action: what it names, by number. */
export interface Entry extends Choice {
  action: Action
  numbers: number[]
}

export function usedWith(when: Options, options: Options): boolean {
  return Object.entries(when).every(([name, value]) => options[name] === value)
}

/** What numbers stand for, with the options settled. */
export function termsOf(data: Spoken, options: Options, seats: number): Terms {
  return {
    cards: data.cards.filter((card) => usedWith(card.when, options)).map((card) => card.code),
    places: data.places.map((place) => place.name),
    decisions: data.decisions,
    seats,
  }
}

/** All actions in their order. */
export function vocabulary(data: Spoken, options: Options, terms: Terms): Entry[] {
  return data.actions
    .filter((action) => usedWith(action.when, options))
    .flatMap((action) => block(action, terms))
}

/** An action as a seat would choose it: its token, its verb, and what it names. */
export function choiceOf(data: Spoken, entry: Entry, seat: number): Data {
  const { token, verb, values, action, numbers } = entry
  const found: Data = { token, verb, ...values }
  action.parts.forEach((part, i) => {
    if (part.mine) found[part.name] = ownPlace(data, numbers[i]!, seat)
  })
  return found
}

/** The place like this one that belongs to a seat. */
function ownPlace(data: Spoken, number: number, seat: number): string {
  const { kind, index } = data.places[number]!
  return data.places.find(
    (place) => place.kind === kind && String(place.index) === String(index) && place.owner === seat,
  )!.name
}

function block(action: Action, terms: Terms): Entry[] {
  const shapes = Object.fromEntries(action.parts.map((part) => [part.name, part]))
  const named = action.parts.map((part) => namesOf(part, terms))
  return combinations(action.parts).map((numbers) => {
    const values: Record<string, Json> = {}
    const texts: Record<string, string> = {}
    action.parts.forEach(({ name }, i) => {
      const { value, text } = named[i]!.get(numbers[i]!)!
      values[name] = value
      texts[name] = text
    })
    const token = filled(action.token, texts)
    return { token, verb: action.verb, values, shapes, action, numbers }
  })
}

/** What the numbers of a part stand for, as data and as a token has it. */
function namesOf(part: Part, terms: Terms): Map<number, { value: Json; text: string }> {
  return new Map(
    part.values.map((n, i) => {
      const value = write(part, stream([n]), terms)
      return [n, { value, text: part.texts[i] ?? str(value) }]
    }),
  )
}

/** All combinations, the last part changing fastest; what goes along with a part changes with it. */
function combinations(parts: readonly Part[]): number[][] {
  const columns: number[][][] = []
  for (const { values, along } of parts) {
    const last = along ? columns.pop()! : values.map(() => [])
    columns.push(values.map((n, i) => [...last[i]!, n]))
  }
  return columns.reduce(
    (found, column) => found.flatMap((row) => column.map((n) => [...row, ...n])),
    [[]] as number[][],
  )
}
