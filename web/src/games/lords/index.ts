import type { Board } from '../../lib/board.svelte'
import type { Target } from '../../lib/choices'
import { codeOf } from '../../lib/frames'
import type { GameEvent, View } from '../../lib/protocol'
import type { GameTable } from '..'
import Count from './Count.svelte'
import { clanOf, face, rankOf, SETT_OF, strengthOf } from './faces'
import Table from './Table.svelte'
import { texts } from './texts'

const VERBS: Readonly<Record<string, string>> = {
  swap_ally: 'swap',
  copy: 'copy',
  discard_ally: 'discard',
}

/** `SC7 up`: the card, then how. `swap 1.2`: the second ally of seat 1. */
function path(token: string, view: View): Target[] {
  const [first = '', second = ''] = token.split(' ')
  if (first === 'recruit' || first === 'flip') return [`recruits#${second}`]
  if (first === 'take' || first === 'claim') return [`supporters/${second}`]
  if (second === 'up' || second === 'down') return [`hand.${view.to_act}/${first}`, `=${second}`]
  const ally = /^(\d)\.(\d+)$/.exec(second)
  return ally ? [`army.${ally[1]}#${ally[2]}`] : [`=${token}`]
}

function attempt(target: Target, _picked: Target[], view: View): string | null {
  const slot = /^recruits#(\d)$/.exec(target)
  if (slot) return view.decision === 'flip' ? `flip ${slot[1]}` : `recruit ${slot[1]}`
  const ally = /^army\.(\d)#(\d+)$/.exec(target)
  const verb = VERBS[view.decision]
  if (ally) return verb ? `${verb} ${ally[1]}.${ally[2]}` : null
  const card = target.split('/')[1]
  if (!card) return null
  if (target.startsWith('supporters')) {
    return view.decision === 'swap_supporter' ? `take ${card}` : `claim ${card}`
  }
  return `${card} up`
}

function prompt(board: Board): string {
  const say = texts()
  const card = board.picked[0]?.split('/')[1]
  if (card) return say.upOrDown(board.cardName(card))
  if (board.view.decision !== 'power') return ''
  const played = board.codes(`army.${board.near}`).at(-1) ?? null
  return played ? say.usePower(board.cardName(played), board.word(`powers.${clanOf(played)}`)) : ''
}

const button = (target: Target): string => {
  const say = texts()
  const words: Record<string, string> = {
    '=up': say.faceUp,
    '=down': say.faceDown,
    '=use': say.use,
    '=skip': say.skip,
  }
  return words[target] ?? ''
}

const MINOR = ['round', 'flip', 'refill', 'supporter', 'army', 'doubled', 'skip']
const minor = (event: GameEvent): boolean => MINOR.includes(event.type)

/** Strength, rank, power in words; the rule is that of its clan. */
function about(code: string, place: string, board: Board): { lines: string[]; rule: string } {
  const say = texts()
  const entry = board.cards(place).find((found) => codeOf(found) === code)
  const active = typeof entry === 'object' ? entry?.active : null
  const clan = clanOf(code)
  const power = board.word(`powers.${clan}`)
  const copied =
    active && active !== clan
      ? say.copied(board.word(`clans.${active}`), board.word(`powers.${active}`))
      : ''
  return {
    lines: [
      say.numbers(strengthOf(code), rankOf(code)),
      say.power(power),
      copied,
      active ? say.active : '',
    ],
    rule: `lords.${SETT_OF[clan]}`,
  }
}

const PLAYED = ['face_up', 'face_down', 'power', 'skip', 'copy']
const spots = (event: GameEvent): string[] =>
  PLAYED.includes(event.type) ? [`army.${event.seat}`] : []

export const game: GameTable = {
  Table,
  Count,
  face,
  path,
  attempt,
  prompt,
  button,
  about,
  quiet: ['=skip'],
  minor,
  spots,
}
