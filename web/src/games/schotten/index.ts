import type { Target } from '../../lib/choices'
import type { View } from '../../lib/protocol'
import type { GameTable } from '..'
import Count from './Count.svelte'
import { face } from './faces'
import Table from './Table.svelte'

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

export const game: GameTable = {
  Table,
  Count,
  face,
  path,
  attempt,
  back: (kind) => (kind === 'tactic' ? 'tacticback' : 'back'),
}
