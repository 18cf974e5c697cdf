/**
 * Collision detection and contacts of a world: a stage of its step.
 *
 *   before a step     what sleepers are next to is woken; boxes of what moves grow by how far it can go; pairs of boxes
 *                     (broad phase); patches of up to four points each (narrow phase), written over the rows that had the
 *                     same name in the last step
 *   before a substep  the patches of pairs that move fast are found anew
 *   after a step      sleep
 *
 * The rows are swept with all other constraints (`contact/manifold-rows.ts`).
 */

import {
  type Batch,
  Body,
  type BodyColumns,
  type BodyDef,
  DYNAMIC,
  finiteVector,
  knownFields,
  nonNegative,
  object,
  positive,
  principalAxes,
  rotateVector,
  RUNAWAY,
  shown,
  type Stage,
  unitQuaternion,
  World,
  array,
  callable,
  instance,
  integer,
  outVector,
} from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import { IntList } from './broad/int-list.js'
import { PairFinder } from './broad/pairs.js'
import { PairList } from './broad/pair-list.js'
import {
  Collider,
  COLLIDER_FIELDS,
  type ColliderChanges,
  type ColliderDef,
  type ColliderRecord,
  resolveCollider,
} from './collider.js'
import type { SavedHandles } from './collider-handles.js'
import { Colliders } from './colliders.js'
import { type ContactEvent, gatherEvents } from './events.js'
import { ContactFilter } from './contact-filter.js'
import { Contact, type ContactCallback } from './contact/contact.js'
import { manifoldRows } from './contact/manifold-rows.js'
import { readPatch } from './contact/read-patch.js'
import { isFiniteRow, type Patches, ROWS } from './contact/patch-columns.js'
import { RowIndex } from './contact/row-index.js'
import { findTowers } from './contact/towers.js'
import { isTurnedRound, isUnmoved, notePoses, recallPoints, writePatch } from './contact/write-patch.js'
import { massOf } from './mass.js'
import { mix, type MixingRule, mixingRule } from './material.js'
import { collide } from './narrow/collide.js'
import { LAST } from './narrow/found-points.js'
import { type Manifold, ManifoldList } from './narrow/manifold.js'
import * as queries from './queries.js'
import type {
  ClosestPoint,
  ClosestPointOptions,
  Pose,
  QueryOptions,
  RayCastHit,
  RayCastOptions,
  ShapeCastHit,
  ShapeCastOptions,
} from './queries.js'
import type { Shape } from './shape.js'
import { sphere } from './shapes/sphere.js'
import { EXHAUSTED, IMPACTS, SCALED } from './impact/impact-solver.js'
import { Impacts } from './impact/impacts.js'
import { Strikes } from './strikes.js'
import { countRest, Islands, type SleepOptions } from './sleeping.js'
import { type CollisionsJson, collisionsToJson } from './to-json.js'

/** What a user writes to make collisions. Every field may be left out. */
export interface CollisionOptions {
  /** Gap within which contact points are kept, beyond what speeds ask for [m]. @defaultValue 0.02 */
  margin?: number
  /** When bodies fall asleep, or `false`: never. @defaultValue { speed: 0.03, time: 0.5 } */
  sleeping?: SleepOptions | false
  /** How two coefficients of friction become one. @defaultValue 'geometric' */
  mixFriction?: MixingRule
  /** How two restitutions become one. @defaultValue 'larger' */
  mixRestitution?: MixingRule
}

/** What `addBody` takes: a body, its shape, and how heavy it is. `position` is where the shape's origin is. */
export interface ShapedBodyDef extends Omit<BodyDef, 'inertia'>, Omit<ColliderDef, 'position' | 'orientation'> {
  /** [kg/m³], in place of `mass`. @defaultValue 1000 */
  density?: number
}

/** Impacts of a step: what is too fast for a substep is struck at velocity level, before it is predicted. */
export interface ImpactReport {
  /** How often something was struck. */
  impacts: number
  /** How often the impulses would have given energy, and were scaled back. */
  scaled: number
  /** Substeps in which a body turned so fast that its steps ran out: it lost some of its time. */
  exhausted: number
}

/** What `addParticles` takes. */
export interface ParticlesDef extends Omit<ColliderDef, 'shape' | 'position' | 'orientation'> {
  /** Of each particle [m]. */
  radius: number
}

