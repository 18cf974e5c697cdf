/**
 * Parts of the surfaces of sets that come near each other on their ways through a substep: vertices with triangles, and edges with edges.
 *
 * Faces are paired by a tree of the boxes of their ways. Of a pair of faces only those vertices and edges are looked at that it stands for: each
 * belongs to one face (Curtis, Tamstorf and Manocha 2008), so that none is found twice.
 */

import type { LeanWorld } from '@tautline/core'
import { DYNAMIC, RESTS } from '@tautline/core/kernel'
import { PairList } from '../detect/broad/pair-list.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import type { ParticleRecord } from './particle-set.js'
import type { ParticleSets } from './particle-sets.js'
import { DIRECTION, DISTANCE, NEAR_FOUND, nearEdges, nearVertex, QUAD, WEIGHT } from './surface-nearest.js'
import { SurfaceTree } from './surface-tree.js'

/** Kinds of pairs. */
export const VERTEX = 0
export const EDGES = 1
/** Whole numbers of a pair: four body rows, kind, and the two sets. */
export const IDS = 7
/** Numbers of a pair: direction (3), weights (4), gap that is kept [m]. */
export const NUMBERS = 8
export const KEPT = 7

/** What is nearer at rest than so many thicknesses is held apart by what holds the set together: of the thickness, a share is kept. */
const OWN = 1.5
const LEAST = 0.2

/** Thickness of the pair in hand, and what is near at rest [m]: in memory, as what a function is handed would be boxed. */
const given = /* @__PURE__ */ new Float64Array(2)
const THICK = 0
const REACH = 1

/** Corners and sides of a face, and of the pair, as corners of `QUAD`. */
const SIDES = /* @__PURE__ */ Int32Array.of(0, 1, 1, 2, 2, 0)

export class SurfacePairs {
  /** What was found. */
  count = 0
  ids: Int32Array = new Int32Array(IDS * 256)
  numbers: Float64Array = new Float64Array(NUMBERS * 256)
  /** By body: where it was when none had passed another (3). */
  at: Float64Array = new Float64Array(0)
  /** And where it was when `find` looked for what is near (3). */
  private foundAt: Float64Array = new Float64Array(0)
  private thinnest = 0
  /** Faces of all sets: bodies of three corners, set, thickness, and which corners (bits 0 to 2) and sides (3 to 5) are its own. */
  faces = 0
  private bodyOf: Int32Array = new Int32Array(0)
  /** Middles and sizes where the sets were made [m]. */
  private middle: Float64Array = new Float64Array(0)
  private size: Float64Array = new Float64Array(0)
  private setOf: Int32Array = new Int32Array(0)
  private thickness: Float64Array = new Float64Array(0)
  private own: Uint8Array = new Uint8Array(0)
  /** Boxes of the ways of faces, and by body. */
  private boxes: Float64Array = new Float64Array(0)
  private ways: Float64Array = new Float64Array(0)
  /** Whether parts of the faces in hand may be near at rest. */
  private areNear = false
  /** By body: where it lies at rest (3). */
  private rest: Float64Array = new Float64Array(0)
  private readonly tree = new SurfaceTree()
  private readonly pairs = new PairList()
  private treeOf: readonly (ParticleRecord | undefined)[] = []
  private readonly world: LeanWorld
  private readonly sets: ParticleSets
  private readonly filter: ContactFilter

  constructor(world: LeanWorld, sets: ParticleSets, filter: ContactFilter) {
    this.world = world
    this.sets = sets
    this.filter = filter
  }

  /** Begins a step: which faces there are, and where they are. Whether there are any. */
  begin(): boolean {
    const { records } = this.sets
    let isSame = this.treeOf.length === records.length
    for (let id = 0; id < records.length && isSame; id++) isSame = this.treeOf[id] === records[id]
    if (!isSame) this.enlist()
    if (this.faces === 0) return false
    const { bodies } = this.world
    if (this.at.length < 3 * bodies.count) {
      this.at = new Float64Array(6 * bodies.count)
      this.foundAt = new Float64Array(6 * bodies.count)
      this.ways = new Float64Array(12 * bodies.count)
    }
    this.noteAll()
    return true
  }

  /** Notes where all corners are. */
  noteAll(): void {
    const { at, bodyOf, faces } = this
    const { position: x } = this.world.bodies.columns
    for (let k = 0; k < 3 * faces; k++) {
      const i = bodyOf[k]
      at[3 * i] = x[4 * i]
      at[3 * i + 1] = x[4 * i + 1]
      at[3 * i + 2] = x[4 * i + 2]
    }
  }

