// One round of benchmarks/wasm.py in Node.js: random play, search and networks, as the request says.
import { existsSync, readFileSync } from 'node:fs'

const request = JSON.parse(readFileSync(0, 'utf8'))
const { IsmctsBot, instantiate } = await import(request.engine)
const file = (ending) => `${request.folder}/${request.game}.${ending}`
const read = (ending) => readFileSync(file(ending))
const engine = await instantiate(JSON.parse(read('json').toString()), read('wasm'))
if (existsSync(file('net'))) await engine.learn(read('net'))
const { module } = engine

/** Milliseconds the processor has spent on us. */
function spent() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** How often something happens in a second, by what a kernel took while it was done. */
function perSecond(kernel, times, work) {
  let inside = 0
  const call = module.call
  module.call = (name, numbers) => {
    const began = spent()
    const result = call.call(module, name, numbers)
    if (name === kernel) inside += spent() - began
    return result
  }
  const found = work() ?? times
  module.call = call
  return (1000 * found) / inside
}

const best = {}
const note = (what, found) => (best[what] = Math.max(best[what] ?? 0, found))
const key = new Uint8Array(32)
for (let round = 0; round < request.rounds; round++) {
  module.reserve('lengths', 8 * (1 << 14))
  module.bytes('blank').set(Buffer.from(request.blank, 'hex'))
  const { matches: n, iterations, judged } = request
  const salt = BigInt(request.salt)
  note('steps', perSecond('playouts', 0, () => module.call('playouts', { first: 0, n, salt })))
  const known = engine.game().deal(BigInt(request.seed)).blind(0, key)
  const bot = new IsmctsBot(engine, key, undefined, { iterations })
  note('iterations', perSecond('search', iterations, () => void bot.thoughts(known)))
  if (engine.network)
    note(
      'judged',
      perSecond('consult', judged, () => {
        for (let i = 0; i < judged; i++) engine.network.choose(known, 100, 0)
      }),
    )
}
console.log(JSON.stringify(best))
