/** Which faces of sets may come to touch which colliders in a step: the box of a face in the frame of each part, grown by how far both can go. */

import type { LeanWorld } from '@tautline/core'
import { ASLEEP, DYNAMIC } from '@tautline/core/kernel'
import { overlaps } from '../detect/broad/box.js'
import { IntList } from '../detect/broad/int-list.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import { queryBvh } from '../shapes/bvh.js'
import { heightfieldTriangles } from '../shapes/heightfield-data.js'
import { PLANE, type Shape } from '../shapes/shape.js'
import type { Colliders } from '../state/colliders.js'
import { FACE, FACE_FOUND, measureFace } from './face-distance.js'
import { CORNERS } from './face-columns.js'
import type { ParticleRecord } from './particle-set.js'
import { AT, localise, partOf, placePart } from './surface.js'

/** Box of a face, and in the frame of a part. */
const whole = /* @__PURE__ */ new Float64Array(6)
const box = /* @__PURE__ */ new Float64Array(6)
const T = /* @__PURE__ */ new Float64Array(12)
/** Three points whose distances are at most ℓ lie in a circle of radius ℓ/√3 (Jung's theorem): what is wider does not pass between them. */
const GAP = /* @__PURE__ */ 1 / Math.sqrt(3)
/** How far is looked [m]: in memory, as what a function is handed would be boxed. */
const given = /* @__PURE__ */ new Float64Array(1)
const REACH = 0

export class FaceFinder {
  /** Set, face, collider, part. */
  readonly found: IntList = new IntList()
  /** Whether a sleeper is about to be struck, and was woken. */
  woke = false
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly filter: ContactFilter
  private readonly triangles = new IntList()
  /** Of the present set: radius of the widest gap between three particles at the end of the step, less the radius of the particles [m]; below 0 before it is measured. */
  private widest = -1

  constructor(world: LeanWorld, colliders: Colliders, filter: ContactFilter) {
    this.world = world
    this.colliders = colliders
    this.filter = filter
  }

  begin(): void {
    this.found.clear()
    this.woke = false
  }

  /** Begins a set. */
  beginSet(): void {
    this.widest = -1
  }

  /**
   * Adds the faces of a set that may reach a collider, which goes as far as `theirs` in `dt` [s]; `way` is that of each particle, below 0 where it
   * rests. What touches a plane does so with a corner.
   */
  meet(
    id: number,
    record: ParticleRecord,
    collider: number,
    way: Float64Array,
    theirs: number,
    dt: number,
    margin: number,
  ): void {
    const { colliders, filter, found } = this
    const { shape } = colliders.records[collider]!
    if (shape.kind === PLANE) return
    const { faces, rows, radius } = record
    const b = colliders.body[collider]
    const isActive = colliders.active[collider] === 1
    const isDynamic = this.world.bodies.columns.kind[b] === DYNAMIC
    // What is wider than `width` meets no face.
    const width = record.surfaceContacts === 'auto' ? widthOf(shape) : 0
    if (width > 0 && !(width < this.measureGaps(record, way) + GAP * theirs)) return
    const isJoined = filter.hasJoints(b)
    const { tight } = colliders.tree
    for (let f = 0; f < faces.length; f += CORNERS) {
      const i = rows[faces[f]]
      const j = rows[faces[f + 1]]
      const k = rows[faces[f + 2]]
      if (i < 0 || j < 0 || k < 0 || i === b || j === b || k === b) continue
      let farthest = way[faces[f]]
      let most = radius[faces[f]]
      for (let c = 1; c < CORNERS; c++) {
        farthest = Math.max(farthest, way[faces[f + c]])
        most = Math.max(most, radius[faces[f + c]])
      }
      const rests = farthest < 0
      if (rests && !isActive) continue
      if (!isDynamic && !this.isAnyDynamic(i, j, k)) continue
      const reach = most + margin + theirs + (rests ? 0 : farthest)
      given[REACH] = reach
      this.writeBox(i, j, k)
      if (!overlaps(whole, 0, tight, 6 * collider)) continue
      if (width > 0 && !(width + most < GAP * (this.longestEdge(i, j, k) + dt * this.relativeSpeed(i, j, k, collider))))
        continue
      if (isJoined && (filter.isJoined(i, b) || filter.isJoined(j, b) || filter.isJoined(k, b))) continue
      const first = found.count
      this.addParts(id, f / CORNERS, collider, shape, i, j, k)
      if (found.count > first && (rests || isDynamic)) this.wakeStruck(first, i, j, k, collider, rests, most, dt)
    }
  }

  /** The widest gap of a set, see `widest`. */
  private measureGaps({ faces, rows, radius }: ParticleRecord, way: Float64Array): number {
    if (this.widest >= 0) return this.widest
    let edge = 0
    let farthest = 0
    let thinnest = Infinity
    for (let f = 0; f < faces.length; f += CORNERS) {
      const i = rows[faces[f]]
      const j = rows[faces[f + 1]]
      const k = rows[faces[f + 2]]
      if (i < 0 || j < 0 || k < 0) continue
      edge = Math.max(edge, this.longestEdge(i, j, k))
      for (let c = f; c < f + CORNERS; c++) {
        farthest = Math.max(farthest, way[faces[c]])
        thinnest = Math.min(thinnest, radius[faces[c]])
      }
    }
    this.widest = Math.max(0, GAP * (edge + farthest) - thinnest)
    return this.widest
  }

  /** How fast a collider comes nearer to the corners of a face, or passes them, at most [m/s]. */
  private relativeSpeed(i: number, j: number, k: number, collider: number): number {
    const { velocity: v } = this.world.bodies.columns
    const { velocity, spin } = this.colliders
    const square = Math.max(
      squareApart(v, 3 * i, velocity, 3 * collider),
      squareApart(v, 3 * j, velocity, 3 * collider),
      squareApart(v, 3 * k, velocity, 3 * collider),
    )
    return Math.sqrt(square) + spin[collider]
  }

