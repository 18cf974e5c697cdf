/** A manifold as a callback sees it, before it is solved. */

import type { vec3 } from 'gl-matrix'
import type { Collider } from '../state/collider-handle.js'
import type { Colliders } from '../state/colliders.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'
import { type LeanWorld } from '@tautline/core'
import { nonNegative, rotateVector } from '@tautline/core/kernel'
import { carrierOf, LOCAL_N, RECORD, type Manifolds, ROWS } from './manifold-columns.js'

/** Called for each manifold when it is found. Returning `false` drops it for this step. */
export type ContactCallback = (contact: Contact) => boolean | void

const n = /* @__PURE__ */ new Float64Array(3)

/** The manifold in hand. One object serves all calls: take out what you want to keep. */
export class Contact {
  private readonly world: LeanWorld
  private readonly colliders: Colliders
  private readonly batch: Manifolds
  private row = 0
  private idA = 0
  private idB = 0

  constructor(world: LeanWorld, colliders: Colliders, batch: Manifolds) {
    this.world = world
    this.colliders = colliders
    this.batch = batch
  }

  /** Looks at a row. */
  of(row: number, a: number, b: number): Contact {
    this.row = row
    this.idA = a
    this.idB = b
    return this
  }

  get a(): Collider {
    return this.colliders.handle(this.idA)
  }

  get b(): Collider {
    return this.colliders.handle(this.idB)
  }

  /** From b to a, world. */
  get normal(): vec3 {
    const { batch, world } = this
    const { record } = batch.columns
    const body = carrierOf(batch, this.row)
    const k = RECORD * this.row + LOCAL_N
    rotateVector(world.bodies.columns.orientation, 4 * body, record[k], record[k + 1], record[k + 2], n, 0)
    return [n[0], n[1], n[2]]
  }

  /** Static coefficient ν; at least the dynamic one. */
  get friction(): number {
    return this.batch.columns.friction[2 * this.row]
  }

  /** Sets both coefficients. */
  set friction(value: number) {
    const checked = nonNegative('contact: friction', value)
    this.batch.columns.friction.fill(checked, 2 * this.row, 2 * this.row + 2)
  }

  get restitution(): number {
    return this.batch.columns.restitution[this.row]
  }

  set restitution(value: number) {
    const checked = nonNegative('contact: restitution', value)
    if (checked > 1) throw new RangeError(`contact: restitution must be <= 1, got ${value}`)
    this.batch.columns.restitution[this.row] = checked
  }

  /** Couple about the normal that a single point bears, as a radius [m]. */
  get torsionalFriction(): number {
    return this.batch.columns.torsional[this.row]
  }

  set torsionalFriction(value: number) {
    this.batch.columns.torsional[this.row] = nonNegative('contact: torsionalFriction', value)
  }

  /** Couple against rolling, as a radius [m]. */
  get rollingFriction(): number {
    return this.batch.columns.rolling[this.row]
  }

  set rollingFriction(value: number) {
    this.batch.columns.rolling[this.row] = nonNegative('contact: rollingFriction', value)
  }

  /** How fast old overlap is pushed out at most [m/s]. */
  get maxPushOut(): number {
    return this.batch.columns.maxPushOut[this.row]
  }

  set maxPushOut(value: number) {
    this.batch.columns.maxPushOut[this.row] = nonNegative('contact: maxPushOut', value)
  }

  /** Lets the manifold do nothing until it is found again. */
  drop(): void {
    const { points, lambda } = this.batch.columns
    points[this.row] = 0
    lambda.fill(0, ROWS * this.row, ROWS * this.row + MAX_POINTS)
  }
}
