/** Quaternions [x, y, z, w] in arrays, and where a chain or tree is at given rotations. */

import { acos, atan2, cos, sin } from '@tautline/core/kernel'
import type { Joint, Tree } from '../solver.js'

/** out = a b. */
export function multiply(
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  out: Float64Array,
  k: number,
): void {
  const [ax, ay, az, aw] = [a[i], a[i + 1], a[i + 2], a[i + 3]]
  const [bx, by, bz, bw] = [b[j], b[j + 1], b[j + 2], b[j + 3]]
  out[k] = aw * bx + ax * bw + ay * bz - az * by
  out[k + 1] = aw * by + ay * bw + az * bx - ax * bz
  out[k + 2] = aw * bz + az * bw + ax * by - ay * bx
  out[k + 3] = aw * bw - ax * bx - ay * by - az * bz
}

/** Turns by a rotation vector [rad]. */
export function fromVector(x: number, y: number, z: number): [number, number, number, number] {
  const angle = Math.sqrt(x * x + y * y + z * z)
  const s = angle > 0 ? sin(0.5 * angle) / angle : 0.5
  return [s * x, s * y, s * z, cos(0.5 * angle)]
}

/** out = q v. */
export function rotate(
  q: ArrayLike<number>,
  i: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  k: number,
): void {
  const [a, b, c, w] = [q[i], q[i + 1], q[i + 2], q[i + 3]]
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)]
  out[k] = x + w * tx + b * tz - c * ty
  out[k + 1] = y + w * ty + c * tx - a * tz
  out[k + 2] = z + w * tz + a * ty - b * tx
}

/** World positions of the joints and the end of a chain from the origin, links along x. */
export function chainPositions(links: readonly number[], rotations: Float64Array, out: Float64Array): void {
  const world = new Float64Array(4 * links.length)
  out.fill(0, 0, 3)
  for (let k = 0; k < links.length; k++) {
    if (k === 0) world.set(rotations.subarray(0, 4))
    else multiply(world, 4 * k - 4, rotations, 4 * k, world, 4 * k)
    rotate(world, 4 * k, links[k], 0, 0, out, 3 * k + 3)
    for (let c = 0; c < 3; c++) out[3 * k + 3 + c] += out[3 * k + c]
  }
}

/** World positions of the bones of a tree. */
export function treePositions({ bones }: Tree, rotations: Float64Array, out: Float64Array): void {
  const world = new Float64Array(4 * bones.length)
  bones.forEach(({ parent, position: [x, y, z] }, i) => {
    if (parent < 0) {
      world.set(rotations.subarray(4 * i, 4 * i + 4), 4 * i)
      out.set([x, y, z], 3 * i)
      return
    }
    multiply(world, 4 * parent, rotations, 4 * i, world, 4 * i)
    rotate(world, 4 * parent, x, y, z, out, 3 * i)
    for (let c = 0; c < 3; c++) out[3 * i + c] += out[3 * parent + c]
  })
}

/** How far a rotation is outside what a joint allows [rad]: out of its limits, or about another axis than its own. */
export function violation(joint: Joint, q: ArrayLike<number>, i: number): number {
  const [x, y, z, w] = [q[i], q[i + 1], q[i + 2], q[i + 3]]
  if (joint.kind === 'locked') return angleOf(Math.sqrt(x * x + y * y + z * z), w)
  if (joint.kind === 'universal') {
    // Of R_A(α) R_B(β) = (a sα cβ + b cα sβ + (a × b) sα sβ, cα cβ), halves: sα sβ and cα cβ belong together.
    const [a, b] = [joint.axisA, joint.axisB]
    const onA = a[0] * x + a[1] * y + a[2] * z
    const onB = b[0] * x + b[1] * y + b[2] * z
    const cross = (a[1] * b[2] - a[2] * b[1]) * x + (a[2] * b[0] - a[0] * b[2]) * y + (a[0] * b[1] - a[1] * b[0]) * z
    const sum = atan2(onA + onB, w - cross)
    const difference = atan2(onA - onB, w + cross)
    const [alpha, beta] = [wrap(sum + difference), wrap(sum - difference)]
    // A rotation about a × b that is left over: (w, cross) have not the ratio that α and β give.
    const rest = Math.abs(onA * onB - cross * w)
    return Math.max(2 * rest, outside(joint.limitsA, alpha), outside(joint.limitsB, beta))
  }
  if (joint.kind === 'hinge') {
    const [a, b, c] = joint.axis
    const along = a * x + b * y + c * z
    const [ox, oy, oz] = [x - along * a, y - along * b, z - along * c]
    const off = 2 * Math.sqrt(ox * ox + oy * oy + oz * oz)
    return Math.max(off, outside(joint.limits, wrap(2 * atan2(along, w))))
  }
  if (!('swing' in joint)) return 0
  const swing = angleOf(Math.sqrt(y * y + z * z), Math.sqrt(x * x + w * w))
  return Math.max(0, swing - joint.swing.y.max, outside(joint.twist, wrap(2 * atan2(x, w))))
}

/** Largest violation of a pose [rad]. */
export function worstViolation(joints: readonly Joint[], rotations: Float64Array): number {
  return joints.reduce((worst, joint, i) => Math.max(worst, violation(joint, rotations, 4 * i)), 0)
}

/** Angle of a rotation whose half has this sine and cosine, in [0, π]. */
function angleOf(s: number, c: number): number {
  return 2 * atan2(s, Math.abs(c))
}

function outside({ min, max }: { min: number; max: number }, angle: number): number {
  return Math.max(0, min - angle, angle - max)
}

/** Into [−π, π]. */
function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
}

/** Angle between two vectors in an array [rad]. */
export function angleBetween(u: ArrayLike<number>, i: number, v: ArrayLike<number>, j: number): number {
  let [uv, uu, vv] = [0, 0, 0]
  for (let c = 0; c < 3; c++) {
    uv += u[i + c] * v[j + c]
    uu += u[i + c] * u[i + c]
    vv += v[j + c] * v[j + c]
  }
  return acos(Math.max(-1, Math.min(1, uv / Math.sqrt(uu * vv))))
}

/** Distance of two points in arrays. */
export function distance(u: ArrayLike<number>, i: number, v: ArrayLike<number>, j: number): number {
  const [x, y, z] = [u[i] - v[j], u[i + 1] - v[j + 1], u[i + 2] - v[j + 2]]
  return Math.sqrt(x * x + y * y + z * z)
}
