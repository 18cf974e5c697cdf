/** Tautline's soft body in one call, by elements or by springs. */

import { softBody, type SoftBody, type SoftBodyModel } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { type Kernels, World } from '@tautline/core'
import { simd } from '@tautline/simd'
import { type BodyEngine, DENSITY, FRICTION, POISSON_RATIO, RADIUS, YOUNGS_MODULUS } from '../body.js'

export const engine: BodyEngine = bodyEngine('tautline', 'neoHookean')
export const springs: BodyEngine = bodyEngine('tautline-springs', 'distance')
export const withKernels: BodyEngine = bodyEngine('tautline-simd', 'neoHookean', simd())
export const springsWithKernels: BodyEngine = bodyEngine('tautline-springs-simd', 'distance', simd())

function bodyEngine(name: string, model: SoftBodyModel, kernels?: Kernels): BodyEngine {
  let world: World
  let body: SoftBody
  return {
    name,
    note: `${kernels === undefined ? 'TypeScript' : 'SIMD kernels'}, f64; substeps of one sweep, softBody() of model ${model}`,

    load: () => Promise.resolve(),

    setup({ mesh: { positions, tetrahedra }, work }) {
      world = new World({ substeps: work, ...(kernels !== undefined && { kernels }) })
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
