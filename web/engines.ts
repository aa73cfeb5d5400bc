/** What the client is told of its engines when it is built. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Description } from './engine/src/description'
import { gamesOf } from './src/local/wording'

const FOLDER = 'public/engines'

export function descriptions(): Description[] {
  if (!existsSync(FOLDER)) return []
  return readdirSync(FOLDER)
    .filter(
      (name) => name.endsWith('.json') && existsSync(join(FOLDER, name.replace(/json$/, 'wasm'))),
    )
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Description)
}

/** `virtual:engines`: the versions of the engines there are, and without a server their games. */
export function engines(): Plugin {
  let mode = ''
  return {
    name: 'engines',
    configResolved: (config) => void (mode = config.mode),
    resolveId: (id) => (id === 'virtual:engines' ? `\0${id}` : undefined),
    load(id) {
      if (id !== '\0virtual:engines') return undefined
      const found = descriptions()
      if (mode === 'static' && !found.length)
        this.error(
          'A client without a server needs the engines: tanistry build-wasm --out web/public/engines',
        )
      const versions = Object.fromEntries(found.map(({ game }) => [game.name, game.version]))
      const games = mode === 'static' ? gamesOf(found) : null
      const taught = Object.keys(versions).filter((name) =>
        existsSync(join(FOLDER, `${name}.lessons.json`)),
      )
      return Object.entries({ versions, taught, games })
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}
