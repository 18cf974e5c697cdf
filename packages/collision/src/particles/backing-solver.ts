/**
 * Shares out heavy bodies among the particles that they press, before nets are swept (core's `Backing`): their contacts are met first, so that it is
 * known who is pressed; then threads bear the body with the particles, and it is handed what its shares took. Where that has moved it far, it is
 * done again.
 */

import type { Backing, BlockSolver, BodyColumns, WorldView } from '@tautline/core/kernel'
import { handOver, isHeavyFace, isHeavyPoint, shareOut } from './backing-rows.js'
import { type FaceContacts, NEAR as FACE_NEAR, RECORD as FACE_RECORD, ROWS as FACE_ROWS } from './face-columns.js'
import { meetFace } from './face-contact.js'
import { meetBody } from './point-contact.js'
import { type PointContacts, RADIUS, RECORD, ROWS } from './point-columns.js'
import type { Surfaces } from './surfaces.js'

/** What presses a particle on by less in a substep is at rest on it, more or less: share of the particle's radius. */
const SHALLOW = 0.1

export class BackingSolver implements BlockSolver {
  readonly name = 'particleBacking'
  private readonly points: PointContacts
  private readonly faces: FaceContacts
  /** Whether a body drives particles on so fast that one pass does not do. */
  private isStruck = false

  constructor(points: PointContacts, faces: FaceContacts) {
    this.points = points
    this.faces = faces
    ;(points.plan as unknown as Surfaces).backing = this
  }

  gather(): void {}

  solve(world: WorldView): void {
    const { points, faces } = this
    const bodies = world.bodies.columns
    ;(bodies.backing as Backing).clear(world.bodies.count)
    this.isStruck = false
    let any = false
    for (let row = 0; row < points.active; row++) {
      if (!isHeavyPoint(bodies, points, row)) continue
      meetBody(bodies, points, row)
      const load = points.columns.lambda[ROWS * row]
      if (!(load > 0)) continue
      any = true
      const radius = points.columns.record[RECORD * row + RADIUS]
      if (load * bodies.position[4 * points.ids[2 * row] + 3] > SHALLOW * radius) this.isStruck = true
    }
    for (let row = 0; row < faces.active; row++) {
      if (faces.columns.record[FACE_RECORD * row + FACE_NEAR] !== 1 || !isHeavyFace(bodies, faces, row)) continue
      meetFace(bodies, faces, row)
      if (faces.columns.lambda[FACE_ROWS * row] > 0) any = true
    }
    if (any) shareOut(bodies, points, faces, world.bodies.count)
  }

  /** Hands bodies what their shares took, where there are any. */
  handOver(bodies: BodyColumns): void {
    if ((bodies.backing as Backing).count > 0) handOver(bodies, this.points, this.faces)
  }

  resolveImpacts(world: WorldView): boolean {
    if (!this.isStruck) return false
    shareOut(world.bodies.columns, this.points, this.faces, world.bodies.count)
    return true
  }
}
