/**
 * An adult as bodies and joints: the anthropometric table put together in a T-pose.
 *
 * World and, in the anatomical position, every body: x to the left of the person, y up, z to the front. Limbs hang along −y
 * of their body; feet point along z. The person stands on y = 0 with the hips over the origin.
 *
 * A joint's frame has its twist axis along x, away from the trunk (up the spine, along the foot); y is chosen so that
 * bending the joint the way it mostly goes is positive. Ranges and poses are swing y, swing z, twist x, in degrees.
 *
 * Not in a table, and chosen here: radii for contact and drawing, the heel a quarter of a foot behind the ankle, the play of
 * joints that a table gives one motion only, strengths of the drives (of the order of what adults bring about).
 */

import { scaled, type SegmentName, SHARES, SHOULDER_DROP, MEAN_STATURE } from './anthropometry.js'
import { type Range, RANGES } from './joint-ranges.js'

export type Vector = readonly [number, number, number]

/** A part of the body, in the T-pose. */
export interface Part {
  readonly name: string
  /** [kg] */
  readonly mass: number
  /** About x, y, z of the body [kg m²]. */
  readonly inertia: Vector
  /** Centre of mass [m]. */
  readonly position: Vector
  /** Turn about z that brings it from the anatomical position to the T-pose, in quarters. */
  readonly quarters: number
  /** Ends of its axis, in body space [m]. */
  readonly from: Vector
  readonly to: Vector
  /** [m] */
  readonly radius: number
}

/** Swing y, swing z and twist [°]. */
export interface Angles {
  readonly y: number
  readonly z: number
  readonly x: number
}

export interface Joint {
  readonly name: string
  readonly a: string
  readonly b: string
  /** In the T-pose [m]. */
  readonly point: Vector
  /** Twist axis and y axis of the joint's frame, with b in the pose that counts as zero. */
  readonly twistAxis: Vector
  readonly yAxis: Vector
  /** [°] */
  readonly ranges: { readonly y: Range; readonly z: Range; readonly x: Range }
  /** Stiffness [N m/rad], damping [N m s/rad], largest couple [N m]. */
  readonly drive: { readonly stiffness: number; readonly damping: number; readonly maxTorque: number }
  /** On a chair, hands on the thighs. */
  readonly seated: Angles
}

export interface Adult {
  readonly parts: readonly Part[]
  readonly joints: readonly Joint[]
}

/** Radii, shares of stature. */
const RADII: Readonly<Record<SegmentName, number>> = {
  head: 0.05,
  thorax: 0.07,
  abdomen: 0.065,
  pelvis: 0.07,
  upperArm: 0.026,
  forearm: 0.021,
  hand: 0.012,
  thigh: 0.042,
  shank: 0.029,
  foot: 0.018,
}

/** Play of a motion that a joint does not have [°]. */
const PLAY: Range = { min: -2, max: 2 }

/** Swing and twist in the zero pose. */
const ZERO: Angles = { y: 0, z: 0, x: 0 }

const UP: Vector = [0, 1, 0]
const DOWN: Vector = [0, -1, 0]
const LEFT: Vector = [1, 0, 0]
const RIGHT: Vector = [-1, 0, 0]
const FRONT: Vector = [0, 0, 1]

