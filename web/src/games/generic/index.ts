import type { Face, GameTable } from '..'
import { plainPath } from '../../lib/choices'
import { SETTS } from '../../art/setts'
import Table from './Table.svelte'

const CLOTHS = [
  'red',
  'blue',
  'green',
  'yellow',
  'purple',
  'orange',
  'douglas',
  'wemyss',
  'forsyth',
]

/** A face from the code alone: letters choose the cloth, digits are the value. */
function face(code: string): Face {
  const letters = code.replace(/\d+$/, '')
  const sum = [...letters].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  const cloth = CLOTHS[sum % CLOTHS.length]!
  const { accent, emblem } = SETTS[cloth]!
  return {
    cloth,
    accent,
    emblem,
    value: code.slice(letters.length) || letters.slice(0, 2),
    letters: letters.slice(0, 2),
  }
}

export const game: GameTable = { Table, face, path: plainPath }
