/**
 * Whether two shapes that move and turn overlap on their way between two poses: conservative advancement (Mirtich 1996) by the manifolds of the
 * narrow phase, so that it needs what the shapes have brought along anyway.
 *
 * A manifold of two convex parts with gap s along n closes no faster than −n·d + Σ θ r, for a relative displacement d, turns θ and distances r of the
 * farthest points from the centres. Parts that are not listed are farther apart than the remaining motion.
 */

import { quaternionFromRotationVector } from '@tautline/core/kernel'
import type { ColliderRecord } from '../state/collider.js'
import { type PoseColumns, writePose } from '../state/colliders.js'
import { SPHERE, type Shape } from '../shapes/shape.js'
import { collide } from './narrow/collide.js'
import { ManifoldList } from './narrow/manifold.js'
import { composeTransforms } from './narrow/relative.js'

/** Overlaps that nowhere get deeper than this share of the smaller shape's inner radius may be missed. It ends the approach to a graze. */
const SHALLOW = 1e-3
/** Poses of one way at most: beyond, in a graze along a mesh, the two count as touching. */
const MAX_POSES = 200

const pose = /* @__PURE__ */ new Float64Array(12)
const turn = /* @__PURE__ */ new Float64Array(4)
const between: PoseColumns = {
  position: /* @__PURE__ */ new Float64Array(4),
  orientation: /* @__PURE__ */ new Float64Array(4),
}
const list = /* @__PURE__ */ new ManifoldList()

/** A collider on its way from one pose of its body to another. */
export class Way {
  shape: Shape | undefined
  /** Pose of the shape after the share that was last asked for. */
  readonly transform: Float64Array = new Float64Array(12)
  /** Displacement of the centre of mass [m], and how far turning may take a point of the shape besides [m]. */
  readonly displacement: Float64Array = new Float64Array(3)
  sway = 0
  private local: Float64Array = new Float64Array(12)
  private readonly from = new Float64Array(7)
  private readonly turn = new Float64Array(3)

  /** Sets the way of a collider whose body goes from `from[i]` by a displacement [m] and a rotation vector [rad]. */
  set({ shape, local }: ColliderRecord, from: PoseColumns, i: number, motion: Float64Array): void {
    this.shape = shape
    this.local = local
    for (let k = 0; k < 3; k++) {
      this.from[k] = from.position[4 * i + k]
      this.displacement[k] = motion[k]
      this.turn[k] = motion[3 + k]
    }
    for (let k = 0; k < 4; k++) this.from[3 + k] = from.orientation[4 * i + k]
    const [x, y, z] = this.turn
    const angle = Math.sqrt(x * x + y * y + z * z)
    const offset = Math.sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2])
    // A plane reaches without end.
    this.sway = angle === 0 ? 0 : angle * (shape.kind === SPHERE ? offset : offset + shape.reach)
  }

  /** Places the shape after the share t of its way. */
  place(t: number): void {
    const { from, turn: v, displacement } = this
    const { position: x, orientation: q } = between
    for (let k = 0; k < 3; k++) x[k] = from[k] + t * displacement[k]
    quaternionFromRotationVector(turn, 0, t * v[0], t * v[1], t * v[2])
    const [a, b, c, w] = turn
    const d = from[3]
    const e = from[4]
    const f = from[5]
    const g = from[6]
    q[0] = w * d + a * g + b * f - c * e
    q[1] = w * e + b * g + c * d - a * f
    q[2] = w * f + c * g + a * e - b * d
    q[3] = w * g - a * d - b * e - c * f
    writePose(between, 0, pose)
    composeTransforms(pose, 0, this.local, 0, this.transform, 0)
  }
}

/** Whether two colliders overlap anywhere on their ways. `inner` is the inner radius of the smaller one [m]. */
export function crosses(a: Way, b: Way, inner: number): boolean {
  const shapeA = a.shape as Shape
  const shapeB = b.shape as Shape
  const d = a.displacement
  const e = b.displacement
  const x = d[0] - e[0]
  const y = d[1] - e[1]
  const z = d[2] - e[2]
  const sway = a.sway + b.sway
  const fastest = Math.sqrt(x * x + y * y + z * z) + sway
  const isConvex = hasConvexParts(shapeA) && hasConvexParts(shapeB)
  const shallow = SHALLOW * inner
  let t = 0
  for (let count = 0; count < MAX_POSES; count++) {
    a.place(t)
    b.place(t)
    list.clear()
    collide(shapeA, a.transform, 0, shapeB, b.transform, 0, (1 - t) * fastest, list)
    let step = Infinity
    for (let k = 0; k < list.count; k++) {
      const { count: points, separation, normal: n } = list.items[k]
      const speed = isConvex ? sway - (n[0] * x + n[1] * y + n[2] * z) : fastest
      for (let i = 0; i < points; i++) {
        if (separation[i] <= 0) return true
        if (speed > 0) step = Math.min(step, (separation[i] + shallow) / speed)
      }
    }
    t += step
    if (!(t < 1)) return false
  }
  return true
}

/** Whether a shape is convex or made of convex parts. */
function hasConvexParts({ mesh, heightfield }: Shape): boolean {
  return mesh === null && heightfield === null
}
