/** Poses of all bodies of a world, to go back to. */

import type { LeanWorld } from '@tautline/core'

/** Where all bodies of a world were when it was made, or last saved; none may be added or removed since. */
export class SavedPoses {
  private readonly world: LeanWorld
  private readonly position: Float64Array
  private readonly orientation: Float64Array

  /** Saves those of now. */
  constructor(world: LeanWorld) {
    const { columns, count } = world.bodies
    this.world = world
    this.position = columns.position.slice(0, 4 * count)
    this.orientation = columns.orientation.slice(0, 4 * count)
  }

  /** Takes those of now in their place. */
  save(): void {
    const { columns } = this.world.bodies
    this.position.set(columns.position.subarray(0, this.position.length))
    this.orientation.set(columns.orientation.subarray(0, this.orientation.length))
  }

  /** Puts bodies back. */
  restore(): void {
    const { columns } = this.world.bodies
    columns.position.set(this.position)
    columns.orientation.set(this.orientation)
  }

  /** Largest change of a coordinate since [m, of a quaternion]. */
  farthest(): number {
    const { position, orientation } = this.world.bodies.columns
    let most = 0
    for (let k = 0; k < this.position.length; k++) {
      most = Math.max(most, Math.abs(position[k] - this.position[k]), Math.abs(orientation[k] - this.orientation[k]))
    }
    return most
  }
}
