/** A record: one match as one piece of memory, its fields by name. */

import type { Field } from './description.js'

const WIDTHS: Record<string, number> = {
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  uint8: 1,
  uint16: 2,
  uint32: 4,
  uint64: 8,
}

export class Fields {
  readonly bytes: Uint8Array
  private readonly view: DataView

  constructor(
    private readonly layout: ReadonlyMap<string, Field>,
    size: number,
    bytes?: Uint8Array,
  ) {
    this.bytes = bytes ? bytes.slice() : new Uint8Array(size)
    this.view = new DataView(this.bytes.buffer)
  }

  copy(): Fields {
    return new Fields(this.layout, this.bytes.length, this.bytes)
  }

  field(name: string): Field {
    return this.layout.get(name)!
  }

  length(name: string): number {
    return this.field(name).shape.reduce((product, n) => product * n, 1)
  }

  get(name: string, index = 0): number {
    const { type, offset } = this.field(name)
    const at = offset + WIDTHS[type]! * index
    switch (type) {
      case 'int8':
        return this.view.getInt8(at)
      case 'int16':
        return this.view.getInt16(at, true)
      case 'int32':
        return this.view.getInt32(at, true)
      case 'uint8':
        return this.view.getUint8(at)
      case 'uint16':
        return this.view.getUint16(at, true)
      case 'uint32':
        return this.view.getUint32(at, true)
      default:
        return Number(
          type === 'int64' ? this.view.getBigInt64(at, true) : this.view.getBigUint64(at, true),
        )
    }
  }

  set(name: string, value: number, index = 0): void {
    const { type, offset } = this.field(name)
    const width = WIDTHS[type]!
    const at = offset + width * index
    if (width === 8) this.view.setBigInt64(at, BigInt(value), true)
    else if (width === 4) this.view.setInt32(at, value, true)
    else if (width === 2) this.view.setInt16(at, value, true)
    else this.view.setInt8(at, value)
  }

  all(name: string): number[] {
    return Array.from({ length: this.length(name) }, (_, index) => this.get(name, index))
  }

  fill(name: string, value: number): void {
    for (let index = this.length(name); index-- > 0;) this.set(name, value, index)
  }

  /** The sets that a field holds: one for each row of words; a number is a set by itself. */
  sets(name: string): bigint[] {
    const { type, offset, shape } = this.field(name)
    const row = (shape.at(-1) ?? 1) * WIDTHS[type]!
    const rows = shape.slice(0, -1).reduce((product, n) => product * n, 1)
    return Array.from({ length: rows }, (_, number) => this.setAt(offset + row * number, row))
  }

  /** Put a member into one of the sets of a field. */
  add(name: string, row: number, member: number): void {
    const { type, offset, shape } = this.field(name)
    const at = offset + row * (shape.at(-1) ?? 1) * WIDTHS[type]! + (member >> 3)
    this.bytes[at]! |= 1 << (member & 7)
  }

  private setAt(at: number, bytes: number): bigint {
    let found = 0n
    for (let i = bytes; i-- > 0;) found = (found << 8n) | BigInt(this.bytes[at + i]!)
    return found
  }
}

/** The members of a set, ascending. */
export function members(set: bigint): number[] {
  const found: number[] = []
  for (let n = 0, rest = set; rest > 0n; n++, rest >>= 1n) if (rest & 1n) found.push(n)
  return found
}

export function has(set: bigint, member: number): boolean {
  return ((set >> BigInt(member)) & 1n) === 1n
}
