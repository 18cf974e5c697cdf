/**
 * Collision detection and contacts of a world: a stage of its step.
 *
 *   before a step     what sleepers are next to is woken; boxes of what moves grow by how far it can go; pairs of boxes
 *                     (broad phase); manifolds of up to four points each (narrow phase), written over the rows that had the
 *                     same name in the last step
 *   before a substep  the manifolds of pairs that move fast are found anew
 *   particles         go a way of their own (`particles/`), which `addParticles` brings along
 *   after a step      sleep
 *
 * The rows are swept with all other constraints (`contact/manifold-rows.ts`). Here is what users call: colliders are kept in `state/`,
 * found pairs in `detect/`, rows in `contact/`.
 */

import { Body, type Stage, LeanWorld } from '@tautline/core'
import {
  array,
  type Batch,
  callable,
  instance,
  integer,
  object,
  outVector,
  ROTATES,
  RUNAWAY,
  shown,
} from '@tautline/core/kernel'
import type { ContactCallback } from './contact/contact.js'
import { ContactRows } from './contact/contact-rows.js'
import { type ContactEvent, gatherEvents } from './contact/events.js'
import type { CollisionParts, ImpactPart, SweptSensorPart } from './contact/collision-parts.js'
import { type Manifolds, type ManifoldSolverParts, setSolverParts } from './contact/manifold-columns.js'
import { readManifold } from './contact/read-manifold.js'
import { findTowers } from './contact/towers.js'
import { ContactFilter } from './detect/contact-filter.js'
import { Detection } from './detect/detection.js'
import { EXHAUSTED, IMPACTS, SCALED } from './impact/impact-solver.js'
import { StartPush } from './contact/start-push.js'
import { countRest, Islands } from './sleep/sleeping.js'
import { Strikes } from './sleep/strikes.js'
import {
  checkInertia,
  checkMovable,
  type ColliderChanges,
  type ColliderDef,
  type ColliderRecord,
  resolveCollider,
} from './state/collider.js'
import { Collider, type ColliderOwner } from './state/collider-handle.js'
import type { SavedParticles } from './particles/saved.js'
import type { SavedHandles } from './state/collider-handles.js'
import { Colliders } from './state/colliders.js'
import { type CollisionOptions, type CollisionSettings, resolveOptions } from './state/options.js'
import type { ParticlePart } from './state/particle-part.js'
import { resolveShapedBody, type ShapedBodyDef } from './state/shaped-body.js'
import { type CollisionsJson, collisionsToJson, pairsToJson } from './state/to-json.js'

/** Impacts of a step: what is too fast for a substep is struck at velocity level, before it is predicted. */
export interface ImpactReport {
  /** How often something was struck. */
  impacts: number
  /** How often the impulses would have given energy, and were scaled back. */
  scaled: number
  /** Substeps in which a body turned so fast that its steps ran out: it lost some of its time. */
  exhausted: number
}

/** What a snapshot holds beside the rows. */
export interface SavedCollisions {
  records: (ColliderRecord | undefined)[]
  generations: number[]
  ended: number[]
  lost: number[]
  /** Those of users, to be found again; a scene has none. */
  handles?: SavedHandles
  particles?: SavedParticles | undefined
  /** Pairs of bodies that do not meet, two rows each; where there are any. */
  ignored?: readonly number[]
}

/** What `ImpactReport` counts, in a world without the part `impacts`. */
const NO_IMPACTS = /* @__PURE__ */ new Float64Array(3)

const NOTHING: SavedCollisions = { records: [], generations: [], ended: [], lost: [] }
/** What `readManifold` writes: a normal and four points. */
const MANIFOLD_NUMBERS = 23

/** A part of collisions, for `new LeanCollisions(world, { parts })`: `impacts`, `exactIslands`, `particles`, `selfCollision`, `sweptSensors`. */
export type CollisionPart = (collisions: LeanCollisions) => void

/** What `new LeanCollisions` takes. */
export interface LeanCollisionOptions extends CollisionOptions {
  /**
   * Parts of contact handling. Without `impacts`, bodies that move farther in a substep than they are thick may pass through each other and bounces are
   * less exact; without `exactIslands`, heavy bodies sink into light ones and tall towers lean; without `particles`, cloth, rope and soft bodies that
   * collide are refused; without `selfCollision`, particles touch shapes but not each other, and sets that ask for it are refused;
   * without `sweptSensors`, sensors with `continuous: true` are refused.
   * @defaultValue none
   */
  parts?: readonly CollisionPart[]
}

/**
 * Shapes and contacts of one world, with the parts that it is given: for pages that count bytes. All others use `Collisions`. Queries are functions:
 * `rayCast(collisions, …)` and others.
 */
