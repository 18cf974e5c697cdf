/** The level of detail that an assembly is at, and how it goes to another. */

import { particleSets } from '@tautline/collision'
import type { Body, Constraint, LeanWorld } from '@tautline/core'
import { compose, DYNAMIC } from '@tautline/core/kernel'
import type { quat, vec3 } from 'gl-matrix'
import { targetPoint, targetPose } from '../cloth/target.js'
import { isOff, returnRows, suspendRows } from './bend-rows.js'
import type { FullLevel, LodPlan } from './lod.js'
import { collisionsOf } from './collisions.js'

/** A body that holds its pose. */
export interface StillBody {
  readonly body: Body
  /** Where it is on the frame: x, y, z [m], then its orientation there; nothing where it has no frame. */
  readonly local: readonly number[] | undefined
}

/** Replaced as a whole when it changes, so that snapshots may keep it. */
export interface LodState {
  readonly plan: LodPlan
  /** Which level, 0 as it was made. */
  readonly level: number
  /** Whether rows against bending wait for what pays for them. */
  readonly returning: boolean
  /** What they had stored when they were switched off, as far as it was not used to bring them back [J]. */
  readonly credit: number
  /** Bodies that moved by themselves until the level had them hold still. */
  readonly still: readonly StillBody[]
}

/** What of an assembly levels of detail act on. */
export interface LodParts {
  readonly world: LeanWorld
  readonly bodies: readonly Body[]
  /** Rows against bending. */
  readonly bend: readonly (Constraint | undefined)[]
  /** What it rides on where the plan has no frame. */
  readonly frame: Body | undefined
  /** Bodies that are led by other means. */
  readonly led: ReadonlySet<Body>
  /** Whether it is held in place: then it stays there, and rides on nothing. */
  readonly isAnchored: boolean
}

/** Full detail. */
export function beginLod(plan: LodPlan): LodState {
  return { plan, level: 0, returning: false, credit: 0, still: [] }
}

/** Goes to a level; what holds still does so when nothing that moves hangs on it any more. */
export function enterLevel(state: LodState, level: number, parts: LodParts): LodState {
  const { plan } = state
  const wanted = plan.levels[level]
  const before = plan.levels[state.level]
  setContacts(parts, wanted)
  const credit = state.credit + (wanted.bend ? 0 : suspendRows(living(parts)))
  const returning = wanted.bend && (!before.bend || state.returning)
  return { ...holdOrRelease(state, parts, wanted), level, returning, credit }
}

function living({ bend }: LodParts): Constraint[] {
  return bend.filter((row): row is Constraint => row?.alive === true)
}

/** Has what is to hold still do so, where nothing keeps it from that, or lets it go. */
export function holdOrRelease(state: LodState, parts: LodParts, { simulate }: FullLevel): LodState {
  const { still, plan } = state
  const next = simulate ? release(still, parts, plan) : [...still, ...hold(parts, plan)]
  return next.length === still.length ? state : { ...state, still: next }
}

/** Has rows against bending come back that are paid for. */
export function resumeBending(state: LodState, parts: LodParts): LodState {
  const waiting = living(parts).filter(isOff)
  const credit = returnRows(waiting, state.credit)
  const returning = waiting.some(isOff)
  return { ...state, returning, credit: returning ? credit : 0 }
}

/** Has sets of particles touch as a level says. */
function setContacts({ world, bodies }: LodParts, { selfCollision, surfaceContacts }: FullLevel): void {
  const collisions = collisionsOf(world)
  if (collisions === undefined) return
  const own = new Set(bodies)
  for (const set of particleSets(collisions)) {
    if (!set.bodies.some((body) => body !== null && own.has(body))) continue
    if (set.selfCollision === selfCollision && set.surfaceContacts === surfaceContacts) continue
    set.set({ selfCollision, surfaceContacts })
    // What overlaps meanwhile comes apart without speed.
    for (const body of bodies) if (body.alive) world.bodies.disturb(body.index)
  }
}

