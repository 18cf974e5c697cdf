/**
 * Rapier's soft body of tetrahedra, neo-Hookean: each a constraint, solved with contacts, or all of them in one linear system. WebAssembly from Rust, f32.
 * Its extras stay at their defaults: three iterations more in each substep, up to four substeps more where it is hit fast.
 */

import type RapierModule from '@dimforge/rapier3d-compat'
import { type BodyEngine, FRICTION, POISSON_RATIO, RADIUS, YOUNGS_MODULUS } from '../body.js'
import { rapierFloor, type Rapier } from './rapier-world.js'

export const engine: BodyEngine = bodyEngine('rapier', 'Constraints')
export const fem: BodyEngine = bodyEngine('rapier-fem', 'Fem')

function bodyEngine(name: string, solver: keyof typeof RapierModule.SoftBodySolver): BodyEngine {
  let rapier: Rapier
  let world: RapierModule.World
  let body: RapierModule.SoftBody
  return {
    name,
    note: `WebAssembly, f32; substeps of its soft body, neo-Hookean, solver ${solver}`,

    async load() {
      rapier = (await import('@dimforge/rapier3d-compat')).default
      await rapier.init()
    },

    setup({ mesh: { positions, tetrahedra, surface, masses }, work }) {
      world = rapierFloor(rapier, work, FRICTION)
      const material = new rapier.SoftBodyMaterial()
      material.youngModulus = YOUNGS_MODULUS
      material.poissonRatio = POISSON_RATIO
      const desc = new rapier.SoftBodyDesc(Float32Array.from(positions))
        .setCells(tetrahedra)
        .setSurface(surface)
        .setMasses(Float32Array.from(masses))
        .setMaterial(material)
        .setCellModel(rapier.SoftBodyCellModel.NeoHookean)
        .setSolver(rapier.SoftBodySolver[solver])
        .setParticleRadius(RADIUS)
        // Its shape is replaced by the surface.
        .setSurfaceCollider(rapier.ColliderDesc.ball(RADIUS).setFriction(FRICTION))
        .setCanSleep(false)
      body = world.createSoftBody(desc)
      return body.numCells() + body.numEdges()
    },

    step(dt) {
      world.timestep = dt
      world.step()
    },

    positions(out) {
      out.set(body.particlePositions())
    },
  }
}