const DEFAULTS = {
  margin: 0.02,
  sleeping: { speed: 0.03, time: 0.5 },
  mixFriction: 'geometric',
  mixRestitution: 'larger',
} as const
const DEFAULT_DENSITY = 1000
/** Rows of patches have no definition of a user's. */
const NO_DEF = {}

/** What a snapshot holds beside the rows. */
export interface SavedCollisions {
  records: (ColliderRecord | undefined)[]
  generations: number[]
  ended: number[]
  lost: number[]
  /** Those of users, to be found again; a scene has none. */
  handles?: SavedHandles
}

const NOTHING: SavedCollisions = { records: [], generations: [], ended: [], lost: [] }
/** What `readPatch` writes: a normal and four points. */
const PATCH_NUMBERS = 23
/** Key of the row that says what a sensor overlaps. */
const SENSED = -1

const pairRows = /* @__PURE__ */ new Float64Array(2)

/** Shapes, contacts and queries of one world. */
export class Collisions implements Stage {
  readonly name = 'collisions'
  readonly world: World
  readonly colliders: Colliders
  /** Rows of patches, in sweep order. */
  readonly batch: Patches
  readonly options: Required<Omit<CollisionOptions, 'sleeping'>> & { sleeping: Required<SleepOptions> | false }
  private readonly finder: PairFinder
  private readonly filter: ContactFilter
  private readonly list = new ManifoldList()
  private readonly index = new RowIndex()
  private readonly islands = new Islands()
  private readonly strikes = new Strikes()
  private readonly impacts: Impacts
  /** Pairs looked at in each substep, two numbers a pair. */
  private readonly fast = new IntList()
  private substep = 0
  private dt = 0
  private readonly particlePairs = new PairList()
  private readonly near = new IntList()
  /** Of the bodies when the step began: it counts what was frozen since. */
  private version = 0
  /** Pairs that touched and whose rows are gone, as `gatherEvents` reads them: since the last step, and in it. */
  private lost: number[] = []
  private ended: number[] = []
  private callback: ContactCallback | undefined
  private readonly contact: Contact

  constructor(world: World, options: CollisionOptions = {}) {
    instance('Collisions: world', world, World, 'a World')
    this.options = resolveOptions('Collisions', options)
    this.world = world
    world.use(this)
    this.colliders = new Colliders(world)
    this.finder = new PairFinder(this.colliders.tree)
    this.filter = new ContactFilter(world, this.colliders)
    this.contact = new Contact(this)
    this.impacts = new Impacts(world, this.colliders, this.filter, (a, b, gap, stamp) => {
      this.touch(a, b, this.options.margin + gap, this.substep, stamp)
    })
    this.batch = world.batchFor(manifoldRows as never, 2, 0) as Batch as Patches
  }

  /** The collisions of a world, if it has any. */
  static of(world: World): Collisions | undefined {
    return instance('Collisions.of: world', world, World, 'a World').stages.find((stage) => stage instanceof Collisions)
  }

  /** Fixes a shape to a body, or to the world (`null`). The body's mass stays as it is. */
  addCollider(body: Body | null, def: ColliderDef): Collider {
    const where = typeof def?.name === 'string' ? `addCollider "${def.name}"` : 'addCollider'
    this.world.bodies.callbacks.refuse(where)
    if (body !== null) this.checkBody(`${where}: body`, body, ' or null')
    const record = resolveCollider(where, body, def)
    if (body?.type === 'dynamic') checkMovable(where, record.shape)
    const id = this.colliders.add(record)
    if (body !== null) this.world.bodies.wake(body.index)
    return this.handle(id)
  }

