/** The service worker with all that it must know: which files there are, and which paths are pages. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { transformWithEsbuild, type Plugin } from 'vite'

/** Pages of the client that have paths of their own; without a server they stand after the `#`. */
const PAGES = /^(index\.html|(t|r|analysis|learn|mine|account|check|rules)(\/.*)?)?$/
const ONE_PAGE = /^(index\.html)?$/

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
          .filter((path) => !/\.(br|gz|net)$/.test(path) && path !== 'sw.js')
          .sort()
        const hash = createHash('sha256')
        for (const path of files) hash.update(path).update(readFileSync(join(out, path)))
        // The page is asked for by its folder: a server writes its games into that one.
        const known = files.map((path) => (path === 'index.html' ? '' : path))
        const head = `const FILES=${JSON.stringify(known)},PAGES=${mode === 'static' ? ONE_PAGE : PAGES},VERSION=${JSON.stringify(hash.digest('hex').slice(0, 16))};`
        const source = readFileSync('src/sw.js', 'utf8')
        const { code } = await transformWithEsbuild(head + source, 'sw.js', { minify: true })
        writeFileSync(join(out, 'sw.js'), code)
      },
    },
  }
}
