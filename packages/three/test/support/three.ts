/** What the tests share: objects of three in random places, and comparisons through three's own matrices. */

import type { Body } from '@tautline/core'
import * as THREE from 'three'
import { expect } from 'vitest'
import type { Random } from '../../../core/test/support/random.js'

/** A dozen products of numbers near 1 through three's matrices, in double. */
export const ROUND_OFF = 1e-12
/** A number near 1 as a float. */
export const FLOAT = 1e-6

/** An object somewhere below a parent that is somewhere, turned and scaled by one number. */
export function nested(random: Random, scene: THREE.Object3D, depth: number): THREE.Object3D {
  let parent = scene
  for (let k = 0; k < depth; k++) {
    const object = new THREE.Object3D()
    object.position.fromArray(random.vector() as number[])
    object.quaternion.fromArray(random.rotation() as number[])
    object.scale.setScalar(random.between(0.5, 2))
    parent.add(object)
    parent = object
  }
  return parent
}

/** World position and quaternion of an object, by three. */
export function worldOf(object: THREE.Object3D): { position: THREE.Vector3; quaternion: THREE.Quaternion } {
  object.updateWorldMatrix(true, false)
  const position = new THREE.Vector3()
  const quaternion = new THREE.Quaternion()
  object.matrixWorld.decompose(position, quaternion, new THREE.Vector3())
  return { position, quaternion }
}

/** The object must be at the body's pose times an offset. */
export function expectAt(
  object: THREE.Object3D,
  position: ArrayLike<number>,
  orientation: ArrayLike<number>,
  tolerance = ROUND_OFF,
): void {
  const at = worldOf(object)
  for (let k = 0; k < 3; k++) expect(Math.abs(at.position.getComponent(k) - position[k])).toBeLessThan(tolerance)
  const [x, y, z, w] = Array.from(orientation)
  const dot = Math.abs(at.quaternion.dot(new THREE.Quaternion(x, y, z, w)))
  expect(1 - dot).toBeLessThan(tolerance)
}

/** The body's pose times a random offset, by three. */
export function offsetPose(
  body: Body,
  position: THREE.Vector3,
  quaternion: THREE.Quaternion,
): { position: number[]; orientation: number[] } {
  const q = new THREE.Quaternion().fromArray(body.orientation as number[])
  const x = position
    .clone()
    .applyQuaternion(q)
    .add(new THREE.Vector3().fromArray(body.position as number[]))
  return { position: x.toArray(), orientation: q.multiply(quaternion).toArray() }
}
