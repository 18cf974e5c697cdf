/** Where objects of three are in the world, and the way into their spaces. Nothing here allocates, but a space when it is made. */

import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three'

const worldPosition = /* @__PURE__ */ new Vector3()
const worldTurn = /* @__PURE__ */ new Quaternion()
const worldScale = /* @__PURE__ */ new Vector3()
const ignored = /* @__PURE__ */ new Vector3()
const conjugate = /* @__PURE__ */ new Quaternion()

/** The world pose of an object as it stands, parents included; its scale is left out. */
export function writeObjectPose(object: Object3D, out: Float64Array): void {
  object.updateWorldMatrix(true, false)
  object.matrixWorld.decompose(worldPosition, worldTurn, worldScale)
  worldPosition.toArray(out as unknown as number[], 0)
  worldTurn.toArray(out as unknown as number[], 3)
}

/** Difference of scales, or cosine between axes, up to which a space is even: files round to single precision. */
const EVEN = 1e-4

/**
 * The way from the world into the space of an object. Kept for one object after another with the same parent.
 *
 * An even space is M = σ R F: one scale σ > 0, a rotation R, and F = diag(−1, 1, 1) where it is mirrored, 1 otherwise. An object of local rotation L in it
 * looks like its mesh, mirrored by F, turned by R (F L F).
 */
export class Space {
  /** Whether it is the world's. */
  isWorld = true
  /** From the world to it. */
  readonly inverse: Matrix4 = new Matrix4()
  /** Whether it has one scale on all axes, which are at right angles: what turns in it keeps its form. */
  isEven = true
  private isMirrored = false
  /** R. */
  private readonly turn: Quaternion = new Quaternion()

  /** Takes the space of an object, as its parents stand now; `null` is the world. */
  enter(object: Object3D | null): this {
    this.isWorld = this.isEven = true
    this.isMirrored = false
    this.turn.identity()
    if (object === null) return this
    object.updateWorldMatrix(true, false)
    if (isIdentity(object.matrixWorld.elements)) return this
    this.isWorld = false
    this.inverse.copy(object.matrixWorld).invert()
    object.matrixWorld.decompose(worldPosition, this.turn, worldScale)
    this.isMirrored = worldScale.x < 0
    this.isEven = isEven(object.matrixWorld.elements)
    return this
  }

  /** Writes the rotation of the world at `o` of `x` to `local`, as it is in this space, which is even. */
  toLocal(x: Float64Array, o: number, local: Quaternion): void {
    local.set(x[o], x[o + 1], x[o + 2], x[o + 3])
    if (this.isWorld) return
    local.premultiply(conjugate.copy(this.turn).conjugate())
    if (this.isMirrored) local.set(local.x, -local.y, -local.z, local.w)
  }

  /** Writes the pose of an object in this space, its parent's, as it is in the world: the inverse of what `points` and `toLocal` do. */
  readPose(object: Object3D, out: Float64Array): void {
    object.updateWorldMatrix(true, false)
    worldPosition.setFromMatrixPosition(object.matrixWorld).toArray(out as unknown as number[], 0)
    if (object.matrixAutoUpdate) worldTurn.copy(object.quaternion)
    else object.matrix.decompose(ignored, worldTurn, worldScale)
    if (this.isMirrored) worldTurn.set(worldTurn.x, -worldTurn.y, -worldTurn.z, worldTurn.w)
    worldTurn.premultiply(this.turn).toArray(out as unknown as number[], 3)
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

function isEven(e: ArrayLike<number>): boolean {
  let [least, most, skew] = [Infinity, 0, 0]
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3
    const squared = dot(e, i, i)
    least = Math.min(least, squared)
    most = Math.max(most, squared)
    skew = Math.max(skew, Math.abs(dot(e, i, j)))
  }
  return most - least <= 2 * EVEN * least && skew <= EVEN * least
}

/** Of two columns. */
function dot(e: ArrayLike<number>, i: number, j: number): number {
  return e[4 * i] * e[4 * j] + e[4 * i + 1] * e[4 * j + 1] + e[4 * i + 2] * e[4 * j + 2]
}

function isIdentity(e: ArrayLike<number>): boolean {
  for (let k = 0; k < 16; k++) if (e[k] !== (k % 5 === 0 ? 1 : 0)) return false
  return true
}
