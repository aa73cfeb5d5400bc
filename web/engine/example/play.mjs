// node example/play.mjs [GAME] [SEED]: players of different levels play a match, told in English.
import { readFileSync } from 'node:fs'
import { bot, instantiate } from 'tanistry-engine'

const [name = 'claim', seed = '2026'] = process.argv.slice(2)
const read = (file) => readFileSync(new URL(import.meta.resolve(`tanistry-engine/engines/${file}`)))
const engine = await instantiate(JSON.parse(read(`${name}.json`)), read(`${name}.wasm`))
await engine.learn(read(`${name}.net`))

const match = engine.game().deal(BigInt(seed))
const names = Array.from({ length: match.game.seats }, (_, seat) => `Level ${1 + seat}`)
const players = names.map((_, seat) => bot(engine, 'people', { level: 1 + seat, seed: seat }))
while (match.toAct !== null) {
  for (const event of match.play(players[match.toAct].choose(match))) {
    const line = event.text('en', null, names)
    if (line) console.log(line)
  }
}
console.log(match.record())
