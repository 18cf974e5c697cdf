/**
 * Goals on bodies of a world, solved on its own loop: rigid rows to the ground, which `world.project` solves together with the joints of
 * the world, loops closed, limits kept and out of contacts. No time passes.
 *
 * A solve goes for the whole way first. Where the projection finds no pose there, it goes back, and halves the way; where it does, it
 * doubles it. What is out of reach is approached as far as the world lets all goals come together: at a share of the way that is common to them.
 * Where something touches the limbs on their way, it tries for the whole way from other poses of the limbs (detours.ts).
 */

import { ballSocket, type BallSocketDef, fixed, type FixedDef } from '@tautline/constraints'
import { Body, type Constraint, LeanWorld, projectWorld } from '@tautline/core'
import {
  instance,
  integer,
  knownFields,
  positive,
  rotationBetween,
  shown,
  rotate,
  unitQuaternion,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { triple } from '../joints.js'
import { isTouched, limbOf, turnLimb } from './detours.js'

/** How {@link worldGoals} are solved. */
export interface WorldGoalsOptions {
  /** Farthest that a row may be off in a pose that is taken, joints and contacts included [m, rad]. @defaultValue 1e-7 */
  tolerance?: number
  /** Most passes of a projection. @defaultValue 10 */
  iterations?: number
  /** Farthest that a target is moved at once [m, rad]. @defaultValue Infinity */
  maxStep?: number
  /** Most projections of a solve. @defaultValue 32 */
  maxProjections?: number
  /** Most poses of limbs that a solve starts anew from, where something is in their way. @defaultValue 64; 0 where `maxStep` is given */
  detours?: number
}

/** What a solve has come to. */
export interface WorldGoalsResult {
  /** Whether all goals are where they were asked to be. */
  converged: boolean
  /** Share of the way that all goals have gone, 0 … 1. */
  share: number
  /** Worst violation that is left of a rigid row of the world, goals at their share of the way [m, rad]. */
  violation: number
  /** Projections made, and passes of all of them. */
  projections: number
  passes: number
  /** Poses of limbs that it started anew from. */
  detours: number
}

const OPTIONS: readonly (keyof WorldGoalsOptions)[] = [
  'tolerance',
  'iterations',
  'maxStep',
  'maxProjections',
  'detours',
]
/** Least share of the way that is tried. */
const LEAST = 1 / 256
/** Most looks for contacts about one pose; they are up to date where bodies have moved less since [m, quaternion]. */
const MOST_LOOKS = 6
const STILL = 1e-4

const v = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(4)

/** A point of a body at a point of the world, and its orientation where that is asked for. Made by {@link WorldGoals}. */
export class WorldGoal {
  /** Which it is of. */
  readonly body: Body
  /** On the body, from its centre of mass [m]. */
  readonly point: Float64Array
  /** In the world [m]: write to it, then solve. */
  readonly target: Float64Array
  /** `[x, y, z, w]` in the world: write to it, then solve. None where any will do. */
  readonly orientation: Float64Array | undefined
  /** Its row in the world. */
  readonly constraint: Constraint
  private readonly from = new Float64Array(3)
  private readonly turnedFrom = new Float64Array(4)
  private readonly rotation = new Float64Array(3)

  /** Made by {@link WorldGoals}, at the body's present place. */
  constructor(world: LeanWorld, body: Body, point: ReadonlyVec3, target: ReadonlyVec3, orientation?: ReadonlyQuat) {
    this.body = body
    this.point = Float64Array.from(point)
    this.target = Float64Array.from(target)
    this.orientation = orientation && Float64Array.from(orientation)
    const base = { a: null, b: body, anchorB: triple('worldGoals: point', point), anchorA: body.toWorld(point) }
    this.constraint = orientation === undefined ? world.add(ballSocket, base) : world.add(fixed, base)
  }

  /** What is left [m]: from the point to its target. */
  get error(): number {
    const at = this.body.toWorld(this.point as unknown as ReadonlyVec3)
    for (let k = 0; k < 3; k++) v[k] = at[k] - this.target[k]
    return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  }

  /** The same of its orientation [rad]; 0 where none is asked for. */
  get angle(): number {
    if (this.orientation === undefined) return 0
    q.set(this.body.orientation)
    rotationBetween(this.orientation, 0, q, 0, v, 0)
    return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  }

  /** Notes where the way begins; returns how long it is [m, rad]. Throws when a target is no number. */
  begin(): number {
    triple('worldGoals: target', this.target)
    const { body, from, turnedFrom, rotation, orientation } = this
    from.set(body.toWorld(this.point as unknown as ReadonlyVec3))
    let length = this.error
    if (orientation === undefined) return length
    orientation.set(unitQuaternion('worldGoals: orientation', orientation))
    turnedFrom.set(body.orientation)
    rotationBetween(orientation, 0, turnedFrom, 0, rotation, 0)
    length = Math.max(length, this.angle)
    return length
  }

  /** Puts its row at a share of the way. */
  place(share: number): void {
    const { from, target, orientation, rotation, constraint } = this
    for (let k = 0; k < 3; k++) v[k] = from[k] + share * (target[k] - from[k])
    const anchorA: [number, number, number] = [v[0], v[1], v[2]]
    if (orientation === undefined) return (constraint as Constraint<BallSocketDef>).set({ anchorA })
    q.set(this.turnedFrom)
    rotate(q, 0, share * rotation[0], share * rotation[1], share * rotation[2])
    return (constraint as Constraint<FixedDef>).set({ anchorA, reference: [q[0], q[1], q[2], q[3]] })
  }
}

/** Goals that are solved together. */
export class WorldGoals {
  /** Whose bodies they are of. */
  readonly world: LeanWorld
  /** All of them, oldest first. */
  readonly goals: WorldGoal[] = []
  private readonly settings: Required<WorldGoalsOptions>

  /** Made by {@link worldGoals}. */
  constructor(world: LeanWorld, settings: Required<WorldGoalsOptions>) {
    this.world = world
    this.settings = settings
  }

  /** Asks for a point of a body [m] at a point of the world [m]. Throws `TypeError`/`RangeError`, and adds nothing, on a bad value. */
  position(body: Body, point: ReadonlyVec3, target: ReadonlyVec3): WorldGoal {
    return this.add(body, point, target, undefined)
  }

  /** The same, and for the body's orientation `[x, y, z, w]` in the world. */
  pose(body: Body, point: ReadonlyVec3, target: ReadonlyVec3, orientation: ReadonlyQuat): WorldGoal {
    const [x, y, z, w] = unitQuaternion('worldGoals: orientation', orientation)
    return this.add(body, point, target, [x, y, z, w])
  }

  /** Takes a goal away. Throws `RangeError` where it is none of these. */
  remove(goal: WorldGoal): void {
    const at = this.goals.indexOf(goal)
    if (at < 0) throw new RangeError(`worldGoals: remove: goal must be one of these, got ${shown(goal)}`)
    this.goals.splice(at, 1)
    if (goal.constraint.alive) goal.constraint.remove()
  }

  /** Takes all goals away: until then a step holds what they hold as well. */
  release(): void {
    for (const goal of [...this.goals]) this.remove(goal)
  }

  /**
   * Brings goals to their targets as far as joints, limits and contacts let them, to a pose near the present one in the metric of mass. No time
   * passes, and velocities stay. A target that is no number is an error, and nothing is moved.
   */
  solve(): WorldGoalsResult {
    const { world, goals } = this
    world.bodies.callbacks.refuse('worldGoals: solve')
    let longest = 0
    for (const goal of goals) longest = Math.max(longest, goal.begin())
    const result = { converged: false, share: 0, violation: Infinity, projections: 0, passes: 0, detours: 0 }
    const start = new SavedPoses(world)
    this.goStraight(longest, result)
    if (result.share < 1 && this.settings.detours > 0) this.goRound(start, result)
    result.converged = result.share === 1
    return result
  }

  /** Goes as far as projections find a pose: by the whole way, else by half of it, and so on. */
  private goStraight(longest: number, result: WorldGoalsResult): void {
    const { goals } = this
    const { maxStep, maxProjections } = this.settings
    const most = longest > maxStep ? maxStep / longest : 1
    const reached = new SavedPoses(this.world)
    let step = most
    while (result.share < 1 && step >= Math.min(LEAST, most) && result.projections < maxProjections) {
      const share = result.share + step > 1 - LEAST * most ? 1 : result.share + step
      for (const goal of goals) goal.place(share)
      if (this.project(result)) {
        result.share = share
        step = Math.min(2 * step, most)
        reached.save()
      } else {
        reached.restore()
        for (const goal of goals) goal.place(result.share)
        step *= 0.5
      }
    }
  }

  /** Tries for the whole way from other poses of the limbs, where they are touched; goes back where none leads there. */
  private goRound(start: SavedPoses, result: WorldGoalsResult): void {
    const { world, goals } = this
    const { detours } = this.settings
    const own = new Set(goals.map(({ constraint }) => constraint))
    const limbs = goals.map(({ body }) => limbOf(world, body, own))
    if (!limbs.some((limb) => isTouched(world, limb))) return
    const reached = new SavedPoses(world)
    for (const goal of goals) goal.place(1)
    for (let k = 1; k <= detours; k++) {
      start.restore()
      result.detours = k
      for (const limb of limbs) turnLimb(limb, k, detours)
      if (this.project(result)) {
        result.share = 1
        return
      }
    }
    reached.restore()
    for (const goal of goals) goal.place(result.share)
  }

  /**
   * Projects all onto the rows; whether that is met. Contacts are looked for where a projection begins: where it has moved something, they are
   * looked for again.
   */
  private project(result: WorldGoalsResult): boolean {
    const { world } = this
    const { tolerance, iterations } = this.settings
    const looksAgain = world.stages.some(({ findContacts }) => findContacts !== undefined)
    const before = looksAgain ? new SavedPoses(world) : undefined
    for (let look = 0; look < MOST_LOOKS; look++) {
      const { passes, violation } = projectWorld(world, { tolerance: 0.01 * tolerance, iterations })
      result.projections++
      result.passes += passes
      if (violation > tolerance) return false
      result.violation = violation
      if (before === undefined || before.farthest() <= STILL) return true
      before.save()
    }
    return false
  }

  private add(body: Body, point: ReadonlyVec3, target: ReadonlyVec3, turned: ReadonlyQuat | undefined): WorldGoal {
    instance('worldGoals: body', body, Body, 'a body')
    const [at, to] = [triple('worldGoals: point', point), triple('worldGoals: target', target)]
    const goal = new WorldGoal(this.world, body, at, to, turned)
    this.goals.push(goal)
    return goal
  }
}

/** Goals on bodies of a world, a ragdoll's or any. Throws `TypeError`/`RangeError` when an option is wrong. */
export function worldGoals(world: LeanWorld, options: WorldGoalsOptions = {}): WorldGoals {
  instance('worldGoals: world', world, LeanWorld, 'a World')
  knownFields('worldGoals: options', options, OPTIONS)
  const { tolerance = 1e-7, iterations = 10, maxStep = Infinity, maxProjections = 32 } = options
  const { detours = maxStep === Infinity ? 64 : 0 } = options
  return new WorldGoals(world, {
    tolerance: positive('worldGoals: tolerance', tolerance),
    iterations: integer('worldGoals: iterations', iterations, 1, 1e6),
    maxStep: maxStep === Infinity ? maxStep : positive('worldGoals: maxStep', maxStep),
    maxProjections: integer('worldGoals: maxProjections', maxProjections, 1, 1e6),
    detours: integer('worldGoals: detours', detours, 0, 1e6),
  })
}

/** Where all bodies of a world were when it was made, or last saved; none may be added or removed since. */
class SavedPoses {
  private readonly world: LeanWorld
  private readonly position: Float64Array
  private readonly orientation: Float64Array

  /** Saves those of now. */
  constructor(world: LeanWorld) {
    const { columns, count } = world.bodies
    this.world = world
    this.position = columns.position.slice(0, 4 * count)
    this.orientation = columns.orientation.slice(0, 4 * count)
  }

  /** Takes those of now in their place. */
  save(): void {
    const { columns } = this.world.bodies
    this.position.set(columns.position.subarray(0, this.position.length))
    this.orientation.set(columns.orientation.subarray(0, this.orientation.length))
  }

  /** Puts bodies back. */
  restore(): void {
    const { columns } = this.world.bodies
    columns.position.set(this.position)
    columns.orientation.set(this.orientation)
  }

  /** Largest change of a coordinate since [m, of a quaternion]. */
  farthest(): number {
    const { position, orientation } = this.world.bodies.columns
    let most = 0
    for (let k = 0; k < this.position.length; k++) {
      most = Math.max(most, Math.abs(position[k] - this.position[k]), Math.abs(orientation[k] - this.orientation[k]))
    }
    return most
  }
}