  private enlist(): void {
    const { records } = this.sets
    this.treeOf = records.slice()
    this.rest = new Float64Array(3 * this.world.bodies.count)
    const bodies: number[] = []
    const middles: number[] = []
    const sizes: number[] = []
    const sets: number[] = []
    const thickness: number[] = []
    const own: number[] = []
    records.forEach((record, id) => {
      if (record?.selfCollision !== 'surface') return
      const { faces, rows, radius } = record
      const known = new Set<number>()
      for (let f = 0; f < faces.length; f += 3) {
        const corners = [faces[f], faces[f + 1], faces[f + 2]]
        if (corners.some((corner) => rows[corner] < 0)) continue
        bodies.push(...corners.map((corner) => rows[corner]))
        addMiddle(record.rest, corners, middles, sizes)
        for (const corner of corners) this.rest.set(record.rest.subarray(3 * corner, 3 * corner + 3), 3 * rows[corner])
        sets.push(id)
        thickness.push(Math.max(...corners.map((corner) => radius[corner])))
        own.push(ownOf(corners, rows.length, known))
      }
    })
    this.faces = sets.length
    this.bodyOf = Int32Array.from(bodies)
    this.setOf = Int32Array.from(sets)
    this.thickness = Float64Array.from(thickness)
    this.own = Uint8Array.from(own)
    this.thinnest = thickness.reduce((least, value) => Math.min(least, value), Infinity)
    this.boxes = new Float64Array(6 * this.faces)
    this.middle = Float64Array.from(middles)
    this.size = Float64Array.from(sizes)
    this.tree.build(this.faces, this.middle)
  }

  /** Whether any corner moves. */
  get isMoving(): boolean {
    const { kind, flags } = this.world.bodies.columns
    for (let k = 0; k < 3 * this.faces; k++) {
      const i = this.bodyOf[k]
      if (kind[i] === DYNAMIC && (flags[i] & RESTS) === 0) return true
    }
    return false
  }

  /** Finds the parts that come within their thickness of each other on the straight ways from `at` to where they are. */
  find(): void {
    this.count = 0
    this.noteFound()
    this.writeBoxes()
    this.tree.refit(this.boxes)
    this.tree.findPairs(this.faces, this.pairs)
    const { items, count } = this.pairs
    for (let k = 0; k < count; k++) {
      const a = items[2 * k]
      const b = items[2 * k + 1]
      this.areNear = this.areNearAtRest(a, b)
      if (this.mayMeet(a, b)) this.findParts(a, b)
    }
  }

  private noteFound(): void {
    const { foundAt, bodyOf, faces } = this
    const { position: x } = this.world.bodies.columns
    for (let k = 0; k < 3 * faces; k++) for (let c = 0; c < 3; c++) foundAt[3 * bodyOf[k] + c] = x[4 * bodyOf[k] + c]
  }

  /** Whether a corner has moved so far since `find` that others may have come near. */
  get isStale(): boolean {
    const { foundAt, bodyOf, faces, thinnest } = this
    const { position: x } = this.world.bodies.columns
    // Half of what counts of the thickness of two that are near at rest.
    const most = LEAST * thinnest
    for (let k = 0; k < 3 * faces; k++) {
      const i = bodyOf[k]
      const dx = x[4 * i] - foundAt[3 * i]
      const dy = x[4 * i + 1] - foundAt[3 * i + 1]
      const dz = x[4 * i + 2] - foundAt[3 * i + 2]
      if (!(dx * dx + dy * dy + dz * dz < most * most)) return true
    }
    return false
  }

  private mayMeet(a: number, b: number): boolean {
    const { setOf, sets, filter } = this
    const r = sets.records[setOf[a]] as ParticleRecord
    return setOf[a] === setOf[b] ? r.group >= 0 : filter.meetsParticles(r, sets.records[setOf[b]] as ParticleRecord)
  }

  /** Whether parts of two faces of a set may be near each other at rest. */
  private areNearAtRest(a: number, b: number): boolean {
    const { middle, size, setOf, thickness } = this
    if (setOf[a] !== setOf[b]) return false
    const x = middle[3 * a] - middle[3 * b]
    const y = middle[3 * a + 1] - middle[3 * b + 1]
    const z = middle[3 * a + 2] - middle[3 * b + 2]
    const reach = size[a] + size[b] + OWN * (thickness[a] + thickness[b])
    return x * x + y * y + z * z < reach * reach
  }