export class LeanCollisions implements Stage, ColliderOwner, CollisionParts {
  readonly name = 'collisions'
  readonly world: LeanWorld
  readonly colliders: Colliders
  /** Rows of manifolds, in sweep order. */
  readonly batch: Manifolds
  readonly options: CollisionSettings
  private readonly rows: ContactRows
  /** Which colliders may touch. */
  readonly filter: ContactFilter
  private readonly detection: Detection
  readonly solverParts: ManifoldSolverParts = {}
  impacts: ImpactPart | undefined
  sweptSensors: SweptSensorPart | undefined
  makeParticles: CollisionParts['makeParticles']
  makeSelfContacts: CollisionParts['makeSelfContacts']
  private readonly startPush: StartPush
  /** Sets of particles and their contacts, where `addParticles` has brought them along. */
  particles: ParticlePart | undefined
  private readonly islands = new Islands()
  private readonly strikes = new Strikes()
  private dt = 0
  /** Number of the step, from 1, and its stamp on rows. */
  private step = 0
  /** Of the bodies when the step began: it counts what was frozen since. */
  private version = 0

  constructor(world: LeanWorld, options: LeanCollisionOptions = {}) {
    instance('Collisions: world', world, LeanWorld, 'a World')
    const { parts = [], ...rest } = object('Collisions: options', options) as LeanCollisionOptions
    array('Collisions: parts', parts).forEach((part, k) => callable(`Collisions: parts[${k}]`, part))
    this.options = resolveOptions('Collisions', rest)
    this.world = world
    world.use(this)
    this.colliders = new Colliders(world, this)
    this.rows = new ContactRows(world, this.colliders)
    this.batch = this.rows.batch
    const filter = new ContactFilter(world, this.colliders)
    this.filter = filter
    const detection = new Detection(world, this.colliders, this.rows, filter, this.options)
    this.detection = detection
    this.startPush = new StartPush(world, this.batch)
    setSolverParts(this.batch, this.solverParts)
    for (const part of parts) part(this)
  }

  findManifolds(a: number, b: number, gap: number, stamp: number): void {
    this.detection.touch(a, b, gap, this.detection.substep, stamp)
  }

  noteSensed(a: number, b: number): void {
    this.rows.noteSensed(a, b, this.step)
  }

  /** The collisions of a world, if it has any. */
  static of(world: LeanWorld): LeanCollisions | undefined {
    return instance('Collisions.of: world', world, LeanWorld, 'a World').stages.find(
      (stage) => stage instanceof LeanCollisions,
    )
  }

  /** Fixes a shape to a body, or to the world (`null`). The body's mass stays as it is. */
  addCollider(body: Body | null, def: ColliderDef): Collider {
    const where = typeof def?.name === 'string' ? `addCollider "${def.name}"` : 'addCollider'
    this.world.bodies.callbacks.refuse(where)
    if (body !== null) this.checkBody(`${where}: body`, body, ' or null')
    const record = this.checkSwept(where, resolveCollider(where, body, def))
    if (body?.type === 'dynamic') {
      checkMovable(where, record.shape)
      checkInertia(where, this.world.bodies.columns.flags[body.index], body, record)
    }
    const id = this.colliders.add(record)
    if (body !== null) this.world.bodies.wake(body.index)
    return this.handle(id)
  }

  /** Adds a body with its shape: centre of mass and inertia are the shape's. Throws, and adds nothing, on a bad field. */
  addBody(def: ShapedBodyDef): Body {
    const where = typeof def?.name === 'string' ? `addBody "${def.name}"` : 'addBody'
    this.world.bodies.callbacks.refuse(where)
    const { body: bodyDef, record } = resolveShapedBody(where, def)
    this.checkSwept(where, record)
    const body = this.world.addBody(bodyDef)
    this.colliders.add({ ...record, body })
    return body
  }

  /** What became of impacts in the last step: see {@link ImpactReport}. */
  get impactReport(): ImpactReport {
    const counts = this.impacts?.counts ?? NO_IMPACTS
    return { impacts: counts[IMPACTS], scaled: counts[SCALED], exhausted: counts[EXHAUSTED] }
  }

  /** Colliders of a body, or of the world (`null`). */
  collidersOf(body: Body | null): Collider[] {
    if (body !== null) this.checkBody('collidersOf: body', body, ' or null')
    return this.colliders.idsOf(body?.index ?? 0).map((id) => this.handle(id))
  }

