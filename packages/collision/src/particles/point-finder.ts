/**
 * Which particles may come to touch which colliders in a step: a box around each few dozen particles of a set, grown by how far they can go,
 * against the boxes of colliders; then each particle's distance to the surface.
 */

import type { LeanWorld } from '@tautline/core'
import { ASLEEP, type BodyColumns, DYNAMIC, HAS_TARGET, RESTS, STATIC } from '@tautline/core/kernel'
import { overlaps } from '../detect/broad/box.js'
import { IntList } from '../detect/broad/int-list.js'
import type { ContactFilter } from '../detect/contact-filter.js'
import { NEAREST } from '../detect/narrow/point.js'
import { queryBvh } from '../shapes/bvh.js'
import { heightfieldTriangles } from '../shapes/heightfield-data.js'
import type { Shape } from '../shapes/shape.js'
import type { ColliderRecord } from '../state/collider.js'
import { type Colliders, moves } from '../state/colliders.js'
import { FaceFinder } from './face-finder.js'
import type { ParticleRecord } from './particle-set.js'
import { AT, DISTANCE, FOUND, localise, measureSurface, partOf, placePart } from './surface.js'

/** Particles that share a box. */
const CLUSTER = 32
/** Numbers of a candidate: set, particle, collider, part. */
export const CANDIDATE = 4

const whole = /* @__PURE__ */ new Float64Array(6)
const box = /* @__PURE__ */ new Float64Array(6)
const T = /* @__PURE__ */ new Float64Array(12)
/** How far is looked [m]: in memory, as what a function is handed would be boxed. */
const given = /* @__PURE__ */ new Float64Array(1)
const REACH = 0

export class PointFinder {
  /** Candidates with what gives way, and with what does not. */
  readonly giving: IntList = new IntList()
  readonly firm: IntList = new IntList()
  /** Pairs of a set and a sensor that overlap. */
  readonly sensed: IntList = new IntList()
  readonly faces: FaceFinder
  /** Whether a sleeper is about to be struck, and was woken. */
  woke = false
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly filter: ContactFilter
  /** By particle of the set in hand: how far it can go in the step [m]; below 0 where it rests. */
  private way: Float64Array = new Float64Array(0)
  private clusters: Float64Array = new Float64Array(0)
  private readonly near = new IntList()
  private readonly triangles = new IntList()
  private dt = 0
  private margin = 0

  constructor(world: LeanWorld, colliders: Colliders, filter: ContactFilter) {
    this.world = world
    this.colliders = colliders
    this.filter = filter
    this.faces = new FaceFinder(world, colliders, filter)
  }

  /** Forgets what was found, for a step of `dt` [s] to come. */
  begin(dt: number, margin: number): void {
    this.dt = dt
    this.margin = margin
    this.woke = false
    this.giving.clear()
    this.firm.clear()
    this.sensed.clear()
    this.faces.begin()
  }

  /** Adds the candidates of a set. */
  find(id: number, record: ParticleRecord): void {
    const { colliders, near } = this
    this.writeClusters(record)
    this.faces.beginSet()
    near.clear()
    colliders.tree.query(whole, 0, near)
    near.sort(0)
    for (let k = 0; k < near.count; k++) {
      const collider = near.items[k]
      const other = colliders.records[collider] as ColliderRecord
      if (!this.filter.meetsParticles(record, other)) continue
      if (other.sensor) this.sense(id, record, collider, other.shape)
      else this.meet(id, record, collider, other.shape)
    }
  }

