/** Tautline's soft body in one call, by elements or by springs. */

import { softBody, type SoftBody, type SoftBodyModel } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { type BodyEngine, DENSITY, FRICTION, POISSON_RATIO, RADIUS, YOUNGS_MODULUS } from '../body.js'

export const engine: BodyEngine = bodyEngine('tautline', 'neoHookean')
export const springs: BodyEngine = bodyEngine('tautline-springs', 'distance')

function bodyEngine(name: string, model: SoftBodyModel): BodyEngine {
  let world: World
  let body: SoftBody
  return {
    name,
    note: `TypeScript, f64; substeps of one sweep, softBody() of model ${model}`,

    load: () => Promise.resolve(),

    setup({ mesh: { positions, tetrahedra }, work }) {
      world = new World({ substeps: work })
      new Collisions(world, { sleeping: false }).addCollider(null, { shape: plane([0, 1, 0], 0), friction: FRICTION })
      body = softBody(world, {
        positions,
        tetrahedra,
        model,
        youngsModulus: YOUNGS_MODULUS,
        poissonRatio: POISSON_RATIO,
        density: DENSITY,
        radius: RADIUS,
        friction: FRICTION,
      })
      return body.constraints.length
    },

    step(dt) {
      world.step(dt)
    },

    positions(out) {
      for (let v = 0; v < out.length / 3; v++) out.set(body.nodes[v].position, 3 * v)
    },
  }
}
