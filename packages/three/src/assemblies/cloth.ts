/** Cloth of a geometry, and the geometry that follows it, also where it tears. */

import { cloth, type Cloth, type ClothDef, type ClothTopology } from '@tautline/assemblies'
import type { LeanWorld } from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import type { BufferGeometry, Mesh, Object3D } from 'three'
import type { Grabbable, GrabPoint, Updatable } from '../bindings.js'
import { kindOf } from '../checks.js'
import { Surface } from '../surface.js'
import { groupsOf, readMesh, takeVertices } from './mesh.js'

/** What `cloth` takes, besides the mesh. */
export type ClothGeometryDef = Omit<ClothDef, 'asset' | 'positions' | 'indices'>

/** A cloth as a surface: `new Mesh(surface.geometry, material)`, then `surface.update(alpha)` a frame, or `bindings.show(surface)`. */
export class ClothSurface implements Updatable, Grabbable {
  /** The cloth that it shows. */
  readonly cloth: Cloth
  /** Positions, normals, index and bounds follow; texture coordinates, colours and groups are those given. */
  readonly geometry: BufferGeometry
  private readonly given: BufferGeometry
  private readonly space: Object3D | undefined
  private topology: ClothTopology
  private surface: Surface

  /** Shows a cloth whose vertices are numbered as those of `geometry`, in the space of an object or the world's. */
  constructor(shown: Cloth, geometry: BufferGeometry, space?: Object3D) {
    this.cloth = shown
    this.geometry = geometry
    this.space = space
    this.given = geometry.clone()
    this.topology = shown.topology
    this.surface = this.build()
  }

  /** Writes where the vertices are, their normals and the bounds; what has torn is parted. See `Bindings.update`. */
  update(alpha = 1): void {
    if (!this.cloth.alive) return
    const { topology } = this.cloth
    if (topology !== this.topology) {
      this.topology = topology
      this.surface = this.build()
    }
    this.surface.update(alpha)
  }

  /** The vertex nearest to a world point [m]: what a dragger pulls. */
  nearest(at: ReadonlyVec3): GrabPoint | null {
    return this.surface.nearest(at)
  }

  private build(): Surface {
    const { cloth: shown, geometry, space, topology } = this
    const { indices, source, vertexOf } = topology
    if (
      source.length !== this.given.attributes.position.count ||
      geometry.attributes.position.count !== source.length
    ) {
      takeVertices(geometry, this.given, source)
    }
    return new Surface(shown.vertices, indices, {
      vertices: vertexOf,
      geometry,
      ...(space !== undefined && { space }),
    })
  }
}

/**
 * Makes a cloth of a `BufferGeometry`, or of a `Mesh` where it stands: `clothFromGeometry(world, mesh, { pins: [0, 24] })`. A mesh then shows it
 * by itself; of a geometry, show a mesh of what it returns. The geometry given stays as it is. Throws
 * `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is wrong.
 */
export function clothFromGeometry(
  world: LeanWorld,
  source: BufferGeometry | Mesh,
  def: ClothGeometryDef = {},
): ClothSurface {
  const where = 'clothFromGeometry'
  if (typeof def !== 'object' || def === null)
    throw new TypeError(`${where}: def must be an object, got ${kindOf(def)}`)
  for (const name of ['asset', 'positions', 'indices']) {
    if (name in def) throw new TypeError(`${where}: ${name} is that of the geometry, and is not given`)
  }
  const { positions, indices, geometry, space } = readMesh(`${where}: source`, source)
  for (const name of ['position', 'orientation']) {
    if (space !== undefined && name in def)
      throw new TypeError(`${where}: ${name} is that of the mesh, and is not given`)
  }
  const made = cloth(world, { ...def, positions, indices })
  const groups = groupsOf(geometry, indices, made.asset.corners)
  geometry.clearGroups()
  for (const { start, count, materialIndex } of groups) geometry.addGroup(start, count, materialIndex)
  if (space !== undefined) (space as Mesh).geometry = geometry
  return new ClothSurface(made, geometry, space)
}