  /** Boxes of what may be reached, and the box around all of them. */
  private writeClusters({ rows, radius }: ParticleRecord): void {
    const { dt, margin } = this
    const c = this.world.bodies.columns
    const { gravity } = this.world.settings
    const count = rows.length
    const clusters = Math.ceil(count / CLUSTER)
    if (this.way.length < count) this.way = new Float64Array(2 * count)
    if (this.clusters.length < 6 * clusters) this.clusters = new Float64Array(12 * clusters)
    const { way, clusters: boxes } = this
    const { position, velocity, gravityScale, inverseMass, force, kind, flags } = c
    for (let k = 0; k < 3; k++) {
      whole[k] = Infinity
      whole[3 + k] = -Infinity
    }
    for (let cluster = 0; cluster < clusters; cluster++) {
      let x0 = Infinity
      let y0 = Infinity
      let z0 = Infinity
      let x1 = -Infinity
      let y1 = -Infinity
      let z1 = -Infinity
      const end = Math.min(count, CLUSTER * (cluster + 1))
      for (let k = CLUSTER * cluster; k < end; k++) {
        const i = rows[k]
        way[k] = -1
        if (i < 0) continue
        let reach = radius[k] + margin
        const isDynamic = kind[i] === DYNAMIC
        if (!isDynamic && (flags[i] & HAS_TARGET) !== 0) {
          way[k] = wayToTarget(c, i)
          reach += way[k]
        } else if (isDynamic ? (flags[i] & RESTS) === 0 : moves(c, i)) {
          const v = 3 * i
          const x = velocity[v] + dt * (isDynamic ? gravityScale[i] * gravity[0] + inverseMass[i] * force[v] : 0)
          const y =
            velocity[v + 1] + dt * (isDynamic ? gravityScale[i] * gravity[1] + inverseMass[i] * force[v + 1] : 0)
          const z =
            velocity[v + 2] + dt * (isDynamic ? gravityScale[i] * gravity[2] + inverseMass[i] * force[v + 2] : 0)
          way[k] = dt * Math.sqrt(x * x + y * y + z * z)
          reach += way[k]
        }
        const px = position[4 * i]
        const py = position[4 * i + 1]
        const pz = position[4 * i + 2]
        if (px - reach < x0) x0 = px - reach
        if (py - reach < y0) y0 = py - reach
        if (pz - reach < z0) z0 = pz - reach
        if (px + reach > x1) x1 = px + reach
        if (py + reach > y1) y1 = py + reach
        if (pz + reach > z1) z1 = pz + reach
      }
      const o = 6 * cluster
      boxes[o] = x0
      boxes[o + 1] = y0
      boxes[o + 2] = z0
      boxes[o + 3] = x1
      boxes[o + 4] = y1
      boxes[o + 5] = z1
      if (x0 < whole[0]) whole[0] = x0
      if (y0 < whole[1]) whole[1] = y0
      if (z0 < whole[2]) whole[2] = z0
      if (x1 > whole[3]) whole[3] = x1
      if (y1 > whole[4]) whole[4] = y1
      if (z1 > whole[5]) whole[5] = z1
    }
  }

  /** Particles of a set near a collider. */
  private meet(id: number, record: ParticleRecord, collider: number, shape: Shape): void {
    const { rows, radius } = record
    const { colliders, filter, way, clusters, dt, margin } = this
    const c = this.world.bodies.columns
    const { kind, flags, position } = c
    const b = colliders.body[collider]
    const isActive = colliders.active[collider] === 1
    const isDynamic = kind[b] === DYNAMIC
    const v = 3 * collider
    const { velocity } = colliders
    const speed = Math.sqrt(
      velocity[v] * velocity[v] + velocity[v + 1] * velocity[v + 1] + velocity[v + 2] * velocity[v + 2],
    )
    const theirs = isActive ? dt * (speed + colliders.spin[collider]) : 0
    if (record.surfaceContacts !== false) this.faces.meet(id, record, collider, way, theirs, dt, margin)
    const list = isDynamic ? this.giving : this.firm
    const { tight } = colliders.tree
    const isJoined = filter.hasJoints(b)
    for (let from = 0; from < rows.length; from += CLUSTER) {
      if (!overlaps(clusters, (6 * from) / CLUSTER, tight, 6 * collider)) continue
      const end = Math.min(rows.length, from + CLUSTER)
      for (let k = from; k < end; k++) {
        const i = rows[k]
        if (i < 0 || i === b) continue
        const rests = way[k] < 0
        if (rests && !isActive) continue
        // What is led stops at what stands.
        if (!isDynamic && kind[i] !== DYNAMIC && (kind[b] !== STATIC || (flags[i] & HAS_TARGET) === 0)) continue
        if (isJoined && filter.isJoined(i, b)) continue
        const reach = radius[k] + margin + (rests ? 0 : way[k]) + theirs
        if (isBeyond(position, 4 * i, tight, 6 * collider, reach)) continue
        const first = list.count
        given[REACH] = reach
        this.addParts(list, c, id, k, i, collider, shape)
        // A sleeper that is about to be struck wakes before that, or it would be met as a wall.
        if (list.count === first) continue
        const struck = (flags[rests ? i : b] & ASLEEP) !== 0 && (rests || isDynamic)
        if (struck && this.strikes(c, i, radius[k], collider, dt)) {
          this.world.bodies.wake(rests ? i : b)
          this.woke = true
        }
      }
    }
  }

