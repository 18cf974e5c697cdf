/** Joints of parts: those of the file, those of an adult, or by the shape of the tree. */

import { difference, fromTo, inverse, size, sum, times, rotated } from './algebra.js'
import { humanJoint } from './anatomy.js'
import { ADULT_MASS, ADULT_STATURE } from './anthropometry.js'
import { alongOf, type Figure, placeOf } from './figure.js'
import type { Matter } from './masses.js'
import type { PartJoint, PartJointKind } from './part-joint.js'

/** Swing and twist of joints of which nothing is said [rad]. */
const SWING = 0.8
const TWIST = 0.5

/** Dynamic joints of the kinds that files have. */
const KINDS: Readonly<Record<string, PartJointKind>> = {
  ball: 'swingTwist',
  hinge: 'hinge',
  universal: 'universal',
  slider: 'slider',
  locked: 'fixed',
}

/** The joint of each part; none of the root's. */
export function jointsOf(figure: Figure, matters: readonly Matter[]): (PartJoint | undefined)[] {
  const inertias = drivenInertias(figure, matters)
  return figure.fold.bones.map((_, part) => {
    const p = figure.fold.parent[part]
    if (p < 0) return undefined
    const [parent, own] = [placeOf(figure, p), placeOf(figure, part)]
    const back = inverse(parent.q)
    const made = ownJoint(figure, part) ?? humanOrPlain(figure, part)
    const { frameA, frameB, ...rest } = made
    const isSlider = made.kind === 'slider'
    return {
      ...rest,
      anchor: rotated(back, difference(own.x, parent.x)),
      frameA: times(back, frameA),
      frameB: times(inverse(own.q), frameB),
      strength: rest.strength * strengthOf(figure, matters),
      inertia: isSlider ? inertias.mass[part] : inertias.moment[part],
    }
  })
}

/** Of muscles against an adult's: couples go with mass and length. */
function strengthOf({ stature }: Figure, matters: readonly Matter[]): number {
  if (stature === 0) return 1
  const mass = matters.reduce((total, matter) => total + matter.mass, 0)
  return (mass / ADULT_MASS) * (stature / ADULT_STATURE)
}

/** What a joint is before it is placed: frames in the skeleton's space. */
type Unplaced = Omit<PartJoint, 'anchor' | 'inertia'>

function ownJoint(figure: Figure, part: number): Unplaced | undefined {
  const row = figure.fold.bones[part]
  const own = figure.skeleton.joints[row]
  if (own === undefined) return undefined
  const frame = times(placeOf(figure, part).q, own.frame)
  return { kind: KINDS[own.kind], frameA: frame, frameB: frame, limits: own.limits, cone: own.cone, strength: Infinity }
}

function humanOrPlain(figure: Figure, part: number): Unplaced {
  const human = humanJoint(figure, part)
  if (human !== undefined) {
    const { frameA, frameB, limits, torque } = human
    return { kind: 'swingTwist', frameA, frameB, limits, cone: false, strength: torque }
  }
  const frame = fromTo([1, 0, 0], alongOf(figure, part), [0, 0, 1])
  const limits = [-SWING, SWING, -SWING, SWING, -TWIST, TWIST]
  return { kind: 'swingTwist', frameA: frame, frameB: frame, limits, cone: false, strength: Infinity }
}

/**
 * Inertia that the drive of each joint moves: that of all that hangs on it about the joint, I, against that of the rest, J, as two wheels on one axle:
 * I J/(I + J). Means of the three directions.
 */
function drivenInertias(figure: Figure, matters: readonly Matter[]): { moment: number[]; mass: number[] } {
  const { fold } = figure
  const n = fold.bones.length
  const centres = matters.map(({ centre }, part) => {
    const { x, q } = placeOf(figure, part)
    return sum(x, rotated(q, centre))
  })
  const below = fold.bones.map((_, part) => {
    const set = new Uint8Array(n)
    set[part] = 1
    for (let k = part + 1; k < n; k++) if (fold.parent[k] >= 0 && set[fold.parent[k]] === 1) set[k] = 1
    return set
  })
  const moment: number[] = []
  const mass: number[] = []
  for (let part = 0; part < n; part++) {
    const pivot = placeOf(figure, part).x
    const sums = [0, 0, 0, 0]
    for (let k = 0; k < n; k++) {
      const side = below[part][k] === 1 ? 0 : 2
      const { moments, mass: m } = matters[k]
      const arm = size(difference(centres[k], pivot))
      // A third of the trace: an arm counts for two of three directions.
      sums[side] += (moments[0] + moments[1] + moments[2] + 2 * m * arm * arm) / 3
      sums[side + 1] += m
    }
    const [I, m, J, rest] = sums
    moment.push(J > 0 ? (I * J) / (I + J) : I)
    mass.push(rest > 0 ? (m * rest) / (m + rest) : m)
  }
  return { moment, mass }
}
