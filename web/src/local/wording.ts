/** A game's description in the words of the protocol: what a server says of the game and its texts. */
import type { Description, GameData, Option, Tree } from '../../engine/src/description'
import { Words as Texts, type Label } from '../../engine/src/words'
import type * as Wire from '../lib/protocol'

const LANGUAGES: Wire.Lang[] = ['en', 'fr']

export function wordsOf({ game }: Description, lang: Wire.Lang): Wire.Words {
  const texts = new Texts(lang, game)
  const { rules, ...words } = game.words[lang]!
  delete words['errors'] // pages have no use for them
  return {
    game: game.name,
    lang,
    words,
    cards: Object.fromEntries(game.cards.map(({ code }) => [code, texts.card(code)])),
    places: Object.fromEntries(game.places.map(({ name }) => [name, texts.place(name)])),
    rules: rulesOf(rules as Tree),
  }
}

/** The rules under their ids, those all games share last. */
function rulesOf(groups: Tree): Wire.Rule[] {
  const names = Object.keys(groups).sort((a, b) => Number(a === 'common') - Number(b === 'common'))
  return names.flatMap((group) =>
    Object.entries(groups[group] as Record<string, { title: string; text: string }>).map(
      ([name, { title, text }]) => ({ id: `${group}.${name}`, title, text }),
    ),
  )
}

/** A game in brief. */
export function briefOf({ game }: Description): Wire.Game {
  const texts = LANGUAGES.map((lang) => new Texts(lang, game))
  const said = (say: (texts: Texts) => string): Wire.Said =>
    Object.fromEntries(texts.map((one) => [one.lang, say(one)])) as Wire.Said
  const label = (find: (texts: Texts) => Label) => ({
    title: said((texts) => find(texts).title),
    meaning: said((texts) => find(texts).meaning),
  })
  const option = ({ name, values, default: usual }: Omit<Option, 'numbers'>): Wire.Option => {
    const labels = values.map(
      (one) => [String(one), label((texts) => texts.value(name, one))] as const,
    )
    return {
      name,
      values,
      default: usual,
      ...label((texts) => texts.option(name)),
      say: Object.fromEntries(labels.map(([value, { title }]) => [value, title])),
      meanings: Object.fromEntries(labels.map(([value, { meaning }]) => [value, meaning])),
    }
  }
  const { name, version, seats, has_draw } = game
  return {
    name,
    version,
    title: said((texts) => texts.text('title')),
    tagline: said((texts) => texts.text('tagline')),
    seats,
    has_draw,
    options: [first(game), ...game.options].map(option),
    presets: game.presets.map((one) => ({ ...one, ...label((texts) => texts.preset(one.name)) })),
  }
}

function first({ seats }: GameData): Omit<Option, 'numbers'> {
  return { name: 'first', values: Array.from({ length: seats.at(-1)! }, (_, n) => n), default: 0 }
}

/** What there is to play where there is no server to ask. */
export function gamesOf(descriptions: Description[]): Wire.Games {
  const { titles, default_level } = descriptions[0]!.bots.people
  const people: Wire.Bot = {
    bot: 'people',
    levels: titles.map((_, index) => index + 1),
    default: default_level,
    title: { en: 'Bot', fr: 'Bot' },
    level_titles: titles as unknown as Wire.Said[],
  }
  return { games: descriptions.map(briefOf), bots: [people] }
}
