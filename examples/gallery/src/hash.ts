/** A hash of numbers, for what is no world: FNV-1a of the bytes (Fowler, Noll and Vo), 32 bits. ±0 counts as the same. */
export function hashNumbers(...arrays: ArrayLike<number>[]): string {
  let hash = 0x811c9dc5
  for (const array of arrays) {
    const numbers = Float64Array.from(array, (x) => x + 0)
    for (const byte of new Uint8Array(numbers.buffer)) hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