/** Parts and joints of an adult of a stature [m] and mass [kg]. */
export function adult(stature: number, mass: number): Adult {
  const of = (name: SegmentName) => scaled(name, stature, mass)
  const parts: Part[] = []
  const joints: Joint[] = []

  /** A part whose axis runs along y from its first end at `top`, after the turn. */
  const add = (name: string, segment: SegmentName, top: Vector, quarters = 0): Vector => {
    const { length, center, mass: m, transverse, longitudinal, sagittal } = of(segment)
    const down: Vector = quarters === 0 ? DOWN : [quarters, 0, 0]
    parts.push({
      name,
      mass: m,
      inertia: [transverse, longitudinal, sagittal],
      position: along(top, down, center),
      quarters,
      from: [0, center, 0],
      to: [0, center - length, 0],
      radius: RADII[segment] * stature,
    })
    return along(top, down, length)
  }

  const ankleHeight = SHARES.ankleHeight * stature
  const hipHeight = ankleHeight + of('shank').length + of('thigh').length
  const waist = hipHeight + of('pelvis').length
  const chest = waist + of('abdomen').length
  const neck = chest + of('thorax').length
  add('pelvis', 'pelvis', [0, waist, 0])
  add('abdomen', 'abdomen', [0, chest, 0])
  add('thorax', 'thorax', [0, neck, 0])
  add('head', 'head', [0, neck + of('head').length, 0])

  const { spine, neck: cervical } = RANGES
  const half = ({ min, max }: Range): Range => ({ min: min / 2, max: max / 2 })
  const spinal = {
    twistAxis: UP,
    yAxis: LEFT,
    ranges: { y: half(spine.flexion), z: half(spine.lateral), x: half(spine.rotation) },
    drive: { stiffness: 800, damping: 40, maxTorque: 250 },
    seated: ZERO,
  }
  joints.push({ name: 'waist', a: 'pelvis', b: 'abdomen', point: [0, waist, 0], ...spinal })
  joints.push({ name: 'chest', a: 'abdomen', b: 'thorax', point: [0, chest, 0], ...spinal })
  joints.push({
    name: 'neck',
    a: 'thorax',
    b: 'head',
    point: [0, neck, 0],
    twistAxis: UP,
    yAxis: LEFT,
    ranges: { y: cervical.flexion, z: cervical.lateral, x: cervical.rotation },
    drive: { stiffness: 120, damping: 6, maxTorque: 40 },
    seated: ZERO,
  })

  for (const side of [1, -1] as const) {
    const name = (part: string): string => `${side === 1 ? 'left' : 'right'} ${part}`
    // What goes outward on the left goes the other way about the same axis on the right.
    const mirrored = ({ min, max }: Range): Range => (side === 1 ? { min, max } : { min: -max, max: -min })
    const opposed = ({ min, max }: Range): Range => mirrored({ min: -max, max: -min })

    const shoulder: Vector = [side * SHARES.halfShoulders * stature, neck - (SHOULDER_DROP / MEAN_STATURE) * stature, 0]
    const elbow = add(name('upper arm'), 'upperArm', shoulder, side)
    const wrist = add(name('forearm'), 'forearm', elbow, side)
    add(name('hand'), 'hand', wrist, side)
    const hip: Vector = [side * SHARES.halfHips * stature, hipHeight, 0]
    const knee = add(name('thigh'), 'thigh', hip)
    const ankle = add(name('shank'), 'shank', knee)
    parts.push(foot(name('foot'), ankle, stature, mass))

    const { abduction } = RANGES.shoulder
    joints.push({
      name: name('shoulder'),
      a: 'thorax',
      b: name('upper arm'),
      point: shoulder,
      // Zero is the T-pose: swing y to the front, swing z down.
      twistAxis: side === 1 ? LEFT : RIGHT,
      yAxis: side === 1 ? DOWN : UP,
      ranges: {
        y: RANGES.shoulder.horizontal,
        z: { min: 90 - abduction.max, max: 90 - abduction.min },
        x: opposed(RANGES.shoulder.rotation),
      },
      drive: { stiffness: 200, damping: 10, maxTorque: 90 },
      seated: { y: 40, z: 65, x: 0 },
    })
    const { flexion, rotation } = RANGES.elbow
    joints.push({
      name: name('elbow'),
      a: name('upper arm'),
      b: name('forearm'),
      point: elbow,
      twistAxis: DOWN,
      yAxis: RIGHT,
      // The anatomical position is full supination: pronation counts from there.
      ranges: { y: flexion, z: PLAY, x: mirrored({ min: 0, max: rotation.max - rotation.min }) },
      drive: { stiffness: 100, damping: 4, maxTorque: 60 },
      seated: { y: 50, z: 0, x: side * 80 },
    })
    joints.push({
      name: name('wrist'),
      a: name('forearm'),
      b: name('hand'),
      point: wrist,
      twistAxis: DOWN,
      yAxis: RIGHT,
      ranges: { y: RANGES.wrist.flexion, z: mirrored(RANGES.wrist.deviation), x: PLAY },
      drive: { stiffness: 20, damping: 0.5, maxTorque: 12 },
      seated: ZERO,
    })
    joints.push({
      name: name('hip'),
      a: 'pelvis',
      b: name('thigh'),
      point: hip,
      twistAxis: DOWN,
      yAxis: RIGHT,
      ranges: { y: RANGES.hip.flexion, z: opposed(RANGES.hip.abduction), x: opposed(RANGES.hip.rotation) },
      drive: { stiffness: 1000, damping: 60, maxTorque: 250 },
      seated: { y: 90, z: 0, x: 0 },
    })
    joints.push({
      name: name('knee'),
      a: name('thigh'),
      b: name('shank'),
      point: knee,
      twistAxis: DOWN,
      yAxis: LEFT,
      ranges: { y: RANGES.knee.flexion, z: PLAY, x: PLAY },
      drive: { stiffness: 500, damping: 25, maxTorque: 200 },
      seated: { y: 90, z: 0, x: 0 },
    })
    joints.push({
      name: name('ankle'),
      a: name('shank'),
      b: name('foot'),
      point: ankle,
      twistAxis: FRONT,
      yAxis: RIGHT,
      ranges: { y: RANGES.ankle.flexion, z: PLAY, x: opposed(RANGES.ankle.inversion) },
      drive: { stiffness: 150, damping: 4, maxTorque: 120 },
      seated: ZERO,
    })
  }
  return { parts, joints }
}

/** Its axis lies along z, half the ankle's height above the sole. */
function foot(name: string, ankle: Vector, stature: number, mass: number): Part {
  const { length, center, mass: m, sagittal, transverse, longitudinal } = scaled('foot', stature, mass)
  const heel: Vector = [ankle[0], 0.5 * ankle[1], ankle[2] - 0.25 * length]
  return {
    name,
    mass: m,
    inertia: [transverse, sagittal, longitudinal],
    position: along(heel, FRONT, center),
    quarters: 0,
    from: [0, 0, -center],
    to: [0, 0, length - center],
    radius: RADII.foot * stature,
  }
}

function along(point: Vector, direction: Vector, distance: number): Vector {
  return [point[0] + distance * direction[0], point[1] + distance * direction[1], point[2] + distance * direction[2]]
}
