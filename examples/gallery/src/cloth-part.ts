/** Cloth as a part: apart from the other parts, for scenes without it carry none of it. */

import type { Cloth } from '@tautline/assemblies'
import { ClothSurface } from '@tautline/three/assemblies'
import { BufferAttribute, BufferGeometry, Mesh } from 'three'
import type { MeshPart, Tone } from './parts.js'

/** A cloth; its triangles, in their order, are as many equal bands as there are tones. */
export function clothPart(assembly: Cloth, ...bands: readonly Tone[]): MeshPart {
  return {
    kind: 'mesh',
    body: assembly.bodies[0],
    makeMesh(palette) {
      const positions = new BufferAttribute(new Float32Array(3 * assembly.asset.vertexOf.length), 3)
      const geometry = new BufferGeometry().setAttribute('position', positions)
      const triangles = assembly.topology.indices.length / 3
      const startOf = (k: number): number => 3 * Math.round((k * triangles) / bands.length)
      bands.forEach((_, k) => geometry.addGroup(startOf(k), startOf(k + 1) - startOf(k), k))
      const materials = bands.map((tone) => palette.openOf(tone))
      return { item: new ClothSurface(assembly, geometry), mesh: new Mesh(geometry, materials) }
    },
  }
}
