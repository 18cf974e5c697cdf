/** How a link carries a text of the playground: deflated, in the letters of base64 that need no escape in an address. No DOM. */

import { deflateSync, Inflate } from 'fflate'

/** Most bytes of a text that comes by a link, and of what carries it. */
export const MOST_TEXT = 64_000
const MOST_CODE = 16_000

/** A text for a link, or `undefined` where it is too long. */
export function packText(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MOST_TEXT) return undefined
  const packed = deflateSync(bytes, { level: 9 })
  const code = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
  if (code.length > MOST_CODE) return undefined
  return code.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The text of a link, or `undefined` where there is none in it, or too long a one. */
export function unpackText(code: string): string | undefined {
  if (code.length > MOST_CODE) return undefined
  try {
    const packed = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const parts: Uint8Array[] = []
    let size = 0
    const inflate = new Inflate((part) => {
      size += part.length
      // What unfolds to more than it may is given up while it unfolds.
      if (size > MOST_TEXT) throw new RangeError('too long')
      parts.push(part)
    })
    inflate.push(packed, true)
    const bytes = new Uint8Array(size)
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    return size === 0 ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
