/**
 * Particles that collide: sets of them, and their contacts.
 *
 *   before a step     which particle may come to touch what in the step (`point-finder.ts`): a row each (`point-rows.ts`)
 *   in a substep      the plane that each meets, the row, friction (`point-prepare.ts`, `point-contact.ts`)
 *
 * A path of its own from broad phase to row: no manifolds, no pairs of boxes, no order of rows.
 */

import { addSolver, type LeanWorld } from '@tautline/core'
import type { vec3 } from 'gl-matrix'
import { type Batch, instance, rotateVector, shown } from '@tautline/core/kernel'
import type { CollisionParts } from '../contact/collision-parts.js'
import type { Colliders } from '../state/colliders.js'
import type { CollisionSettings } from '../state/options.js'
import type { ParticlePart, SelfContactPart } from '../state/particle-part.js'
import {
  COLLIDER,
  makeEvents,
  type Names,
  type ParticleContact,
  type ParticleEvent,
  Touches,
} from './particle-events.js'
import { BackingSolver } from './backing-solver.js'
import {
  changeParticles,
  type NewParticles,
  type ParticleChanges,
  type ParticleOwner,
  type ParticleRecord,
  ParticleSet,
} from './particle-set.js'
import { ParticleSets } from './particle-sets.js'
import type { SavedParticles } from './saved.js'
import { type ParticlesJson, particlesToJson } from './to-json.js'
import { dropUnbounded } from './kept-rows.js'
import { FaceRows } from './face-rows.js'
import {
  BODIES,
  CORNERS,
  D as FACE_D,
  N as FACE_N,
  RADIUS as FACE_RADIUS,
  RECORD as FACE_RECORD,
  SHARES,
} from './face-columns.js'
import { D, GIVES, LOCAL_N, LOCAL_S, N, NEAR, RADIUS, RECORD } from './point-columns.js'
import { PointFinder } from './point-finder.js'
import { PointRows } from './point-rows.js'

/** In any number: nothing is meant. */
const NONE = -2

/** What sets of particles use of their collisions. */
type ParticleCollisions = Pick<CollisionParts, 'world' | 'colliders' | 'filter' | 'options' | 'makeSelfContacts'>

const n = /* @__PURE__ */ new Float64Array(3)

/** The part of collisions that finds and holds contacts of particles, and answers for the handles of their sets. */
export class Particles implements ParticlePart, ParticleOwner {
  readonly sets: ParticleSets
  readonly points: PointRows
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly options: CollisionSettings
  readonly faces: FaceRows
  /** Contacts of particles with each other, in collisions with `selfCollision`. */
  readonly selfContacts: SelfContactPart | undefined
  private readonly backing: BackingSolver
  private readonly finder: PointFinder
  /** Who touched in the step before. */
  private readonly before = new Touches()
  private readonly now = new Touches()
  /** Who touched and was removed since. */
  private readonly lost = new Touches()
  private readonly names: Names

  constructor(collisions: ParticleCollisions) {
    const { world, colliders, filter, options } = collisions
    this.world = world
    this.colliders = colliders
    this.options = options
    this.sets = new ParticleSets(this)
    this.points = new PointRows(world, colliders, this.sets, options)
    this.selfContacts = collisions.makeSelfContacts?.(this.sets, this.points)
    this.faces = new FaceRows(world, colliders, this.sets, options, this.points)
    this.backing = new BackingSolver(world.bodies.columns, this.points.batch, this.faces.batch)
    this.finder = new PointFinder(world, colliders, filter)
    this.names = {
      setOf: (id, generation) => this.sets.handle(id, generation),
      colliderOf: (id, generation) => colliders.handle(id, generation),
    }
  }

  /** What is known of the handle of a set, unless it is stale. */
  findParticles(set: ParticleSet): ParticleRecord | undefined {
    return this.sets.find(instance('findParticles: set', set, ParticleSet, 'a set of particles'))
  }

  /** The same, or what was known of it when it was removed. */
  recallParticles(set: ParticleSet): ParticleRecord | undefined {
    return this.findParticles(set) ?? this.sets.recall(set)
  }

  /** See {@link ParticleSet.set}. */
  changeParticles(set: ParticleSet, changes: ParticleChanges): void {
    const old = this.known('changeParticles', set)
    this.world.bodies.callbacks.refuse(`${set.label}: set`)
    const record = changeParticles(set.label, old, changes)
    this.checkKind(set.label, record)
    this.dropSet(set.id)
    this.sets.records[set.id] = record
    this.wake(record)
  }

  /** See {@link ParticleSet.remove}. */
  removeParticles(set: ParticleSet): void {
    const record = this.known('removeParticles', set)
    if (this.world.bodies.callbacks.defer(() => set.alive && this.removeParticles(set))) return
    this.dropSet(set.id)
    this.wake(record)
    this.sets.remove(set.id)
  }