  /** Adds the parts of a collider that a particle may reach, within `given[REACH]`; the last one looked at is in `FOUND`. */
  private addParts(
    list: IntList,
    { position }: BodyColumns,
    id: number,
    k: number,
    i: number,
    collider: number,
    shape: Shape,
  ): void {
    const reach = given[REACH]
    const { transform } = this.colliders
    const { mesh, heightfield, children } = shape
    if (mesh !== null || heightfield !== null) {
      localise(transform, 12 * collider, position, 4 * i)
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = AT[axis] - reach
        box[3 + axis] = AT[axis] + reach
      }
      const { triangles } = this
      if (mesh !== null) queryBvh(mesh.bvh, box, 0, triangles)
      else heightfieldTriangles(heightfield!, box, 0, triangles)
      for (let t = 0; t < triangles.count; t++) {
        measureSurface(shape, triangles.items[t])
        if (FOUND[DISTANCE] <= reach) add(list, id, k, collider, triangles.items[t])
      }
      return
    }
    if (children === null) {
      localise(transform, 12 * collider, position, 4 * i)
      measureSurface(shape, 0)
      if (FOUND[DISTANCE] <= reach) add(list, id, k, collider, 0)
      return
    }
    for (let sub = 0; sub < children.length; sub++) {
      placePart(shape, sub, transform, 12 * collider, T)
      localise(T, 0, position, 4 * i)
      measureSurface(partOf(shape, sub), 0)
      if (FOUND[DISTANCE] <= reach) add(list, id, k, collider, sub)
    }
  }

  /** Whether a particle and a collider, whose nearest point was just found, close their gap in the step. */
  private strikes(c: BodyColumns, i: number, radius: number, collider: number, dt: number): boolean {
    const { transform, velocity, spin } = this.colliders
    const o = 12 * collider + 3
    const [x, y, z] = [NEAREST[3], NEAREST[4], NEAREST[5]]
    let closing = spin[collider]
    for (let axis = 0; axis < 3; axis++) {
      const n = transform[o + 3 * axis] * x + transform[o + 3 * axis + 1] * y + transform[o + 3 * axis + 2] * z
      closing += n * (velocity[3 * collider + axis] - c.velocity[3 * i + axis])
    }
    return closing > 0 && FOUND[DISTANCE] - radius < dt * closing
  }

  /** Notes whether a sensor overlaps a particle of a set. */
  private sense(id: number, { rows, radius }: ParticleRecord, collider: number, shape: Shape): void {
    const { clusters, sensed } = this
    const { tight } = this.colliders.tree
    for (let k = 0; k < rows.length; k++) {
      if (rows[k] < 0 || !overlaps(clusters, 6 * Math.floor(k / CLUSTER), tight, 6 * collider)) continue
      const before = sensed.count
      given[REACH] = radius[k]
      this.addParts(sensed, this.world.bodies.columns, id, k, rows[k], collider, shape)
      if (sensed.count === before) continue
      sensed.count = before
      sensed.push(id)
      sensed.push(collider)
      break
    }
  }
}

/** Whether the point x[p…] is farther than `reach` [m] from the box [o…]. */
function isBeyond(x: Float64Array, p: number, box: Float64Array, o: number, reach: number): boolean {
  return (
    x[p] + reach < box[o] ||
    x[p + 1] + reach < box[o + 1] ||
    x[p + 2] + reach < box[o + 2] ||
    x[p] - reach > box[o + 3] ||
    x[p + 1] - reach > box[o + 4] ||
    x[p + 2] - reach > box[o + 5]
  )
}

/** How far body i is from its target [m]. */
function wayToTarget({ position: x, targetPosition: target }: BodyColumns, i: number): number {
  const dx = target[3 * i] - x[4 * i]
  const dy = target[3 * i + 1] - x[4 * i + 1]
  const dz = target[3 * i + 2] - x[4 * i + 2]
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

function add(list: IntList, id: number, k: number, collider: number, sub: number): void {
  list.push(id)
  list.push(k)
  list.push(collider)
  list.push(sub)
}
