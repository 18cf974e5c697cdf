/**
 * Triangle meshes as plain arrays, and what a scene makes of them: welded vertices, edges, bend pairs.
 *
 * Files store a vertex twice where a texture seam or a sharp edge runs through it. Simulated as it is, such a mesh tears
 * open along its seams, so a mesh is welded first; the map back to the file's vertices comes along.
 */

/** A triangle mesh. Plain data. */
export interface Mesh {
  /** x, y, z of each vertex [m] */
  readonly positions: ArrayLike<number>
  /** Three vertex indices a triangle, counter-clockwise as seen from outside. */
  readonly triangles: ArrayLike<number>
}

/** A mesh whose vertices are all different. */
export interface WeldedMesh {
  readonly positions: Float64Array
  /** Triangles that kept three different vertices. */
  readonly triangles: Uint32Array
  /** For each vertex of the mesh that was welded, its vertex here. */
  readonly map: Uint32Array
  /** How many triangles lost a side. */
  readonly collapsed: number
}

/** Smallest and largest coordinates [m]. */
export interface Bounds {
  readonly min: [number, number, number]
  readonly max: [number, number, number]
}

/** Throws where a mesh is empty, has a number that is not finite, or an index that points nowhere. */
export function checkMesh(where: string, { positions, triangles }: Mesh): void {
  if (positions.length === 0 || positions.length % 3 !== 0) {
    throw new RangeError(`${where}: positions must be x, y, z of at least one vertex, got ${positions.length} numbers`)
  }
  if (triangles.length === 0 || triangles.length % 3 !== 0) {
    throw new RangeError(`${where}: triangles must be three indices of at least one triangle, got ${triangles.length}`)
  }
  for (let i = 0; i < positions.length; i++) {
    if (!Number.isFinite(positions[i]))
      throw new RangeError(`${where}: positions[${i}] must be finite, got ${positions[i]}`)
  }
  const count = positions.length / 3
  for (let i = 0; i < triangles.length; i++) {
    const v = triangles[i]
    if (!Number.isInteger(v) || v < 0 || v >= count) {
      throw new RangeError(`${where}: triangles[${i}] must be the index of one of ${count} vertices, got ${v}`)
    }
  }
}

/**
 * Joins vertices that are at most `tolerance` [m] apart: the first of them in the order of the mesh stays where it is.
 * Vertices that no triangle uses are dropped; the map says {@link UNUSED} for them.
 */
export function weld(positions: ArrayLike<number>, triangles: ArrayLike<number>, tolerance: number): WeldedMesh {
  checkMesh('weld', { positions, triangles })
  if (!(tolerance >= 0)) throw new RangeError(`weld: tolerance must be >= 0, got ${tolerance}`)
  const joined = joinVertices(positions, tolerance)

  const kept: number[] = []
  let collapsed = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [joined[triangles[t]], joined[triangles[t + 1]], joined[triangles[t + 2]]]
    if (a === b || b === c || c === a) collapsed++
    else kept.push(a, b, c)
  }

  // Number the vertices that are in use, in the order of the mesh.
  const used = new Uint8Array(joined.length)
  for (const v of kept) used[v] = 1
  const number = new Uint32Array(joined.length).fill(UNUSED)
  const points: number[] = []
  for (let v = 0; v < joined.length; v++) {
    if (used[v] === 0) continue
    number[v] = points.length / 3
    points.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2])
  }
  return {
    positions: Float64Array.from(points),
    triangles: Uint32Array.from(kept, (v) => number[v]),
    map: joined.map((v) => number[v]),
    collapsed,
  }
}

/** In a weld's map: no triangle uses the vertex. */
export const UNUSED = 2 ** 32 - 1