  /** Adds a body with its shape: centre of mass and inertia are the shape's. Throws, and adds nothing, on a bad field. */
  addBody(def: ShapedBodyDef): Body {
    const where = typeof def?.name === 'string' ? `addBody "${def.name}"` : 'addBody'
    this.world.bodies.callbacks.refuse(where)
    object(`${where}: definition`, def)
    knownFields(where, def, SHAPED_FIELDS)
    const record = resolveCollider(where, null, colliderFields(def))
    const position = finiteVector(`${where}: position`, def.position ?? [0, 0, 0], 3)
    const q = Float64Array.from(unitQuaternion(`${where}: orientation`, def.orientation ?? [0, 0, 0, 1]))
    if (def.density !== undefined && def.mass !== undefined) {
      throw new TypeError(`${where}: give one of density and mass, got both`)
    }
    const density = positive(`${where}: density`, def.density ?? DEFAULT_DENSITY)
    const bare = bodyFields(def)
    if (def.type === 'static' || def.type === 'kinematic' || def.mass === Infinity) {
      const body = this.world.addBody({ ...bare, inertia: 1 })
      this.colliders.add({ ...record, body })
      return body
    }
    checkMovable(where, record.shape)
    const amount = def.mass === undefined ? { density } : { mass: positive(`${where}: mass`, def.mass) }
    const { mass, centerOfMass, inertia } = massOf(record.shape, amount)
    const centre = new Float64Array(3)
    rotateVector(q, 0, centerOfMass[0], centerOfMass[1], centerOfMass[2], centre, 0)
    const body = this.world.addBody({
      ...bare,
      mass,
      inertia: principalAxes(inertia),
      position: [position[0] + centre[0], position[1] + centre[1], position[2] + centre[2]],
    })
    const local = record.local.slice()
    for (let k = 0; k < 3; k++) local[k] = -centerOfMass[k]
    this.colliders.add({ ...record, body, local })
    return body
  }

  /**
   * Gives particles a radius [m], so that they meet every shape and, unless `group` says otherwise, each other. One
   * collider a particle.
   */
  addParticles(bodies: readonly Body[], def: ParticlesDef): Collider[] {
    const where = 'addParticles'
    array(`${where}: bodies`, bodies).forEach((body, k) => this.checkBody(`${where}: bodies[${k}]`, body))
    this.world.bodies.callbacks.refuse(where)
    const { radius, ...rest } = object(`${where}: definition`, def) as unknown as ParticlesDef
    for (const field of ['shape', 'position', 'orientation']) {
      if (field in rest) throw new TypeError(`${where}: ${field} must be left out, as particles have none, got it`)
    }
    const shape = sphere(positive(`${where}: radius`, radius))
    const record = resolveCollider(where, null, { ...rest, shape })
    return bodies.map((body: Body) => {
      this.world.bodies.wake(body.index)
      return this.handle(this.colliders.add({ ...record, body, particle: true }))
    })
  }

  /**
   * The first that a ray from `origin` [m] along `direction`, of any length but 0, meets; `null` if there is none. Of several
   * at the same distance it is the collider of the lowest number. Throws a `TypeError` or `RangeError` on a bad argument, as
   * all queries do; they see bodies where they are now.
   */
  rayCast(origin: ReadonlyVec3, direction: ReadonlyVec3, options?: RayCastOptions): RayCastHit | null {
    return queries.rayCast(this, origin, direction, options)
  }

  /** All that a ray meets, each collider where it first does, by distance. See {@link Collisions.rayCast}. */
  rayCastAll(origin: ReadonlyVec3, direction: ReadonlyVec3, options?: RayCastOptions): RayCastHit[] {
    return queries.rayCastAll(this, origin, direction, options)
  }

  /**
   * The first that a shape, convex or a compound, touches on its straight way from `pose` by `displacement` [m], without
   * turning; `null` if there is none. What it overlaps at the start it hits at once, the deepest first; what it only touches
   * there and does not approach it does not hit.
   */
  shapeCast(shape: Shape, pose: Pose, displacement: ReadonlyVec3, options?: ShapeCastOptions): ShapeCastHit | null {
    return queries.shapeCast(this, shape, pose, displacement, options)
  }

  /** All that a shape on its way touches, each collider where it first does, by time. See {@link Collisions.shapeCast}. */
  shapeCastAll(shape: Shape, pose: Pose, displacement: ReadonlyVec3, options?: ShapeCastOptions): ShapeCastHit[] {
    return queries.shapeCastAll(this, shape, pose, displacement, options)
  }

  /** What became of impacts in the last step: see {@link ImpactReport}. */
  get impactReport(): ImpactReport {
    const { counts } = this.impacts
    return { impacts: counts[IMPACTS], scaled: counts[SCALED], exhausted: counts[EXHAUSTED] }
  }

