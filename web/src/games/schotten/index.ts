import type { Board } from '../../lib/board.svelte'
import type { Target } from '../../lib/choices'
import type { View } from '../../lib/protocol'
import type { GameTable } from '..'
import Count from './Count.svelte'
import { face } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'

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
  if (decision === 'put') return say.chooseStone(board.cardName(board.fact<string | null>('taken', null)))
  return decision === 'draw' && board.inviting.length > 1 ? say.drawFrom : ''
}

export const game: GameTable = {
  Table,
  Count,
  face,
  path,
  attempt,
  prompt,
  quiet: ['=done', '=pass'],
  minor: (event) => /\.draw/.test(event.rule ?? ''),
  spots: (event) => (typeof event['stone'] === 'number' ? [`stone.${event['stone']}.env`] : []),
  back: (kind) => (kind === 'tactic' ? 'tacticback' : 'back'),
}