  /** What is known of a handle, unless it is stale. */
  find(collider: Collider): ColliderRecord | undefined {
    const record = this.colliders.records[instance('find: collider', collider, Collider, 'a collider').id]
    return collider.collisions === this && record?.generation === collider.generation ? record : undefined
  }

  /** What is known of a handle, or was when its collider was removed. */
  recall(collider: Collider): ColliderRecord | undefined {
    return this.find(collider) ?? this.colliders.handles.recall(collider)
  }

  /** The handle of a number. */
  handle(id: number): Collider {
    return this.colliders.handle(id)
  }

  /** See {@link Collider.set}. */
  change(collider: Collider, changes: ColliderChanges): void {
    const old = this.known('change', collider)
    this.world.bodies.callbacks.refuse(`${collider.label}: set`)
    const record = this.checkSwept(collider.label, resolveCollider(collider.label, old.body, changes, old))
    if (old.body?.type === 'dynamic') {
      checkMovable(collider.label, record.shape)
      checkInertia(collider.label, this.world.bodies.columns.flags[old.body.index], old.body, record)
    }
    this.rows.dropOf(collider.id)
    this.particles?.dropCollider(collider.id)
    this.colliders.place(collider.id, { ...record, generation: old.generation, placed: this.world.clock.steps })
    if (old.body !== null) this.world.bodies.wake(old.body.index)
  }

  /** See {@link Collider.remove}. */
  removeCollider(collider: Collider): void {
    this.known('removeCollider', collider)
    if (this.world.bodies.callbacks.defer(() => collider.alive && this.removeCollider(collider))) return
    this.rows.dropOf(collider.id)
    this.particles?.dropCollider(collider.id)
    this.colliders.remove(collider.id)
  }

  /** What touched, began and ceased to touch in the last step, in the order of colliders. Made when asked for. */
  get events(): ContactEvent[] {
    return gatherEvents(this.world, this.colliders, this.rows)
  }

  /** Those of `events` that are of sensors; what pushes costs nothing then. */
  get sensorEvents(): ContactEvent[] {
    return gatherEvents(this.world, this.colliders, this.rows, true)
  }

  /**
   * What manifold `row` of `batch` is, as numbers, without making objects as `events` does: the normal from b to a (3), then five numbers
   * a point: where it is on the surface of b (3) [m], the gap [m], below 0 where they overlap, and the normal force in the last substep
   * [N]. Returns how many points there are, at most four; 0 for a sensor. `out` holds 23 numbers.
   */
  readManifold(row: number, out: Float64Array): number {
    const { bodies, clock } = this.world
    integer('readManifold: row', row, 0, Math.max(this.batch.count - 1, 0))
    outVector('readManifold: out', out, MANIFOLD_NUMBERS)
    return readManifold(bodies.columns, this.batch, row, clock.substepLength, out)
  }

  /**
   * Sets what is called for each manifold when it is found, before it is solved: it may change friction, restitution and
   * the like, and drops the manifold by returning `false`. Nothing: no call.
   */
  onContact(callback: ContactCallback | undefined): void {
    if (callback !== undefined) callable('onContact: callback', callback)
    this.detection.setCallback(callback)
  }

  beforeStep(dt: number): void {
    const { world, batch } = this
    const { sleeping } = this.options
    this.version = world.bodies.version
    this.dt = dt
    if (sleeping !== false) this.islands.wake(world, batch as Batch, batch.columns.touching)
    this.colliders.handles.beginStep()
    this.rows.beginStep()
    this.particles?.beginStep()
    this.impacts?.beginStep()
    this.step = world.clock.steps + 1
    this.detection.findAll(dt)
    this.sweptSensors?.beginStep()
    findTowers(world, batch, this.rows.visited)
    this.findParticleContacts(dt)
    if (sleeping !== false) this.wakeStruck(dt)
  }

  /** Finds what particles may touch; once more where that has woken something. */
  private findParticleContacts(dt: number): void {
    const { world, batch, particles } = this
    if (particles?.find(dt) !== true || this.options.sleeping === false) return
    this.islands.wake(world, batch as Batch, batch.columns.touched)
    batch.columns.fresh.fill(1, 0, batch.count)
    this.colliders.refreshAll(dt, 0.5 * this.options.margin)
    particles.find(dt)
  }

  /** Manifolds at the present poses, for `World.project`: nothing sleeps, wakes or is told of it. */
  findContacts(): void {
    const { rows, detection, particles } = this
    rows.refreshIndex()
    rows.forgetStamps()
    detection.findForProjection()
    particles?.find(0)
  }

  beforeSubstep(h: number): void {
    const { detection } = this
    detection.beginSubstep(h, this.dt)
    if (detection.substep > 1) this.sweptSensors?.sweep()
    if (detection.substep > 1 && this.options.sleeping !== false) this.wakeStruck(h)
    this.particles?.beginSubstep(h)
  }

