/** What happens in a match, in words (`words.py`). */

import type { Card, GameData, Json, Lang, Place, Shape, Told, Tree, Value } from './description.js'
import { filled, str } from './python.js'

export interface Choice {
  token: string
  verb: string
  values: Record<string, Json>
  shapes: Record<string, Shape>
}

export type Data = Record<string, Json>

/** How a choice is said: “playing …”, which a sentence speaks of, or “plays …”, after a name. */
export type Form = 'doing' | 'does'

/** What people are offered: a title, and a sentence that says what it means. */
export interface Label {
  title: string
  meaning: string
}

export function shapesOf(told: Told): Record<string, Shape> {
  return Object.fromEntries(told.values.map((value) => [value.name, value]))
}

export class Words {
  private readonly tree: Tree
  private readonly cards: Map<string, Card>
  private readonly places: Map<string, Place>
  private readonly events: Map<string, Record<string, Shape>>

  constructor(
    readonly lang: Lang,
    data: GameData,
  ) {
    this.tree = data.words[lang] ?? {}
    this.cards = new Map(data.cards.map((card) => [card.code, card]))
    this.places = new Map(data.places.map((place) => [place.name, place]))
    this.events = new Map(data.events.map((told) => [told.name, shapesOf(told)]))
  }

  /** The entry at a dotted key. */
  find(key: string): unknown {
    let node: unknown = this.tree
    for (const part of key.split('.')) {
      if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return undefined
      node = (node as Record<string, unknown>)[part]
    }
    return node
  }

  /** The sentence at a key with its values filled in; the key itself if there is none. */
  text(key: string, values: Record<string, unknown> = {}): string {
    const found = this.find(key)
    return typeof found === 'string' ? filled(found, values, { lang: this.lang }) : key
  }

  /** An option: what it is called, and what it decides. */
  option(name: string): Label {
    const key = `options.${name}`
    return { title: this.text(`${key}.name`), meaning: this.text(`${key}.meaning`) }
  }

  /** A value of an option; `any` has the texts of numbers, with {value} and {nth}. */
  value(name: string, value: Value): Label {
    const numbers = typeof value === 'number' ? { value, nth: value + 1 } : {}
    const said = (key: string): string => {
      const own = `options.${name}.${key}.${String(value)}`
      return this.text(this.find(own) ? own : `options.${name}.${key}.any`, numbers)
    }
    return { title: said('values'), meaning: said('meanings') }
  }

  preset(name: string): Label {
    const key = `presets.${name}`
    return { title: this.text(`${key}.title`), meaning: this.text(`${key}.meaning`) }
  }

  card(code: string | null): string {
    if (code === null) return this.text('hidden_card')
    const exact = this.find(`cards.${code}`)
    if (typeof exact === 'string') return exact
    const card = this.cards.get(code)
    const pattern = card && this.find(`cards.${card.suit}`)
    return typeof pattern === 'string' ? filled(pattern, { value: card!.value }) : code
  }

  /** The same within a sentence. */
  private theCard(code: string | null): string {
    const keys = [code, this.cards.get(code ?? '')?.kind, 'default'].filter(Boolean)
    const pattern = keys.map((key) => this.find(`the_cards.${key}`)).find(Boolean)
    const named = this.card(code)
    return code && typeof pattern === 'string' ? filled(pattern, { card: named }) : named
  }

  /** The name of a place; where it is known who sits at the seats, by its owner's. */
  place(name: string, names?: readonly string[]): string {
    const place = this.places.get(name)
    const owner = names?.[place?.owner ?? -1]
    const owned = owner !== undefined && this.find(`owned.${place!.kind}`)
    if (typeof owned === 'string') return filled(owned, { name: owner }, { lang: this.lang })
    const pattern = place && this.find(`places.${place.kind}`)
    if (!place || typeof pattern !== 'string') return name
    return filled(
      pattern,
      {},
      { listed: place.owner === null ? place.index : [...place.index, place.owner] },
    )
  }

  /** Where about a place is, by the first number of its index. */
  private region(name: string): string {
    const place = this.places.get(name)
    const found = place && this.find(`regions.${place.kind}.${place.index[0]}`)
    return typeof found === 'string' ? found : this.place(name)
  }

  /** A place told from others of its kind, as people count. */
  private spot(name: string): string {
    const place = this.places.get(name)
    const pattern = place && this.find(`spots.${place.kind}`)
    if (!place || typeof pattern !== 'string') return this.place(name)
    const counted = pattern.replace(
      /\{nth\[(\d+)\]\}/g,
      (_, i: string) => `${place.index[Number(i)]! + 1}`,
    )
    return filled(counted, { region: this.region(name) })
  }

