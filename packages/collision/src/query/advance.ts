/**
 * When two convex shapes, one of them moving, come within a margin: t in [0, 1] of the way, `Infinity` if they do not.
 *
 *   straight   The distance f of two convex shapes, of which one moves straight on, is a convex function of t with the slope
 *              n·d: n the normal at the nearest points, d the way. Newton's method from the left never passes the first root,
 *              and where the slope is not negative there is none.
 *   turning    For any fixed n no point of a body comes nearer along n faster than −n·d + |n × ω| r, r the distance of its
 *              farthest point from the centre of rotation; so a step of the gap along n over that speed is safe (Mirtich,
 *              "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996: conservative advancement).
 */

import { quaternionFromRotationVector } from '@tautline/core/kernel'
import { closest } from '../detect/narrow/distance.js'
import { coreRadius } from '../detect/narrow/core.js'
import { PLANE, type Shape } from '../shapes/shape.js'
import { support } from '../shapes/support.js'

/**
 * What the narrow phase said of the last poses looked at: unit normal from b to a, the point of a, the point of b, distance;
 * world axes.
 */
export const PAIR: Float64Array = /* @__PURE__ */ new Float64Array(10)

/**
 * How near, as a share of the size of a, is as good as there; what is left of the way is then added from the slope. It is on
 * the safe side of touching, where the normal is well defined.
 */
const NEAR = 1e-7
/** What is within the margin and comes nearer by less than this share of the size of a, which rounding of the normal does, comes no nearer. */
const GRAZE = 1e-9
/** The same as NEAR for what turns. Nothing is added: it ends that far away. */
const NEAR_TURNING = 1e-6

/** Newton's method needs ten at worst, or thirty in a graze, where each step halves what is left. */
const MAX_STEPS = 60
/**
 * Advancement is slow where the bound on speed is far above the speed: for what spins beside a wall. After so many steps along
 * fixed normals, most of them supports alone, a pair counts as struck where it is.
 */
const MAX_TURNING_STEPS = 2000

const movedA = /* @__PURE__ */ new Float64Array(12)
const movedB = /* @__PURE__ */ new Float64Array(12)
const turned = /* @__PURE__ */ new Float64Array(4)
const turn = /* @__PURE__ */ new Float64Array(9)
const direction = /* @__PURE__ */ new Float64Array(3)
const point = /* @__PURE__ */ new Float64Array(3)

/**
 * Shape a at transform A moves straight by `way`, b stands at B. If they begin within the margin, it is at once, unless they
 * do not overlap and come no nearer.
 */
export function advanceStraight(
  a: Shape,
  A: Float64Array,
  way: Float64Array,
  b: Shape,
  B: Float64Array,
  margin: number,
  limit: number,
): number {
  const near = NEAR * a.reach
  movedA.set(A)
  let t = 0
  for (let step = 0; step < MAX_STEPS; step++) {
    for (let k = 0; k < 3; k++) movedA[k] = A[k] + t * way[k]
    const gap = closest(a, movedA, 0, b, B, 0, PAIR)
    const speed = -(PAIR[0] * way[0] + PAIR[1] * way[1] + PAIR[2] * way[2])
    if (step === 0 && gap <= 0) return 0
    if (!(speed > 0)) return Infinity
    const left = gap - margin
    if (left <= near) {
      // It is a convex function: it never shrinks faster than here.
      if (speed * (1 - t) <= GRAZE * a.reach) return Infinity
      const end = t + Math.max(0, left) / speed
      return end <= limit ? end : Infinity
    }
    t += (left - 0.5 * near) / speed
    if (t > limit) return Infinity
  }
  return t
}

/**
 * Both move: `ofA` and `ofB` are nine numbers, the way of the centre of rotation, the rotation vector [rad], and the centre of
 * rotation at the start, world. `reachB` is that of all of which b is a part. A pair that begins within the margin but apart
 * strikes when it is half as far apart.
 */
