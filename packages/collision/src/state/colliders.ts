/** All colliders of a world, by number: their records, and flat columns of where they are and how they move, which follow from records and bodies alone. */

import { type LeanWorld } from '@tautline/core'
import {
  type BodyColumns,
  FreeNumbers,
  HAS_TARGET,
  Incidence,
  KINEMATIC,
  RESTS,
  WORLD_BODY,
} from '@tautline/core/kernel'
import { IntList } from '../detect/broad/int-list.js'
import { BoxTree, grown } from '../detect/broad/tree.js'
import { writeBounds } from '../shapes/bounds.js'
import type { ColliderRecord, NewRecord } from './collider.js'
import type { Collider, ColliderOwner } from './collider-handle.js'
import { ColliderHandles } from './collider-handles.js'
import { composeTransforms } from '../detect/narrow/relative.js'
import { CYLINDER, type Shape, SPHERE, TAPERED_CAPSULE } from '../shapes/shape.js'

const FIRST_CAPACITY = 16

/** Turn in a step [rad] beyond which points fixed to a body no longer stand for its surface. */
const FAST_TURN = 0.25
/** The same for what is round but rolls on its side: its points leave the ground by r θ²/2. */
const FAST_ROLL = 0.05
/** Way in a step, as a share of the inner radius, beyond which the features that meet may change. */
const FAST_WAY = 0.5

const pose = /* @__PURE__ */ new Float64Array(12)
const box = /* @__PURE__ */ new Float64Array(6)

export class Colliders {
  /** By number; holes where one was removed. */
  records: (ColliderRecord | undefined)[] = []
  generations: number[] = []
  /** What each is given out with next. Never taken back, or a restore would bring stale handles to life. */
  private readonly nextGeneration: number[] = []
  /** Counts colliders that were put in place or removed, and changes of `active`. */
  changes = 0
  activeChanges = 0
  /** Those of bodies that are visited, ascending, and the changes of colliders and bodies that they are of. */
  private readonly visited = new IntList()
  /** Those whose boxes were made within a step or by a query: the next step makes them anew, also of bodies at rest. */
  private readonly moved = new IntList()
  private visitedOf = -1
  private visitedAt = -1
  /** Numbers that are not in use, and which colliders each body has. */
  private readonly free = new FreeNumbers()
  private byBody = new Incidence(1)
  readonly handles: ColliderHandles
  readonly tree: BoxTree = new BoxTree()
  /** World pose (12) a collider. */
  transform: Float64Array = new Float64Array(12 * FIRST_CAPACITY)
  /** Velocity [m/s], and bound on the speed of any of its points that turning adds [m/s]. */
  velocity: Float64Array = new Float64Array(3 * FIRST_CAPACITY)
  spin: Float64Array = new Float64Array(FIRST_CAPACITY)
  /** How fast it turns [rad/s], as far as that moves its surface, and from which turn a step it counts as fast. */
  turn: Float64Array = new Float64Array(FIRST_CAPACITY)
  turnLimit: Float64Array = new Float64Array(FIRST_CAPACITY)
  /** Radius of the largest ball inside, as far as its box tells [m]; `Infinity` for what never moves as a whole. */
  inner: Float64Array = new Float64Array(FIRST_CAPACITY)
  /** Radius of a ball about its origin that holds it [m]. */
  reach: Float64Array = new Float64Array(FIRST_CAPACITY)
  /** Row of its body. */
  body: Int32Array = new Int32Array(FIRST_CAPACITY)
  /** 1 while it is awake and moves. */
  active: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  /** 1 when its columns are those of a step in which its body stood where `seen` says. */
  private still: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  /** Pose of its body (7) at which `transform` and box were made. */
  private seen: Float64Array = new Float64Array(7 * FIRST_CAPACITY)
  /** Clock at the beginning of the last step: while it stands there, bodies move without notice. */
  private stepBegan = -1
  /** Clock, and version of the bodies, at the last `refreshPoses`. */
  private posesAt = -1
  private posesVersion = -1
  private readonly world: LeanWorld