  repair(h: number): void {
    this.startPush.run(h)
  }

  advance(h: number, left: number): void {
    this.impacts?.advance(this.batch, this.rows.visited, h, left, this.detection.fast)
  }

  afterStep(dt: number): void {
    const { world, batch, islands } = this
    const { sleeping } = this.options
    this.sweptSensors?.sweep()
    if (world.skipped.length > 0 || world.bodies.version !== this.version || this.hasRunaway()) {
      this.rows.dropNonFinite()
      this.particles?.dropNonFinite()
    }
    countRest(world, dt)
    if (sleeping !== false) islands.putToSleep(world, dt, sleeping, batch)
    this.particles?.endStep()
  }

  bodyChanging(where: string, row: number, dynamic: boolean, turns: boolean): void {
    if (!dynamic) return
    for (const id of this.colliders.idsOf(row)) {
      const record = this.colliders.records[id] as ColliderRecord
      const at = `${where}: ${this.handle(id).label}`
      checkMovable(at, record.shape)
      checkInertia(at, turns ? ROTATES : 0, record.body as Body, record)
    }
    if (turns) this.particles?.checkParticle(where, row)
  }

  bodyRemoved(row: number): void {
    for (const id of this.colliders.idsOf(row)) {
      this.rows.dropOf(id)
      this.particles?.dropCollider(id)
      this.colliders.remove(id)
    }
    this.particles?.dropBody(row)
    this.filter.forget(row)
  }

  save(): SavedCollisions {
    const { records, generations, handles } = this.colliders
    const { ended, lost } = this.rows
    return {
      records: records.slice(),
      generations: generations.slice(),
      ended: ended.slice(),
      lost: lost.slice(),
      handles: handles.save(),
      particles: this.particles?.save(),
      ignored: this.filter.ignoredPairs,
    }
  }

  restore(saved: unknown): void {
    const { records, generations, ended, lost, handles, particles, ignored } = (saved ?? NOTHING) as SavedCollisions
    this.colliders.replaceAll(records, generations)
    this.colliders.handles.restore(handles)
    this.rows.restored()
    this.rows.ended = ended.slice()
    this.rows.lost = lost.slice()
    this.particles?.restore(particles)
    this.filter.replaceIgnored(ignored ?? [])
  }

  toJSON(indexOf: (row: number) => number): CollisionsJson {
    const particles = this.particles?.toJSON(indexOf)
    return {
      ...collisionsToJson(this.options, this.colliders, this.rows, indexOf),
      ...(particles === undefined ? {} : { particles }),
      ...pairsToJson(this.filter.ignoredPairs, indexOf),
    }
  }

  /** What is known of a handle; throws when it is stale, or another's. */
  private known(where: string, collider: Collider): ColliderRecord {
    const record = this.find(collider)
    if (record === undefined)
      throw new RangeError(`${where}: collider must be one that exists here, got ${collider.label}`)
    return record
  }

  /** Refuses a sensor that is to be swept where nothing sweeps it. */
  checkSwept<R extends { readonly continuous: boolean }>(where: string, record: R): R {
    if (!record.continuous || this.sweptSensors !== undefined) return record
    throw new RangeError(`${where}: continuous must be false without the part sweptSensors of LeanCollisions, got true`)
  }

  private checkBody(where: string, body: unknown, orNull = ''): void {
    if (!(body instanceof Body)) {
      throw new TypeError(`${where} must be a body${orNull}, got ${shown(body)}`)
    }
    this.world.bodies.assertAlive(where, body)
  }

  /** Whether a body is so fast that what manifolds keep of speeds may overflow. */
  private hasRunaway(): boolean {
    const { columns, awake } = this.world.bodies
    const { velocity, angularVelocity } = columns
    const { rows, count } = awake
    for (let n = 0; n < count; n++) {
      for (let k = 3 * rows[n]; k < 3 * rows[n] + 3; k++) {
        if (!(Math.abs(velocity[k]) < RUNAWAY && Math.abs(angularVelocity[k]) < RUNAWAY)) return true
      }
    }
    return false
  }

  /** Wakes sleepers that something is about to strike in `dt`, and their islands. */
  private wakeStruck(dt: number): void {
    const { batch, world } = this
    if (!this.strikes.wake(world, batch, this.rows.visited, this.colliders.active, dt)) return
    this.islands.wake(world, batch as Batch, batch.columns.touched)
    // Their masses are back in G.
    batch.columns.fresh.fill(1, 0, batch.count)
  }
}
