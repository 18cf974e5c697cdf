/** Ropes and rods as parts: apart from the other parts, for scenes without them carry none of it. */

import type { Rod, Rope } from '@tautline/assemblies'
import { ropeMesh } from '@tautline/three/assemblies'
import type { MeshPart, Tone } from './parts.js'

/** A rope or a rod as a tube. */
export function ropePart(assembly: Rope | Rod, tone: Tone): MeshPart {
  return {
    kind: 'mesh',
    body: assembly.bodies[0],
    makeMesh(palette) {
      const mesh = ropeMesh(assembly, palette.of(tone), { sides: 10 })
      return { item: mesh, mesh }
    },
  }
}
