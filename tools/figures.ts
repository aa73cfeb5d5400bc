/**
 * Draw the figures of the documents, docs/pictures/figures: cards as the web client weaves them.
 *
 *     python tools/web.py figures
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Card, GameData } from '../web/engine/src/description'
import { EMBLEMS } from '../web/src/art/emblems'
import { SETTS, type Sett } from '../web/src/art/setts'
import { weave } from '../web/src/art/weave'
import type { Face, Names } from '../web/src/games'
import { face as claim } from '../web/src/games/claim/faces'
import { face as kilt } from '../web/src/games/kilt/faces'
import { face as lords } from '../web/src/games/lords/faces'
import { face as schotten } from '../web/src/games/schotten/faces'
import { settings } from '../web/src/lib/settings.svelte'

const PYTHON = process.env['PYTHON'] ?? 'python'
const FOLDER = process.env['FIGURES'] ?? '../docs/pictures/figures'
const WIDTH = 100
const HEIGHT = 140
const GAP = 14
const PAPER = '#fbf6ea'
const BRASS = '#c8892b'
const INK = '#7a6d5d' // reads on linen and on slate

type Draw = (code: string) => Face
const faces: Record<string, (card: Card, names: Names) => Face> = { claim, kilt, lords, schotten }
const LANGUAGES = ['en', 'fr'] as const
const faceIn: Record<string, Record<string, Draw>> = { en: {}, fr: {} }
for (const [game, face] of Object.entries(faces)) {
  const ask = `import json, tanistry; print(json.dumps(tanistry.game("${game}").describe()))`
  const data = JSON.parse(execFileSync(PYTHON, ['-c', ask], { encoding: 'utf8' })) as GameData
  for (const lang of LANGUAGES) {
    const words = data.words[lang] as Record<string, Record<string, string>>
    const names = {
      word: (key: string) => words[key.split('.')[0]!]![key.split('.')[1]!]!,
      cardName: (code: string) => code,
    }
    faceIn[lang]![game] = (code) => {
      settings.lang = lang
      return face(
        data.cards.find((card) => card.code === code)!,
        names,
      )
    }
  }
}
const faceOf = faceIn['en']!

/** One SVG: shapes, and the cloths they are cut from, each woven once. */
class Figure {
  private cloths = new Map<string, string>()
  private shapes: string[] = []
  constructor(private prefix: string) {}

  add(shape: string): this {
    this.shapes.push(shape)
    return this
  }

  private cloth(name: string): string {
    const id = `${this.prefix}-${name}`
    if (!this.cloths.has(id)) {
      const { count, shades } = SETTS[name] as Sett
      const woven = weave(count, shades)
        .replaceAll('"t"', `"${id}-t"`)
        .replaceAll('"m"', `"${id}-m"`)
      const inner = woven.replaceAll('#t)', `#${id}-t)`).replaceAll('#m)', `#${id}-m)`)
      const size = /width="(\d+)"/.exec(woven)![1]
      this.cloths.set(
        id,
        `<pattern id="${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">${inner}</pattern>`,
      )
    }
    return `url(#${id})`
  }

  card(draw: Draw, code: string, x: number, y: number, turn = 0): this {
    const face = draw(code)
    const fill = face.plain ?? this.cloth(face.cloth ?? 'back')
    const long = face.value.length > 1
    const letters = face.letters && face.letters !== face.value ? face.letters : ''
    return this.add(
      `<g transform="translate(${x} ${y}) rotate(${turn} ${WIDTH / 2} ${HEIGHT})" color="${face.accent}">` +
        ground(fill) +
        (face.value ? tab(6, 6, long ? 54 : 38, 44, face.value, long ? 30 : 38) : '') +
        (letters
          ? tab(94 - 14 - 12 * letters.length, 6, 14 + 12 * letters.length, 28, letters, 20)
          : '') +
        `<circle cx="50" cy="94" r="33" fill="${PAPER}"/>` +
        emblem(face.emblem, 27, 71, 46) +
        (face.sign ? sign(face.sign) : '') +
        `</g>`,
    )
  }