export function advanceRotating(
  a: Shape,
  A: Float64Array,
  ofA: Float64Array,
  b: Shape,
  B: Float64Array,
  ofB: Float64Array,
  reachB: number,
  margin: number,
  limit: number,
): number {
  const near = NEAR_TURNING * a.reach
  // Turned about its own centre a ball is the same; what is rolled around a core does not reach out with it.
  const rA = a.reach - coreRadius(a) + distanceFromCentre(A, ofA)
  const rB = reachB - coreRadius(b) + distanceFromCentre(B, ofB)
  let t = 0
  let target = margin
  let steps = 0
  while (steps < MAX_TURNING_STEPS) {
    placeAt(A, ofA, t, movedA)
    placeAt(B, ofB, t, movedB)
    const gap = closest(a, movedA, 0, b, movedB, 0, PAIR)
    if (steps === 0) {
      if (gap <= 0) return 0
      if (gap <= margin) target = 0.5 * gap
    }
    if (gap - target <= near) return t
    const speed =
      PAIR[0] * (ofB[0] - ofA[0]) +
      PAIR[1] * (ofB[1] - ofA[1]) +
      PAIR[2] * (ofB[2] - ofA[2]) +
      turningSpeed(ofA, rA) +
      turningSpeed(ofB, rB)
    if (!(speed > 0)) return Infinity
    // Along this normal as long as it is good for more than half of what it was.
    for (let along = gap; along - target > 0.5 * (gap - target) && steps < MAX_TURNING_STEPS; steps++) {
      t += (along - target) / speed
      if (t > limit) return Infinity
      placeAt(A, ofA, t, movedA)
      placeAt(B, ofB, t, movedB)
      along = gapAlongNormal(a, b)
    }
  }
  return t
}

/** How far apart the two are along the normal, where they now are; no more than their distance. */
function gapAlongNormal(a: Shape, b: Shape): number {
  let gap = -highest(a, movedA, -1)
  if (b.kind === PLANE) {
    const { params } = b
    // The normal is its own, as long as it does not turn.
    for (let k = 0; k < 3; k++) gap -= PAIR[k] * movedB[k]
    return gap - params[3]
  }
  gap -= highest(b, movedB, 1)
  return gap
}

/** The greatest n·p of a shape, n the normal times `sign`. */
function highest(shape: Shape, T: Float64Array, sign: number): number {
  let height = 0
  for (let k = 0; k < 3; k++) {
    direction[k] = sign * (T[3 + k] * PAIR[0] + T[6 + k] * PAIR[1] + T[9 + k] * PAIR[2])
    height += sign * T[k] * PAIR[k]
  }
  support(shape, direction, 0, point, 0)
  return height + direction[0] * point[0] + direction[1] * point[1] + direction[2] * point[2]
}

/** From the centre of rotation to the origin of a shape. */
function distanceFromCentre(T: Float64Array, motion: Float64Array): number {
  const x = T[0] - motion[6]
  const y = T[1] - motion[7]
  const z = T[2] - motion[8]
  return Math.sqrt(x * x + y * y + z * z)
}

/** Bound on how fast turning takes a point along the normal. What does not turn may reach without end. */
function turningSpeed(motion: Float64Array, reach: number): number {
  const x = PAIR[1] * motion[5] - PAIR[2] * motion[4]
  const y = PAIR[2] * motion[3] - PAIR[0] * motion[5]
  const z = PAIR[0] * motion[4] - PAIR[1] * motion[3]
  const square = x * x + y * y + z * z
  return square > 0 ? Math.sqrt(square) * reach : 0
}

/** Writes the transform T after the share t of a motion. */
function placeAt(T: Float64Array, motion: Float64Array, t: number, out: Float64Array): void {
  const x = motion[3]
  const y = motion[4]
  const z = motion[5]
  if (x === 0 && y === 0 && z === 0) {
    for (let k = 0; k < 12; k++) out[k] = T[k]
    for (let k = 0; k < 3; k++) out[k] += t * motion[k]
    return
  }
  quaternionFromRotationVector(turned, 0, t * x, t * y, t * z)
  const qx = turned[0]
  const qy = turned[1]
  const qz = turned[2]
  const qw = turned[3]
  turn[0] = 1 - 2 * (qy * qy + qz * qz)
  turn[1] = 2 * (qx * qy - qw * qz)
  turn[2] = 2 * (qx * qz + qw * qy)
  turn[3] = 2 * (qx * qy + qw * qz)
  turn[4] = 1 - 2 * (qx * qx + qz * qz)
  turn[5] = 2 * (qy * qz - qw * qx)
  turn[6] = 2 * (qx * qz - qw * qy)
  turn[7] = 2 * (qy * qz + qw * qx)
  turn[8] = 1 - 2 * (qx * qx + qy * qy)
  for (let i = 0; i < 3; i++) {
    const a = turn[3 * i]
    const b = turn[3 * i + 1]
    const c = turn[3 * i + 2]
    const lever = a * (T[0] - motion[6]) + b * (T[1] - motion[7]) + c * (T[2] - motion[8])
    out[i] = motion[6 + i] + t * motion[i] + lever
    for (let k = 0; k < 3; k++) out[3 + 3 * i + k] = a * T[3 + k] + b * T[6 + k] + c * T[9 + k]
  }
}