  /** `owner` is who answers for the handles. */
  constructor(world: LeanWorld, owner: ColliderOwner) {
    this.world = world
    this.handles = new ColliderHandles(owner)
  }

  /** The handle of a number; of a former collider, that of its generation. */
  handle(id: number, generation: number = this.generations[id]): Collider {
    return this.handles.of(id, generation)
  }

  /** Gives out the lowest free number. */
  add(record: NewRecord): number {
    const id = this.free.count > 0 ? this.free.take() : this.records.length
    const generation = this.nextGeneration[id] ?? 0
    this.nextGeneration[id] = generation + 1
    this.generations[id] = generation
    this.place(id, { ...record, generation, placed: this.world.clock.steps })
    this.byBody.add(id, this.body, id)
    return id
  }

  /** Colliders of a body, ascending; of the world for row 0. */
  idsOf(body: number): number[] {
    return this.byBody.slotsOf(body)
  }

  /** Puts a record at a number, new or in place of another. */
  place(id: number, record: ColliderRecord): void {
    this.reserve(id + 1)
    this.changes++
    this.records[id] = record
    const { shape } = record
    this.body[id] = record.body?.index ?? 0
    this.inner[id] = innerRadius(shape)
    this.reach[id] = shape.reach
    const rolls = shape.kind === CYLINDER || shape.kind === TAPERED_CAPSULE
    this.turnLimit[id] = shape.kind === SPHERE ? Infinity : rolls ? FAST_ROLL : FAST_TURN
    this.still[id] = 0
    this.refresh(id, 0, 0)
    // Its box is without the margin of a step.
    this.still[id] = 0
    this.posesAt = -1
  }

  /** Gives a number up; handles to it go stale. */
  remove(id: number): void {
    this.handles.remove(id, this.records[id] as ColliderRecord)
    this.records[id] = undefined
    this.byBody.remove(id)
    this.free.add(id)
    this.generations[id] = this.nextGeneration[id]
    this.changes++
    this.setActive(id, false)
    if (this.tree.has(id)) this.tree.remove(id)
    this.posesAt = -1
  }

  /** Takes over other records, and forgets what is known of poses. What is the same as before keeps its place in the tree: a rollback changes few. */
  replaceAll(records: readonly (ColliderRecord | undefined)[], generations: readonly number[]): void {
    const former = this.records.slice()
    for (let id = 0; id < former.length; id++) {
      if (former[id] !== undefined && former[id] !== records[id]) this.remove(id)
    }
    this.records = records.slice()
    this.generations = generations.slice()
    for (let id = 0; id < generations.length; id++) {
      const next = generations[id] + (records[id] === undefined ? 0 : 1)
      this.nextGeneration[id] = Math.max(this.nextGeneration[id] ?? 0, next)
    }
    records.forEach((record, id) => {
      if (record === undefined) return
      if (record === former[id]) this.setActive(id, this.isMoving(record, id))
      else this.place(id, record)
    })
    this.still.fill(0)
    this.posesAt = -1
    this.free.clear()
    this.byBody = new Incidence(1)
    for (let id = 0; id < records.length; id++) {
      if (records[id] === undefined) this.free.add(id)
      else this.byBody.add(id, this.body, id)
    }
  }

  /** Brings all up to date with the bodies, for a step of `dt` to come. */
  refreshAll(dt: number, margin: number): void {
    this.stepBegan = this.world.clock.steps
    const visited = this.visitedIds()
    for (let k = 0; k < visited.count; k++) this.refresh(visited.items[k], dt, margin)
    const { items, count } = this.moved
    for (let k = 0; k < count; k++) if (this.records[items[k]] !== undefined) this.refresh(items[k], dt, margin)
    this.moved.clear()
  }

  /** Colliders of bodies that do not rest, ascending. */
  private visitedIds(): IntList {
    const { visited, byBody, changes } = this
    const { awake } = this.world.bodies
    if (this.visitedOf === changes && this.visitedAt === awake.changes) return visited
    this.visitedOf = changes
    this.visitedAt = awake.changes
    visited.clear()
    const { rows, count } = awake
    for (let n = 0; n < count; n++) {
      for (let id = byBody.firstEnd(rows[n]); id >= 0; id = byBody.nextEnd(id)) visited.push(id)
    }
    visited.sort(0)
    return visited
  }