  /** The colliders that a shape, convex or a compound, overlaps or touches at `pose`, by number. */
  overlap(shape: Shape, pose: Pose, options?: QueryOptions): Collider[] {
    return queries.overlap(this, shape, pose, options)
  }

  /** The colliders that hold a point [m], by number. Meshes and heightfields, which have no inside, hold none. */
  overlapPoint(point: ReadonlyVec3, options?: QueryOptions): Collider[] {
    return queries.overlapPoint(this, point, options)
  }

  /**
   * The point of all colliders that is nearest to a given one [m]; `null` if none is as near as `maxDistance`. Inside several
   * it is on the surface of that in which the point is deepest.
   */
  closestPoint(point: ReadonlyVec3, options?: ClosestPointOptions): ClosestPoint | null {
    return queries.closestPoint(this, point, options)
  }

  /** Colliders of a body, or of the world (`null`). */
  collidersOf(body: Body | null): Collider[] {
    if (body !== null) this.checkBody('collidersOf: body', body, ' or null')
    const found: Collider[] = []
    this.colliders.records.forEach((record, id) => {
      if (record !== undefined && record.body === body) found.push(this.handle(id))
    })
    return found
  }

  /** What is known of a handle, unless it is stale. */
  find(collider: Collider): ColliderRecord | undefined {
    const record = this.colliders.records[instance('find: collider', collider, Collider, 'a collider').id]
    return collider.collisions === this && record?.generation === collider.generation ? record : undefined
  }

  /** The handle of a number. */
  handle(id: number, generation: number = this.colliders.generations[id]): Collider {
    return this.colliders.handles.of(this, id, generation)
  }

  /** See {@link Collider.set}. */
  change(collider: Collider, changes: ColliderChanges): void {
    const old = this.known('change', collider)
    this.world.bodies.callbacks.refuse(`${collider.label}: set`)
    const record = resolveCollider(collider.label, old.body, changes, old)
    if (old.body?.type === 'dynamic') checkMovable(collider.label, record.shape)
    this.dropRows(collider.id)
    this.colliders.place(collider.id, { ...record, generation: old.generation, placed: this.world.clock.steps })
    if (old.body !== null) this.world.bodies.wake(old.body.index)
  }

  /** See {@link Collider.remove}. */
  removeCollider(collider: Collider): void {
    this.known('removeCollider', collider)
    if (this.world.bodies.callbacks.defer(() => collider.alive && this.removeCollider(collider))) return
    this.dropRows(collider.id)
    this.colliders.remove(collider.id)
  }

  /** What touched, began and ceased to touch in the last step, in the order of colliders. Made when asked for. */
  get events(): ContactEvent[] {
    return gatherEvents(this, this.ended)
  }

  /**
   * What patch `row` of `batch` is, as numbers, without making objects as `events` does: the normal from b to a (3), then five numbers
   * a point: where it is on the surface of b (3) [m], the gap [m], below 0 where they overlap, and the normal force in the last substep
   * [N]. Returns how many points there are, at most four; 0 for a sensor. `out` holds 23 numbers.
   */
  readPatch(row: number, out: Float64Array): number {
    const { bodies, clock } = this.world
    integer('readPatch: row', row, 0, Math.max(this.batch.count - 1, 0))
    outVector('readPatch: out', out, PATCH_NUMBERS)
    return readPatch(bodies.columns, this.batch, row, clock.substepLength, out)
  }

  /**
   * Sets what is called for each patch when it is found, before it is solved: it may change friction, restitution and
   * the like, and drops the patch by returning `false`. Nothing: no call.
   */
  onContact(callback: ContactCallback | undefined): void {
    if (callback !== undefined) callable('onContact: callback', callback)
    this.callback = callback
    // What the last one said of patches that need not be found again is out of date: no pose is all zeros.
    this.batch.columns.seen.fill(0)
  }

