/** Where objects of three are in the world, and the way into their spaces. Nothing here allocates, but a space when it is made. */

import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three'

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
