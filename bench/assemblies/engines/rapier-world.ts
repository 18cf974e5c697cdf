/** A world of Rapier's with a floor. */

import type RapierModule from '@dimforge/rapier3d-compat'

export type Rapier = typeof RapierModule

/** A world with so many substeps, and a floor at y = 0. */
export function rapierFloor(rapier: Rapier, substeps: number, friction: number): RapierModule.World {
  const world = rapierWorld(rapier, substeps)
  world.createCollider(rapier.ColliderDesc.cuboid(100, 1, 100).setTranslation(0, -1, 0).setFriction(friction))
  return world
}

/** A world with so many substeps, empty. */
export function rapierWorld(rapier: Rapier, substeps: number): RapierModule.World {
  const world = new rapier.World(new rapier.Vector3(0, -9.81, 0))
  world.numSolverIterations = substeps
  return world
}
