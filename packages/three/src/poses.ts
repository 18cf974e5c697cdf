/** Where bodies are between two steps, and where that is in the space of an object of three. Nothing here allocates. */

import { type BodyColumns, rotateVector, rotationBetween, turn } from '@tautline/core'
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three'

/** Numbers of a pose: x, y, z, then a unit quaternion. */
export const POSE = 7

const turned = /* @__PURE__ */ new Float64Array(3)
const quad = /* @__PURE__ */ new Float64Array(4)

/**
 * Writes the pose of row `i`, at `alpha` from its start of the last step (0) to its end (1), to out[o…o + 6]: along the line,
 * and about the shortest turn at constant speed.
 */
export function writePose(c: BodyColumns, i: number, alpha: number, out: Float64Array, o: number): void {
  const p = 4 * i
  if (alpha === 1) {
    for (let k = 0; k < 3; k++) out[o + k] = c.position[p + k]
    for (let k = 0; k < 4; k++) out[o + 3 + k] = c.orientation[p + k]
    return
  }
  writePosition(c, i, alpha, out, o)
  rotationBetween(c.orientation, p, c.previousOrientation, p, turned, 0)
  for (let k = 0; k < 4; k++) quad[k] = c.previousOrientation[p + k]
  turn(quad, 0, alpha * turned[0], alpha * turned[1], alpha * turned[2])
  for (let k = 0; k < 4; k++) out[o + 3 + k] = quad[k]
}

/** Position alone, as {@link writePose}. */
export function writePosition(c: BodyColumns, i: number, alpha: number, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    const from = c.previousPosition[3 * i + k]
    const to = c.position[4 * i + k]
    out[o + k] = alpha === 1 ? to : from + alpha * (to - from)
  }
}

/** out ← p ∘ q, poses of seven numbers; `out` may be either. */
export function composePoses(
  p: Float64Array,
  o: number,
  q: Float64Array,
  u: number,
  out: Float64Array,
  k: number,
): void {
  rotateVector(p, o + 3, q[u], q[u + 1], q[u + 2], turned, 0)
  const x = p[o] + turned[0]
  const y = p[o + 1] + turned[1]
  const z = p[o + 2] + turned[2]
  const ax = p[o + 3]
  const ay = p[o + 4]
  const az = p[o + 5]
  const aw = p[o + 6]
  const bx = q[u + 3]
  const by = q[u + 4]
  const bz = q[u + 5]
  const bw = q[u + 6]
  out[k] = x
  out[k + 1] = y
  out[k + 2] = z
  out[k + 3] = aw * bx + ax * bw + ay * bz - az * by
  out[k + 4] = aw * by - ax * bz + ay * bw + az * bx
  out[k + 5] = aw * bz + ax * by - ay * bx + az * bw
  out[k + 6] = aw * bw - ax * bx - ay * by - az * bz
}

/** out ← p⁻¹. */
export function invertPose(p: Float64Array, out: Float64Array): void {
  const x = p[0]
  const y = p[1]
  const z = p[2]
  for (let k = 3; k < 6; k++) out[k] = -p[k]
  out[6] = p[6]
  rotateVector(out, 3, -x, -y, -z, turned, 0)
  for (let k = 0; k < 3; k++) out[k] = turned[k]
}

const worldPosition = /* @__PURE__ */ new Vector3()
const worldTurn = /* @__PURE__ */ new Quaternion()
const worldScale = /* @__PURE__ */ new Vector3()

/** The world pose of an object as it stands, parents included; its scale is left out. */
export function writeObjectPose(object: Object3D, out: Float64Array): void {
  object.updateWorldMatrix(true, false)
  object.matrixWorld.decompose(worldPosition, worldTurn, worldScale)
  worldPosition.toArray(out as unknown as number[], 0)
  worldTurn.toArray(out as unknown as number[], 3)
}

/** The way from the world into the space of an object. Kept for one object after another with the same parent. */
export class Space {
  /** Whether it is the world's. */
  isWorld = true
  /** From the world to it. */
  readonly inverse: Matrix4 = new Matrix4()
  /** Turn from the world to it. */
  readonly unturn: Quaternion = new Quaternion()

  /** Takes the space of an object, as its parents stand now; `null` is the world. */
  enter(object: Object3D | null): this {
    this.isWorld = true
    if (object === null) return this
    object.updateWorldMatrix(true, false)
    if (isIdentity(object.matrixWorld.elements)) return this
    this.isWorld = false
    this.inverse.copy(object.matrixWorld).invert()
    object.matrixWorld.decompose(worldPosition, this.unturn, worldScale)
    this.unturn.conjugate()
    return this
  }

  /** x ← its place in this space, of `count` points of three numbers from `o` on. */
  points(x: Float64Array, o: number, count: number): void {
    if (this.isWorld) return
    const e = this.inverse.elements
    for (let i = o; i < o + 3 * count; i += 3) {
      const a = x[i]
      const b = x[i + 1]
      const c = x[i + 2]
      x[i] = e[0] * a + e[4] * b + e[8] * c + e[12]
      x[i + 1] = e[1] * a + e[5] * b + e[9] * c + e[13]
      x[i + 2] = e[2] * a + e[6] * b + e[10] * c + e[14]
    }
  }
}

function isIdentity(e: ArrayLike<number>): boolean {
  for (let k = 0; k < 16; k++) if (e[k] !== (k % 5 === 0 ? 1 : 0)) return false
  return true
}