  beforeStep(dt: number): void {
    const { world, colliders, batch, fast } = this
    this.version = world.bodies.version
    const { margin, sleeping } = this.options
    if (sleeping !== false) this.islands.wake(world, batch as Batch, batch.columns.touching)
    this.ended = this.lost
    this.lost = []
    colliders.handles.beginStep()
    colliders.refreshAll(dt, 0.5 * margin)
    this.finder.find(colliders.active)
    this.index.rebuild(batch)
    this.filter.refresh()
    this.substep = 0
    this.dt = dt
    this.impacts.beginStep()
    fast.clear()
    const { impulse, touching, touched } = batch.columns
    for (let row = 0; row < batch.count; row++) {
      impulse[row] = 0
      touched[row] = touching[row]
    }
    const { pairs } = this.finder
    for (let k = 0; k < pairs.count; k++) this.meet(pairs.items[2 * k], pairs.items[2 * k + 1], dt)
    this.meetParticles(dt)
    this.dropStale()
    findTowers(world, batch)
    if (sleeping !== false) this.wakeStruck(dt)
  }

  /** Manifolds at the present poses, for `World.project`: nothing sleeps, wakes or is told of it. */
  findContacts(): void {
    const { colliders, batch, finder } = this
    colliders.refreshAll(0, 0.5 * this.options.margin)
    finder.find(colliders.active)
    this.index.rebuild(batch)
    this.filter.refresh()
    for (let k = 0; k < finder.pairs.count; k++) this.meet(finder.pairs.items[2 * k], finder.pairs.items[2 * k + 1], 0)
    this.meetParticles(0)
    this.dropStale()
  }

  beforeSubstep(h: number): void {
    this.substep++
    if (this.substep === 1) return
    this.findFast()
    if (this.fast.count > 0) this.findAnew(h)
    if (this.options.sleeping !== false) this.wakeStruck(h)
  }

  advance(h: number, left: number): void {
    this.impacts.advance(this.batch, h, left, this.fast)
  }

  /** Finds the patches of fast pairs for a substep of `h`. */
  private findAnew(h: number): void {
    const { colliders, fast, batch } = this
    for (let k = 0; k < fast.count; k += 2) {
      const a = fast.items[k]
      const b = fast.items[k + 1]
      colliders.refreshMotion(a, h)
      colliders.refreshMotion(b, h)
      this.touch(a, b, this.options.margin + colliders.approach(a, b, h), this.substep, this.world.clock.steps + 1)
    }
    // What was not found again is far away.
    const { swift, points, lambda } = batch.columns
    for (let row = 0; row < batch.count; row++) {
      if (swift[row] === 0 || swift[row] === this.substep) continue
      points[row] = 0
      lambda.fill(0, ROWS * row, ROWS * row + ROWS)
    }
  }

  /** Adds pairs that a blow within the step has made fast. */
  private findFast(): void {
    const { colliders, fast, batch } = this
    const { swift, pair, points } = batch.columns
    for (let row = 0; row < batch.count; row++) {
      if (swift[row] !== 0 || points[row] === 0) continue
      const a = pair[3 * row]
      const b = pair[3 * row + 1]
      if (!colliders.isFastNow(a, b, this.dt)) continue
      swift[row] = this.substep - 1
      fast.push(a)
      fast.push(b)
    }
  }

  afterStep(dt: number): void {
    const { world, batch, islands } = this
    const { sleeping } = this.options
    if (world.skipped.length > 0 || world.bodies.version !== this.version || this.hasRunaway()) this.dropNonFinite()
    countRest(world, dt)
    if (sleeping !== false) islands.settle(world, dt, sleeping, batch as Batch, batch.columns.touching)
  }

  bodyRemoved(row: number): void {
    const { records, body } = this.colliders
    for (let id = 0; id < records.length; id++) {
      if (records[id] === undefined || records[id]?.body === null || body[id] !== row) continue
      this.dropRows(id)
      this.colliders.remove(id)
    }
  }

  save(): SavedCollisions {
    const { records, generations, handles } = this.colliders
    const { ended, lost } = this
    return {
      records: records.slice(),
      generations: generations.slice(),
      ended: ended.slice(),
      lost: lost.slice(),
      handles: handles.save(),
    }
  }

  restore(saved: unknown): void {
    const { records, generations, ended, lost, handles } = (saved ?? NOTHING) as SavedCollisions
    this.colliders.replaceAll(records, generations)
    this.colliders.handles.restore(handles)
    this.ended = ended.slice()
    this.lost = lost.slice()
  }

  toJSON(indexOf: (row: number) => number): CollisionsJson {
    return collisionsToJson(this, indexOf)
  }

