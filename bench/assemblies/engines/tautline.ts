/** Tautline's cloth in one call: threads as lines, shear, bending by curvature, its collisions. */

import { cloth, type Cloth } from '@tautline/assemblies'
import { Collisions, plane, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import { DENSITY, FRICTION, type SheetEngine, sheetOf, sphereRadius, THICKNESS } from '../sheet.js'

let world: World
let sheet: Cloth

export const engine: SheetEngine = {
  name: 'tautline',
  note: 'TypeScript, f64; substeps of one sweep, cloth() at its defaults',

  load: () => Promise.resolve(),

  setup({ n, work, on, self }) {
    world = new World({ substeps: work })
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
