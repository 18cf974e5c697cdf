/** A figure of capsules that is led through a walk on a circle: its feet stay on the floor, y = 0. */

import { capsule, type Collisions, sphere } from '@tautline/collision'
import type { Body } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import type { quat, vec3 } from 'gl-matrix'

/** Radius and half length of a capsule, a sphere where there is no length [m]. */
export type Size = readonly [radius: number, half: number]

/** A figure that walks. */
export interface Walker {
  readonly trunk: Body
  readonly parts: readonly { readonly body: Body; readonly size: Size }[]
  /** Leads it on by a step of `dt` [s] at a speed [m/s]. */
  walk(dt: number, speed: number): void
}

const TRUNK: Size = [0.15, 0.2]
const NECK: Size = [0.06, 0.06]
const HEAD: Size = [0.115, 0]
const UPPER_ARM: Size = [0.05, 0.12]
const FOREARM: Size = [0.042, 0.12]
const THIGH: Size = [0.075, 0.19]
const SHIN: Size = [0.055, 0.2]
const FOOT: Size = [0.05, 0.07]
/** From the hips up: middle of the trunk, neck, head, shoulders; aside: shoulders and hips [m]. */
const [CHEST, THROAT, SKULL, SHOULDER] = [0.3, 0.62, 0.77, 0.48]
const [ARM_ASIDE, LEG_ASIDE] = [0.22, 0.1]
/** Of a double step [m]. */
const STRIDE = 1.5
/** At which the first step is taken [m/s²]. */
const START = 2

/** Where a part is in the figure: from the hips [m], and how far it is swung forward about x [rad]. */
type Pose = readonly [x: number, y: number, z: number, swing: number]

/** A bone that hangs down from a joint, swung forward, and the joint at its end. */
function hang(x: number, y: number, z: number, half: number, swing: number): { pose: Pose; end: [number, number] } {
  const [dy, dz] = [-half * cos(swing), half * sin(swing)]
  return { pose: [x, y + dy, z + dz, swing], end: [y + 2 * dy, z + 2 * dz] }
}

/** Thigh, shin and foot of a leg at a phase of the walk [rad]; `reach` of 1 is a full stride. */
function leg(x: number, phase: number, reach: number): Pose[] {
  const swing = 0.45 * reach * sin(phase)
  // The knee bends while the leg goes forward.
  const lift = Math.max(0, cos(phase))
  const thigh = hang(x, 0, 0, THIGH[1], swing)
  const bent = swing - 0.08 - 0.95 * reach * lift * lift
  const shin = hang(x, ...thigh.end, SHIN[1], bent)
  const [y, z] = shin.end
  return [thigh.pose, shin.pose, [x, y - 0.02, z + FOOT[1], 0.5 * Math.PI + 0.5 * bent]]
}

function arm(x: number, phase: number, reach: number): Pose[] {
  const swing = 0.4 * reach * sin(phase)
  const upper = hang(x, SHOULDER, 0, UPPER_ARM[1], swing)
  return [upper.pose, hang(x, ...upper.end, FOREARM[1], swing + 0.25 + 0.25 * reach).pose]
}

/** All parts at a phase, in the order of `SIZES`. */
function posesAt(phase: number, reach: number): Pose[] {
  return [
    [0, CHEST, 0, 0],
    [0, THROAT, 0, 0],
    [0, SKULL, 0.01, 0],
    ...arm(ARM_ASIDE, phase, reach),
    ...arm(-ARM_ASIDE, phase + Math.PI, reach),
    ...leg(-LEG_ASIDE, phase, reach),
    ...leg(LEG_ASIDE, phase + Math.PI, reach),
  ]
}

const SIZES: readonly Size[] = [
  TRUNK,
  NECK,
  HEAD,
  UPPER_ARM,
  FOREARM,
  UPPER_ARM,
  FOREARM,
  THIGH,
  SHIN,
  FOOT,
  THIGH,
  SHIN,
  FOOT,
]

/** Makes a figure that walks on a circle of a radius [m] about the origin; it begins at x = −radius, towards z. */
export function addWalker(collisions: Collisions, radius: number): Walker {
  let [way, speed, phase] = [0, 0, 0]
  const place = (): [vec3, quat][] => {
    const poses = posesAt(phase, Math.min(1, speed))
    const hips = -Math.min(...poses.map(([, y], k) => y - SIZES[k][0]))
    const heading = way / radius
    const [c, s] = [cos(heading), sin(heading)]
    const [ch, sh] = [cos(0.5 * heading), sin(0.5 * heading)]
    return poses.map(([x, y, z, swing]) => {
      const [cs, ss] = [cos(-0.5 * swing), sin(-0.5 * swing)]
      return [
        [c * (x - radius) + s * z, hips + y, c * z - s * (x - radius)],
        [ch * ss, sh * cs, -sh * ss, ch * cs],
      ]
    })
  }
  const parts = place().map(([position, orientation], k) => {
    const size = SIZES[k]
    const shape = size[1] === 0 ? sphere(size[0]) : capsule(size[0], size[1])
    return { size, body: collisions.addBody({ shape, type: 'kinematic', position, orientation, friction: 0.3 }) }
  })
  return {
    trunk: parts[0].body,
    parts,
    walk(dt, wanted) {
      speed += Math.max(-START * dt, Math.min(START * dt, wanted - speed))
      way += speed * dt
      phase += (2 * Math.PI * speed * dt) / STRIDE
      place().forEach((pose, k) => parts[k].body.setTarget(...pose))
    },
  }
}