  /** Length of the longest edge of a face [m]. */
  private longestEdge(i: number, j: number, k: number): number {
    const { position: x } = this.world.bodies.columns
    const [p, q, r] = [4 * i, 4 * j, 4 * k]
    return Math.sqrt(Math.max(squareApart(x, p, x, q), squareApart(x, q, x, r), squareApart(x, r, x, p)))
  }

  private isAnyDynamic(i: number, j: number, k: number): boolean {
    const { kind } = this.world.bodies.columns
    return kind[i] === DYNAMIC || kind[j] === DYNAMIC || kind[k] === DYNAMIC
  }

  private writeBox(i: number, j: number, k: number): void {
    const reach = given[REACH]
    const { position: x } = this.world.bodies.columns
    for (let axis = 0; axis < 3; axis++) {
      const a = x[4 * i + axis]
      const b = x[4 * j + axis]
      const c = x[4 * k + axis]
      whole[axis] = Math.min(a, b, c) - reach
      whole[3 + axis] = Math.max(a, b, c) + reach
    }
  }

  /** Writes `FACE` in the frame T[o…], and `box` around it, grown by `given[REACH]`. */
  private placeFace(M: Float64Array, o: number, i: number, j: number, k: number): void {
    const reach = given[REACH]
    const { position: x } = this.world.bodies.columns
    for (let c = 0; c < CORNERS; c++) {
      localise(M, o, x, 4 * (c === 0 ? i : c === 1 ? j : k))
      for (let axis = 0; axis < 3; axis++) FACE[3 * c + axis] = AT[axis]
    }
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(FACE[axis], FACE[3 + axis], FACE[6 + axis]) - reach
      box[3 + axis] = Math.max(FACE[axis], FACE[3 + axis], FACE[6 + axis]) + reach
    }
  }

  private addParts(id: number, f: number, collider: number, shape: Shape, i: number, j: number, k: number): void {
    const { triangles } = this
    const { transform } = this.colliders
    const { mesh, heightfield, children } = shape
    if (mesh !== null || heightfield !== null) {
      this.placeFace(transform, 12 * collider, i, j, k)
      if (mesh !== null) queryBvh(mesh.bvh, box, 0, triangles)
      else heightfieldTriangles(heightfield!, box, 0, triangles)
      for (let t = 0; t < triangles.count; t++) this.add(id, f, collider, triangles.items[t])
      return
    }
    for (let sub = 0; sub < (children?.length ?? 1); sub++) {
      placePart(shape, sub, transform, 12 * collider, T)
      this.placeFace(T, 0, i, j, k)
      if (overlaps(box, 0, partOf(shape, sub).bounds, 0)) this.add(id, f, collider, sub)
    }
  }

  private add(id: number, f: number, collider: number, sub: number): void {
    const { found } = this
    found.push(id)
    found.push(f)
    found.push(collider)
    found.push(sub)
  }

  /** Wakes a face, or a body, that sleeps and is about to be struck: it would be met as a wall. */
  private wakeStruck(
    first: number,
    i: number,
    j: number,
    k: number,
    collider: number,
    rests: boolean,
    radius: number,
    dt: number,
  ): void {
    const { bodies } = this.world
    const { flags, velocity: v } = bodies.columns
    const { transform, velocity, spin, body, records } = this.colliders
    const sleeper = rests ? i : body[collider]
    if ((flags[sleeper] & ASLEEP) === 0) return
    const { shape } = records[collider]!
    const { items, count } = this.found
    for (let at = first; at < count; at += 4) {
      const sub = items[at + 3]
      placePart(shape, sub, transform, 12 * collider, T)
      given[REACH] = 0
      this.placeFace(T, 0, i, j, k)
      const gap = measureFace(partOf(shape, sub), sub) - radius
      if (!(gap > -radius)) continue
      let closing = 0
      for (const corner of [i, j, k]) {
        let speed = spin[collider]
        for (let axis = 0; axis < 3; axis++) {
          const n = T[3 + 3 * axis] * FACE_FOUND[0] + T[4 + 3 * axis] * FACE_FOUND[1] + T[5 + 3 * axis] * FACE_FOUND[2]
          speed += n * (velocity[3 * collider + axis] - v[3 * corner + axis])
        }
        closing = Math.max(closing, speed)
      }
      if (!(closing > 0 && gap < dt * closing)) continue
      if (rests) {
        bodies.wake(i)
        bodies.wake(j)
        bodies.wake(k)
      } else bodies.wake(sleeper)
      this.woke = true
      return
    }
  }
}

/** Half extent of a shape in the second shortest direction [m]: what is narrower than a gap in two directions passes through it. */
function widthOf({ mesh, heightfield, children, bounds }: Shape): number {
  // A surface that is open has no width.
  if (mesh !== null || heightfield !== null) return Infinity
  if (children !== null) {
    let least = Infinity
    for (const child of children) least = Math.min(least, widthOf(child.shape))
    return least
  }
  const x = 0.5 * (bounds[3] - bounds[0])
  const y = 0.5 * (bounds[4] - bounds[1])
  const z = 0.5 * (bounds[5] - bounds[2])
  return Math.max(Math.min(x, y), Math.min(Math.max(x, y), z))
}

function squareApart(x: Float64Array, p: number, y: Float64Array, q: number): number {
  const dx = x[p] - y[q]
  const dy = x[p + 1] - y[q + 1]
  const dz = x[p + 2] - y[q + 2]
  return dx * dx + dy * dy + dz * dz
}
