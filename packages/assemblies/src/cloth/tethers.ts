/**
 * How far each vertex is from the nearest pin: straight, along threads, or along the cloth, over its triangles and not along their edges.
 *
 * Along the cloth: fast marching (Kimmel and Sethian, "Computing geodesic paths on manifolds", 1998): a vertex takes its distance from a side of a triangle whose ends have theirs,
 * as if the front were straight there; where that comes from outside of the triangle, from the nearer end.
 */

import { apart } from '../parts/mesh.js'
import type { ClothAsset } from './asset.js'
import { DIAGONAL } from './threads.js'

/** By vertex: distance [m] to the nearest of `pins`, and which one it is; −1 where none is reached. */
export interface PinDistances {
  readonly distance: Float64Array
  readonly pin: Int32Array
}

/**
 * Length at rest from a vertex to its pin [m]: the front that came first may have come from between two pins, and the one that is named is farther
 * than that. A shorter tether would pull at cloth that lies as it was made.
 */
export function tetherLength({ positions }: ClothAsset, { distance, pin }: PinDistances, v: number): number {
  return Math.max(distance[v], apart(positions, v, pin[v]))
}

/** Straight distances at rest. */
export function straightDistances({ positions }: ClothAsset, pins: readonly number[]): PinDistances {
  const count = positions.length / 3
  const distance = new Float64Array(count).fill(Infinity)
  const pin = new Int32Array(count).fill(-1)
  for (let v = 0; v < count; v++) {
    for (const p of pins) {
      const d = apart(positions, v, p)
      if (d >= distance[v]) continue
      distance[v] = d
      pin[v] = p
    }
  }
  return { distance, pin }
}

/** A front that sets out from the pins: what it has reached, the vertices that are done, and what is around each, which is still to be filled in. */
interface Front extends PinDistances {
  readonly done: Uint8Array
  readonly around: number[][]
  readonly heap: Heap
}

function frontFrom(count: number, pins: readonly number[]): Front {
  const distance = new Float64Array(count).fill(Infinity)
  const pin = new Int32Array(count).fill(-1)
  const heap = new Heap()
  for (const p of pins) {
    distance[p] = 0
    pin[p] = p
    heap.push(p, 0)
  }
  return { distance, pin, done: new Uint8Array(count), around: Array.from({ length: count }, () => []), heap }
}

/**
 * Distances along edges that do not stretch, at rest: along warp and weft where it is woven. Across them it shears, and a vertex may be farther from
 * its pin than the straight way was.
 */
export function threadDistances({ positions, edges, threads }: ClothAsset, pins: readonly number[]): PinDistances {
  const { distance, pin, done, around, heap } = frontFrom(positions.length / 3, pins)
  for (let e = 0; e < edges.count; e++) {
    if (threads?.kind[e] === DIAGONAL) continue
    const [u, v] = [edges.ends[2 * e], edges.ends[2 * e + 1]]
    around[u].push(v)
    around[v].push(u)
  }
  for (let v = heap.pop(); v >= 0; v = heap.pop()) {
    if (done[v] === 1) continue
    done[v] = 1
    for (const w of around[v]) {
      const d = distance[v] + apart(positions, v, w)
      if (d >= distance[w]) continue
      distance[w] = d
      pin[w] = pin[v]
      heap.push(w, d)
    }
  }
  return { distance, pin }
}

/** Distances along the cloth at rest. */
export function geodesicDistances(asset: ClothAsset, pins: readonly number[]): PinDistances {
  const { positions, triangles } = asset
  const { distance, pin, done, around, heap } = frontFrom(positions.length / 3, pins)
  for (let k = 0; k < triangles.length; k++) around[triangles[k]].push((k / 3) | 0)
  for (let v = heap.pop(); v >= 0; v = heap.pop()) {
    if (done[v] === 1) continue
    done[v] = 1
    for (const t of around[v]) {
      for (let k = 0; k < 3; k++) {
        const c = triangles[3 * t + k]
        if (done[c] === 1) continue
        const a = triangles[3 * t + ((k + 1) % 3)]
        const b = triangles[3 * t + ((k + 2) % 3)]
        const d = distanceFrom(positions, distance, a, b, c)
        if (d >= distance[c]) continue
        distance[c] = d
        const isByA = distance[a] + apart(positions, a, c) <= distance[b] + apart(positions, b, c)
        pin[c] = isByA ? pin[a] : pin[b]
        heap.push(c, d)
      }
    }
  }
  return { distance, pin }
}

/** Distance of corner c by those of a and b [m]. */
function distanceFrom(x: Float64Array, distance: Float64Array, a: number, b: number, c: number): number {
  const [da, db] = [distance[a], distance[b]]
  const [ac, bc] = [apart(x, a, c), apart(x, b, c)]
  const along = Math.min(da + ac, db + bc)
  if (!(da < Infinity && db < Infinity)) return along
  const ab = apart(x, a, b)
  // The triangle laid flat: a at the origin, b at (ab, 0), c above; the source below, at distances da and db.
  const cx = (ac * ac - bc * bc + ab * ab) / (2 * ab)
  const sx = (da * da - db * db + ab * ab) / (2 * ab)
  const cy = Math.sqrt(Math.max(0, ac * ac - cx * cx))
  const squared = da * da - sx * sx
  if (!(ab > 0) || squared < 0) return along
  const sy = -Math.sqrt(squared)
  // Where the way from the source to c crosses the side.
  const crossing = cy - sy > 0 ? sx + ((cx - sx) * -sy) / (cy - sy) : -1
  if (!(crossing >= 0 && crossing <= ab)) return along
  return Math.sqrt((cx - sx) * (cx - sx) + (cy - sy) * (cy - sy))
}

/** Vertices by distance, the nearest first; of equal ones, the lower number. */
class Heap {
  private readonly items: number[] = []
  private readonly keys: number[] = []

  push(item: number, key: number): void {
    const { items, keys } = this
    let k = items.length
    items.push(item)
    keys.push(key)
    while (k > 0) {
      const up = (k - 1) >> 1
      if (!this.isBefore(k, up)) break
      this.swap(k, up)
      k = up
    }
  }

  /** The nearest, or −1. */
  pop(): number {
    const { items, keys } = this
    if (items.length === 0) return -1
    const first = items[0]
    const last = items.length - 1
    this.swap(0, last)
    items.pop()
    keys.pop()
    for (let k = 0; ;) {
      let least = k
      for (const child of [2 * k + 1, 2 * k + 2]) if (child < last && this.isBefore(child, least)) least = child
      if (least === k) break
      this.swap(k, least)
      k = least
    }
    return first
  }

  private isBefore(i: number, j: number): boolean {
    const { items, keys } = this
    return keys[i] < keys[j] || (keys[i] === keys[j] && items[i] < items[j])
  }

  private swap(i: number, j: number): void {
    const { items, keys } = this
    const [item, key] = [items[i], keys[i]]
    items[i] = items[j]
    keys[i] = keys[j]
    items[j] = item
    keys[j] = key
  }
}
