/** Soft bodies as parts: apart from the other parts, for scenes without them carry none of it. */

import type { SoftBody } from '@tautline/assemblies'
import { SoftBodySurface } from '@tautline/three/assemblies'
import { BufferAttribute, BufferGeometry, Mesh } from 'three'
import type { MeshPart, Tone } from './parts.js'

/** A soft body by its skin. */
export function softBodyPart(assembly: SoftBody, tone: Tone): MeshPart {
  return {
    kind: 'mesh',
    body: assembly.bodies[0],
    makeMesh(palette) {
      const positions = new Float32Array(0.75 * assembly.asset.embedding.nodes.length)
      assembly.positions(positions)
      const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3))
      const item = new SoftBodySurface(assembly, geometry)
      return { item, mesh: new Mesh(item.geometry, palette.of(tone)) }
    },
  }
}
