/** Convex shapes fixed to each other: what one body is made of when it is not convex. */

import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { combine, type MassProperties } from '@tautline/core'
import { finiteVector, knownFields, rotateInertia, rotateVector, shown, unitQuaternion } from '@tautline/core/kernel'
import { compoundContacts } from '../detect/narrow/compound.js'
import { writeBounds } from './bounds.js'
import { type Child, COMPOUND, Shape } from './shape.js'

/** Most convex shapes of a compound: put into each other, they double at each level. */
const MOST_PARTS = 65536

/** A part of a compound as a user gives it. */
export interface Part {
  /** A convex shape, or a compound. */
  shape: Shape
  /**
   * Of the shape's origin in the compound's frame [m].
   * @defaultValue `[0, 0, 0]`
   */
  position?: ReadonlyVec3
  /**
   * From the shape's axes to the compound's: unit quaternion [x, y, z, w].
   * @defaultValue `[0, 0, 0, 1]`
   */
  orientation?: ReadonlyQuat
}

/**
 * Several convex shapes as one. Compounds in it are taken apart: `shape.children` lists only convex shapes.
 * @param parts - at least one; they may overlap, but then weigh twice there
 */
export function compound(parts: readonly Part[]): Shape {
  if (!Array.isArray(parts)) throw new TypeError(`compound: parts must be an array, got ${shown(parts)}`)
  if (parts.length === 0) throw new RangeError('compound: parts must have at least one entry, got 0')
  const children: Child[] = []
  parts.forEach((part, k) => {
    for (const one of childrenOf(`compound: parts[${k}]`, part)) children.push(one)
    if (children.length > MOST_PARTS) {
      throw new RangeError(`compound: parts must be at most ${MOST_PARTS} convex shapes, got ${children.length}`)
    }
  })
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
  let reach = 0
  for (const { shape, transform } of children) {
    const box = new Float64Array(6)
    writeBounds(shape, transform, 0, box, 0)
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], box[k])
      bounds[3 + k] = Math.max(bounds[3 + k], box[3 + k])
    }
    const [x, y, z] = transform
    reach = Math.max(reach, shape.reach + Math.sqrt(x * x + y * y + z * z))
  }
  return new Shape({
    kind: COMPOUND,
    params: new Float64Array(0),
    children,
    bounds,
    reach,
    contacts: compoundContacts,
    solid: solidOf,
    json: () => ({
      type: 'compound',
      parts: children.map(({ shape, transform, orientation }) => ({
        shape: shape.toJSON(),
        position: Array.from(transform.subarray(0, 3)),
        orientation: Array.from(orientation),
      })),
    }),
  })
}

/** Mass properties of a part in the frame of the whole. */
function solidPart({ shape, transform: T, orientation }: Child): MassProperties {
  const { mass, centerOfMass, inertia } = shape.solid!(shape)
  const [x, y, z] = centerOfMass
  return {
    mass,
    centerOfMass: [
      T[3] * x + T[4] * y + T[5] * z + T[0],
      T[6] * x + T[7] * y + T[8] * z + T[1],
      T[9] * x + T[10] * y + T[11] * z + T[2],
    ],
    inertia: rotateInertia(inertia, orientation),
  }
}

function childrenOf(where: string, part: Part): Child[] {
  const { shape, position, orientation } = knownFields(where, part, [
    'shape',
    'position',
    'orientation',
  ]) as unknown as Part
  if (!(shape instanceof Shape)) throw new TypeError(`${where}.shape must be a shape, got ${shown(shape)}`)
  if (!shape.movable) throw new RangeError(`${where}.shape must be convex or a compound, got a ${shape.name}`)
  const p = position === undefined ? [0, 0, 0] : finiteVector(`${where}.position`, position, 3)
  const q = orientation === undefined ? [0, 0, 0, 1] : unitQuaternion(`${where}.orientation`, orientation)
  const Q = Float64Array.from(q)
  if (shape.children === null) return [child(shape, p, Q)]
  return shape.children.map((inner) => {
    const at = new Float64Array(3)
    rotateVector(Q, 0, inner.transform[0], inner.transform[1], inner.transform[2], at, 0)
    return child(inner.shape, [p[0] + at[0], p[1] + at[1], p[2] + at[2]], product(Q, inner.orientation))
  })
}

function child(shape: Shape, p: ArrayLike<number>, q: ArrayLike<number>): Child {
  const transform = new Float64Array(12)
  const Q = Float64Array.from(q)
  const column = new Float64Array(3)
  for (let k = 0; k < 3; k++) {
    transform[k] = p[k]
    rotateVector(Q, 0, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, column, 0)
    for (let i = 0; i < 3; i++) transform[3 + 3 * i + k] = column[i]
  }
  return { shape, transform, orientation: [q[0], q[1], q[2], q[3]] }
}

/** The rotation that does b first, normalised. */
function product(a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number, number] {
  return unitQuaternion('compound: orientation', [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ])
}

function solidOf({ children }: Shape): MassProperties {
  return combine(children!.map(solidPart))
}
