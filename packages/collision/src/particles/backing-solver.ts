/**
 * Shares out heavy bodies among the particles that they press, before nets are swept (core's `Backing`): their contacts are met first, so that it is
 * known who is pressed; then threads bear the body with the particles, and it is handed what its shares took. Where that has moved it far, it is
 * done again.
 */

import { Backing, type BlockSolver, type BodyColumns, type WorldView } from '@tautline/core/kernel'
import { handOver, isHeavyFace, isHeavyPoint, isStruck, shareOut, wayOf } from './backing-rows.js'
import { type FaceContacts, NEAR as FACE_NEAR, RECORD as FACE_RECORD, ROWS as FACE_ROWS } from './face-columns.js'
import { meetFace } from './face-contact.js'
import { meetBody } from './point-contact.js'
import { type PointContacts, ROWS } from './point-columns.js'
import type { Surfaces } from './surfaces.js'

/** Turns with the sweep [-] that an impact on particles is shared out in at most: threads carry it from row to row of a net. */
const MOST_TURNS = 64
/** Share of the way that particles have moved bodies by in a substep below which a turn adds nothing worth another. */
const SETTLED = 1e-2
/** What bears more than so many times its weight is being struck. */
const FALLS = 4

export class BackingSolver implements BlockSolver {
  readonly name = 'particleBacking'
  readonly turns = MOST_TURNS
  private readonly points: PointContacts
  private readonly faces: FaceContacts
  /** By how much what rests on particles is moved by them in a substep [m]: more is an impact. */
  private most = 0
  /** By how much particles had moved bodies in the turn before [m]. */
  private way = 0

  constructor(bodies: BodyColumns, points: PointContacts, faces: FaceContacts) {
    bodies.backing ??= new Backing()
    this.points = points
    this.faces = faces
    ;(points.plan as unknown as Surfaces).backing = this
  }

  gather(): void {}

  solve(world: WorldView, h: number): void {
    const { points, faces } = this
    const bodies = world.bodies.columns
    ;(bodies.backing as Backing).clear(world.bodies.count)
    const { gravity } = world.settings
    this.way = 0
    this.most = FALLS * h * h * Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
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

  resolveImpacts(world: WorldView, h: number): boolean {
    const bodies = world.bodies.columns
    const { points, faces } = this
    if (!isStruck(bodies, points, faces, h, this.most)) return false
    const way = wayOf(bodies, points, faces)
    const change = Math.abs(way - this.way)
    this.way = way
    if (!(change > SETTLED * way)) return false
    shareOut(bodies, this.points, this.faces, world.bodies.count)
    return (bodies.backing as Backing).count > 0
  }
}
