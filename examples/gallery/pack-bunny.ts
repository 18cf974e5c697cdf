/**
 * The bunny of npm as a fifth of its text. Indices are their places among those last used (move to front), where neighbours are near.
 * Coordinates, which have six decimals, are whole millionths: of a vertex when a triangle first uses it, as the difference from a
 * corner of that triangle that is known already, or from the last one that was. What comes out is the same to the last bit,
 * as a whole number divided by a million is the number that its decimals say.
 */

import bunny from 'bunny'
import type { Plugin } from 'vite'

const MILLION = 1e6

/** Signed whole numbers as bytes: the sign in the lowest bit, seven bits a byte, the highest where there are more. */
function packed(numbers: readonly number[]): string {
  const bytes: number[] = []
  for (const x of numbers) {
    let rest = x < 0 ? -2 * x - 1 : 2 * x
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return Buffer.from(bytes).toString('base64')
}

/** For each vertex, in the order of first use: the vertex, and one that is known before it. */
function firstUses(cells: readonly (readonly number[])[]): [vertex: number, known: number][] {
  const seen = new Set<number>()
  let last = -1
  return cells.flatMap((corners) =>
    corners.flatMap((vertex): [number, number][] => {
      if (seen.has(vertex)) return []
      const known = corners.find((corner) => seen.has(corner)) ?? last
      seen.add(vertex)
      last = vertex
      return [[vertex, known]]
    }),
  )
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

/** Source of a module in place of npm `bunny`. */
export function packedBunny(): string {
  const { positions, cells } = bunny
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
  return `
const unpack = (text) => {
  const numbers = []
  let [value, scale] = [0, 1]
  for (const character of atob(text)) {
    const byte = character.charCodeAt(0)
    value += (byte & 127) * scale
    scale *= 128
    if (byte > 127) continue
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2)
    ;[value, scale] = [0, 1]
  }
  return numbers
}
const threes = (numbers) => Array.from({ length: numbers.length / 3 }, (_, k) => numbers.slice(3 * k, 3 * k + 3))
const recent = (places) => {
  const list = Array.from({ length: ${positions.length} }, (_, k) => k)
  return places.map((at) => {
    const [x] = list.splice(at, 1)
    list.unshift(x)
    return x
  })
}
${firstUses.toString()}
const cells = /* @__PURE__ */ threes(recent(unpack('${packed(places(cells.flat(), positions.length))}')))
const follow = (ways) => {
  const points = []
  firstUses(cells).forEach(([vertex, known], use) => {
    points[vertex] = [0, 1, 2].map((k) => ways[3 * use + k] + (known < 0 ? 0 : points[known][k]))
  })
  return points.map((point) => point.map((x) => x / ${MILLION}))
}
export default { cells, positions: /* @__PURE__ */ follow(unpack('${packed(ways)}')) }
`
}

/** Puts the packed bunny in place of the package. */
export const packBunny: Plugin = {
  name: 'pack-bunny',
  enforce: 'pre',
  resolveId: (id) => (id === 'bunny' ? '\0packed-bunny.js' : null),
  load: (id) => (id === '\0packed-bunny.js' ? packedBunny() : null),
}
