/** A game's module: its memory, what lies where in it, and calls of its kernels. */

import type { Description, Layout, Parameter } from './description.js'

const PAGE = 65536

interface Exports {
  memory: WebAssembly.Memory
  __heap_base: WebAssembly.Global
  [kernel: string]: unknown
}

interface Span {
  at: number
  room: number
  bytes: number
}

export class Module {
  private readonly exports: Exports
  private readonly spans = new Map<string, Span>()
  private free: number

  constructor(
    private readonly description: Description,
    module: WebAssembly.Module,
  ) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports
    this.free = this.exports.__heap_base.value as number
    for (const [name, kind, length] of Object.values(description.kernels).flat()) {
      if (kind === 'int' || kind === 'long') continue
      this.reserve(
        name,
        Math.max(this.size(kind) * (length ?? 1), this.spans.get(name)?.bytes ?? 0),
      )
    }
    for (const name of ['record', 'words']) this.spans.set(name, this.spans.get('s')!) // the same memory
  }

  has(kernel: string): boolean {
    return kernel in this.description.kernels
  }

  /** Call a kernel; what lies in memory it finds by the names of its parameters. */
  call(kernel: string, numbers: Record<string, number | bigint> = {}): number {
    const given: (number | bigint)[] = []
    for (const [name, kind, length] of this.description.kernels[kernel]!) {
      if (kind === 'int' || kind === 'long') {
        given.push(numbers[name]!)
        continue
      }
      const { at, bytes } = this.spans.get(name)!
      given.push(at)
      if (length === null) given.push(bytes / this.size(kind))
    }
    return (this.exports[kernel] as (...values: (number | bigint)[]) => number)(...given)
  }

  /** The memory under a name. Good until more is reserved. */
  bytes(name: string): Uint8Array {
    const { at, bytes } = this.spans.get(name)!
    return new Uint8Array(this.exports.memory.buffer, at, bytes)
  }

  view(name: string): DataView {
    const { at, bytes } = this.spans.get(name)!
    return new DataView(this.exports.memory.buffer, at, bytes)
  }

  /** Make so many bytes available under a name; what was there may be lost. */
  reserve(name: string, bytes: number): void {
    const before = this.spans.get(name)
    if (before && before.room >= bytes) {
      before.bytes = bytes
      return
    }
    const at = (this.free + 15) & ~15
    this.free = at + bytes
    const lacking = this.free - this.exports.memory.buffer.byteLength
    if (lacking > 0) this.exports.memory.grow(Math.ceil(lacking / PAGE))
    this.spans.set(name, { at, room: bytes, bytes })
  }

  /** Put an array into memory under a name, and nothing else beside it. */
  put(name: string, array: ArrayBufferView): void {
    this.reserve(name, array.byteLength)
    this.bytes(name).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }

  /** The parameter of a kernel with this name. */
  parameter(kernel: string, name: string): Parameter {
    return this.description.kernels[kernel]!.find((parameter) => parameter[0] === name)!
  }

  size(kind: Layout): number {
    if (kind === 'record') return this.description.game.record.size
    return typeof kind === 'string' ? Number(kind.slice(1)) : kind.size
  }
}
