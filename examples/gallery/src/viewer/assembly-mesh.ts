/** Meshes of cloth, soft bodies, ropes and rods, by `@tautline/three/assemblies`. */

import { Cloth, SoftBody } from '@tautline/assemblies'
import type { Grabbable, Updatable } from '@tautline/three'
import { ClothSurface, ropeMesh, SoftBodySurface } from '@tautline/three/assemblies'
import { BufferAttribute, BufferGeometry, Mesh } from 'three'
import type { Part } from '../parts.js'
import type { Palette } from './theme.js'

type AssemblyPart = Extract<Part, { kind: 'assembly' }>

/** What follows an assembly, and the object that shows it. */
export interface AssemblyMesh {
  readonly item: Updatable & Grabbable
  readonly mesh: Mesh
}

/** Makes the mesh of a part. */
export function assemblyMesh(part: AssemblyPart, palette: Palette): AssemblyMesh {
  const { assembly, tone } = part
  if (assembly instanceof Cloth) return clothMesh(assembly, part, palette)
  if (assembly instanceof SoftBody) {
    const item = new SoftBodySurface(assembly, geometryOf(assembly, assembly.asset.embedding.nodes.length / 4))
    return { item, mesh: new Mesh(item.geometry, palette.of(tone)) }
  }
  const mesh = ropeMesh(assembly, palette.of(tone), { sides: 10 })
  return { item: mesh, mesh }
}

function clothMesh(shown: Cloth, { tone, bands = [tone] }: AssemblyPart, palette: Palette): AssemblyMesh {
  const geometry = geometryOf(undefined, shown.asset.vertexOf.length)
  const triangles = shown.topology.indices.length / 3
  const startOf = (k: number): number => 3 * Math.round((k * triangles) / bands.length)
  bands.forEach((_, k) => geometry.addGroup(startOf(k), startOf(k + 1) - startOf(k), k))
  const item = new ClothSurface(shown, geometry)
  return {
    item,
    mesh: new Mesh(
      geometry,
      bands.map((each) => palette.openOf(each)),
    ),
  }
}

/** A geometry of as many vertices, which are where those of a soft body are. */
function geometryOf(body: SoftBody | undefined, count: number): BufferGeometry {
  const positions = new Float32Array(3 * count)
  body?.positions(positions)
  return new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3))
}
