/** Bytes as text. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The bytes of hexadecimal text, undefined if it is none. */
export function unhex(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})*$/i.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}
