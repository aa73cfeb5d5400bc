/** A game's description in the words of the protocol: what a server says of the game and its texts. */
import type { Description, GameData, Option, Tree } from '../../engine/src/description'
import { Words as Texts } from '../../engine/src/words'
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
  const texts = Object.fromEntries(LANGUAGES.map((lang) => [lang, new Texts(lang, game)]))
  const said = (...keys: string[]): Wire.Said =>
    Object.fromEntries(
      LANGUAGES.map((lang) => {
        const found = keys.map((key) => texts[lang]!.find(key))
        return [lang, found.find((text) => typeof text === 'string') ?? '']
      }),
    ) as Wire.Said
  const option = ({ name, values, default: usual }: Omit<Option, 'numbers'>): Wire.Option => {
    const key = `options.${name}`
    const say = values
      .map((value) => [String(value), said(`${key}.values.${value}`, `${key}.${value}`)] as const)
      .filter(([, words]) => words.en || words.fr)
    const title = said(`${key}.name`, `${key}.title`, key)
    const meaning = said(`${key}.meaning`)
    return { name, values, default: usual, title, meaning, say: Object.fromEntries(say) }
  }
  const { name, version, seats, has_draw } = game
  const title = said('title')
  const options = [first(game), ...game.options].map(option)
  return { name, version, title, tagline: said('tagline'), seats, has_draw, options }
}

function first({ seats }: GameData): Omit<Option, 'numbers'> {
  return { name: 'first', values: Array.from({ length: seats.at(-1)! }, (_, n) => n), default: 0 }
}

/** What there is to play where there is no server to ask. */
export function gamesOf(descriptions: Description[]): Wire.Games {
  const { levels, default_level } = descriptions[0]!.bots.ismcts
  const title = { en: 'Bot', fr: 'Robot' }
  const ismcts = {
    bot: 'ismcts',
    levels: Object.keys(levels).map(Number),
    default: default_level,
    title,
  }
  return { games: descriptions.map(briefOf), bots: [ismcts] }
}
