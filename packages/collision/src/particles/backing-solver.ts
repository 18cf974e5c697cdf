/**
 * Distributes heavy bodies among the particles that they press, before nets are swept (core's `Backing`). Contacts are solved first, to find the pressed particles. Then threads
 * carry the body with the particles, and the displacement of its shares goes to the body. This repeats until a round hardly changes the displacement of bodies: with fewer rounds
 * the rest of the load would stretch the threads, substep by substep.
 */

import { Backing, type BlockSolver, type BodyColumns, type WorldView } from '@tautline/core/kernel'
import { handOver, isHeavyFace, isHeavyPoint, shareOut, wayOf } from './backing-rows.js'
import { type FaceContacts, NEAR as FACE_NEAR, RECORD as FACE_RECORD, ROWS as FACE_ROWS } from './face-columns.js'
import { meetFace } from './face-contact.js'
import { meetBody } from './point-contact.js'
import { type PointContacts, ROWS } from './point-columns.js'
import type { Surfaces } from './surfaces.js'

/** Turns with the sweep [-] that a load on particles is shared out in at most: each carries it on by a thread. */
const MOST_TURNS = 64
/** Share of the way [-] that particles have moved bodies by in a substep: a turn that changes it by less is the last. */
const SETTLED = 3e-2

export class BackingSolver implements BlockSolver {
  readonly name = 'particleBacking'
  readonly turns: number = MOST_TURNS
  private readonly points: PointContacts
  private readonly faces: FaceContacts
  /** By how much particles had moved bodies in the turn before [m]. */
  private way = 0

  constructor(bodies: BodyColumns, points: PointContacts, faces: FaceContacts) {
    bodies.backing ??= new Backing()
    this.points = points
    this.faces = faces
    ;(points.plan as unknown as Surfaces).backing = this
  }

  gather(): void {}

  solve(world: WorldView): void {
    const { points, faces } = this
    const bodies = world.bodies.columns
    ;(bodies.backing as Backing).clear(world.bodies.count)
    this.way = 0
    let any = false
    for (let row = 0; row < points.active; row++) {
      if (!isHeavyPoint(bodies, points, row)) continue
      meetBody(bodies, points, row)
      if (points.columns.lambda[ROWS * row] > 0) any = true
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
    if ((bodies.backing as Backing).count === 0) return
    handOver(bodies, this.points, this.faces)
  }

  resolveImpacts(world: WorldView): boolean {
    const bodies = world.bodies.columns
    const { points, faces } = this
    const before = this.way
    this.way = wayOf(bodies, points, faces)
    if (!(Math.abs(this.way - before) > SETTLED * this.way)) return false
    shareOut(bodies, points, faces, world.bodies.count)
    return (bodies.backing as Backing).count > 0
  }
}
