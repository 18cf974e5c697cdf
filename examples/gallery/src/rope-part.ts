/** Ropes and rods as parts: apart from the other parts, for scenes without them carry none of it. */

import { type Assemblies, type Rod, Rope } from '@tautline/assemblies'
import type { Body } from '@tautline/core'
import { ropeMesh, type RopeMesh } from '@tautline/three/assemblies'
import { BufferAttribute, BufferGeometry, Mesh } from 'three'
import type { MeshPart, Tone } from './parts.js'

/** Sides of a tube. */
const SIDES = 10

/** A rope or a rod as a tube. */
export function ropePart(assembly: Rope | Rod, tone: Tone): MeshPart {
  return {
    kind: 'mesh',
    body: assembly.bodies[0],
    makeMesh(palette) {
      const mesh = ropeMesh(assembly, palette.of(tone), { sides: SIDES })
      return { item: mesh, mesh }
    },
  }
}

/** Ropes that come while a scene runs: pieces of those that part or are cut. `body` is any of the world's. */
export function pieceParts(assemblies: Assemblies, body: Body, tone: Tone): MeshPart {
  const known = new Set(assemblies.all)
  return {
    kind: 'mesh',
    body,
    makeMesh(palette) {
      const none = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(), 3))
      const mesh = new Mesh(none, palette.of(tone))
      const pieces = new Map<Rope, RopeMesh>()
      const update = (alpha?: number): void => {
        for (const each of assemblies.all) {
          if (!(each instanceof Rope) || known.has(each) || pieces.has(each)) continue
          const piece = ropeMesh(each, palette.of(tone), { sides: SIDES })
          piece.castShadow = piece.receiveShadow = true
          pieces.set(each, piece)
          mesh.add(piece)
        }
        for (const [each, piece] of pieces) {
          // A scene that begins anew has them no more, and the same ones again when they come off.
          piece.visible = each.alive
          piece.update(alpha)
        }
      }
      return { item: { update, nearest: () => null }, mesh }
    },
  }
}
