import { SETTS } from '../../art/setts'
import type { Words } from '../../lib/protocol'
import type { Face } from '..'

const COLOURS: Readonly<Record<string, string>> = {
  R: 'red',
  Y: 'yellow',
  G: 'green',
  B: 'blue',
  P: 'purple',
  O: 'orange',
}
const TACTICS: Readonly<Record<string, { emblem: string; value: string; plain: string }>> = {
  farlane: { emblem: 'bonnet', value: '★', plain: '#7d2334' },
  gregor: { emblem: 'bonnet', value: '★', plain: '#2d4a6e' },
  support: { emblem: 'banner', value: '7', plain: '#4a5a30' },
  shield: { emblem: 'shield', value: '1–3', plain: '#5c4a30' },
  fog: { emblem: 'fog', value: '', plain: '#6d7f8a' },
  mud: { emblem: 'mud', value: '4', plain: '#6b4a2c' },
  scout: { emblem: 'eye', value: '', plain: '#37606a' },
  redeploy: { emblem: 'march', value: '', plain: '#37606a' },
  deserter: { emblem: 'flee', value: '', plain: '#37606a' },
  traitor: { emblem: 'mask', value: '', plain: '#37606a' },
}

export const isTactic = (code: string): boolean => code in TACTICS

export function face(code: string, words: Words | null): Face {
  const tactic = TACTICS[code]
  if (tactic) return { ...tactic, accent: '#33222a', letters: '', foot: words?.cards[code] ?? code }
  const cloth = COLOURS[code[0]!] ?? 'back'
  const { accent, emblem } = SETTS[cloth]!
  const letters = words?.lang === 'fr' ? (FRENCH[code[0]!] ?? code[0]!) : code[0]!
  return { cloth, accent, emblem, value: code.slice(1), letters }
}

/** Rouge, Jaune, Vert, Bleu, Pourpre, Orange. */
const FRENCH: Readonly<Record<string, string>> = { R: 'R', Y: 'J', G: 'V', B: 'B', P: 'P', O: 'O' }
