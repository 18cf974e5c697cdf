/** Surfaces through bodies as parts: apart from the other parts, for scenes without them carry none of it. */

import { Surface } from '@tautline/three'
import { Mesh } from 'three'
import type { Surface as Definition } from '../../scenes/scene.js'
import type { MeshPart, Tone } from './parts.js'

/** Triangles through nodes, or embedded between them. */
export function surfacePart({ nodes, triangles, embedding }: Definition, tone: Tone): MeshPart {
  return {
    kind: 'mesh',
    body: nodes[0],
    makeMesh(palette) {
      const item = new Surface(nodes, triangles, embedding === undefined ? {} : { embedding })
      return { item, mesh: new Mesh(item.geometry, palette.of(tone)) }
    },
  }
}
