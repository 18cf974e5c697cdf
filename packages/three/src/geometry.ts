/** What geometries that follow bodies share: attributes that change each frame, and bounds that follow them. */

import { Box3, BufferAttribute, type BufferGeometry, DynamicDrawUsage, Sphere } from 'three'

/** A new attribute of three numbers a vertex, written each frame. */
export function dynamicAttribute(count: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage)
}

/** Writes x, rounded to float, into an attribute. */
export function upload(attribute: BufferAttribute, x: Float64Array): void {
  const out = attribute.array as Float32Array
  for (let k = 0; k < out.length; k++) out[k] = x[k]
  attribute.needsUpdate = true
}

/** Gives a geometry bounds of its own, to be kept right by {@link follow}. */
export function giveBounds(geometry: BufferGeometry): void {
  geometry.boundingSphere = new Sphere()
  geometry.boundingBox = new Box3()
}

/** Brings bounding box, and sphere about its middle, to `count` points. Culling and rays read them. */
export function follow(geometry: BufferGeometry, x: Float64Array, count: number): void {
  const box = geometry.boundingBox as Box3
  const sphere = geometry.boundingSphere as Sphere
  box.makeEmpty()
  const { min, max } = box
  for (let i = 0; i < 3 * count; i += 3) {
    min.x = Math.min(min.x, x[i])
    min.y = Math.min(min.y, x[i + 1])
    min.z = Math.min(min.z, x[i + 2])
    max.x = Math.max(max.x, x[i])
    max.y = Math.max(max.y, x[i + 1])
    max.z = Math.max(max.z, x[i + 2])
  }
  const cx = 0.5 * (min.x + max.x)
  const cy = 0.5 * (min.y + max.y)
  const cz = 0.5 * (min.z + max.z)
  let most = 0
  for (let i = 0; i < 3 * count; i += 3) {
    const a = x[i] - cx
    const b = x[i + 1] - cy
    const c = x[i + 2] - cz
    most = Math.max(most, a * a + b * b + c * c)
  }
  sphere.center.set(cx, cy, cz)
  // Vertices are rounded to float behind this sphere's back.
  sphere.radius = Math.sqrt(most) * (1 + 1e-6)
}

/** Indices as short as they may be. */
export function indexAttribute(index: ArrayLike<number>, vertices: number): BufferAttribute {
  return new BufferAttribute(vertices > 65535 ? Uint32Array.from(index) : Uint16Array.from(index), 1)
}
