/** What ragdolls are put through: a walk that drives follow, and a throw against a wall. */

import { type Body } from '@tautline/core'
import { acos, rotationBetween } from '@tautline/core/kernel'
import { box } from '@tautline/collision'
import { quat } from 'gl-matrix'
import type { DrivenJoint, Ragdoll } from './ragdolls.js'

/** Drives of 20 Hz and critical damping, of all that they carry. */
const OMEGA = 2 * Math.PI * 20
const RADIANS = Math.PI / 180

export interface WalkResult {
  /** Angle between joints and their targets, over all joints and steps: mean and largest [°]. */
  mean: number
  worst: number
  /** [m] */
  gap: number
  /** [kg] */
  mass: number
  unsolved: number
  halved: number
}

/** Leads the root of a ragdoll along its clip while drives turn the joints after it. The first `settle` seconds do not count. */
export function walk(ragdoll: Ragdoll, settle: number): WalkResult {
  const { world, root, joints } = ragdoll
  const h = world.settings.dt
  const result = { mean: 0, worst: 0, gap: 0, mass: massOf(ragdoll), unsolved: 0, halved: 0 }
  const carried = carriedInertias(ragdoll)
  const start = ragdoll.clip(0)
  let before = start.targets
  let count = 0
  for (let step = 1; step * h <= settle + ragdoll.seconds; step++) {
    const time = Math.max(0, step * h - settle)
    const pose = time === 0 ? start : ragdoll.clip(time)
    root.setTarget(pose.position, pose.orientation)
    joints.forEach((joint, k) => drive(joint, carried[k], pose.targets[k], before[k], h))
    before = pose.targets
    world.step()
    if (time === 0) continue
    result.unsolved += world.report.direct.unsolved
    result.halved += world.report.direct.halved
    joints.forEach((joint, k) => {
      const angle = angleTo(joint, pose.targets[k]) / RADIANS
      result.mean += angle
      result.worst = Math.max(result.worst, angle)
      result.gap = Math.max(result.gap, gapOf(joint))
      count++
    })
  }
  result.mean /= count
  return result
}

const velocity = new Float64Array(3)

function drive({ constraint, maxTorque }: DrivenJoint, inertia: number, target: quat, before: quat, h: number): void {
  rotationBetween(Float64Array.from(target), 0, Float64Array.from(before), 0, velocity, 0)
  const velocityTarget: [number, number, number] = [velocity[0] / h, velocity[1] / h, velocity[2] / h]
  const gains = { stiffness: OMEGA * OMEGA * inertia, damping: 2 * OMEGA * inertia }
  constraint.set({ drive: { ...gains, target, velocityTarget, maxTorque } })
}

/** Inertia about each joint of what hangs on it, at the present pose: Σ m d² and the mean moment of each body [kg m²]. */
function carriedInertias({ joints }: Ragdoll): number[] {
  const pairs = joints.map(({ constraint }) => constraint.bodies as [Body, Body])
  return joints.map(({ constraint }, k) => {
    const [a, b] = pairs[k]
    const pivot = a.toWorld(constraint.def.anchorA as [number, number, number])
    let sum = 0
    const add = (body: Body): void => {
      const { position, moments, mass } = body
      const [x, y, z] = [position[0] - pivot[0], position[1] - pivot[1], position[2] - pivot[2]]
      sum += mass * (x * x + y * y + z * z) + (moments[0] + moments[1] + moments[2]) / 3
      for (const [parent, child] of pairs) if (parent.index === body.index) add(child)
    }
    add(b)
    return sum
  })
}

/** How far a joint is from what its drive wants [rad]. */
function angleTo({ constraint }: DrivenJoint, target: quat): number {
  const { frameA, frameB } = constraint.def
  const [a, b] = constraint.bodies as [Body, Body]
  const wanted = quat.multiply(quat.create(), a.orientation, frameA as quat)
  quat.multiply(wanted, wanted, target)
  const present = quat.multiply(quat.create(), b.orientation, frameB as quat)
  return 2 * acos(Math.min(1, Math.abs(quat.dot(wanted, present))))
}

/** How far the anchors of a joint are apart [m]. */
export function gapOf({ constraint }: DrivenJoint): number {
  const { anchorA, anchorB } = constraint.def
  const [a, b] = constraint.bodies as [Body, Body]
  const p = a.toWorld(anchorA as [number, number, number])
  const q = b.toWorld(anchorB as [number, number, number])
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

function massOf({ bodies }: Ragdoll): number {
  return bodies.reduce((sum, { mass }) => sum + (Number.isFinite(mass) ? mass : 0), 0)
}

export interface ThrowResult {
  /** Largest violation of a limit [°], and the longest that one joint was beyond `SLIGHT` at a stretch [s]. */
  beyond: number
  longest: number
  /** [m] */
  gap: number
  /** Largest speed of the root before the wall, and after it [m/s]. */
  halved: number
  unsolved: number
  /** Nearest that the root came to the wall [m]. */
  nearest: number
}

/** Violation that counts as back inside [°]. */
export const SLIGHT = 0.01
/** Where the wall is along z, how fast the ragdoll is thrown at it [m/s], and how long it is watched [s]. */
const WALL = 1.5
const SPEED = 10
const WATCHED = 3

/** Throws a limp ragdoll against a wall, from where it falls to the floor. */
export function throwAtWall({ world, collisions, bodies, root, joints }: Ragdoll): ThrowResult {
  const h = world.settings.dt
  collisions.addCollider(null, { shape: box([5, 5, 0.5]), position: [0, 0, WALL + 0.5] })
  collisions.addCollider(null, { shape: box([5, 0.5, 5]), position: [0, -0.5, 0] })
  for (const body of bodies) body.setVelocity([0, 1, SPEED])
  const result = { beyond: 0, longest: 0, gap: 0, halved: 0, unsolved: 0, nearest: Infinity }
  const since = joints.map(() => 0)
  for (let step = 1; step * h <= WATCHED; step++) {
    world.step()
    const { direct } = world.report
    result.halved += direct.halved
    result.unsolved += direct.unsolved
    result.nearest = Math.min(result.nearest, WALL - root.position[2])
    joints.forEach((joint, k) => {
      const gap = gapOf(joint)
      result.gap = Math.max(result.gap, gap)
      // What is not a gap is an angle.
      const { error } = joint.constraint
      const angle = error > gap + ROUND_OFF ? error / RADIANS : 0
      result.beyond = Math.max(result.beyond, angle)
      since[k] = angle > SLIGHT ? since[k] + h : 0
      result.longest = Math.max(result.longest, since[k])
    })
  }
  return result
}

/** The gap is measured twice, by the joint and from poses [m]. */
const ROUND_OFF = 1e-12
