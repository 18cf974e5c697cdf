/** Scenes that all engines run side by side, as plain data, and what is measured of them: from poses alone, the same for all. No DOM. */

import { type BodyData, FLOOR, type JointData, PLAIN, type SceneData, UPRIGHT } from '../../../../bench/rigid/data.js'
import type { View } from '../exhibit.js'

/** Position and quaternion of a body. */
export type Pose = Float64Array

export interface BesideScene {
  readonly id: string
  readonly title: string
  /** What to look at. */
  readonly text: string
  /** What the gap is, in the head of its column. */
  readonly gap: string
  readonly view: View
  readonly data: SceneData
  /** The largest error of the poses [m]. */
  gapOf(poses: readonly Pose[]): number
}

/** Half a link, and its thickness [m]. */
const HALF = 0.22
const THIN = 0.035
const LINK = 0.5

/** A point of a body's frame in the world. */
function inWorld(pose: Pose, [x, y, z]: readonly number[]): [number, number, number] {
  const [px, py, pz, qx, qy, qz, qw] = pose
  const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)]
  return [
    px + x + qw * tx + qy * tz - qz * ty,
    py + y + qw * ty + qz * tx - qx * tz,
    pz + z + qw * tz + qx * ty - qy * tx,
  ]
}

/** How far the two points of the worst joint are apart [m]. */
function jointGap({ joints }: SceneData, poses: readonly Pose[]): number {
  let most = 0
  for (const { a, b, anchorA, anchorB } of joints) {
    const p = a === null ? anchorA : inWorld(poses[a], anchorA)
    const q = inWorld(poses[b], anchorB)
    most = Math.max(most, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]))
  }
  return most
}

/** A chain held at one end, level at first, with a ball so many times as heavy as a link at the other. */
function chain(count: number, ratio: number): SceneData {
  const links = Array.from({ length: count }, (_, k): BodyData => ({
    shape: { kind: 'box', halfExtents: [HALF, THIN, THIN] },
    position: [(2 * k + 1) * HALF, 0, 0],
    orientation: UPRIGHT,
    mass: LINK,
  }))
  const radius = 0.45
  const ball: BodyData = {
    shape: { kind: 'sphere', radius },
    position: [2 * count * HALF + radius, 0, 0],
    orientation: UPRIGHT,
    mass: ratio * LINK,
  }
  const joints = Array.from({ length: count + 1 }, (_, k): JointData => ({
    a: k === 0 ? null : k - 1,
    b: k,
    anchorA: [k === 0 ? 0 : HALF, 0, 0],
    anchorB: [k === count ? -radius : -HALF, 0, 0],
  }))
  return { ...PLAIN, bodies: [...links, ball], joints, touches: false }
}

/** A net of balls that hangs from its upper edge, joined at the middles of its threads. */
function net(side: number): SceneData {
  const [pitch, radius] = [0.5, 0.12]
  const bodies = Array.from({ length: side * side }, (_, k): BodyData => ({
    shape: { kind: 'sphere', radius },
    position: [pitch * (k % side), 0, -pitch * Math.floor(k / side)],
    orientation: UPRIGHT,
    mass: 1,
  }))
  const half = 0.5 * pitch
  const joints = bodies.flatMap(({ position }, k): JointData[] => {
    const [i, j] = [k % side, Math.floor(k / side)]
    const made: JointData[] = []
    if (j === 0) made.push({ a: null, b: k, anchorA: position, anchorB: [0, 0, 0] })
    if (i + 1 < side) made.push({ a: k, b: k + 1, anchorA: [half, 0, 0], anchorB: [-half, 0, 0] })
    if (j + 1 < side) made.push({ a: k, b: k + side, anchorA: [0, 0, -half], anchorB: [0, 0, half] })
    return made
  })
  return { ...PLAIN, bodies, joints, touches: false, linearDamping: 0.1, angularDamping: 0.1 }
}