  /** Whether a pair is near at rest: by its corners, or where these are not. */
  private isNearAtRest(i: number, j: number, k: number, l: number, kind: number): boolean {
    const { rest } = this
    given[REACH] = OWN * given[THICK]
    if (isWithin(rest, i, k) || isWithin(rest, i, l)) return true
    if (kind === VERTEX ? isWithin(rest, i, j) : isWithin(rest, j, k) || isWithin(rest, j, l)) return true
    placeQuad(rest, 3 * i, 3 * j, 3 * k, 3 * l)
    if (kind === VERTEX) nearVertex()
    else nearEdges()
    return NEAR_FOUND[DISTANCE] < given[REACH]
  }

  /** Boxes of the ways of bodies, and of faces, these grown by their thickness. */
  private writeBoxes(): void {
    const { boxes, ways, bodyOf, thickness, at, faces } = this
    const { position: x } = this.world.bodies.columns
    for (let k = 0; k < 3 * faces; k++) {
      const i = bodyOf[k]
      for (let axis = 0; axis < 3; axis++) {
        const u = at[3 * i + axis]
        const v = x[4 * i + axis]
        ways[6 * i + axis] = u < v ? u : v
        ways[6 * i + 3 + axis] = u < v ? v : u
      }
    }
    for (let f = 0; f < faces; f++) {
      const a = 6 * bodyOf[3 * f]
      const b = 6 * bodyOf[3 * f + 1]
      const c = 6 * bodyOf[3 * f + 2]
      for (let k = 0; k < 3; k++) {
        boxes[6 * f + k] = least3(ways[a + k], ways[b + k], ways[c + k]) - thickness[f]
        boxes[6 * f + 3 + k] = -least3(-ways[a + 3 + k], -ways[b + 3 + k], -ways[c + 3 + k]) + thickness[f]
      }
    }
  }

  private findParts(a: number, b: number): void {
    const { own } = this
    for (let k = 0; k < 3; k++) {
      if ((own[a] >> k) & 1) this.addVertex(a, k, b)
      if ((own[b] >> k) & 1) this.addVertex(b, k, a)
    }
    for (let s = 0; s < 3; s++) {
      if (!((own[a] >> (3 + s)) & 1)) continue
      for (let t = 0; t < 3; t++) if ((own[b] >> (3 + t)) & 1) this.addEdges(a, s, b, t)
    }
  }

  /** Corner k of face a and the triangle b. */
  private addVertex(a: number, k: number, b: number): void {
    const { bodyOf } = this
    const i = bodyOf[3 * a + k]
    const p = bodyOf[3 * b]
    const q = bodyOf[3 * b + 1]
    const r = bodyOf[3 * b + 2]
    // An edge by itself is met by edges.
    if (q === r || i === p || i === q || i === r) return
    this.add(a, b, VERTEX, i, p, q, r)
  }

  /** Side s of face a and side t of face b. */
  private addEdges(a: number, s: number, b: number, t: number): void {
    const { bodyOf } = this
    const i = bodyOf[3 * a + SIDES[2 * s]]
    const j = bodyOf[3 * a + SIDES[2 * s + 1]]
    const p = bodyOf[3 * b + SIDES[2 * t]]
    const q = bodyOf[3 * b + SIDES[2 * t + 1]]
    if (i === p || i === q || j === p || j === q) return
    this.add(a, b, EDGES, i, j, p, q)
  }

  /** Adds a pair of faces f and g, whose corners are bodies i, j, k, l, if it comes near. */
  private add(f: number, g: number, kind: number, i: number, j: number, k: number, l: number): void {
    const { at, thickness, setOf } = this
    const first = kind === VERTEX ? 1 : 2
    given[THICK] = thickness[f] + thickness[g]
    if (!this.isNear(i, j, k, l, first)) return
    if (this.areNear && this.isNearAtRest(i, j, k, l, kind)) {
      given[THICK] *= LEAST
      if (!this.isNear(i, j, k, l, first)) return
    }
    placeQuad(at, 3 * i, 3 * j, 3 * k, 3 * l)
    if (kind === VERTEX) nearVertex()
    else nearEdges()
    // What has passed already stays: which side it came from is not known.
    if (!(NEAR_FOUND[DISTANCE] > 0)) return
    const n = NUMBERS * this.count
    const o = IDS * this.count
    if (n + NUMBERS > this.numbers.length) this.grow()
    const { ids, numbers } = this
    for (let m = 0; m < 3; m++) numbers[n + m] = NEAR_FOUND[DIRECTION + m]
    for (let m = 0; m < 4; m++) numbers[n + 3 + m] = NEAR_FOUND[WEIGHT + m]
    this.writeKept(n, i, j, k, l)
    ids[o] = i
    ids[o + 1] = j
    ids[o + 2] = k
    ids[o + 3] = l
    ids[o + 4] = kind
    ids[o + 5] = setOf[f]
    ids[o + 6] = setOf[g]
    this.count++
  }

