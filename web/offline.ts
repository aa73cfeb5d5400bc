/** The service worker with all that it must know: which files there are, and which paths are pages. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { transformWithEsbuild, type Plugin } from 'vite'

/** First parts of paths that are pages of the client, as in its router; without a server they stand after the `#`. */
const PAGES = [
  ...[
    'play',
    't',
    'r',
    'analysis',
    'learn',
    'puzzles',
    'mine',
    'rules',
    'check',
    'account',
    'history',
  ],
  ...['pairing', 'p', 'best', 'moderation', 'invite', 'turns', 'stop', 'tournaments', 'clubs'],
]
const ANY_PAGE = new RegExp(`^(index\\.html|(${PAGES.join('|')})(/.*)?)?$`)
const ONE_PAGE = /^(index\.html)?$/
/** Where the server tells its games, which it also writes into the page. */
const GAMES = 'api/v1/games'

export function offline(): Plugin {
  let out = ''
  let mode = ''
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      out = config.build.outDir
      mode = config.mode
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const files = readdirSync(out, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(out, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
          .filter((path) => !/\.(br|gz|net|txt)$/.test(path) && path !== 'sw.js')
          .sort()
        const hash = createHash('sha256')
        for (const path of files) hash.update(path).update(readFileSync(join(out, path)))
        // The page is asked for by its folder: a server writes its games into that one.
        const known = files.map((path) => (path === 'index.html' ? '' : path))
        const alone = mode === 'static'
        const told = {
          FILES: JSON.stringify(known),
          PAGES: alone ? ONE_PAGE : ANY_PAGE,
          GAMES: JSON.stringify(alone ? '' : GAMES),
          VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)),
        }
        const head = Object.entries(told)
          .map(([name, value]) => `const ${name}=${value};`)
          .join('')
        const source = readFileSync('src/sw.js', 'utf8')
        const { code } = await transformWithEsbuild(head + source, 'sw.js', { minify: true })
        writeFileSync(join(out, 'sw.js'), code)
      },
    },
  }
}
