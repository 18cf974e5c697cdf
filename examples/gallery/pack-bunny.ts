/**
 * The bunny of npm as a file beside the page's script, a fifth of its text. Indices are their places among those last used (move to
 * front), where neighbours are near. Coordinates, which have six decimals, are whole millionths: of a vertex when a triangle first
 * uses it, as the difference from a corner of that triangle that is known already, or from the last one that was. What comes out is
 * the same to the last bit, as a whole number divided by a million is the number that its decimals say.
 */

import { fileURLToPath } from 'node:url'
import bunny from 'bunny'
import type { Plugin } from 'vite'
import { firstUses, type Packable } from './unpack-bunny.js'

const MILLION = 1e6

/** Signed whole numbers as bytes: the sign in the lowest bit, seven bits a byte, the highest where there are more. */
function packed(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (const x of numbers) {
    let rest = x < 0 ? -2 * x - 1 : 2 * x
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

/** Each number as its place in a list of all, in which it then moves to the front. */
function places(numbers: readonly number[], count: number): number[] {
  const list = Array.from({ length: count }, (_, k) => k)
  return numbers.map((x) => {
    const at = list.indexOf(x)
    list.splice(at, 1)
    list.unshift(x)
    return at
  })
}

/** How many vertices and triangles, the triangles, the vertices. */
export function packedBunny({ positions, cells }: Packable = bunny): Uint8Array {
  const millionths = positions.map((point) => point.map((x) => Math.round(MILLION * x)))
  positions.forEach((point, v) =>
    point.forEach((x, k) => {
      if (millionths[v][k] / MILLION !== x)
        throw new RangeError(`pack-bunny: coordinates must have six decimals, got ${x}`)
    }),
  )
  const uses = firstUses(cells)
  if (uses.length !== positions.length) {
    throw new RangeError(`pack-bunny: vertices must all be used, got ${uses.length} of ${positions.length}`)
  }
  const ways = uses.flatMap(([vertex, known]) =>
    millionths[vertex].map((x, k) => x - (known < 0 ? 0 : millionths[known][k])),
  )
  return packed([positions.length, cells.length, ...places(cells.flat(), positions.length), ...ways])
}

const UNPACK = fileURLToPath(new URL('unpack-bunny.ts', import.meta.url))

/** Puts the packed bunny in place of the package, in what is built: the script waits for it before it begins. */
export const packBunny: Plugin = {
  name: 'pack-bunny',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id === 'bunny' ? '\0packed-bunny.js' : null),
  load(id) {
    if (id !== '\0packed-bunny.js') return null
    const file = this.emitFile({ type: 'asset', name: 'bunny.bin', source: packedBunny() })
    return `
import { unpackBunny } from ${JSON.stringify(UNPACK)}
const answer = await fetch(import.meta.ROLLUP_FILE_URL_${file})
if (!answer.ok) throw new Error('bunny.bin: ' + answer.status)
export default unpackBunny(new Uint8Array(await answer.arrayBuffer()))
`
  },
}
