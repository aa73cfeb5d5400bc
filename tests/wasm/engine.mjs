// Plays matches with the engine of web/engine as a request says, and tells all that it tells:
// tests/wasm/test_same_engine.py compares it with what Python tells.
import { existsSync, readFileSync } from "node:fs";

const engines = new Map();

async function ready({ engine, folder, game }) {
  const made = await import(engine);
  const read = (ending) => readFileSync(`${folder}/${game}.${ending}`);
  if (!engines.has(game)) {
    const fresh = await made.instantiate(JSON.parse(read("json").toString()), read("wasm"));
    if (existsSync(`${folder}/${game}.net`)) await fresh.learn(read("net"));
    engines.set(game, fresh);
  }
  return { ...made, engine: engines.get(game) };
}

const langs = ["en", "fr"];
const inBoth = (text) => Object.fromEntries(langs.map((lang) => [lang, text(lang)]));

function attempt(run) {
  try {
    run();
    return null;
  } catch (wrong) {
    if (wrong.name !== "EngineError") throw wrong;
    return { code: wrong.code, rule: wrong.rule, text: inBoth((lang) => wrong.text(lang)) };
  }
}

const namesOf = (seats) => seats.slice(0, -1).map((seat) => `N${seat}`);

function look(match, seats, tries) {
  const [view, names] = [match.view(match.toAct), namesOf(seats)];
  return {
    legal: match.legal(),
    choices: match.choices(),
    said: inBoth((lang) => match.legal().map((token) => match.tokenText(lang, token, view, names))),
    views: seats.map((seat) => match.view(seat)),
    tallies: seats.map((seat) => match.tally(seat)),
    position: match.position(),
    refused: tries.map((token) => attempt(() => match.play(token))),
    result: match.result,
  };
}

export async function play(request) {
  const { engine } = await ready(request);
  const game = engine.game(request.options);
  const seats = [...Array(game.seats).keys(), null];
  const names = namesOf(seats);
  const match = game.deal(BigInt(request.seed));
  const steps = [];
  for (const [number, { token, tries }] of request.steps.entries()) {
    const seen = look(match, seats, tries);
    if (token !== null) {
      const by = number % 2 ? undefined : match.toAct;
      const events = match.play(token);
      const text = (event, seat) => inBoth((lang) => event.text(lang, seat, names, by));
      seen.events = events.map((event) =>
        seats.map((seat) => [event.seenBy(seat), text(event, seat)]),
      );
      if (number % request.again === 0) {
        const [position, again] = [match.position(), game.setup(match.position(), 5)];
        const same = JSON.stringify(again.position()) === JSON.stringify(position);
        seen.again = [same, again.record({ Date: "2026-01-01" })];
      }
      if (match.toAct !== null) seen.blind = match.blind(match.toAct, 9n).position();
    }
    steps.push(seen);
  }
  const record = match.record({ Date: "2026-01-01", Note: 'a "quoted"\nline' });
  return { steps, record, replayed: engine.replay(record).record() === record };
}

export async function positions(request) {
  const { engine } = await ready(request);
  return request.positions.map((position) => attempt(() => engine.game(request.options).setup(position, 1)));
}

export async function records(request) {
  const { engine } = await ready(request);
  return request.records.map((text) => attempt(() => engine.replay(text)));
}

export async function bots(request) {
  const { bot, engine } = await ready(request);
  const match = engine.game(request.options).deal(BigInt(request.seed));
  const player = bot(engine, request.bot, { seed: 7n, ...request.settings });
  for (let n = 0; n < request.choices && match.toAct !== null; n++) match.play(player.choose(match));
  return match.history.map(([, token]) => token);
}

export async function opinions(request) {
  const { engine } = await ready(request);
  const match = engine.game(request.options).deal(BigInt(request.seed));
  return request.tokens.map((token) => {
    const { value, tokens } = match.judge();
    const observed = Buffer.from(engine.network.observed(match)).toString("hex");
    match.play(token);
    return [observed, value, tokens.map(({ logit }) => logit), tokens.map(({ chance }) => chance)];
  });
}

export async function networks(request) {
  const { engine } = await ready(request);
  const found = [];
  for (const hex of request.files) {
    const wrong = await engine.learn(Buffer.from(hex, "hex")).catch((error) => error);
    found.push(attempt(() => {
      if (wrong) throw wrong;
    }));
  }
  return found;
}

export async function analyses(request) {
  const { analyse, CALIBRATION, engine } = await ready(request);
  return request.records.map((text) => {
    const match = engine.replay(text);
    let found;
    const wrong = attempt(() => (found = analyse(match, request.deals)));
    return wrong ?? { calibration: CALIBRATION, ...found };
  });
}
