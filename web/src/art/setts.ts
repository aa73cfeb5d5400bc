/** The setts: traditional ones for the clans, our own for Schotten Totten's colours. */
import { whenIdle } from '../lib/later'
import { cloth, type Shades } from './weave'

export interface Sett {
  count: string
  shades: Shades
  /** Emblem and letters are drawn in this on paper: dark enough to read. */
  accent: string
  emblem: string
}

const DYES: Shades = {
  R: '#b3252b',
  G: '#2c5f3a',
  B: '#2b3f78',
  K: '#1c1b1e',
  W: '#efe9dc',
  Y: '#e2b33c',
  N: '#8d9093',
}
const dyed = (shades: Shades = {}): Shades => ({ ...DYES, ...shades })

export const SETTS: Readonly<Record<string, Sett>> = {
  bruce: {
    count: 'Y/4 R32 G8 R8 G24 R4 G24 R8 G8 R32 W/4',
    shades: dyed({ R: '#b0201f', G: '#23603a' }),
    accent: '#94191a',
    emblem: 'saltire',
  },
  buchanan: {
    count: 'B18 G46 K6 B18 K6 Y40 K6 Y40 K6 B18 K6 R40 W6 R40 K6 B18 K6 G46 B18',
    shades: dyed({ Y: '#e8a92b', G: '#3c7a4a', B: '#3e63a8' }),
    accent: '#855200',
    emblem: 'sun',
  },
  macbeth: {
    count: 'B/144 Y16 K20 W4 K4 W4 K8 G32 R24 K4 R12 W/4',
    shades: dyed({ B: '#2449a8' }),
    accent: '#1d3a8c',
    emblem: 'dagger',
  },
  mackay: {
    count: 'G/8 B46 G4 K46 G46 K/8',
    shades: dyed({ G: '#3f8a55', B: '#4a6a8c', K: '#1d2a24' }),
    accent: '#1d6339',
    emblem: 'hand',
  },
  macleod: {
    count: 'K/32 Y4 K32 Y48 R/4',
    shades: dyed({ Y: '#f0c52e' }),
    accent: '#6d5300',
    emblem: 'bull',
  },
  douglas: {
    count: 'N/8 K4 N40 K16 N4 K8 N4 K/40',
    shades: dyed({ N: '#9aa0a6', K: '#2a2d31' }),
    accent: '#3f464d',
    emblem: 'heart',
  },
  wallace: {
    count: 'K/4 R32 K32 Y/4',
    shades: dyed({ R: '#c22a22' }),
    accent: '#8f1512',
    emblem: 'swords',
  },
  hamilton: {
    count: 'W/8 R60 B32 R8 B/32',
    shades: dyed({ R: '#c73a34', B: '#31418f' }),
    accent: '#a02430',
    emblem: 'cinquefoil',
  },
  stewart: {
    count: 'W/78 B6 K12 Y6 K6 W6 K6 G16 R10 K6 R6 W/6',
    shades: dyed({ W: '#f3eee3' }),
    accent: '#2f3d6e',
    emblem: 'chequer',
  },
  scott: {
    count: 'W/8 K4 W24 K24 W8 K4 W4 K4 W8 K24 W/24',
    shades: dyed({ K: '#232428' }),
    accent: '#26272b',
    emblem: 'stag',
  },
  makgill: {
    count: 'W/12 Y8 R8 K8 B20 W8 Y8 R4 Y8 W8 K28 G40 R/112',
    shades: dyed({ R: '#d2301f', G: '#2e7048' }),
    accent: '#a81f10',
    emblem: 'martlet',
  },
  macdonnell: {
    count: 'B/16 R2 B4 R6 B24 R2 K24 G24 R6 G4 R2 G8 N/2',
    shades: dyed({ B: '#27386f', G: '#2a5b45', N: '#e9e4d6' }),
    accent: '#1d2c5e',
    emblem: 'galley',
  },
  wemyss: {
    count: 'R/16 G4 R96 K16 R16 K48 W4 K48 R/16',
    shades: dyed({ R: '#a31f3c' }),
    accent: '#7e1330',
    emblem: 'swan',
  },
  fergusson: {
    count: 'G/8 B48 R6 K48 G50 K/8',
    shades: dyed({ B: '#3564b0', G: '#3a8061' }),
    accent: '#1c4a90',
    emblem: 'thistle',
  },
  forsyth: {
    count: 'K/8 G44 Y4 K32 B36 R/8',
    shades: dyed({ G: '#3d8b4c', B: '#62a4cf' }),
    accent: '#1a6a76',
    emblem: 'wing',
  },
  cockburn: {
    count: 'G/40 K4 G4 K4 G4 K4 B16 K4 W4 K4 B4 Y4 K4 G16 K4 R/4',
    shades: dyed({ G: '#5c9440', B: '#41609b' }),
    accent: '#446a12',
    emblem: 'cock',
  },
  cochrane: {
    count: 'G/68 R8 G6 R4 G8 R4 G6 R8 G34 K34 R4 B34 R8 B8 Y/6',
    shades: dyed({ G: '#174f3c', B: '#29417c' }),
    accent: '#0e4030',
    emblem: 'horseshoe',
  },

  red: {
    count: 'R/40 K6 R8 W4 R8 K/12',
    shades: dyed({ R: '#c0312b', K: '#571412' }),
    accent: '#a01d18',
    emblem: 'flame',
  },
  yellow: {
    count: 'Y/44 N4 Y4 N10 W4 N/6',
    shades: dyed({ Y: '#eec23a', N: '#8a6210' }),
    accent: '#7a5300',
    emblem: 'sun',
  },
  green: {
    count: 'G/36 K8 G8 Y3 G8 K/16',
    shades: dyed({ G: '#3d8a4a', K: '#123d22' }),
    accent: '#1c6330',
    emblem: 'pine',
  },
  blue: {
    count: 'B/40 W4 B6 K14 B6 W/4',
    shades: dyed({ B: '#2f62b8', K: '#142a5c' }),
    accent: '#1b478f',
    emblem: 'wave',
  },
  purple: {
    count: 'P/36 K6 P6 W3 P6 K6 G/10',
    shades: dyed({ P: '#7b3f98', K: '#331346', G: '#4f7d55' }),
    accent: '#652a82',
    emblem: 'thistle',
  },
  orange: {
    count: 'O/40 N6 O6 N6 Y4 N/14',
    shades: dyed({ O: '#e07f25', N: '#6b3108' }),
    accent: '#99480a',
    emblem: 'axe',
  },
  back: {
    count: 'N/28 K4 N4 K4 N4 K20 Y2 K/20',
    shades: { N: '#38525a', K: '#1f3238', Y: '#c39b4a' },
    accent: '#1f3238',
    emblem: 'crown',
  },
  tacticback: {
    count: 'R/28 K4 R4 K4 R4 K20 Y2 K/20',
    shades: { R: '#6e3140', K: '#3d1a24', Y: '#c39b4a' },
    accent: '#3d1a24',
    emblem: 'banner',
  },
}

function pictureOf(name: string): string {
  const sett = SETTS[name] ?? SETTS['back']!
  return cloth(sett.count, sett.shades)
}

export const clothOf = (name: string): string => `url("${pictureOf(name)}")`

const held: HTMLImageElement[] = []

/** Read a picture before it is shown; as long as the page holds it, no card has to. */
function hold(name: string): void {
  const image = new Image()
  image.src = pictureOf(name)
  held.push(image)
}

/** Every cloth as a rule for what names it: in a style of its own each card would read its picture anew. */
export function hangCloths(): void {
  const sheet = new CSSStyleSheet()
  for (const name of Object.keys(SETTS))
    sheet.insertRule(`[data-cloth='${name}'].card::before { background: ${clothOf(name)} }`)
  document.adoptedStyleSheets.push(sheet)
  for (const name of Object.keys(SETTS)) whenIdle(() => hold(name))
}
