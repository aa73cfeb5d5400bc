/** Records: a match as text that a person can read, compare and play again. */

import { commitment, dealSeed } from './deals.js'
import type { Engine } from './engine.js'
import { EngineError } from './errors.js'
import { written } from './game.js'
import type { Match } from './match.js'
import { stripped } from './python.js'
import { hex, unhex } from './hex.js'
import type { Data } from './words.js'

const HEADER = /^\[([A-Z][A-Za-z0-9]*) "((?:[^"\\]|\\.)*)"\]$/
const CHOICE = /^(\d+): (.+)$/
const OURS = ['Game', 'Version', 'Options', 'Seats', 'Position', 'Seed', 'Commitment', 'Result']
const LONGEST = 1_000_000
/** What no text has: somebody gave us a picture, or an archive. */
const UNREADABLE = /[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd]/ // eslint-disable-line no-control-regex
/** What ends a line in Python. */
const LINES = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/ // eslint-disable-line no-control-regex

function escaped(text: string): string {
  return text.split(LINES).join(' ').replace(/\\/g, '\\\\').replace(/"/g, '\\"')
}

export function writeRecord(
  match: Match,
  key: Uint8Array,
  headers: Record<string, string>,
  position?: Data,
): string {
  const { game, result } = match
  const bytes = unhex(headers['Salt'] ?? '')
  const promised = unhex(headers['ServerSeed'] ?? hex(key))
  if (!bytes || !promised) throw game.engine.error('record/numbers', {})
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || typeof value !== 'string') {
      throw game.engine.error('record/extra', { name, value })
    }
  }
  const lines: Record<string, string> = {
    Game: game.name,
    Version: String(game.data.version),
    Options: Object.entries(game.options)
      .map(([name, value]) => `${name}=${written(value)}`)
      .join(' '),
    Seats: String(game.seats),
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.includes(name))),
  }
  if (position) lines['Position'] = JSON.stringify(position)
  lines['Seed'] = hex(key)
  lines['Commitment'] = commitment(promised, bytes)
  lines['Result'] = result ? result.scores.join('-') : '*'
  const head = Object.entries(lines).map(([name, value]) => `[${name} "${escaped(value)}"]\n`)
  const choices = match.history.map(([seat, token]) => `${seat}: ${token}\n`)
  return [...head, '\n', ...choices].join('')
}

interface Line {
  number: number
  seat: string
  token: string
}

export function readHeaders(
  engine: Engine,
  text: string,
): { headers: Record<string, string>; choices: Line[] } {
  if (typeof text !== 'string' || text.length > LONGEST)
    throw engine.error('record/text', { most: LONGEST })
  const headers: Record<string, string> = {}
  const choices: Line[] = []
  text.split(LINES).forEach((raw, index) => {
    const line = stripped(raw)
    const number = index + 1
    if (!line) return
    const header = HEADER.exec(line)
    const choice = CHOICE.exec(line)
    if (header) {
      if (Object.hasOwn(headers, header[1]!) || choices.length)
        throw engine.error('record/header', { line: number, text: line })
      headers[header[1]!] = header[2]!.replace(/\\(.)/g, '$1')
    } else if (choice) choices.push({ number, seat: choice[1]!, token: choice[2]! })
    else if (UNREADABLE.test(line)) throw engine.error('record/binary', { line: number })
    else throw engine.error('record/line', { line: number, text: line.slice(0, 80) })
  })
  if (!choices.length && !Object.keys(headers).length) throw engine.error('record/empty', {})
  return { headers, choices }
}

/** Play a record again; an error says where it does not hold. */
export function readRecord(engine: Engine, text: string): Match {
  const { headers, choices } = readHeaders(engine, text)
  const match = start(engine, headers)
  match.headers = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OURS.includes(name)),
  )
  for (const { number, seat, token } of choices) {
    if (match.toAct === null) throw engine.error('record/over', { line: number })
    if (String(match.toAct) !== seat)
      throw engine.error('record/seat', { line: number, seat, expected: match.toAct })
    because(engine, 'record/move', { line: number }, () => match.play(token))
  }
  const found = match.result ? match.result.scores.join('-') : '*'
  const claimed = headers['Result'] ?? found
  if (claimed !== found)
    throw match.result
      ? engine.error('record/result', { claimed, found })
      : engine.error('record/cut', { claimed })
  return match
}

/** Run something; what is wrong with it is the reason for what is wrong with the record. */
function because<T>(
  engine: Engine,
  code: string,
  values: Record<string, unknown>,
  run: () => T,
): T {
  try {
    return run()
  } catch (reason) {
    if (!(reason instanceof EngineError) || reason.family === 'record') throw reason
    throw engine.error(code, { ...values, reason }, code === 'record/move' ? reason.rule : '')
  }
}

function start(engine: Engine, headers: Record<string, string>): Match {
  for (const name of ['Game', 'Version', 'Seats', 'Seed']) {
    if (!(name in headers)) throw engine.error('record/lacks', { name })
  }
  const seed = unhex(headers['Seed']!)
  const salt = unhex(headers['Salt'] ?? '')
  if (!seed || !salt || seed.length !== 32 || !/^[0-9]{1,3}$/.test(headers['Seats']!))
    throw engine.error('record/numbers', {})
  const [kept, ...nonces] = [
    headers['ServerSeed'] ?? headers['Seed']!,
    ...(headers['Nonces'] ?? '').split(','),
  ].map(unhex)
  if (!kept || nonces.includes(undefined)) throw engine.error('record/numbers', {})
  const promised = commitment(kept, salt)
  if ((headers['Commitment'] ?? promised) !== promised) throw engine.error('record/commitment', {})
  const added = nonces.map((nonce) => nonce!.subarray(0, 255))
  if (hex(dealSeed(kept, added)) !== hex(seed)) throw engine.error('record/nonces', {})
  return because(engine, 'record/start', {}, () => {
    const { name, version } = engine.data
    if (headers['Game'] !== name)
      throw engine.error('option/game', { name: headers['Game'], allowed: name })
    const found = headers['Version']!
    if (found !== String(version))
      throw engine.error('record/version', { found, expected: version })
    const seats = Number(headers['Seats'])
    const plain = engine.game({ seats })
    const options = (headers['Options'] ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map((item) => {
        const at = item.indexOf('=')
        const [option, value] = at < 0 ? [item, ''] : [item.slice(0, at), item.slice(at + 1)]
        return [option, plain.readOption(option, value)]
      })
    const game = engine.game({ ...(Object.fromEntries(options) as Record<string, unknown>), seats })
    return 'Position' in headers
      ? game.setup(parsed(engine, headers['Position']!), seed)
      : game.deal(seed)
  })
}

function parsed(engine: Engine, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw engine.error('record/numbers', {})
  }
}
