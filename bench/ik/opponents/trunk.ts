/**
 * The trunk of a figure from its head, for solvers of limbs: upright and as at rest, turned to where the head looks, and as
 * far below it as at rest.
 */

import { Pose, type Rig, WorldPose } from '@tautline/ik'
import type { Body } from '../solver.js'
import { TARGET } from '../tasks/body.js'
import { rotate } from '../tasks/kinematics.js'

export class Trunk {
  private readonly at: number
  /** From the head to the root, at rest. */
  private readonly down: readonly [number, number, number]
  private readonly turned = new Float64Array(4)
  private readonly way = new Float64Array(3)

  constructor(rig: Rig, { effectors }: Body) {
    const last = effectors.length - 1
    const { positions: x } = new WorldPose(rig).update(rig, new Pose(rig))
    const head = 3 * effectors[last].bone
    this.at = TARGET * last
    this.down = [x[0] - x[head], x[1] - x[head + 1], x[2] - x[head + 2]]
  }

  /** Puts the root of a pose; y is up, and bones are unturned at rest. */
  place(targets: Float64Array, pose: Pose): void {
    const { at, down, turned, way } = this
    const [y, w] = [targets[at + 4], targets[at + 6]]
    const size = Math.sqrt(y * y + w * w)
    turned.set([0, y / size, 0, w / size])
    rotate(turned, 0, ...down, way, 0)
    for (let k = 0; k < 3; k++) pose.positions[k] = targets[at + k] + way[k]
    pose.rotations.set(turned)
  }
}