  /** What is known of a handle; throws when it is stale, or another's. */
  private known(where: string, collider: Collider): ColliderRecord {
    const record = this.find(collider)
    if (record === undefined)
      throw new RangeError(`${where}: collider must be one that exists here, got ${collider.label}`)
    return record
  }

  private checkBody(where: string, body: unknown, orNull = ''): void {
    if (!(body instanceof Body)) {
      throw new TypeError(`${where} must be a body${orNull}, got ${shown(body)}`)
    }
    this.world.bodies.assertAlive(where, body)
  }

  /**
   * Finds the patches of a pair and writes them over their rows, marked with `stamp`; says whether there are any. Within a substep,
   * `stamp` has a fraction.
   */
  private touch(a: number, b: number, margin: number, swift: number, stamp: number): boolean {
    const { list, batch, index, world } = this
    const { transform, records } = this.colliders
    const shapeA = (records[a] as ColliderRecord).shape
    const shapeB = (records[b] as ColliderRecord).shape
    const c = world.bodies.columns
    const known = shapeA.convex && shapeB.convex ? index.find(batch, a, b, 0) : -1
    if (known >= 0 && swift === 0 && this.callback === undefined && isUnmoved(c, batch, known)) {
      batch.columns.stamp[known] = stamp
      batch.columns.still[known] = 1
      batch.columns.touching[known] = 0
      return true
    }
    if (this.colliders.isFar(a, b, margin)) return false
    list.clear()
    if (known >= 0) recallPoints(batch, known)
    collide(shapeA, transform, 12 * a, shapeB, transform, 12 * b, margin, list)
    LAST.count = 0
    for (let k = 0; k < list.count; k++) {
      const manifold = list.items[k]
      if (manifold.count === 0) continue
      let row = index.find(batch, a, b, manifold.key)
      const isNew = row < 0
      if (isNew) {
        row = this.addRow(a, b, manifold.key)
        index.add(batch, row)
      }
      batch.columns.stamp[row] = stamp
      if (stamp === world.clock.steps + 1 && swift < 2) batch.columns.touching[row] = 0
      batch.columns.swift[row] = swift
      // Found from the other side within a substep: it is about to pass through, so the old side stays.
      if (swift !== 0 && !isNew && isTurnedRound(c, batch, row, manifold)) continue
      batch.columns.still[row] = 0
      writePatch(c, batch, row, manifold, isNew)
      notePoses(c, batch, row)
      this.writeSurface(row, a, b, manifold)
      if (this.callback !== undefined && !this.asks(this.callback, row, a, b)) this.contact.drop()
    }
    return list.count > 0
  }

  /** Calls the user's callback for a patch: whether it stays. What the user throws comes out of the step at its end. */
  private asks(callback: ContactCallback, row: number, a: number, b: number): boolean {
    const { callbacks } = this.world.bodies
    callbacks.begin()
    try {
      const answer = callback(this.contact.of(row, a, b))
      callbacks.end()
      return answer !== false
    } catch (error) {
      callbacks.fail(error)
      return true
    }
  }

  /** What the two materials make of each other. */
  private writeSurface(row: number, a: number, b: number, manifold: Manifold): void {
    const { columns } = this.batch
    const { mixFriction, mixRestitution } = this.options
    const { records, body } = this.colliders
    const r = (records[a] as ColliderRecord).material
    const s = (records[b] as ColliderRecord).material
    columns.friction[2 * row] = mix(mixFriction, r.friction, s.friction)
    columns.friction[2 * row + 1] = mix(mixFriction, r.dynamicFriction, s.dynamicFriction)
    columns.torsional[row] = Math.max(r.torsionalFriction, s.torsionalFriction)
    columns.rolling[row] = Math.max(r.rollingFriction, s.rollingFriction)
    columns.restitution[row] = mix(mixRestitution, r.restitution, s.restitution)
    columns.maxPushOut[row] = Math.min(r.maxPushOut, s.maxPushOut)
    const { gravity } = this.world.settings
    const c = this.world.bodies.columns
    let fall = 0
    let heftA = 0
    let heftB = 0
    for (let k = 0; k < 3; k++) {
      const onA = pull(c, gravity, body[a], k)
      const onB = pull(c, gravity, body[b], k)
      fall += manifold.normal[k] * (onA - onB)
      heftA += onA * onA
      heftB += onB * onB
    }
    columns.fall[row] = 0.5 * fall
    columns.heft[row] = Math.sqrt(Math.max(heftA, heftB))
  }

