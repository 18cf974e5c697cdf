/** Random rigs and poses. */

import { quaternionFromRotationVector, rotateVectorInverse, rotate } from '@tautline/core/kernel'
import { Random } from '../../../core/test/support/random.js'
import { writeCoordinates } from '../../src/coordinates.js'
import type { Pose } from '../../src/index.js'
import { type BoneDef, type JointDef, Rig } from '../../src/index.js'
import { BALL, FREE, FREEDOMS } from '../../src/joints.js'
import { Kinematics } from '../../src/kinematics.js'

export const KINDS = ['ball', 'hinge', 'universal', 'slider', 'locked'] as const

function unit(random: Random): [number, number, number] {
  for (;;) {
    const [x, y, z] = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)]
    const length = Math.hypot(x, y, z)
    if (length > 0.2 && length < 1) return [x / length, y / length, z / length]
  }
}

/** A joint of a kind with axes at random, limited or not. */
export function randomJoint(random: Random, kind: (typeof KINDS)[number], limited: boolean): JointDef {
  const axis = unit(random)
  const range = limited ? { min: random.between(-1.2, -0.1), max: random.between(0.1, 1.2) } : {}
  if (kind === 'hinge' || kind === 'slider') return { kind, axis, limits: range }
  if (kind === 'universal') {
    const other = unit(random)
    const along = axis[0] * other[0] + axis[1] * other[1] + axis[2] * other[2]
    const across = other.map((x, k) => x - along * axis[k])
    const length = Math.hypot(...across)
    const axisB = across.map((x) => x / length) as [number, number, number]
    return { kind, axisA: axis, axisB, limitsA: range, limitsB: range }
  }
  if (kind === 'locked') return { kind }
  if (!limited) return { kind, axis }
  const shape = random.chance(0.5) ? 'cone' : 'pyramid'
  const swing = { y: range, z: { min: random.between(-1.2, -0.1), max: random.between(0.1, 1.2) } }
  return { kind, axis, swing, swingShape: shape, twist: { min: random.between(-1, -0.1), max: random.between(0.1, 1) } }
}

/** A tree of bones with joints of all kinds. */
export function randomRig(seed: number, count: number, limited: boolean): Rig {
  const random = new Random(seed)
  const bones: BoneDef[] = []
  for (let i = 0; i < count; i++) {
    const [x, y, z] = unit(random)
    const length = random.between(0.1, 0.5)
    const turned = new Float64Array(4)
    quaternionFromRotationVector(turned, 0, random.between(-2, 2), random.between(-2, 2), random.between(-2, 2))
    bones.push({
      name: `bone ${i}`,
      // Mostly a chain, with branches.
      parent: i === 0 ? null : random.chance(0.7) ? i - 1 : random.below(i),
      position: i === 0 ? [0, 0, 0] : [length * x, length * y, length * z],
      rotation: Array.from(turned) as [number, number, number, number],
      tip: [0.3 * y, 0.3 * z, 0.3 * x],
      joint: randomJoint(random, KINDS[i === 0 ? 0 : random.below(KINDS.length)], limited),
    })
  }
  return Rig.from(bones)
}

/** A random pose that its joints allow, limits aside. */
export function randomPose(rig: Rig, seed: number, size = 1): Pose {
  const random = new Random(seed)
  const kinematics = new Kinematics(rig)
  const { pose, kinds, coordinates } = kinematics
  for (let i = 0; i < rig.count; i++) {
    if (kinds[i] === BALL || kinds[i] === FREE) {
      rotate(
        pose.rotations,
        4 * i,
        size * random.between(-1, 1),
        size * random.between(-1, 1),
        size * random.between(-1, 1),
      )
    }
    for (let c = 0; c < 2; c++) coordinates[2 * i + c] = size * random.between(-1, 1)
    if (FREEDOMS[kinds[i]] === 1) coordinates[2 * i + 1] = 0
    writeCoordinates(rig, i, kinds[i], pose, coordinates, kinematics.stretch, false)
  }
  return pose
}

/** Moves one degree of freedom of a pose by `amount`, in place. */
export function nudge(kinematics: Kinematics, freedom: number, amount: number): void {
  const { rig, bone, firstFreedom, kinds, pose, coordinates, axes, world } = kinematics
  const i = bone[freedom]
  const c = freedom - firstFreedom[i]
  const [x, y, z] = [0, 1, 2].map((k) => amount * axes[3 * freedom + k])
  if (kinds[i] === BALL || kinds[i] === FREE) {
    if (kinds[i] === FREE && c < 3) {
      pose.positions[3 * i + c] += amount
      return
    }
    const local = Float64Array.of(x, y, z)
    const p = rig.parent[i]
    if (p >= 0) rotateVectorInverse(world.rotations, 4 * p, x, y, z, local, 0)
    rotate(pose.rotations, 4 * i, local[0], local[1], local[2])
    return
  }
  coordinates[2 * i + c] += amount
  writeCoordinates(rig, i, kinds[i], pose, coordinates, kinematics.stretch, false)
}
