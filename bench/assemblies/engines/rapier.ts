/**
 * Rapier's cloth: WebAssembly from Rust, f32. Edges, diagonals and bends as springs by frequency; it is hit by its surface, and touches itself where asked.
 * Its extras stay at their defaults: three iterations more in each substep, up to four substeps more where it is hit fast.
 */

import type RapierModule from '@dimforge/rapier3d-compat'
import { DENSITY, FRICTION, type SheetEngine, SPACING, sheetOf, sphereRadius, THICKNESS } from '../sheet.js'
import { rapierFloor, rapierWorld, type Rapier } from './rapier-world.js'

let rapier: Rapier
let world: RapierModule.World
let cloth: RapierModule.SoftBody

/** Of threads, above what substeps can follow [Hz]: by its default of 30 they stretch five times as far, in the same time. */
const STIFF = 1000
/** Of diagonals, its default [Hz]. */
const SHEAR = 30

export const engine: SheetEngine = {
  name: 'rapier',
  note: 'WebAssembly, f32; substeps of its cloth; edges of 1000 Hz, diagonals of 30 Hz, bends of 10 Hz',

  async load() {
    rapier = (await import('@dimforge/rapier3d-compat')).default
    await rapier.init()
  },

  setup({ n, work, on, self }) {
    world = on === 'sphere and floor' ? rapierFloor(rapier, work, FRICTION) : rapierWorld(rapier, work)
    const radius = sphereRadius(n)
    if (on !== 'nothing') {
      world.createCollider(rapier.ColliderDesc.ball(radius).setTranslation(0, radius, 0).setFriction(FRICTION))
    }
    const [x, y, z] = sheetOf(n).positions
    const [stiff, shear] = [STIFF, SHEAR].map((naturalFrequency) => ({ naturalFrequency, dampingRatio: 1 }))
    const [across, along] = [new rapier.Vector3(0, 0, SPACING), new rapier.Vector3(SPACING, 0, 0)]
    const desc = rapier.SoftBodyDesc.clothAnisotropic(
      new rapier.Vector3(x, y, z),
      across,
      along,
      n,
      n,
      stiff,
      stiff,
      shear,
    )
      // All alike, as of Jolt.
      .setMass(DENSITY * (SPACING * (n - 1)) ** 2)
      .setParticleRadius(THICKNESS)
      // Its shape is replaced by the surface.
      .setSurfaceCollider(rapier.ColliderDesc.ball(THICKNESS).setFriction(FRICTION))
      .setSelfContacts(self)
      .setCanSleep(false)
    cloth = world.createSoftBody(desc)
    return cloth.numEdges()
  },

  step(dt) {
    world.timestep = dt
    world.step()
  },

  positions(out) {
    out.set(cloth.particlePositions())
  },
}