  /** What comes of a pair whose boxes touch. */
  private meet(a: number, b: number, dt: number): void {
    const { colliders, fast, filter } = this
    if (!filter.meets(a, b)) return
    if (filter.isSensor(a) || filter.isSensor(b)) {
      this.sense(a, b)
      return
    }
    const swift = colliders.isFast(a, b, dt)
    const stamp = this.world.clock.steps + 1
    const near = this.touch(a, b, this.options.margin + colliders.approach(a, b, dt), swift ? 1 : 0, stamp)
    if (!swift || !near) return
    fast.push(a)
    fast.push(b)
  }

  /** Particles against each other, and against all else. */
  private meetParticles(dt: number): void {
    const { colliders, near } = this
    const { particles, grid, active, records, tree } = colliders
    if (particles.count === 0) return
    colliders.sortParticles(dt, this.options.margin)
    grid.findPairs(this.particlePairs)
    for (let k = 0; k < this.particlePairs.count; k++) {
      const a = particles.items[this.particlePairs.items[2 * k]]
      const b = particles.items[this.particlePairs.items[2 * k + 1]]
      if (active[a] === 1 || active[b] === 1) this.meet(a, b, dt)
    }
    for (let id = 0; id < records.length; id++) {
      if (!tree.has(id)) continue
      near.clear()
      grid.query(tree.tight, 6 * id, near)
      for (let k = 0; k < near.count; k++) {
        const particle = particles.items[near.items[k]]
        if (active[id] === 0 && active[particle] === 0) continue
        if (id < particle) this.meet(id, particle, dt)
        else this.meet(particle, id, dt)
      }
    }
  }

  /** Notes whether a sensor and something else overlap. */
  private sense(a: number, b: number): void {
    const { list, batch, index, world } = this
    const { transform, records } = this.colliders
    list.clear()
    const shapeA = (records[a] as ColliderRecord).shape
    collide(shapeA, transform, 12 * a, (records[b] as ColliderRecord).shape, transform, 12 * b, 0, list)
    let overlaps = false
    for (let k = 0; k < list.count; k++) if (list.items[k].count > 0) overlaps = true
    if (!overlaps) return
    let row = index.find(batch, a, b, SENSED)
    if (row < 0) {
      row = this.addRow(a, b, SENSED)
      index.add(batch, row)
      batch.columns.enabled[row] = 0
    }
    batch.columns.stamp[row] = world.clock.steps + 1
    batch.columns.touching[row] = 1
  }

  private addRow(a: number, b: number, key: number): number {
    const { batch, world, colliders } = this
    pairRows[0] = colliders.body[a]
    pairRows[1] = colliders.body[b]
    const row = batch.push(pairRows, world.clock.sequence++, NO_DEF)
    const { columns } = batch
    columns.pair[3 * row] = a
    columns.pair[3 * row + 1] = b
    columns.pair[3 * row + 2] = key
    columns.enabled[row] = 1
    columns.relaxation[row] = 1
    columns.breakForce[row] = columns.breakTorque[row] = Infinity
    world.markOrderStale()
    return row
  }

  /** Removes rows that this step did not find, but for those of what rests. */
  private dropStale(): void {
    const { batch, world, colliders } = this
    const { stamp, pair } = batch.columns
    const now = world.clock.steps + 1
    for (let row = batch.count - 1; row >= 0; row--) {
      if (stamp[row] === now) continue
      // Two that do not move are not looked at.
      if ((colliders.active[pair[3 * row]] | colliders.active[pair[3 * row + 1]]) === 0) continue
      this.dropRow(row, this.ended)
    }
  }

  /** Whether a body is so fast that what patches keep of speeds may overflow. */
  private hasRunaway(): boolean {
    const { columns, count } = this.world.bodies
    const { velocity, angularVelocity } = columns
    for (let k = 0; k < 3 * count; k++) {
      if (!(Math.abs(velocity[k]) < RUNAWAY && Math.abs(angularVelocity[k]) < RUNAWAY)) return true
    }
    return false
  }