  /** What is known of a handle; throws when it is stale, or another's. */
  private known(where: string, set: ParticleSet): ParticleRecord {
    const record = this.findParticles(set)
    if (record === undefined) throw new RangeError(`${where}: set must be one that exists here, got ${set.label}`)
    return record
  }

  /** Refuses self-collision in collisions without the part for it. */
  checkKind(where: string, { selfCollision }: NewParticles): void {
    if (selfCollision === false || this.selfContacts !== undefined) return
    throw new TypeError(
      `${where}: selfCollision must be false in collisions without the part selfCollision, got ${shown(selfCollision)}`,
    )
  }

  /** Begins a step: what touched in the last one is what touched before. */
  beginStep(): void {
    if (this.sets.records.length === 0) return
    this.sets.beginStep()
    this.before.clear()
    this.gather(this.before)
    const { items, count } = this.lost.items
    for (let k = 0; k < count; k += 6) {
      this.before.add(items[k], items[k + 1], items[k + 2], items[k + 3], items[k + 4], items[k + 5])
    }
    this.lost.clear()
  }

  /** Finds what particles may come to touch in a step of `dt` [s], and makes the rows; whether a sleeper was woken by it. */
  find(dt: number): boolean {
    const { finder, points, faces, sets } = this
    if (sets.records.length === 0 && points.batch.count === 0) return false
    points.keep()
    faces.keep()
    finder.begin(dt, this.options.margin)
    for (let id = 0; id < sets.records.length; id++) {
      const record = sets.records[id]
      if (record !== undefined) finder.find(id, record)
    }
    this.selfContacts?.beginStep()
    if (finder.giving.count > 0 && !this.world.solvers.includes(this.backing)) addSolver(this.world, this.backing)
    points.make(finder)
    faces.make(finder.faces)
    return this.selfContacts?.find(dt) === true || finder.woke || finder.faces.woke
  }

  /** Before each substep of `h` [s]. */
  beginSubstep(h: number): void {
    this.points.refresh()
    this.faces.refresh()
    this.selfContacts?.beginSubstep(h)
  }

  /** Who touches whom, by the rows and what sensors found. */
  private gather(out: Touches): void {
    const { sets, finder } = this
    this.gatherRows(this.points.batch, out)
    this.gatherRows(this.faces.batch, out)
    this.selfContacts?.gather(out)
    const { items, count } = finder.sensed
    for (let k = 0; k < count; k += 2) {
      out.add(items[k], sets.generations[items[k]], COLLIDER, items[k + 1], this.colliders.generations[items[k + 1]], 1)
    }
  }

  /** Adds who touches which collider by the rows of a batch. */
  private gatherRows(batch: Batch<'who' | 'touching' | 'impulse'>, out: Touches): void {
    const { sets, colliders } = this
    const { who, touching, impulse } = batch.columns
    for (let row = 0; row < batch.count; row++) {
      if (touching[row] === 0) continue
      const set = who[4 * row]
      const collider = who[4 * row + 2]
      const pair = out.add(set, sets.generations[set], COLLIDER, collider, colliders.generations[collider], 0)
      out.sum(pair, impulse, row)
    }
  }

  /** See `particleEvents`. */
  events(): ParticleEvent[] {
    this.now.clear()
    this.gather(this.now)
    return makeEvents(this.before, this.now, this.names)
  }

  /** See `particleContacts`. */
  contactsOf(id: number): ParticleContact[] {
    const { batch } = this.points
    const { who, touching, impulse } = batch.columns
    const contacts: ParticleContact[] = []
    for (let row = 0; row < batch.count; row++) {
      if (who[4 * row] !== id || touching[row] === 0) continue
      const { normal, point, separation } = this.describe(row)
      contacts.push({
        particle: who[4 * row + 1],
        other: this.colliders.handle(who[4 * row + 2]),
        otherParticle: -1,
        normal,
        point,
        separation,
        impulse: impulse[row],
      })
    }
    this.addFaces(id, contacts)
    this.selfContacts?.addContacts(id, contacts)
    return contacts.sort((r, s) => r.particle - s.particle)
  }

