// node example/play.mjs FOLDER [GAME]: two bots play a match from files by `tanistry build-wasm`.
import { readFileSync } from 'node:fs'
import { bot, instantiate } from '../dist/index.js'

const [folder, name = 'claim'] = process.argv.slice(2)
const description = JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
const engine = await instantiate(description, readFileSync(`${folder}/${name}.wasm`))

const match = engine.game().deal(2026)
const names = Array.from({ length: match.game.seats }, (_, seat) => `Seat ${seat}`)
const players = names.map((_, seat) => bot(engine, 'ismcts', { level: 1 + (seat % 5), seed: seat }))
while (match.toAct !== null) {
  for (const event of match.play(players[match.toAct].choose(match))) {
    const line = event.text('en', null, names)
    if (line) console.log(line)
  }
}
console.log(match.record())