/** A column of boxes with a heavy one on top. */
function column(count: number, ratio: number): SceneData {
  const half = 0.4
  const bodies = Array.from({ length: count }, (_, k): BodyData => ({
    shape: { kind: 'box', halfExtents: [half, half, half] },
    position: [0, (2 * k + 1) * half, 0],
    orientation: UPRIGHT,
    mass: k === count - 1 ? ratio : 1,
  }))
  return { ...PLAIN, fixed: [FLOOR], bodies }
}

function jointed(scene: Omit<BesideScene, 'gap' | 'gapOf'>): BesideScene {
  return { ...scene, gap: 'Widest gap in a joint', gapOf: (poses) => jointGap(scene.data, poses) }
}

const COLUMN = column(8, 200)

export const BESIDE_SCENES: readonly BesideScene[] = [
  jointed({
    id: 'chain',
    title: 'A chain with a ball a thousand times as heavy',
    text: 'Ten links, level at first, let go. What is held by impulses stretches, and the ball hangs lower.',
    // Room below for what stretches.
    view: { centre: [0, -6.2, 0], radius: 7, half: [5.9, 7], turn: 0.12, tilt: 0.05 },
    data: chain(10, 1000),
  }),
  jointed({
    id: 'net',
    title: 'A net',
    text: 'Eight by eight balls, level at first, held by one edge. Almost every joint closes a loop.',
    view: { centre: [1.75, -1.6, -1], radius: 3.4, turn: 0.4, tilt: 0.1 },
    data: net(8),
  }),
  {
    id: 'column',
    title: 'A column with a heavy top',
    text: 'Eight boxes, the topmost two hundred times as heavy as the others.',
    gap: 'Farthest from its place',
    view: { centre: [0, 3, 0], radius: 3.8, turn: 0.5, tilt: 0.1, floor: 0 },
    data: COLUMN,
    gapOf: (poses) =>
      poses.reduce((most, pose, k) => {
        const { position } = COLUMN.bodies[k]
        return Math.max(most, Math.hypot(pose[0] - position[0], pose[1] - position[1], pose[2] - position[2]))
      }, 0),
  },
]

/** Energy of the poses [J], from where bodies were a step of `dt` [s] ago; turns of solid boxes and balls. */
export function energyOf(
  { bodies, gravity }: SceneData,
  poses: readonly Pose[],
  before: readonly Pose[],
  dt: number,
): number {
  let sum = 0
  bodies.forEach(({ mass, shape }, k) => {
    const [now, then] = [poses[k], before[k]]
    const v2 = [0, 1, 2].reduce((total, axis) => total + ((now[axis] - then[axis]) / dt) ** 2, 0)
    sum += 0.5 * mass * v2 - mass * gravity[1] * now[1]
    // The turn within the step, in the frame of the body: q̄₀ q₁.
    const [x0, y0, z0, w0] = then.subarray(3)
    const [x1, y1, z1, w1] = now.subarray(3)
    const w = w0 * w1 + x0 * x1 + y0 * y1 + z0 * z1
    const sign = (w < 0 ? -2 : 2) / dt
    const turn = [
      sign * (w0 * x1 - x0 * w1 - y0 * z1 + z0 * y1),
      sign * (w0 * y1 - y0 * w1 - z0 * x1 + x0 * z1),
      sign * (w0 * z1 - z0 * w1 - x0 * y1 + y0 * x1),
    ]
    const moments = momentsOf(shape, mass)
    for (let axis = 0; axis < 3; axis++) sum += 0.5 * moments[axis] * turn[axis] ** 2
  })
  return sum
}

function momentsOf(shape: BodyData['shape'], mass: number): readonly [number, number, number] {
  if (shape.kind === 'sphere') {
    const moment = 0.4 * mass * shape.radius ** 2
    return [moment, moment, moment]
  }
  if (shape.kind !== 'box') throw new RangeError(`beside: shape must be a box or a sphere, got ${shape.kind}`)
  const [x, y, z] = shape.halfExtents.map((half) => half * half)
  return [(mass * (y + z)) / 3, (mass * (z + x)) / 3, (mass * (x + y)) / 3]
}
