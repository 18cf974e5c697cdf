/** A camera that goes along with a player. */

import type { Live, Triple } from '../exhibit.js'
import type { Orbit } from './orbit.js'
import type { Viewer } from './viewer.js'

/** After a hand has held the player the camera comes back by a share of the way a frame, until it is as near as this [m]. */
const SHARE = 0.12
const NEAR = 0.05

export class Following {
  private readonly viewer: Viewer
  private readonly orbit: Orbit
  /** Where the player is that the camera stands by [m]. */
  private at: Triple | undefined
  private isReturning = false

  constructor(viewer: Viewer, orbit: Orbit) {
    this.viewer = viewer
    this.orbit = orbit
  }

  /** Begins with a scene, from where it is seen first. */
  begin(live: Live): void {
    this.at = live.follows?.()
    this.isReturning = false
    this.orbit.target.copy(this.viewer.centre)
  }

  /** Has the picture go along, and tells the pad from where it is seen. What is held is pulled about within the picture: it stands still. */
  update({ pad, follows }: Live, isHolding: boolean): void {
    const { viewer, orbit } = this
    const to = follows?.()
    if (isHolding) this.isReturning = true
    else if (to !== undefined) {
      const from = this.at ?? to
      if (Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) < NEAR) this.isReturning = false
      const share = this.isReturning ? SHARE : 1
      const way = [share * (to[0] - from[0]), share * (to[1] - from[1]), share * (to[2] - from[2])] as const
      orbit.target.add({ x: way[0], y: way[1], z: way[2] })
      viewer.carry(way)
      this.at = [from[0] + way[0], from[1] + way[1], from[2] + way[2]]
    }
    if (pad === undefined) return
    const { x, z } = viewer.camera.position
    pad.turn = Math.atan2(x - orbit.target.x, z - orbit.target.z)
  }
}