/** Has everything that moves hold its pose; nothing, where something else hangs on it or its frame moves by itself. */
function hold(parts: LodParts, plan: LodPlan): readonly StillBody[] {
  const { world, bodies } = parts
  const frame = frameOf(parts, plan)
  if (frame?.type === 'dynamic' || isTied(world, bodies)) return []
  const moving = bodies.filter((body) => body.alive && body.type === 'dynamic')
  return moving.map((body): StillBody => {
    body.setVelocity([0, 0, 0])
    if (!body.isParticle) body.setAngularVelocity([0, 0, 0])
    const local = frame === undefined ? undefined : placeOn(frame, body)
    body.type = 'kinematic'
    return { body, local }
  })
}

/** Position and orientation of a body in the space of its frame. */
function placeOn(frame: Body, body: Body): number[] {
  const [x, y, z, w] = frame.orientation
  compose(Float64Array.of(-x, -y, -z, w), 0, Float64Array.from(body.orientation), 0, rotation, 0)
  return [...frame.toBody(body.position), ...rotation]
}

/** Lets what held its pose move again, at the velocity of its frame. */
function release(still: readonly StillBody[], parts: LodParts, plan: LodPlan): readonly StillBody[] {
  const frame = frameOf(parts, plan)
  for (const { body, local } of still) {
    if (!body.alive || body.type !== 'kinematic' || parts.led.has(body)) continue
    body.type = 'dynamic'
    const rides = local !== undefined && frame !== undefined && frame.type !== 'dynamic'
    body.setVelocity(rides ? frame.velocityAt(body.position) : [0, 0, 0])
    if (!body.isParticle) body.setAngularVelocity(rides ? frame.angularVelocity : [0, 0, 0])
    parts.world.bodies.disturb(body.index)
  }
  return []
}

function frameOf({ frame, isAnchored }: LodParts, plan: LodPlan): Body | undefined {
  if (isAnchored) return undefined
  const chosen = plan.frame ?? frame
  return chosen?.alive === true ? chosen : undefined
}

/** Whether a constraint has both a body of these and one that moves by itself and is none of them. */
function isTied(world: LeanWorld, bodies: readonly Body[]): boolean {
  const own = new Set<number>()
  for (const body of bodies) if (body.alive) own.add(body.index)
  const { kind } = world.bodies.columns
  for (const { type, arity, count, common } of world.batches) {
    if (type.transient === true) continue
    for (let row = 0; row < count; row++) {
      let [isOwn, isOther] = [false, false]
      for (let k = arity * row; k < arity * (row + 1); k++) {
        if (own.has(common.body[k])) isOwn = true
        else if (kind[common.body[k]] === DYNAMIC) isOther = true
      }
      if (isOwn && isOther) return true
    }
  }
  return false
}

const target: vec3 = [0, 0, 0]
const scrap: vec3 = [0, 0, 0]
const turned: quat = [0, 0, 0, 1]
const rotation = /* @__PURE__ */ new Float64Array(4)
const local4 = /* @__PURE__ */ new Float64Array(4)

/** Sets where what holds still goes with its frame in a step of `dt` [s]. */
export function leadStill({ still, plan }: LodState, own: Body | undefined, dt: number): void {
  const frame = plan.frame ?? own
  if (frame?.alive !== true || still.length === 0) return
  targetPose(frame, dt, scrap, rotation)
  for (const { body, local } of still) {
    if (local === undefined || !body.alive || body.type !== 'kinematic') continue
    targetPoint(frame, local, dt, target)
    if (body.isParticle) body.setTarget(target)
    else {
      for (let k = 0; k < 4; k++) local4[k] = local[3 + k]
      compose(rotation, 0, local4, 0, local4, 0)
      for (let k = 0; k < 4; k++) turned[k] = local4[k]
      body.setTarget(target, turned)
    }
  }
}
