// Plays a match with the engine of web/engine as the request on standard input says, and tells all
// that it tells: tests/wasm/test_same_engine.py compares it with what Python tells.
import { readFileSync } from "node:fs";

const request = JSON.parse(readFileSync(0, "utf8"));
const { bot, instantiate, EngineError } = await import(request.engine);
const read = (ending) => readFileSync(`${request.folder}/${request.game}.${ending}`);
const engine = await instantiate(JSON.parse(read("json").toString()), read("wasm"));

const langs = ["en", "fr"];
const inBoth = (text) => Object.fromEntries(langs.map((lang) => [lang, text(lang)]));

function attempt(run) {
  try {
    run();
    return null;
  } catch (wrong) {
    if (!(wrong instanceof EngineError)) throw wrong;
    return { code: wrong.code, rule: wrong.rule, text: inBoth((lang) => wrong.text(lang)) };
  }
}

function look(match, seats, tries) {
  return {
    legal: match.legal(),
    choices: match.choices(),
    said: inBoth((lang) => match.legal().map((token) => match.tokenText(lang, token))),
    views: seats.map((seat) => match.view(seat)),
    tallies: seats.map((seat) => match.tally(seat)),
    position: match.position(),
    refused: tries.map((token) => attempt(() => match.play(token))),
    result: match.result,
  };
}

function play() {
  const game = engine.game(request.options);
  const seats = [...Array(game.seats).keys(), null];
  const names = seats.slice(0, -1).map((seat) => `N${seat}`);
  const match = game.deal(BigInt(request.seed));
  const steps = [];
  for (const { token, tries } of request.steps) {
    const seen = look(match, seats, tries);
    if (token !== null) {
      const events = match.play(token);
      seen.events = events.map((event) =>
        seats.map((seat) => [event.seenBy(seat), inBoth((lang) => event.text(lang, seat, names))]),
      );
      const again = game.setup(match.position(), 5);
      seen.again = [JSON.stringify(again.position()) === JSON.stringify(match.position()), again.record({ Date: "2026-01-01" })];
      if (match.toAct !== null) seen.blind = match.blind(match.toAct, 9n).position();
    }
    steps.push(seen);
  }
  const record = match.record({ Date: "2026-01-01", Note: 'a "quoted"\nline' });
  return { steps, record, replayed: engine.replay(record).record() === record };
}

const answers = {
  play,
  positions: () => request.positions.map((position) => attempt(() => engine.game(request.options).setup(position, 1))),
  records: () => request.records.map((text) => attempt(() => engine.replay(text))),
  bots() {
    const match = engine.game(request.options).deal(BigInt(request.seed));
    const player = bot(engine, request.bot, { seed: 7n, ...request.settings });
    for (let n = 0; n < request.choices && match.toAct !== null; n++) match.play(player.choose(match));
    return match.history.map(([, token]) => token);
  },
};

console.log(JSON.stringify(answers[request.ask]()));
