/** A soft body of a mesh, and the mesh that rides on it. */

import { softBody, type SoftBody, type SoftBodyAsset, type SoftBodyDef } from '@tautline/assemblies'
import type { LeanWorld } from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import type { BufferGeometry, Mesh, Object3D } from 'three'
import type { Grabbable, GrabPoint, Updatable } from '../bindings.js'
import { kindOf } from '../checks.js'
import { Surface } from '../surface.js'
import { readMesh } from './mesh.js'

/** What `softBody` takes, besides the mesh. */
export type SoftBodyGeometryDef = Omit<SoftBodyDef, 'asset' | 'positions' | 'indices' | 'tetrahedra'>

/** A soft body as a surface: `bindings.show(surface, mesh)`, or `surface.update(alpha)` a frame. */
export class SoftBodySurface implements Updatable, Grabbable {
  /** The soft body that it shows. */
  readonly softBody: SoftBody
  /** Positions, normals and bounds follow; all else is as given. */
  readonly geometry: BufferGeometry
  private readonly space: Object3D | undefined
  private readonly weld: Uint32Array
  private asset: SoftBodyAsset
  private surface: Surface

  /** Shows a soft body whose vertices are numbered as those of `geometry`, in the space of an object or the world's. */
  constructor(shown: SoftBody, geometry: BufferGeometry, space?: Object3D) {
    this.softBody = shown
    this.geometry = geometry
    this.space = space
    this.weld = smoothGroups(geometry)
    this.asset = shown.asset
    this.surface = this.build()
  }

  /** Writes where the vertices are, their normals and the bounds: see `Bindings.update`. */
  update(alpha = 1): void {
    if (!this.softBody.alive) return
    const { asset } = this.softBody
    if (asset !== this.asset) {
      this.asset = asset
      this.surface = this.build()
    }
    this.surface.update(alpha)
  }

  /** The node nearest to a world point [m]: what a dragger pulls. */
  nearest(point: ReadonlyVec3): GrabPoint | null {
    return this.surface.nearest(point)
  }

  private build(): Surface {
    const { softBody: shown, geometry, weld, space } = this
    const { embedding, indices } = this.asset
    return new Surface(shown.nodes, indices, { embedding, weld, geometry, ...(space !== undefined && { space }) })
  }
}

/** By vertex a number: those that lie on each other and have one normal, as at the seam of a texture, share it. Hard edges stay hard. */
function smoothGroups({ attributes }: BufferGeometry): Uint32Array {
  const { position, normal } = attributes as Partial<BufferGeometry['attributes']>
  const known = new Map<string, number>()
  return Uint32Array.from({ length: position?.count ?? 0 }, (_, v) => {
    const of = [position, normal].flatMap((from) => [0, 1, 2].map((k) => from?.getComponent(v, k).toFixed(5)))
    const key = of.join()
    const first = known.get(key)
    if (first === undefined) known.set(key, v)
    return first ?? v
  })
}

/**
 * Makes a soft body of a `BufferGeometry`, or of a `Mesh` where it stands: `softBodyFromMesh(world, mesh, { youngsModulus: 2e4 })`. A mesh then shows it by itself; of
 * a geometry, show a mesh of what it returns. The geometry given stays as it is. Throws `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a
 * field is wrong.
 */
export function softBodyFromMesh(
  world: LeanWorld,
  source: BufferGeometry | Mesh,
  def: SoftBodyGeometryDef = {},
): SoftBodySurface {
  const where = 'softBodyFromMesh'
  if (typeof def !== 'object' || def === null)
    throw new TypeError(`${where}: def must be an object, got ${kindOf(def)}`)
  for (const name of ['asset', 'positions', 'indices', 'tetrahedra']) {
    if (name in def) throw new TypeError(`${where}: ${name} is that of the mesh, and is not given`)
  }
  const { positions, indices, geometry, space } = readMesh(`${where}: source`, source)
  for (const name of ['position', 'orientation']) {
    if (space !== undefined && name in def)
      throw new TypeError(`${where}: ${name} is that of the mesh, and is not given`)
  }
  const made = softBody(world, { ...def, positions, indices })
  if (space !== undefined) (space as Mesh).geometry = geometry
  return new SoftBodySurface(made, geometry, space)
}
