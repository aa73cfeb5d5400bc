// One round of benchmarks/wasm.py: random play and search in Node.js, as the request says.
import { readFileSync } from 'node:fs'

const request = JSON.parse(readFileSync(0, 'utf8'))
const { IsmctsBot, instantiate } = await import(request.engine)
const read = (ending) => readFileSync(`${request.folder}/${request.game}.${ending}`)
const engine = await instantiate(JSON.parse(read('json').toString()), read('wasm'))
const { module } = engine

/** Milliseconds the processor has spent on us. */
function spent() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const best = { steps: 0, iterations: 0 }
const lengths = 1 << 14
for (let round = 0; round < request.rounds; round++) {
  module.reserve('lengths', 8 * lengths)
  module.bytes('blank').set(Buffer.from(request.blank, 'hex'))
  const began = spent()
  const steps = module.call('playouts', { first: 0, n: request.matches, salt: BigInt(request.salt) })
  best.steps = Math.max(best.steps, (1000 * steps) / (spent() - began))
  const match = engine.game().deal(BigInt(request.seed))
  const bot = new IsmctsBot(engine, new Uint8Array(32), undefined, { iterations: request.iterations })
  const asked = spent()
  bot.analyse(match)
  best.iterations = Math.max(best.iterations, (1000 * request.iterations) / (spent() - asked))
}
console.log(JSON.stringify(best))
