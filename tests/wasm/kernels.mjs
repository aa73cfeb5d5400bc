// Calls the kernels of a game's module as the request on standard input says; answers in JSON.
// Written without the engine of web/engine, so that each is a check of the other.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const request = JSON.parse(readFileSync(0, "utf8"));
const layout = JSON.parse(readFileSync(`${request.folder}/${request.game}.json`, "utf8"));
const wasm = await WebAssembly.instantiate(readFileSync(`${request.folder}/${request.game}.wasm`), {});
const { exports } = wasm.instance;

let free = exports.__heap_base.value;
const given = { nodes: request.nodes ?? 1, lengths: 1, actions: 1 };
const at = {};

function room(bytes) {
  const start = (free + 15) & ~15;
  free = start + bytes;
  const lacking = free - exports.memory.buffer.byteLength;
  if (lacking > 0) exports.memory.grow(Math.ceil(lacking / 65536));
  return start;
}

function size(kind) {
  if (kind === "record") return layout.game.record.size;
  return typeof kind === "string" ? Number(kind.slice(1)) : kind.size;
}

for (const parameters of Object.values(layout.kernels))
  for (const [name, kind, length] of parameters)
    if (kind !== "int" && kind !== "long" && !(name in at))
      at[name] = room(size(kind) * (length ?? given[name] ?? 1));
at.record = at.words = at.s; // the same memory, as an array and by words

function call(kernel, numbers) {
  const values = layout.kernels[kernel].flatMap(([name, kind, length]) => {
    if (kind === "int" || kind === "long") return [numbers[name]];
    return length === null ? [at[name], given[name]] : [at[name]];
  });
  return exports[kernel](...values);
}

function bytes(name, count) {
  return new Uint8Array(exports.memory.buffer, at[name], count);
}

function digest(name, count) {
  return createHash("sha256").update(bytes(name, count)).digest("hex").slice(0, 16);
}

function winner() {
  const { fields } = layout.kernels.playouts.find(([name]) => name === "dice")[1];
  const [offset, , [seats]] = fields.wins;
  const wins = new BigInt64Array(exports.memory.buffer, at.dice + offset, seats);
  const found = wins.findIndex((won) => won > 0n);
  wins.fill(0n);
  return found;
}

const answers = {
  playouts() {
    bytes("blank", layout.game.record.size).set(Buffer.from(request.blank, "hex"));
    const found = [];
    for (let first = 0; first < request.matches; first++) {
      const steps = call("playouts", { first, n: 1, salt: BigInt(request.salt) });
      found.push([steps, winner(), digest("s", layout.game.record.size)]);
    }
    return found;
  },
  search() {
    const root = Buffer.from(request.root, "hex");
    const [, , words] = layout.kernels.search.find(([name]) => name === "root");
    bytes("s", layout.game.record.size).set(root);
    bytes("root", 8 * words).set(root.subarray(0, 8 * words));
    new BigUint64Array(exports.memory.buffer, at.rng, 1)[0] = BigInt(request.rng);
    new Float64Array(exports.memory.buffer, at.settings).set(request.settings);
    new BigInt64Array(exports.memory.buffer, at.used, 1)[0] = 1n;
    call("search", { seat: request.seat, first: 0, iterations: request.iterations });
    const used = Number(new BigInt64Array(exports.memory.buffer, at.used, 1)[0]);
    return [used, digest("nodes", 32 * used)];
  },
};

console.log(JSON.stringify(answers[request.ask]()));
