import type { Board } from '../../lib/board.svelte'
import type { Target } from '../../lib/choices'
import type { View } from '../../lib/protocol'
import type { GameTable } from '..'
import Count from './Count.svelte'
import { face, isTactic } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'

const TACTIC_RULES: Readonly<Record<string, string>> = {
  farlane: 'schotten.chief',
  gregor: 'schotten.chief',
}
const RUSES = ['scout', 'redeploy', 'deserter', 'traitor']

/** `R7@4`: the card, then the stone. A ruse asks once more, for there is no way back from it. */
function path(token: string, view: View): Target[] {
  const hand = `hand.${view.to_act}`
  const [verb = '', what = ''] = token.split(' ')
  if (RUSES.includes(token)) return [`${hand}/${token}`, `=${token}`]
  if (verb === 'draw') return [what === 'clan' ? 'deck' : 'tactics']
  if (verb === 'return') return [`${hand}/${what}`]
  if (verb === 'claim') return [`stone.${what}`]
  if (verb === 'put') return [`stone.${what.slice(1)}`]
  const [card, stone] = (what || verb).split('@')
  if (verb === 'take') return [`stone.${stone}/${card}`]
  return stone ? [`${hand}/${card}`, `stone.${stone}`] : [`=${token}`]
}

function attempt(target: Target, picked: Target[], view: View): string | null {
  const stone = /^stone\.(\d)/.exec(target)?.[1]
  const card = target.split('/')[1]
  const held = picked[0]?.split('/')[1]
  switch (view.decision) {
    case 'play':
      if (stone) return held ? `${held}@${stone}` : null
      return card ? (RUSES.includes(card) ? card : `${card}@1`) : null
    case 'claim':
      return stone ? `claim ${stone}` : null
    case 'put':
      return stone ? `put @${stone}` : null
    case 'take':
      return stone && card ? `take ${card}@${stone}` : null
    case 'scout_return':
      return card ? `return ${card}` : null
    default:
      return null
  }
}

function prompt(board: Board): string {
  const say = texts()
  const card = board.picked[0]?.split('/')[1]
  if (card) {
    const name = board.cardName(card)
    return RUSES.includes(card) ? say.playRuse(name) : say.chooseStone(name)
  }
  const { decision } = board.view
  if (decision === 'put')
    return say.chooseStone(board.cardName(board.fact<string | null>('taken', null)))
  return decision === 'draw' && board.inviting.length > 1 ? say.drawFrom : ''
}

/** Five stones, or three side by side. */
function why(board: Board, seat: number): string {
  const claimed = board.fact<Record<string, number>>('claimed', {})
  const own = (stone: number): boolean => claimed[stone] === seat
  const first = [1, 2, 3, 4, 5, 6, 7].find(
    (stone) => own(stone) && own(stone + 1) && own(stone + 2),
  )
  if (first) return texts().threeInARow(board.name(seat), first, first + 2)
  const count = Object.values(claimed).filter((owner) => owner === seat).length
  return count >= 5 ? texts().fiveStones(board.name(seat), count) : ''
}

export const game: GameTable = {
  Table,
  Count,
  face,
  path,
  attempt,
  prompt,
  why,
  about: (code, _place, board) =>
    isTactic(code)
      ? { lines: [board.rule(TACTIC_RULES[code] ?? `schotten.${code}`)?.text ?? ''] }
      : { lines: [], rule: 'schotten.formation' },
  quiet: ['=done', '=pass'],
  minor: (event) => /\.draw/.test(event.rule ?? ''),
  spots: (event) => (typeof event['stone'] === 'number' ? [`stone.${event['stone']}.env`] : []),
  back: (kind) => (kind === 'tactic' ? 'tacticback' : 'back'),
}