  /** Removes rows that a pose beyond measure has left its mark on: they hold nothing, and are found anew. */
  private dropNonFinite(): void {
    const { batch } = this
    for (let row = batch.count - 1; row >= 0; row--) {
      if (isFiniteRow(batch, row)) continue
      // What has not touched before has not begun to.
      if (batch.columns.touched[row] === 0) batch.columns.touching[row] = 0
      this.dropRow(row, this.lost)
    }
  }

  /** Removes all rows of a collider, and wakes what it touched. */
  private dropRows(id: number): void {
    const { batch, world } = this
    for (let row = batch.count - 1; row >= 0; row--) {
      const { pair, body } = batch.columns
      if (pair[3 * row] !== id && pair[3 * row + 1] !== id) continue
      world.bodies.wake(body[2 * row])
      world.bodies.wake(body[2 * row + 1])
      this.dropRow(row, this.lost)
    }
  }

  private dropRow(row: number, ended: number[]): void {
    const { batch, world, colliders } = this
    const { pair, slot, touching } = batch.columns
    const a = pair[3 * row]
    const b = pair[3 * row + 1]
    const isSensor = pair[3 * row + 2] === SENSED ? 1 : 0
    if (touching[row] === 1) ended.push(a, b, colliders.generations[a], colliders.generations[b], isSensor)
    batch.remove(slot[row])
    world.markOrderStale()
  }

  /** Wakes sleepers that something is about to strike in `dt`, and their islands. */
  private wakeStruck(dt: number): void {
    const { batch, world } = this
    if (!this.strikes.wake(world, batch, this.colliders.active, dt)) return
    this.islands.wake(world, batch as Batch, batch.columns.touched)
    // Their masses are back in G.
    batch.columns.fresh.fill(1, 0, batch.count)
  }
}

/** Acceleration of a body by gravity and forces along axis k [m/s²]. */
function pull(c: BodyColumns, gravity: Float64Array, i: number, k: number): number {
  return c.kind[i] === DYNAMIC ? c.gravityScale[i] * gravity[k] + c.inverseMass[i] * c.force[3 * i + k] : 0
}

/** The fields of a collider among those of a shaped body, whose pose is the body's. */
function colliderFields(def: ShapedBodyDef): Partial<ColliderDef> {
  const fields: Record<string, unknown> = {}
  for (const name of COLLIDER_FIELDS) {
    if (name !== 'position' && name !== 'orientation' && def[name] !== undefined) fields[name] = def[name]
  }
  return fields
}

/** Throws unless a body that moves can have the shape. */
export function checkMovable(where: string, shape: Shape): void {
  if (!shape.movable)
    throw new TypeError(`${where}: shape must be one that moves on a dynamic body, got a ${shape.name}`)
}

/** The fields of a body among those of a shaped one. */
function bodyFields(def: ShapedBodyDef): BodyDef {
  const fields: Record<string, unknown> = {}
  for (const name of BODY_FIELDS) if (def[name] !== undefined) fields[name] = def[name]
  return fields as BodyDef
}

const BODY_FIELDS = [
  'name',
  'type',
  'mass',
  'position',
  'orientation',
  'velocity',
  'angularVelocity',
  'gravityScale',
  'linearDamping',
  'angularDamping',
  'lockTranslation',
  'lockRotation',
] as const

const SHAPED_FIELDS: readonly string[] = [...BODY_FIELDS, ...COLLIDER_FIELDS, 'density']

function resolveOptions(where: string, options: CollisionOptions): Collisions['options'] {
  knownFields(`${where}: options`, options, Object.keys(DEFAULTS))
  const sleep = options.sleeping === false ? {} : (options.sleeping ?? {})
  knownFields(`${where}: sleeping`, sleep, ['speed', 'time'])
  return {
    margin: nonNegative(`${where}: margin`, options.margin ?? DEFAULTS.margin),
    mixFriction: mixingRule(`${where}: mixFriction`, options.mixFriction ?? DEFAULTS.mixFriction),
    mixRestitution: mixingRule(`${where}: mixRestitution`, options.mixRestitution ?? DEFAULTS.mixRestitution),
    sleeping: options.sleeping !== false && {
      speed: positive(`${where}: sleeping.speed`, sleep.speed ?? DEFAULTS.sleeping.speed),
      time: positive(`${where}: sleeping.time`, sleep.time ?? DEFAULTS.sleeping.time),
    },
  }
}
