/** The posture objective: the pose that joints prefer, where the goals leave them free. */

import { rotationBetween } from '@tautline/core/kernel'
import { rotatedFromRest } from './coordinates.js'
import { BALL, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import type { Workspace } from './workspace.js'
import { rotateInPlace } from './rotations.js'

const local = /* @__PURE__ */ new Float64Array(3)

/** Writes the posture objective of each joint: a share of the way to what it prefers. */
export function writePosture({ kinematics, rig, block, settings, wanted }: Workspace): void {
  const share = settings.posture
  const { kinds, firstFreedom, pose, coordinates, world } = kinematics
  block.posture.fill(0)
  for (let i = 0; i < rig.count; i++) {
    const f = firstFreedom[i]
    const { preferred } = rig.joints[i]
    if (kinds[i] === HINGE || kinds[i] === SLIDER) block.posture[f] = share * (preferred[0] - coordinates[2 * i])
    else if (kinds[i] === UNIVERSAL) {
      block.posture[f] = -share * coordinates[2 * i]
      block.posture[f + 1] = -share * coordinates[2 * i + 1]
    } else if (kinds[i] === BALL) {
      rotatedFromRest(rig, i, preferred, wanted)
      rotationBetween(wanted, 4 * i, pose.rotations, 4 * i, local, 0)
      const p = rig.parent[i]
      if (p >= 0) rotateInPlace(world.rotations, 4 * p, local)
      for (let k = 0; k < 3; k++) block.posture[f + k] = share * local[k]
    }
  }
}