  /** What a choice does, in a few words; with a view, also what lies where it points; within a
   * sentence in another form. */
  choice(choice: Choice, view?: Data, names?: readonly string[], form?: Form): string {
    const formed = form && this.find(`${form}.${choice.verb}`)
    const seen = view && this.find(`at_table.${choice.verb}`)
    let sentence = formed ?? seen ?? this.find(`actions.${choice.verb}`)
    if (typeof sentence === 'object' && sentence !== null) {
      const table = sentence as Record<string, unknown>
      const named = Object.values(choice.values).map((value) => table[str(value)])
      sentence = named.find(Boolean) ?? table['default']
    }
    if (typeof sentence !== 'string') return choice.token
    const said = this.said(choice.values, choice.shapes, names)
    if (view) Object.assign(said, this.lying(choice, view))
    return filled(sentence, said, { lang: this.lang })
  }

  /** What lies at the places that a choice names. */
  private lying({ values, shapes }: Choice, view: Data): Record<string, string> {
    const named = (type: string) =>
      Object.keys(shapes).filter((name) => shapes[name]!.type === type)
    const slot = Number(values[named('slot')[0] ?? ''] ?? 0)
    const places = view['places'] as Record<string, (string | { card: string | null })[]>
    const said: Record<string, string> = {}
    for (const name of named('place')) {
      const place = String(values[name])
      const entry = places[place]?.[slot] ?? null
      const lying = typeof entry === 'string' ? entry : (entry?.card ?? null)
      const covered = lying === null ? this.text('covered_card') : null
      said[`${name}_card`] = covered ?? this.card(lying)
      said[`the_${name}_card`] = covered ?? this.theCard(lying)
    }
    return said
  }

  /** One line about an event as a seat sees it; empty if it is not worth a line. With whose choice it came of. */
  event(event: Data, names: readonly string[], by?: number): string {
    const type = String(event['type'])
    const said = this.said(event, this.events.get(type) ?? {}, names)
    const rule = String(event['rule'] ?? '').replace(/^[^.]*\.?/, '')
    const to = this.places.get(String(event['to'])) // by rule, or by rule and where a card went
    const keys = [...(to ? [`${rule}_${to.kind}`] : []), rule, 'default']
    if (event['seat'] === -1) keys.unshift('nobody')
    if (by !== undefined) said['by'] = names[by]
    const parts = by === undefined ? ['events'] : ['told', 'events']
    const key = keys
      .flatMap((name) => parts.map((part) => `${part}.${type}.${name}`))
      .find((key) => typeof this.find(key) === 'string')
    return key ? this.text(key, said) : ''
  }

  /** One of several, in a sentence: the last after an "or". */
  private either(several: readonly string[]): string {
    const [others, last] = [several.slice(0, -1).join(', '), several.at(-1) ?? '']
    return others ? this.text('either', { others, last }) : last
  }

  /** Why a token is not legal. */
  refusal(token: string, key: string, values: Data, shapes: Record<string, Shape>): string {
    const own = `not_now_${String(values['decision'])}`
    const found = key === 'not_now' && this.find(`refusals.${own}`) ? own : key
    return this.text(`refusals.${found}`, { token, ...this.said(values, shapes) })
  }

  private said(
    values: Data,
    shapes: Record<string, Shape>,
    names?: readonly string[],
  ): Record<string, unknown> {
    const said: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(values)) {
      const shape = shapes[key]
      said[key] = shape ? this.word(value, shape, names) : value
      if (shape?.type === 'card') {
        const named = this.theCard(value as string | null)
        said[`the_${key}`] = named
        said[`The_${key}`] = named.slice(0, 1).toUpperCase() + named.slice(1)
      }
      if (shape?.type === 'list' && shape.of?.type === 'card') {
        const several = (value as string[]).map((code) => this.theCard(code))
        said[`the_${key}`] = this.either(several)
      }
      if (shape?.type !== 'place') continue
      said[`${key}_region`] = this.region(String(value))
      said[`${key}_spot`] = this.spot(String(value))
      if (!names) continue
      const owner = this.places.get(String(value))?.owner ?? -1
      if (owner >= 0 && owner < names.length) said[`${key}_seat`] = names[owner]
    }
    return said
  }

  private word(value: Json, shape: Shape, names?: readonly string[]): unknown {
    if (shape.type === 'list' && Array.isArray(value)) {
      const several = value.map((item) => str(this.word(item, shape.of!, names)))
      return several.join(shape.of!.type === 'number' ? '-' : ', ')
    }
    switch (shape.type) {
      case 'card':
        return this.card(value as string | null)
      case 'place':
        return this.place(String(value), names)
      case 'seat':
        return names ? (names[Number(value)] ?? this.text('nobody')) : value
      case 'code': {
        const word = this.find(`${shape.words}.${String(value)}`)
        return typeof word === 'string' ? word : value
      }
      case 'slot':
        return Number(value) + 1 // people count from one
      case 'decision':
        return this.text(`decisions.${String(value)}`)
      default:
        return value
    }
  }
}