  /** Writes what is kept of a gap: no more than what repairs have left of it since, or to keep it would take speed. */
  private writeKept(n: number, i: number, j: number, k: number, l: number): void {
    const { startPosition: x0 } = this.world.bodies.columns
    const most = NEAR_FOUND[DISTANCE] < given[THICK] ? NEAR_FOUND[DISTANCE] : given[THICK]
    let gap = 0
    for (let c = 0; c < 4; c++) {
      const p = 4 * (c === 0 ? i : c === 1 ? j : c === 2 ? k : l)
      const along =
        NEAR_FOUND[DIRECTION] * x0[p] + NEAR_FOUND[DIRECTION + 1] * x0[p + 1] + NEAR_FOUND[DIRECTION + 2] * x0[p + 2]
      gap += NEAR_FOUND[WEIGHT + c] * along
    }
    this.numbers[n + KEPT] = gap < most && gap > 0 ? gap : most
  }

  /** Whether the boxes of the ways of the first corners and of the others come within the thickness. */
  private isNear(i: number, j: number, k: number, l: number, first: number): boolean {
    const { ways } = this
    const thick = given[THICK]
    const a = 6 * i
    // One that is on both sides changes neither.
    const b = first === 2 ? 6 * j : a
    const c = first === 2 ? 6 * k : 6 * j
    const d = 6 * k
    const e = 6 * l
    for (let axis = 0; axis < 3; axis++) {
      const p = a + axis
      const q = b + axis
      const most = ways[p + 3] > ways[q + 3] ? ways[p + 3] : ways[q + 3]
      if (least3(ways[c + axis], ways[d + axis], ways[e + axis]) > most + thick) return false
      const least = ways[p] < ways[q] ? ways[p] : ways[q]
      if (-least3(-ways[c + 3 + axis], -ways[d + 3 + axis], -ways[e + 3 + axis]) < least - thick) return false
    }
    return true
  }

  private grow(): void {
    const ids = new Int32Array(2 * this.ids.length)
    const numbers = new Float64Array(2 * this.numbers.length)
    ids.set(this.ids)
    numbers.set(this.numbers)
    this.ids = ids
    this.numbers = numbers
  }
}

function least3(a: number, b: number, c: number): number {
  return a < b ? (a < c ? a : c) : b < c ? b : c
}

/** Whether two bodies are within `given[REACH]` of each other. */
function isWithin(x: Float64Array, i: number, j: number): boolean {
  const dx = x[3 * i] - x[3 * j]
  const dy = x[3 * i + 1] - x[3 * j + 1]
  const dz = x[3 * i + 2] - x[3 * j + 2]
  return dx * dx + dy * dy + dz * dz < given[REACH] * given[REACH]
}

function placeQuad(x: Float64Array, a: number, b: number, c: number, d: number): void {
  for (let k = 0; k < 3; k++) {
    QUAD[k] = x[a + k]
    QUAD[3 + k] = x[b + k]
    QUAD[6 + k] = x[c + k]
    QUAD[9 + k] = x[d + k]
  }
}

/** Middle of three points, and how far the farthest of them is. */
function addMiddle(rest: Float64Array, corners: readonly number[], middles: number[], sizes: number[]): void {
  const middle = [0, 1, 2].map((k) => corners.reduce((sum, corner) => sum + rest[3 * corner + k] / 3, 0))
  let most = 0
  for (const corner of corners) {
    let square = 0
    for (let k = 0; k < 3; k++) square += (rest[3 * corner + k] - middle[k]) * (rest[3 * corner + k] - middle[k])
    most = Math.max(most, square)
  }
  middles.push(...middle)
  sizes.push(Math.sqrt(most))
}

/** Corners and sides of a face that no face before it has; `known` gathers them. */
function ownOf(corners: readonly number[], count: number, known: Set<number>): number {
  let own = 0
  const take = (key: number, bit: number): void => {
    if (known.has(key)) return
    known.add(key)
    own |= 1 << bit
  }
  for (let k = 0; k < 3; k++) {
    take(corners[k], k)
    const p = corners[SIDES[2 * k]]
    const q = corners[SIDES[2 * k + 1]]
    if (p !== q) take((p < q ? p * count + q : q * count + p) + count, 3 + k)
  }
  return own
}