  /** Adds contacts of faces with colliders, as those of the corner that bears the most. */
  private addFaces(id: number, contacts: ParticleContact[]): void {
    const { batch } = this.faces
    const { who, touching, impulse, record, body } = batch.columns
    const { position: x } = this.world.bodies.columns
    for (let row = 0; row < batch.count; row++) {
      if (who[4 * row] !== id || touching[row] === 0) continue
      const r = FACE_RECORD * row
      const shares = Array.from(record.subarray(r + SHARES, r + SHARES + CORNERS))
      const most = shares.indexOf(Math.max(...shares))
      const at = [0, 1, 2].map((axis) =>
        shares.reduce((sum, share, k) => sum + share * x[4 * body[BODIES * row + k] + axis], 0),
      )
      const normal: vec3 = [record[r + FACE_N], record[r + FACE_N + 1], record[r + FACE_N + 2]]
      const radius = shares.reduce((sum, share, k) => sum + share * record[r + FACE_RADIUS + k], 0)
      const separation = normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2] - record[r + FACE_D]
      contacts.push({
        particle: this.sets.records[id]!.faces[CORNERS * who[4 * row + 1] + most],
        other: this.colliders.handle(who[4 * row + 2]),
        otherParticle: -1,
        normal,
        point: at.map((value, k) => value - (separation + radius) * normal[k]) as vec3,
        separation,
        impulse: impulse[row],
      })
    }
  }

  /** The plane of a row at the present poses. */
  private describe(row: number): Pick<ParticleContact, 'normal' | 'point' | 'separation'> {
    const { batch } = this.points
    const { record, body } = batch.columns
    const { position: x, orientation } = this.world.bodies.columns
    const r = RECORD * row
    const [i, b] = [4 * body[2 * row], 4 * body[2 * row + 1]]
    const gives = record[r + GIVES] !== 0 && record[r + NEAR] !== 0
    if (gives) rotateVector(orientation, b, record[r + LOCAL_N], record[r + LOCAL_N + 1], record[r + LOCAL_N + 2], n, 0)
    else for (let k = 0; k < 3; k++) n[k] = record[r + N + k]
    const along = (p: number): number => n[0] * x[p] + n[1] * x[p + 1] + n[2] * x[p + 2]
    const separation = gives ? along(i) - along(b) - record[r + LOCAL_S] : along(i) - record[r + D]
    const deep = separation + record[r + RADIUS]
    return {
      normal: [n[0], n[1], n[2]],
      point: [x[i] - deep * n[0], x[i + 1] - deep * n[1], x[i + 2] - deep * n[2]],
      separation,
    }
  }

  /** Ends a step, when it is known what rests. */
  endStep(): void {
    this.selfContacts?.endStep()
  }

  /** Removes what is known of contacts of a collider. */
  dropCollider(id: number): void {
    this.drop(NONE, id, NONE)
  }

  /** The same of a set. */
  dropSet(id: number): void {
    this.drop(id, NONE, NONE)
  }

  /** Throws, as from `where`, if the body in `row` is in a set: it is to turn. */
  checkParticle(where: string, row: number): void {
    this.sets.records.forEach((record, id) => {
      if (record?.rows.includes(row) !== true) return
      const { label } = this.sets.handle(id)
      throw new TypeError(`${where}: body must stay a particle while it is one of ${label}, got inertia`)
    })
  }

  /** Takes a body out of all sets. */
  dropBody(row: number): void {
    this.drop(NONE, NONE, row)
    this.sets.dropBody(row)
  }

  private drop(set: number, collider: number, body: number): void {
    if (this.sets.records.length === 0) return
    // Those who touched will be told that it ended.
    this.gather(this.lost)
    this.points.drop(set, collider, body)
    this.faces.drop(set, collider, body)
    this.selfContacts?.drop(set, body)
    const { sensed } = this.finder
    let kept = 0
    for (let k = 0; k < sensed.count; k += 2) {
      if (sensed.items[k] === set || sensed.items[k + 1] === collider) continue
      sensed.items[kept++] = sensed.items[k]
      sensed.items[kept++] = sensed.items[k + 1]
    }
    sensed.count = kept
  }

  /** Wakes all particles of a set. */
  wake({ rows }: ParticleRecord): void {
    for (let k = 0; k < rows.length; k++) if (rows[k] >= 0) this.world.bodies.wake(rows[k])
  }

  /** Drops rows that a pose beyond measure has left its mark on: they are found anew. */
  dropNonFinite(): void {
    dropUnbounded(this.points.batch, RECORD)
    dropUnbounded(this.faces.batch, FACE_RECORD)
    this.selfContacts?.dropNonFinite()
  }

  toJSON(indexOf: (row: number) => number): ParticlesJson | undefined {
    return particlesToJson(this, this.save(), indexOf)
  }

  save(): SavedParticles {
    const { items, count } = this.finder.sensed
    return {
      sets: this.sets.save(),
      before: this.before.save(),
      lost: this.lost.save(),
      sensed: Array.from(items.subarray(0, count)),
      surfaces: this.selfContacts?.save() ?? [],
    }
  }

  restore(saved?: SavedParticles): void {
    this.sets.restore(saved?.sets)
    this.before.restore(saved?.before ?? [])
    this.lost.restore(saved?.lost ?? [])
    this.selfContacts?.restore(saved?.surfaces ?? [])
    this.finder.sensed.clear()
    for (const value of saved?.sensed ?? []) this.finder.sensed.push(value)
  }
}