  back(x: number, y: number, turn = 0): this {
    return this.add(
      `<g transform="translate(${x} ${y}) rotate(${turn} ${WIDTH / 2} ${HEIGHT})" color="#e3c98a">` +
        ground(this.cloth('back')) +
        emblem('crown', 27, 47, 46) +
        `</g>`,
    )
  }

  row(draw: Draw, codes: string[], x: number, y: number): this {
    codes.forEach((code, n) => this.card(draw, code, x + n * (WIDTH + GAP), y))
    return this
  }

  text(x: number, y: number, words: string, size = 34, anchor = 'middle'): this {
    return this.add(
      `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="Georgia, serif" font-weight="700" font-size="${size}" fill="${INK}">${words}</text>`,
    )
  }

  mark(name: string, x: number, y: number, size: number, colour = BRASS): this {
    return this.add(`<g color="${colour}">${emblem(name, x, y, size)}</g>`)
  }

  empty(x: number, y: number): this {
    return this.add(
      `<rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="9" fill="none" stroke="${INK}" stroke-width="3" stroke-dasharray="10 8"/>`,
    )
  }

  arrow(path: string): this {
    return this.add(
      `<path d="${path}" fill="none" stroke="${BRASS}" stroke-width="7" stroke-linecap="round" marker-end="url(#${this.prefix}-head)"/>`,
    )
  }

  save(width: number, height: number): void {
    const head =
      `<marker id="${this.prefix}-head" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4.500" markerHeight="4.500" orient="auto-start-reverse">` +
      `<path d="M0 0L10 5L0 10z" fill="${BRASS}"/></marker>`
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
      `<defs>${head}${[...this.cloths.values()].join('')}</defs>${this.shapes.join('\n')}</svg>\n`
    writeFileSync(`${FOLDER}/${this.prefix}.svg`, svg)
    console.log(`${this.prefix}.svg: ${Math.round(svg.length / 1000)} kB`)
  }
}

function ground(fill: string): string {
  return (
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="9" fill="${fill}" stroke="#00000059"/>` +
    `<rect x="2" y="2" width="${WIDTH - 4}" height="${HEIGHT - 4}" rx="7.500" fill="none" stroke="${PAPER}" stroke-opacity=".75" stroke-width="2.500"/>`
  )
}

function tab(
  x: number,
  y: number,
  width: number,
  height: number,
  words: string,
  size: number,
): string {
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7" fill="${PAPER}"/>` +
    `<text x="${x + width / 2}" y="${y + height / 2 + size * 0.35}" text-anchor="middle" font-family="Georgia, serif" font-weight="700" font-size="${size}" fill="currentColor">${words}</text>`
  )
}

function emblem(name: string, x: number, y: number, size: number): string {
  const { fill, line } = EMBLEMS[name]!
  return (
    `<g transform="translate(${x} ${y}) scale(${size / 24})">` +
    (fill ? `<path d="${fill}" fill="currentColor" fill-rule="evenodd"/>` : '') +
    (line
      ? `<path d="${line}" fill="none" stroke="currentColor" stroke-width="1.900" stroke-linecap="round" stroke-linejoin="round"/>`
      : '') +
    `</g>`
  )
}

function sign(name: string): string {
  const drawn = emblem(name, 73, 112, 18)
  return (
    `<circle cx="82" cy="121" r="15" fill="currentColor" stroke="${PAPER}" stroke-width="2.500"/>` +
    `<g color="${PAPER}">${drawn}</g>`
  )
}

const step = WIDTH + GAP
mkdirSync(FOLDER, { recursive: true })

