/** How a link carries the text of the editor: base64 of its UTF-8, with the letters that need no escape in an address. No DOM. */

/** Most bytes of a text that a link carries. */
export const MOST_TEXT = 4096

/** A text for a link, or `undefined` where it is too long. */
export function encodeText(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MOST_TEXT) return undefined
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The text of a link, or `undefined` where there is none in it. */
export function decodeText(code: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    if (bytes.length > MOST_TEXT) return undefined
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
