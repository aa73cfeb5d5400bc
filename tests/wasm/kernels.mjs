// Calls the kernels of a game's module as a request says. Written without the engine of
// web/engine, so that each is a check of the other.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

class Kernels {
  constructor({ folder, game, nodes = 1 }) {
    this.layout = JSON.parse(readFileSync(`${folder}/${game}.json`, "utf8"));
    const module = new WebAssembly.Module(readFileSync(`${folder}/${game}.wasm`));
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.free = this.exports.__heap_base.value;
    this.given = { nodes, lengths: 1, actions: 1 };
    this.at = {};
    for (const parameters of Object.values(this.layout.kernels))
      for (const [name, kind, length] of parameters)
        if (kind !== "int" && kind !== "long" && !(name in this.at))
          this.at[name] = this.room(this.size(kind) * (length ?? this.given[name] ?? 1));
    this.at.record = this.at.words = this.at.s; // the same memory, as an array and by words
  }

  room(bytes) {
    const start = (this.free + 15) & ~15;
    this.free = start + bytes;
    const lacking = this.free - this.exports.memory.buffer.byteLength;
    if (lacking > 0) this.exports.memory.grow(Math.ceil(lacking / 65536));
    return start;
  }

  size(kind) {
    if (kind === "record") return this.layout.game.record.size;
    return typeof kind === "string" ? Number(kind.slice(1)) : kind.size;
  }

  call(kernel, numbers) {
    const values = this.layout.kernels[kernel].flatMap(([name, kind, length]) => {
      if (kind === "int" || kind === "long") return [numbers[name]];
      return length === null ? [this.at[name], this.given[name]] : [this.at[name]];
    });
    return this.exports[kernel](...values);
  }

  bytes(name, count) {
    return new Uint8Array(this.exports.memory.buffer, this.at[name], count);
  }

  longs(name, count, offset = 0) {
    return new BigInt64Array(this.exports.memory.buffer, this.at[name] + offset, count);
  }

  digest(name, count) {
    return createHash("sha256").update(this.bytes(name, count)).digest("hex").slice(0, 16);
  }

  /** Who has won the last match, −1 if it is shared. */
  winner() {
    const { fields } = this.layout.kernels.playouts.find(([name]) => name === "dice")[1];
    const [offset, , [seats]] = fields.wins;
    const wins = this.longs("dice", seats, offset);
    const found = wins.findIndex((won) => won > 0n);
    wins.fill(0n);
    return found;
  }
}

export function playouts(request) {
  const kernels = new Kernels(request);
  const { size } = kernels.layout.game.record;
  kernels.bytes("blank", size).set(Buffer.from(request.blank, "hex"));
  return Array.from({ length: request.matches }, (_, first) => {
    const steps = kernels.call("playouts", { first, n: 1, salt: BigInt(request.salt) });
    return [steps, kernels.winner(), kernels.digest("s", size)];
  });
}

export function search(request) {
  const kernels = new Kernels(request);
  const root = Buffer.from(request.root, "hex");
  const [, , words] = kernels.layout.kernels.search.find(([name]) => name === "root");
  kernels.bytes("s", kernels.layout.game.record.size).set(root);
  kernels.bytes("root", 8 * words).set(root.subarray(0, 8 * words));
  kernels.longs("rng", 1)[0] = BigInt.asIntN(64, BigInt(request.rng));
  new Float64Array(kernels.exports.memory.buffer, kernels.at.settings).set(request.settings);
  kernels.longs("used", 1)[0] = 1n;
  kernels.call("search", { seat: request.seat, first: 0, iterations: request.iterations });
  const used = Number(kernels.longs("used", 1)[0]);
  return [used, kernels.digest("nodes", 32 * used)];
}