// -- the front page: a hand of all four games ------------------------------------------------------
const hand: [string, string][] = [
  ['claim', 'G7'],
  ['kilt', 'ML!'],
  ['schotten', 'P8'],
  ['lords', 'MK9'],
  ['kilt', 'BR'],
  ['schotten', 'B5'],
  ['claim', 'K9'],
]
const fan = new Figure('hand')
hand.forEach(([game, code], n) => {
  const turn = (n - 3) * 7
  fan.card(faceOf[game]!, code, 340 + (n - 3) * 78, 24 + (n - 3) ** 2 * 9, turn)
})
fan.save(780, 262)

// -- Claim and Schotten Totten: letters on their cards stand for words of a language ---------------
const best = [
  ['B4', 'B5', 'B6'],
  ['R8', 'G8', 'P8'],
  ['Y2', 'Y5', 'Y9'],
  ['G3', 'R4', 'O5'],
  ['P1', 'B6', 'Y9'],
]
for (const lang of LANGUAGES) {
  const { claim, schotten } = faceIn[lang] as Record<'claim' | 'schotten', Draw>
  const ending = lang === 'en' ? '' : `-${lang}`
  new Figure(`claim-factions${ending}`)
    .row(claim, ['G5', 'K7', 'U3', 'D8', 'X6'], 4, 4)
    .save(5 * step - GAP + 8, 148)
  new Figure(`claim-trick${ending}`)
    .card(claim, 'G9', 4, 44)
    .card(claim, 'K2', 4 + step, 44)
    .mark('crown', 4 + step + 32, 2, 36)
    .card(claim, 'U4', 300, 44)
    .card(claim, 'X8', 300 + step, 44)
    .mark('crown', 300 + step + 32, 2, 36)
    .save(300 + 2 * step, 190)
  const formations = new Figure(`schotten-formations${ending}`)
  best.forEach((codes, n) => {
    const x = 4 + (n % 2) * (3 * step + 46)
    const y = 56 + Math.floor(n / 2) * 220
    formations.text(x + 1.5 * step - 7, y - 16, String(n + 1), 38).row(schotten, codes, x, y)
  })
  formations.save(2 * (3 * step + 46) - 56, 642)
}

// -- King's Kilt -----------------------------------------------------------------------------------
const climb = new Figure('kilt-climb')
const half = step / 2
climb.row(faceOf['kilt']!, ['BR', 'WA!', 'MB', 'ML'], 4, 308)
climb.row(faceOf['kilt']!, ['MK', 'DO'], 4 + half, 154)
climb.empty(4 + 2 * step + half, 154).empty(4 + step, 4)
climb.arrow(`M${4 + half + 78} 170 L${4 + step + 30} 118`)
climb.arrow(
  `M${4 + step + 30} 330 C ${4 + step - 20} 290 ${4 + step - 10} 240 ${4 + half + 66} 262`,
)
climb.save(4 * step, 452)
const court = new Figure('kilt-court')
court.card(faceOf['kilt']!, 'ML', 4 + step, 4)
court.row(faceOf['kilt']!, ['MK', 'MK!'], 4 + half, 154)
court.row(faceOf['kilt']!, ['MK', 'MB', 'BR!'], 4, 304)
;['3', '2', '1'].forEach((points, n) => {
  const y = 4 + n * 150
  court.mark(['crown', 'shield', 'star'][n]!, 372, y + 40, 44).text(446, y + 76, points, 44)
})
court.save(480, 450)

// -- Lords of Scotland -----------------------------------------------------------------------------
const clans = ['SC3', 'MK5', 'MD6', 'WE2', 'FE7', 'FO4', 'CB9', 'CR8']
new Figure('lords-clans').row(faceOf['lords']!, clans, 4, 4).save(8 * step - GAP + 8, 148)
new Figure('lords-armies')
  .row(faceOf['lords']!, ['FE2', 'FE4', 'FE5'], 4, 4)
  .text(4 + 3 * step + 10, 90, '11 × 2 = 22', 44, 'start')
  .row(faceOf['lords']!, ['MK9', 'WE8', 'SC4'], 4, 168)
  .text(4 + 3 * step + 10, 254, '21', 44, 'start')
  .save(660, 312)
