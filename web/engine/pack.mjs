// Before the package is packed: what it takes from elsewhere in the repository.
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs'

const engines = '../public/engines'
if (!existsSync(engines)) {
  console.error('The engines are not built: make web')
  process.exit(1)
}
rmSync('engines', { recursive: true, force: true })
cpSync(engines, 'engines', { recursive: true })
copyFileSync('../../LICENSE', 'LICENSE')
