/** B2: chains with limits; targets are where random poses inside them have the end. */

import type { Joint, Triple } from '../solver.js'
import { type ChainTask, equalLinks, nearlyStraight } from './chain.js'
import { chainPositions, fromVector, multiply } from './kinematics.js'
import { Random } from './random.js'
import { ITERATIONS } from './reach.js'

export const LIMIT_LINKS = [3, 7, 20] as const

const DEGREE = Math.PI / 180
/** Of every cone, both ways [rad]. */
const TWIST = 30 * DEGREE
const Y: Triple = [0, 1, 0]
const Z: Triple = [0, 0, 1]

/** A round cone about the parent's x axis. */
function cone(degrees: number): Joint {
  const range = { min: -degrees * DEGREE, max: degrees * DEGREE }
  return { kind: 'ball', swingShape: 'cone', swing: { y: range, z: range }, twist: { min: -TWIST, max: TWIST } }
}

function hinge(axis: Triple, min: number, max: number): Joint {
  return { kind: 'hinge', axis, limits: { min: min * DEGREE, max: max * DEGREE } }
}

/** What the joints are, from the root on. */
export const LIMIT_SETS = {
  cone30: { text: 'cones of 30°, twist ±30°', joint: () => cone(30) },
  cone60: { text: 'cones of 60°, twist ±30°', joint: () => cone(60) },
  hinges: { text: 'hinges about y and z in turns, ±60°', joint: (k: number) => hinge(k % 2 === 0 ? Y : Z, -60, 60) },
  limbs: {
    text: 'cones of 60° and hinges 0…120° in turns',
    joint: (k: number) => (k % 2 === 0 ? cone(60) : hinge(Y, 0, 120)),
  },
} as const

export type LimitSet = keyof typeof LIMIT_SETS

const SEED = 23

export function limitTask(set: LimitSet, n: number, targets: number): ChainTask {
  const random = new Random(SEED + n)
  const links = equalLinks(n)
  const joints = links.map((_, k) => LIMIT_SETS[set].joint(k))
  const pose = new Float64Array(4 * n)
  const positions = new Float64Array(3 * n + 3)
  const ends = Array.from({ length: targets }, () => {
    joints.forEach((joint, k) => pose.set(inside(joint, random), 4 * k))
    chainPositions(links, pose, positions)
    return [...positions.subarray(3 * n)]
  })
  return {
    name: `${set}-${n}`,
    text: `${n} links, ${LIMIT_SETS[set].text}, ${targets} targets of poses inside, ${ITERATIONS} iterations`,
    links,
    joints,
    start: startInside(joints, random),
    targets: Float64Array.from(ends.flat()),
    iterations: ITERATIONS,
  }
}

/** A rotation that a joint allows, uniform in its coordinates. */
export function inside(joint: Joint, random: Random): [number, number, number, number] {
  if (joint.kind === 'locked') return [0, 0, 0, 1]
  if (joint.kind === 'hinge') return about(joint.axis, random.between(joint.limits.min, joint.limits.max))
  if (joint.kind === 'universal') {
    const first = about(joint.axisA, random.between(joint.limitsA.min, joint.limitsA.max))
    return product(first, about(joint.axisB, random.between(joint.limitsB.min, joint.limitsB.max)))
  }
  if (!('swing' in joint)) return fromVector(...random.inBall(Math.PI))
  const [y, z] = random.inDisc(joint.swing.y.max)
  return product(fromVector(0, y, z), fromVector(random.between(joint.twist.min, joint.twist.max), 0, 0))
}

/** Nearly straight; hinges bent by 0.05 rad or less, to the side that they allow. */
function startInside(joints: readonly Joint[], random: Random): Float64Array {
  const start = nearlyStraight(joints.length, random)
  joints.forEach((joint, k) => {
    if (joint.kind !== 'hinge') return
    const angle = Math.max(joint.limits.min, random.between(-0.05, 0.05))
    start.set(about(joint.axis, angle), 4 * k)
  })
  return start
}

export function about([x, y, z]: Triple, angle: number): [number, number, number, number] {
  return fromVector(angle * x, angle * y, angle * z)
}

function product(a: readonly number[], b: readonly number[]): [number, number, number, number] {
  const out = new Float64Array(4)
  multiply(a, 0, b, 0, out, 0)
  return [out[0], out[1], out[2], out[3]]
}
