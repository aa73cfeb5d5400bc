import type { Board } from '../../lib/board.svelte'
import type { Target } from '../../lib/choices'
import type { GameEvent, View } from '../../lib/protocol'
import type { GameTable } from '..'
import Count from './Count.svelte'
import { clanOf, face } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'

const cell = (row: number, column: number): Target => `pyramid.${row}.${column}`

/** `climb 2.1>`: the card, then where it goes. `betray MK 5.0`: the influence card, then the victim. */
function path(token: string, view: View): Target[] {
  const [verb, a = '', b = ''] = token.split(' ')
  const me = view.to_act
  const [row = 0, column = 0] = a.split('.').map((part) => parseInt(part, 10))
  if (verb === 'climb')
    return [cell(row, column), cell(row + 1, a.endsWith('>') ? column : column - 1)]
  if (verb === 'betray') return [`influence.${me}/${a}`, `pyramid.${b}`]
  if (verb === 'reveal') return [`family.${me}/${a}`]
  if (verb === 'fill') {
    const [r = 0, c = 0] = String(view.facts['vacuum'] ?? '')
      .split('.')
      .map(Number)
    return [cell(r - 1, a === '<' ? c : c + 1)]
  }
  return [`=${token}`]
}

function attempt(target: Target, picked: Target[], view: View): string | null {
  if (view.decision !== 'turn') return null
  const influence = /^influence\.\d\/(.+)$/
  const held = influence.exec(picked[0] ?? '')?.[1]
  const at = target.replace('pyramid.', '')
  if (held && target.startsWith('pyramid.')) return `betray ${held} ${at}`
  const [row = 0, column = 0] = at.split('.').map(Number)
  const from = picked[0]?.replace('pyramid.', '').split('.').map(Number)
  if (from && row === from[0]! + 1)
    return `climb ${from.join('.')}${column === from[1] ? '>' : '<'}`
  if (target.startsWith('pyramid.')) return `climb ${at}${column ? '<' : '>'}`
  const clan = influence.exec(target)?.[1]
  return clan ? `betray ${clan} 1.0` : null
}

/** The clan of what is picked, and what is left to choose. */
function prompt(board: Board): string {
  const say = texts()
  const picked = board.picked[0]
  if (picked?.startsWith('pyramid'))
    return say.climbTo(board.cardName(board.codes(picked)[0] ?? null))
  if (picked) return say.betrayWhom(board.cardName(picked.split('/')[1] ?? null))
  if (board.view.decision === 'turn')
    return board.fact('crowned', false) ? say.betrayOrPass : say.climbOrBetray
  return board.view.decision === 'fill' ? say.fill : ''
}

/** Where its clan stands, and what a card can do in this place. */
function about(code: string, place: string, board: Board): { lines: string[]; rule: string } {
  const clan = clanOf(code)
  const count = (codes: (string | null)[]) =>
    codes.filter((other) => other && clanOf(other) === clan).length
  const standing = Object.keys(board.view.places)
    .filter((name) => name.startsWith('pyramid'))
    .flatMap((name) => board.codes(name))
  const rule = place.startsWith('influence')
    ? 'kilt.betray'
    : place.startsWith('family')
      ? 'kilt.score'
      : 'kilt.climb'
  return { lines: [texts().whereClan(count(standing), count(board.codes('removed')))], rule }
}

/** Who comes after is no news; what was climbed or betrayed is. */
const minor = (event: GameEvent): boolean => event.rule === 'kilt.vacuum'

export const game: GameTable = {
  Table,
  Count,
  face,
  path,
  attempt,
  prompt,
  about,
  quiet: ['=pass'],
  minor,
}
