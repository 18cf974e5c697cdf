/** What meshes of three hold, as assemblies take it. */

import { BufferAttribute, type BufferGeometry, type Mesh, type Object3D, Vector3 } from 'three'
import { isThree, kindOf } from '../checks.js'

/** A geometry, or a mesh that has one and stands somewhere. */
export type MeshSource = BufferGeometry | Mesh

/** Vertices and triangles of a mesh, and where they are. */
export interface MeshData {
  /** x, y, z of each vertex [m]: in the world of a mesh, as they are of a geometry. */
  readonly positions: Float64Array
  readonly indices: Uint32Array
  /** What the vertices are written to: a copy, so that other meshes may go on using the one given. */
  readonly geometry: BufferGeometry
  /** The mesh in whose space they are written, or nothing: the world. */
  readonly space: Object3D | undefined
}

const point = /* @__PURE__ */ new Vector3()

/** Reads a geometry or a mesh. Throws `TypeError`/`RangeError` with what it lacks. */
export function readMesh(where: string, source: MeshSource): MeshData {
  const isMesh = (source as Partial<Mesh> | null | undefined)?.isMesh === true
  if (!isMesh && (source as Partial<BufferGeometry> | null | undefined)?.isBufferGeometry !== true) {
    throw new TypeError(`${where} must be a BufferGeometry or a Mesh of three, got ${kindOf(source)}`)
  }
  const mesh = isMesh ? (source as Mesh) : undefined
  const given = mesh === undefined ? (source as BufferGeometry) : mesh.geometry
  isThree(`${where}: geometry`, given, 'isBufferGeometry')
  const attribute = (given.attributes as Partial<BufferGeometry['attributes']>).position
  if (attribute === undefined) throw new RangeError(`${where}: geometry must have positions, got none`)
  const { count } = attribute
  const positions = new Float64Array(3 * count)
  mesh?.updateWorldMatrix(true, false)
  for (let v = 0; v < count; v++) {
    point.fromBufferAttribute(attribute, v)
    if (mesh !== undefined) point.applyMatrix4(mesh.matrixWorld)
    positions.set([point.x, point.y, point.z], 3 * v)
  }
  const { index } = given
  const indices = Uint32Array.from({ length: index?.count ?? count }, (_, k) => index?.getX(k) ?? k)
  const geometry = given.clone()
  // Of a shape that is no more.
  geometry.morphAttributes = {}
  geometry.deleteAttribute('tangent')
  return { positions, indices, geometry, space: mesh }
}

/** Gives a geometry other vertices: those of `source`, by number, copied from `given`. What three holds of it on the card is let go. */
export function takeVertices(geometry: BufferGeometry, given: BufferGeometry, source: Uint32Array): void {
  geometry.dispose()
  for (const [name, from] of Object.entries(given.attributes)) {
    if (name === 'position' || name === 'normal') {
      geometry.deleteAttribute(name)
      continue
    }
    const { itemSize, normalized } = from
    const Numbers = from.array.constructor as Float32ArrayConstructor
    const to = new BufferAttribute(new Numbers(itemSize * source.length), itemSize, normalized)
    source.forEach((v, g) => {
      for (let k = 0; k < itemSize; k++) to.setComponent(g, k, from.getComponent(v, k))
    })
    geometry.setAttribute(name, to)
  }
}

/**
 * The groups of `given`, in triangles that are left of its own: `corners` holds, three a triangle, the vertices that they had there, in the
 * same order.
 */
export function groupsOf(given: BufferGeometry, indices: Uint32Array, corners: Uint32Array): BufferGeometry['groups'] {
  // By triangle given, how many before it are left.
  const before = new Uint32Array(indices.length / 3 + 1)
  let left = 0
  for (let t = 0; t < indices.length; t += 3) {
    before[t / 3] = left
    if ([0, 1, 2].every((k) => corners[3 * left + k] === indices[t + k])) left++
  }
  before[indices.length / 3] = left
  const at = (k: number): number => 3 * before[Math.min(Math.round(k / 3), before.length - 1)]
  return given.groups.map(({ start, count, materialIndex }) => ({
    start: at(start),
    count: at(start + count) - at(start),
    ...(materialIndex !== undefined && { materialIndex }),
  }))
}