  private unsettle(id: number): void {
    if (this.still[id] === 1) this.moved.push(id)
    this.still[id] = 0
  }

  private setActive(id: number, active: boolean): void {
    if ((this.active[id] !== 0) === active) return
    this.active[id] = active ? 1 : 0
    this.activeChanges++
  }

  /**
   * Brings transforms up to date with the bodies, and makes every box hold its shape. What the next step finds does not
   * depend on it: `refreshAll` makes anew what is changed here.
   */
  refreshPoses(): void {
    const { clock, bodies } = this.world
    const { steps } = clock
    if (this.posesAt === steps && this.posesVersion === bodies.version && this.stepBegan !== steps) return
    for (let id = 0; id < this.records.length; id++) if (this.records[id] !== undefined) this.refreshPose(id)
    this.posesAt = steps
    this.posesVersion = bodies.version
  }

  private refreshPose(id: number): void {
    const c = this.world.bodies.columns
    const i = this.body[id]
    if (this.stands(c, i, id)) return
    this.refreshTransform(id)
    this.note(c, i, id)
    this.unsettle(id)
    const { shape } = this.records[id] as ColliderRecord
    writeBounds(shape, this.transform, 12 * id, box, 0)
    this.tree.move(id, box, 0)
  }

  /** Pose of a collider at the present pose of its body, into `transform`. */
  refreshTransform(id: number): void {
    const record = this.records[id] as ColliderRecord
    writePose(this.world.bodies.columns, this.body[id], pose)
    composeTransforms(pose, 0, record.local, 0, this.transform, 12 * id)
  }

  /** Pose and motion of a collider in the middle of a step, with `h` to come. */
  refreshMotion(id: number, h: number): void {
    this.refreshTransform(id)
    // The box may be that of another pose.
    this.seen[7 * id] = NaN
    this.unsettle(id)
    if (this.active[id] === 1) this.readMotion(this.world.bodies.columns, this.body[id], id, h)
  }

  /** Whether a pair moves so far in `dt` that contact points must be found anew in each substep. */
  isFast(a: number, b: number, dt: number): boolean {
    const { velocity, turn, turnLimit } = this
    const x = velocity[3 * a] - velocity[3 * b]
    const y = velocity[3 * a + 1] - velocity[3 * b + 1]
    const z = velocity[3 * a + 2] - velocity[3 * b + 2]
    const limit = (FAST_WAY * this.sizeOf(a, b)) / dt
    if (x * x + y * y + z * z > limit * limit) return true
    return turn[a] * dt > turnLimit[a] || turn[b] * dt > turnLimit[b]
  }

