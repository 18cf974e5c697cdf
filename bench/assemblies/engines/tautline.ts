/** Tautline's cloth in one call: threads as lines, shear, bending by curvature, its collisions. */

import { cloth, type Cloth } from '@tautline/assemblies'
import { Collisions, plane, sphere } from '@tautline/collision'
import { type Kernels, World } from '@tautline/core'
import { simd } from '@tautline/simd'
import { DENSITY, FRICTION, type SheetEngine, sheetOf, sphereRadius, THICKNESS } from '../sheet.js'

export const engine: SheetEngine = sheetEngine('tautline', 'TypeScript')
export const withKernels: SheetEngine = sheetEngine('tautline-simd', 'SIMD kernels', simd())

function sheetEngine(name: string, language: string, kernels?: Kernels): SheetEngine {
  let world: World
  let sheet: Cloth
  return {
    name,
    note: `${language}, f64; substeps of one sweep, cloth() at its defaults`,

    load: () => Promise.resolve(),

    setup({ n, work, on, self }) {
      world = new World({ substeps: work, ...(kernels !== undefined && { kernels }) })
      const collisions = new Collisions(world, { sleeping: false })
      const radius = sphereRadius(n)
      if (on !== 'nothing')
        collisions.addCollider(null, { shape: sphere(radius), position: [0, radius, 0], friction: FRICTION })
      if (on === 'sphere and floor') collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: FRICTION })
      const { positions, triangles } = sheetOf(n)
      sheet = cloth(world, {
        positions,
        indices: triangles,
        density: DENSITY,
        thickness: THICKNESS,
        friction: FRICTION,
        selfCollision: self ? 'vertices' : false,
      })
      return sheet.constraints.length
    },

    step(dt) {
      world.step(dt)
    },

    positions(out) {
      sheet.positions(out)
    },
  }
}
