/** The licences of whatever is in the built client, which ask to go with it: `licences.txt`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const PACKAGE = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/

export function licences(): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? Object.keys(part.modules) : part.originalFileNames,
      )
      const folders = new Map<string, string>()
      for (const file of files) {
        const found = PACKAGE.exec(file.replaceAll('\\', '/').replace('\0', ''))
        if (found) folders.set(found[1]!, found[0])
      }
      const texts = [...folders].sort().map(([name, folder]) => `# ${name}\n\n${text(folder)}`)
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: texts.join('\n\n') })
    },
  }
}

function text(folder: string): string {
  const name = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (!name) throw new Error(`${folder} is in the client, and has no licence to go with it`)
  return readFileSync(join(folder, name), 'utf8').trim()
}