  /** The same by the present velocities of their bodies: an impact within the step may have changed them. */
  isFastNow(a: number, b: number, dt: number): boolean {
    const { velocity: v, angularVelocity: w } = this.world.bodies.columns
    const i = 3 * this.body[a]
    const j = 3 * this.body[b]
    const turnA = this.turnLimit[a] / dt
    const turnB = this.turnLimit[b] / dt
    if (w[i] * w[i] + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2] > turnA * turnA) return true
    if (w[j] * w[j] + w[j + 1] * w[j + 1] + w[j + 2] * w[j + 2] > turnB * turnB) return true
    const limit = (FAST_WAY * this.sizeOf(a, b)) / dt
    const x = v[i] - v[j]
    const y = v[i + 1] - v[j + 1]
    const z = v[i + 2] - v[j + 2]
    return x * x + y * y + z * z > limit * limit
  }

  /** Whether the balls around two colliders are farther apart than `margin`. */
  isFar(a: number, b: number, margin: number): boolean {
    const { transform: T, reach } = this
    const A = 12 * a
    const B = 12 * b
    const x = T[A] - T[B]
    const y = T[A + 1] - T[B + 1]
    const z = T[A + 2] - T[B + 2]
    const near = reach[a] + reach[b] + margin
    return x * x + y * y + z * z > near * near
  }

  /** How much nearer two colliders can come in `dt` [m]. */
  approach(a: number, b: number, dt: number): number {
    const { velocity, spin } = this
    const x = velocity[3 * a] - velocity[3 * b]
    const y = velocity[3 * a + 1] - velocity[3 * b + 1]
    const z = velocity[3 * a + 2] - velocity[3 * b + 2]
    return dt * (Math.sqrt(x * x + y * y + z * z) + spin[a] + spin[b])
  }

  /** Inner radius of the larger of two; what never moves has none. */
  private sizeOf(a: number, b: number): number {
    const { inner } = this
    return inner[a] === Infinity ? inner[b] : inner[b] === Infinity ? inner[a] : Math.max(inner[a], inner[b])
  }

  /** Whether it moves. What is new counts as moving: it may stand where a sleeper is. */
  private isMoving(record: ColliderRecord, id: number): boolean {
    return moves(this.world.bodies.columns, this.body[id]) || record.placed === this.world.clock.steps
  }

  /** Box that it can reach in a step, and how it moves. What stands still is left as it is. */
  private refresh(id: number, dt: number, margin: number): void {
    const c = this.world.bodies.columns
    const i = this.body[id]
    const record = this.records[id] as ColliderRecord
    const moving = this.isMoving(record, id)
    this.setActive(id, moving)
    if (!moving && this.still[id] === 1 && this.stands(c, i, id)) return
    this.refreshTransform(id)
    const { shape } = record
    if (moving) this.readMotion(c, i, id, dt)
    else {
      this.velocity.fill(0, 3 * id, 3 * id + 3)
      this.spin[id] = this.turn[id] = 0
    }
    this.note(c, i, id)
    this.still[id] = moving ? 0 : 1
    writeBounds(shape, this.transform, 12 * id, box, 0)
    const { velocity, inner } = this
    const reach = margin + dt * this.spin[id]
    let way = 0
    for (let k = 0; k < 3; k++) way = Math.max(way, Math.abs(dt * velocity[3 * id + k]))
    for (let k = 0; k < 3; k++) {
      const ahead = dt * velocity[3 * id + k]
      // What is fast may be thrown anywhere within the step.
      const around = way > inner[id] ? way : 0
      box[k] += Math.min(ahead, -around) - reach
      box[3 + k] += Math.max(ahead, around) + reach
    }
    if (this.tree.has(id)) this.tree.move(id, box, 0)
    else this.tree.insert(id, box, 0, record.body === null)
  }

  /** Velocities at the end of a free step. */
  private readMotion(c: BodyColumns, i: number, id: number, dt: number): void {
    const { gravity } = this.world.settings
    const { velocity, transform } = this
    const v = 3 * i
    for (let k = 0; k < 3; k++) {
      let speed = c.velocity[v + k]
      if (c.kind[i] === KINEMATIC) {
        if ((c.flags[i] & HAS_TARGET) !== 0 && dt > 0) speed = (c.targetPosition[v + k] - c.position[4 * i + k]) / dt
      } else speed += dt * (c.gravityScale[i] * gravity[k] + c.inverseMass[i] * c.force[v + k])
      velocity[3 * id + k] = speed
    }
    const { angularVelocity: w } = c
    const turn =
      (c.flags[i] & HAS_TARGET) !== 0 && dt > 0
        ? (Math.PI * sineOfHalf(c, i)) / dt
        : Math.sqrt(w[v] * w[v] + w[v + 1] * w[v + 1] + w[v + 2] * w[v + 2])
    const x = transform[12 * id] - c.position[4 * i]
    const y = transform[12 * id + 1] - c.position[4 * i + 1]
    const z = transform[12 * id + 2] - c.position[4 * i + 2]
    const { shape } = this.records[id] as ColliderRecord
    const offset = Math.sqrt(x * x + y * y + z * z)
    const reach = shape.kind === SPHERE ? offset : offset + shape.reach
    this.turn[id] = turn
    // A point at most `reach` from the centre goes no farther than the chord of a full turn. A plane's reach is infinite.
    this.spin[id] = dt > 0 && turn > 0 ? reach * Math.min(turn, 2 / dt) : 0
  }

  private note(c: BodyColumns, i: number, id: number): void {
    for (let k = 0; k < 3; k++) this.seen[7 * id + k] = c.position[4 * i + k]
    for (let k = 0; k < 4; k++) this.seen[7 * id + 3 + k] = c.orientation[4 * i + k]
  }

  private stands(c: BodyColumns, i: number, id: number): boolean {
    for (let k = 0; k < 3; k++) if (this.seen[7 * id + k] !== c.position[4 * i + k]) return false
    for (let k = 0; k < 4; k++) if (this.seen[7 * id + 3 + k] !== c.orientation[4 * i + k]) return false
    return true
  }

  private reserve(count: number): void {
    const size = this.body.length
    if (count <= size) return
    const n = Math.max(count, 2 * size)
    this.transform = grown(this.transform, new Float64Array(12 * n))
    this.velocity = grown(this.velocity, new Float64Array(3 * n))
    this.spin = grown(this.spin, new Float64Array(n))
    this.turn = grown(this.turn, new Float64Array(n))
    this.turnLimit = grown(this.turnLimit, new Float64Array(n))
    this.inner = grown(this.inner, new Float64Array(n))
    this.reach = grown(this.reach, new Float64Array(n))
    this.seen = grown(this.seen, new Float64Array(7 * n))
    this.body = grown(this.body, new Int32Array(n))
    this.active = grown(this.active, new Uint8Array(n))
    this.still = grown(this.still, new Uint8Array(n))
  }
}

