/** The pose that joints would rather have, where the goals leave them free. */

import { rotationBetween } from '@tautline/core'
import { turnedFromRest } from './coordinates.js'
import { BALL, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import type { Room } from './room.js'
import { turnVector } from './turns.js'

const local = /* @__PURE__ */ new Float64Array(3)

/** What each joint would rather do: a share of the way to what it prefers. */
export function wish({ kinematics, rig, block, settings, wanted }: Room): void {
  const share = settings.posture
  const { kinds, firstFreedom, pose, coordinates, world } = kinematics
  block.wish.fill(0)
  for (let i = 0; i < rig.count; i++) {
    const f = firstFreedom[i]
    const { preferred } = rig.joints[i]
    if (kinds[i] === HINGE || kinds[i] === SLIDER) block.wish[f] = share * (preferred[0] - coordinates[2 * i])
    else if (kinds[i] === UNIVERSAL) {
      block.wish[f] = -share * coordinates[2 * i]
      block.wish[f + 1] = -share * coordinates[2 * i + 1]
    } else if (kinds[i] === BALL) {
      turnedFromRest(rig, i, preferred, wanted)
      rotationBetween(wanted, 4 * i, pose.rotations, 4 * i, local, 0)
      const p = rig.parent[i]
      if (p >= 0) turnVector(world.rotations, 4 * p, local)
      for (let k = 0; k < 3; k++) block.wish[f + k] = share * local[k]
    }
  }
}
