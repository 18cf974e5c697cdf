/** Makes of a triangle mesh a surface that encloses a volume, and tells what it took. */

import { areaVector, type WeldedMesh, weld } from '../parts/mesh.js'
import { type Edges, edgesOf, runsAlong } from '../parts/topology.js'

/** A surface each of whose edges runs as often one way as the other: what is within is known. */
export interface ClosedSurface {
  /** x, y, z of each vertex [m]. */
  readonly positions: Float64Array
  /** Counter-clockwise from outside. */
  readonly triangles: Uint32Array
  /** For each vertex that was given, its vertex here, or 2³² − 1 where no triangle has it. */
  readonly vertexOf: Uint32Array
  /** Triangles that were left out: without three different vertices, or there twice. */
  readonly dropped: number
  /** Triangles that were turned round. */
  readonly flipped: number
  /** Holes that were closed, by a fan around their middle. */
  readonly capped: number
  /** [m³] */
  readonly volume: number
}

/** Share of the box around it below which a volume is none. */
const FLAT = 1e-6

/** Welds, turns triangles the same way round, closes holes. Throws a `RangeError` where nothing is enclosed. */
export function closedSurface(
  where: string,
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  tolerance: number,
): ClosedSurface {
  const mesh = weld(positions, indices, tolerance)
  if (mesh.triangles.length === 0) {
    throw new RangeError(`${where}: indices must have a triangle of three vertices, got ${indices.length / 3} without`)
  }
  let flipped = turnAlike(mesh)
  const { points, triangles, capped } = capHoles(mesh)
  let volume = volumeOf(points, triangles)
  if (volume < 0) {
    for (let t = 0; t < triangles.length; t += 3) swap(triangles, t)
    flipped = mesh.triangles.length / 3 - flipped
    volume = -volume
  }
  if (!(volume > FLAT * boxVolume(points))) {
    throw new RangeError(`${where}: positions must enclose a volume, got ${volume} m³`)
  }
  const { vertexOf, dropped } = mesh
  return { positions: points, triangles, vertexOf, dropped, flipped, capped, volume }
}

/** Turns triangles round so that neighbours agree; how many. A part whose triangles agree already stays as it is. */
function turnAlike({ positions, triangles }: WeldedMesh): number {
  const edges = edgesOf(triangles, positions.length / 3)
  const count = triangles.length / 3
  const turn = new Int8Array(count)
  let flipped = 0
  for (let first = 0; first < count; first++) {
    if (turn[first] !== 0) continue
    turn[first] = 1
    const part = [first]
    for (const t of part) spread(triangles, edges, t, turn, part)
    const turned = part.filter((t) => turn[t] < 0)
    if (turned.length === 0) continue
    for (const t of turned) swap(triangles, 3 * t)
    const own = Uint32Array.from(part.flatMap((t) => Array.from(triangles.subarray(3 * t, 3 * t + 3))))
    const isInside = volumeOf(positions, own) < 0
    if (isInside) for (const t of part) swap(triangles, 3 * t)
    flipped += isInside ? part.length - turned.length : turned.length
  }
  return flipped
}

/** Takes the neighbours of a triangle over edges of two into its part, turned as it is. */
function spread(triangles: Uint32Array, edges: Edges, t: number, turn: Int8Array, part: number[]): void {
  for (let s = 3 * t; s < 3 * t + 3; s++) {
    const e = edges.ofTriangle[s]
    const from = edges.first[e]
    if (edges.first[e + 1] - from !== 2) continue
    const other = edges.triangles[from] === t ? edges.triangles[from + 1] : edges.triangles[from]
    if (other === t || turn[other] !== 0) continue
    const agrees = runsAlong(triangles, edges, t, e) !== runsAlong(triangles, edges, other, e)
    turn[other] = agrees ? turn[t] : -turn[t]
    part.push(other)
  }
}

function swap(triangles: Uint32Array, o: number): void {
  const kept = triangles[o + 1]
  triangles[o + 1] = triangles[o + 2]
  triangles[o + 2] = kept
}

/** Closes each way round along edges that run more often one way than the other. */
function capHoles({ positions, triangles }: WeldedMesh): {
  points: Float64Array
  triangles: Uint32Array
  capped: number
} {
  const open = openEdges(triangles, positions.length / 3)
  const points = Array.from(positions)
  const more: number[] = []
  let capped = 0
  for (const [start] of open) {
    for (let loop = walk(open, start); loop.length > 0; loop = walk(open, start)) {
      const middle = points.length / 3
      for (let axis = 0; axis < 3; axis++) {
        points.push(loop.reduce((sum, v) => sum + positions[3 * v + axis], 0) / loop.length)
      }
      loop.forEach((v, k) => more.push(loop[(k + 1) % loop.length], v, middle))
      capped++
    }
  }
  if (capped === 0) return { points: positions, triangles, capped }
  return { points: Float64Array.from(points), triangles: Uint32Array.from([...triangles, ...more]), capped }
}

/** For each vertex, those to which edges run that nothing runs back along. */
function openEdges(triangles: Uint32Array, count: number): Map<number, number[]> {
  const balance = new Map<number, number>()
  for (let t = 0; t < triangles.length; t++) {
    const u = triangles[t]
    const v = triangles[t % 3 === 2 ? t - 2 : t + 1]
    const key = Math.min(u, v) * count + Math.max(u, v)
    balance.set(key, (balance.get(key) ?? 0) + (u < v ? 1 : -1))
  }
  const open = new Map<number, number[]>()
  for (const [key, sum] of balance) {
    const [low, high] = [Math.floor(key / count), key % count]
    const [from, to] = sum > 0 ? [low, high] : [high, low]
    for (let k = 0; k < Math.abs(sum); k++) {
      const list = open.get(from)
      if (list === undefined) open.set(from, [to])
      else list.push(to)
    }
  }
  return open
}

/** Takes a way out of `open`, from `start` until it is back there. As many edges run to a vertex as from it, so it comes back. */
function walk(open: Map<number, number[]>, start: number): number[] {
  const loop: number[] = []
  let v = start
  for (;;) {
    const next = open.get(v)?.pop()
    if (next === undefined) return loop
    loop.push(v)
    if (next === start) return loop
    v = next
  }
}

function volumeOf(positions: ArrayLike<number>, triangles: ArrayLike<number>): number {
  let six = 0
  const o = 3 * triangles[0]
  for (let t = 0; t < triangles.length; t += 3) {
    const [x, y, z] = areaVector(positions, triangles[t], triangles[t + 1], triangles[t + 2])
    const p = 3 * triangles[t]
    six += x * (positions[p] - positions[o]) + y * (positions[p + 1] - positions[o + 1])
    six += z * (positions[p + 2] - positions[o + 2])
  }
  return six / 6
}

function boxVolume(positions: Float64Array): number {
  let product = 1
  let longest = 0
  for (let axis = 0; axis < 3; axis++) {
    let [least, most] = [Infinity, -Infinity]
    for (let k = axis; k < positions.length; k += 3) {
      least = Math.min(least, positions[k])
      most = Math.max(most, positions[k])
    }
    product *= most - least
    longest = Math.max(longest, most - least)
  }
  return Math.max(product, FLAT * longest * longest * longest)
}