/** Whether a body can move in the step to come. */
export function moves(c: BodyColumns, i: number): boolean {
  if ((c.flags[i] & RESTS) !== 0) return false
  if (c.position[4 * i + 3] !== 0) return true
  // Set down somewhere else since the last step.
  if (c.stillTime[i] === 0 && i !== WORLD_BODY) return true
  if (c.kind[i] !== KINEMATIC) return false
  if ((c.flags[i] & HAS_TARGET) !== 0) return true
  const v = 3 * i
  return (
    c.velocity[v] !== 0 ||
    c.velocity[v + 1] !== 0 ||
    c.velocity[v + 2] !== 0 ||
    c.angularVelocity[v] !== 0 ||
    c.angularVelocity[v + 1] !== 0 ||
    c.angularVelocity[v + 2] !== 0
  )
}

/** Columns of poses, by row of the body. */
export type PoseColumns = Pick<BodyColumns, 'position' | 'orientation'>

/** Pose of a body as twelve numbers. */
export function writePose(c: PoseColumns, i: number, out: Float64Array): void {
  const o = 4 * i
  const x = c.orientation[o]
  const y = c.orientation[o + 1]
  const z = c.orientation[o + 2]
  const w = c.orientation[o + 3]
  out[0] = c.position[o]
  out[1] = c.position[o + 1]
  out[2] = c.position[o + 2]
  out[3] = 1 - 2 * (y * y + z * z)
  out[4] = 2 * (x * y - w * z)
  out[5] = 2 * (x * z + w * y)
  out[6] = 2 * (x * y + w * z)
  out[7] = 1 - 2 * (x * x + z * z)
  out[8] = 2 * (y * z - w * x)
  out[9] = 2 * (x * z - w * y)
  out[10] = 2 * (y * z + w * x)
  out[11] = 1 - 2 * (x * x + y * y)
}

/** Half the least side of a shape's box; infinite for what is not movable. */
function innerRadius(shape: Shape): number {
  if (!shape.movable) return Infinity
  const b = shape.bounds
  return 0.5 * Math.min(b[3] - b[0], b[4] - b[1], b[5] - b[2])
}

/** sin(θ/2) of the turn θ of body i to its target: θ is at most π times as much. */
function sineOfHalf({ orientation: q, targetOrientation: t }: BodyColumns, i: number): number {
  const o = 4 * i
  const w = q[o] * t[o] + q[o + 1] * t[o + 1] + q[o + 2] * t[o + 2] + q[o + 3] * t[o + 3]
  return Math.sqrt(Math.max(0, 1 - w * w))
}