/** For each vertex, the first one at most `tolerance` away. */
function joinVertices(positions: ArrayLike<number>, tolerance: number): Uint32Array {
  const cell = tolerance > 0 ? tolerance : 1
  const reach = tolerance > 0 ? 1 : 0
  const cells = new Map<string, number[]>()
  const joined = new Uint32Array(positions.length / 3)
  for (let v = 0; v < joined.length; v++) {
    const o = 3 * v
    const [i, j, k] = [0, 1, 2].map((axis) => Math.floor(positions[o + axis] / cell))
    let first = v
    for (let n = 0; n < 27; n++) {
      const [di, dj, dk] = [(n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1]
      if (reach === 0 && n !== 13) continue
      for (const other of cells.get(`${i + di},${j + dj},${k + dk}`) ?? []) {
        if (other < first && apart(positions, v, other) <= tolerance) first = other
      }
    }
    joined[v] = first
    if (first !== v) continue
    const key = `${i},${j},${k}`
    const list = cells.get(key)
    if (list === undefined) cells.set(key, [v])
    else list.push(v)
  }
  return joined
}

function apart(positions: ArrayLike<number>, v: number, w: number): number {
  const x = positions[3 * v] - positions[3 * w]
  const y = positions[3 * v + 1] - positions[3 * w + 1]
  const z = positions[3 * v + 2] - positions[3 * w + 2]
  return Math.sqrt(x * x + y * y + z * z)
}

interface Edge {
  a: number
  b: number
  /** The third corner k of each triangle at the edge; −k − 1 where the triangle runs from b to a. */
  corners: number[]
}

/** Edges in the order in which triangles mention them. */
function edgeList(triangles: ArrayLike<number>): Edge[] {
  const found = new Map<string, Edge>()
  for (let t = 0; t < triangles.length; t += 3) {
    for (let s = 0; s < 3; s++) {
      const from = triangles[t + s]
      const to = triangles[t + ((s + 1) % 3)]
      const corner = triangles[t + ((s + 2) % 3)]
      const [a, b] = from < to ? [from, to] : [to, from]
      const key = `${a},${b}`
      let edge = found.get(key)
      if (edge === undefined) found.set(key, (edge = { a, b, corners: [] }))
      edge.corners.push(from < to ? corner : -corner - 1)
    }
  }
  return [...found.values()]
}

/** Two vertices an edge, each edge once. */
export function edges(triangles: ArrayLike<number>): Uint32Array {
  return Uint32Array.from(edgeList(triangles).flatMap(({ a, b }) => [a, b]))
}

/** Four vertices an inner edge: its ends, then the corners opposite to it. Edges with one or three triangles have none. */
export function bendPairs(triangles: ArrayLike<number>): Uint32Array {
  const inner = edgeList(triangles).filter(({ corners }) => corners.length === 2)
  return Uint32Array.from(inner.flatMap(({ a, b, corners }) => [a, b, ...corners.map((c) => (c < 0 ? -c - 1 : c))]))
}

/** Throws where a welded mesh does not enclose a volume: an open edge, three triangles at an edge, a flipped triangle. */
export function requireClosed(where: string, mesh: Mesh): void {
  checkMesh(where, mesh)
  let open = 0
  let crowded = 0
  let flipped = 0
  for (const { corners } of edgeList(mesh.triangles)) {
    if (corners.length === 1) open++
    else if (corners.length !== 2) crowded++
    else if (corners[0] < 0 === corners[1] < 0) flipped++
  }
  if (open + crowded + flipped === 0) return
  throw new RangeError(
    `${where}: mesh must be closed and turned one way, got ${open} open edges, ` +
      `${crowded} edges of more than two triangles, ${flipped} edges between triangles turned against each other`,
  )
}

/** Smallest and largest coordinates [m]. */
export function bounds(positions: ArrayLike<number>): Bounds {
  const box: Bounds = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] }
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3
    box.min[axis] = Math.min(box.min[axis], positions[i])
    box.max[axis] = Math.max(box.max[axis], positions[i])
  }
  return box
}

/** Scales positions to a largest side of `size` [m], centred above the origin with the lowest point at height `bottom` [m]. */
export function fit(positions: ArrayLike<number>, size: number, bottom: number): Float64Array {
  const { min, max } = bounds(positions)
  const extent = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2])
  if (!(extent > 0)) throw new RangeError(`fit: positions must have an extent, got ${extent}`)
  const scale = size / extent
  const origin = [0.5 * (min[0] + max[0]), min[1], 0.5 * (min[2] + max[2])]
  return Float64Array.from(positions, (x, i) => (x - origin[i % 3]) * scale + (i % 3 === 1 ? bottom : 0))
}

/** Area of a third of the triangles around each vertex [m²]. */
export function vertexAreas(positions: ArrayLike<number>, triangles: ArrayLike<number>): Float64Array {
  const areas = new Float64Array(positions.length / 3)
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]]
    const u = [0, 1, 2].map((k) => positions[3 * b + k] - positions[3 * a + k])
    const v = [0, 1, 2].map((k) => positions[3 * c + k] - positions[3 * a + k])
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    const third = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 6
    for (const corner of [a, b, c]) areas[corner] += third
  }
  return areas
}
