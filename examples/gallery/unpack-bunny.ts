/** What pack-bunny has packed, as it was: runs in the page. No imports. */

type Triple = [number, number, number]

const MILLION = 1e6

/** Vertices and triangles of a mesh, as npm `bunny` has them. */
export interface Packable {
  readonly positions: readonly Triple[]
  readonly cells: readonly Triple[]
}

/** For each vertex, in the order of first use: the vertex, and one that is known before it, or −1. */
export function firstUses(cells: readonly (readonly number[])[]): [vertex: number, known: number][] {
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

/** Signed whole numbers of bytes: the sign in the lowest bit, seven bits a byte, the highest where there are more. */
function wholes(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let [value, scale] = [0, 1]
  for (const byte of bytes) {
    value += (byte & 127) * scale
    scale *= 128
    if (byte > 127) continue
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2)
    ;[value, scale] = [0, 1]
  }
  return numbers
}

/** Numbers by their places in a list of all, in which they then move to the front. */
function recent(places: readonly number[], count: number): number[] {
  const list = Array.from({ length: count }, (_, k) => k)
  return places.map((at) => {
    const [x] = list.splice(at, 1)
    list.unshift(x)
    return x
  })
}

/** The mesh of a packed one. */
export function unpackBunny(bytes: Uint8Array): Packable {
  const [vertices, triangles, ...numbers] = wholes(bytes)
  const corners = recent(numbers.slice(0, 3 * triangles), vertices)
  const cells = Array.from({ length: triangles }, (_, k) => corners.slice(3 * k, 3 * k + 3) as Triple)
  const ways = numbers.slice(3 * triangles)
  const points: Triple[] = []
  firstUses(cells).forEach(([vertex, known], use) => {
    const from = known < 0 ? [0, 0, 0] : points[known]
    points[vertex] = from.map((x, k) => x + ways[3 * use + k]) as Triple
  })
  return { cells, positions: points.map((point) => point.map((x) => x / MILLION) as Triple) }
}
