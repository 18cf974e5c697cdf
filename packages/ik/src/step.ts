/** One step of the block, and the joints turned and moved by it, put back inside their limits. */

import { rotateBy } from '@tautline/core/kernel'
import { writeCoordinates } from './coordinates.js'
import { FullMass } from './full-mass.js'
import { BALL, FREE, FREEDOMS, LOCKED, SLIDER } from './joints.js'
import { type Bounds, clampInside, holdBall } from './limits.js'
import { writeMobility } from './metric.js'
import { writePosture } from './posture.js'
import { nudgePart } from './retries.js'
import type { Workspace } from './workspace.js'

/** A turn cut to the most allowed stays this share below it, so that half a radian needs no sine. */
const CLAMPED = 1 - 1e-12
/** Steps below this [rad] while there is an error are none. */
const STUCK = 1e-9
/** A turn changes swing and twist by no more than this many times itself, up to swings of 2.4 rad. */
const AT_MOST = 3

const local = /* @__PURE__ */ new Float64Array(3)

/** One step of the block, applied. */
export function takeStep(workspace: Workspace): void {
  const { settings, kinematics, block, limited, subproblems } = workspace
  if (settings.metric === 'fullMass') {
    kinematics.carry()
    block.fullMass ??= new FullMass(kinematics)
    block.fullMass.update(settings.blend)
  } else {
    block.fullMass = undefined
    writeMobility(kinematics, settings, block.system.mobility)
  }
  const hasPosture = settings.posture > 0
  if (hasPosture) writePosture(workspace)
  else block.posture.fill(0)
  for (let p = 0; p < subproblems.count; p++) {
    if (subproblems.isDone[p] === 1) continue
    block.system.damping[p] = subproblems.boost[p] * settings.damping * subproblems.error[p] * subproblems.error[p]
    block.solve(p, limited, hasPosture)
  }
  apply(workspace)
  for (let p = 0; p < subproblems.count; p++) {
    if (subproblems.isDone[p] === 1) continue
    subproblems.isAtBest[p] = 0
    const isStuck = subproblems.moved[p] < STUCK * STUCK && subproblems.error[p] > settings.tolerance
    if (isStuck && subproblems.boost[p] === 1) nudgePart(workspace, p)
  }
}

/** Turns and moves the joints of all subproblems that are not done by the block's step, and notes how far at most. */
function apply(workspace: Workspace): void {
  const { kinematics, block, settings, rig, limited, subproblems } = workspace
  const { kinds, firstFreedom, pose, world } = kinematics
  const { isDone, moved, ofBone } = subproblems
  const { step } = block
  const { rotations } = pose
  const most = settings.maxAngle * settings.maxAngle
  moved.fill(0)
  for (let i = 0; i < rig.count; i++) {
    const kind = kinds[i]
    const subproblem = ofBone[i]
    if (kind === LOCKED || isDone[subproblem] === 1) continue
    if (kind !== BALL && kind !== FREE) {
      moveCoordinates(workspace, i)
      continue
    }
    if (kind === FREE) moveRoot(workspace, i)
    const a = kind === FREE ? firstFreedom[i] + 3 : firstFreedom[i]
    let x = step[a]
    let y = step[a + 1]
    let z = step[a + 2]
    let squared = x * x + y * y + z * z
    if (squared > most) {
      const scale = Math.sqrt(most / squared) * CLAMPED
      x *= scale
      y *= scale
      z *= scale
      squared = most
    }
    if (squared > moved[subproblem]) moved[subproblem] = squared
    // Into the parent's axes.
    const p = rig.parent[i]
    if (p >= 0) {
      const qx = -world.rotations[4 * p]
      const qy = -world.rotations[4 * p + 1]
      const qz = -world.rotations[4 * p + 2]
      const qw = world.rotations[4 * p + 3]
      const tx = 2 * (qy * z - qz * y)
      const ty = 2 * (qz * x - qx * z)
      const tz = 2 * (qx * y - qy * x)
      x += qw * tx + (qy * tz - qz * ty)
      y += qw * ty + (qz * tx - qx * tz)
      z += qw * tz + (qx * ty - qy * tx)
    }
    local[0] = x
    local[1] = y
    local[2] = z
    rotateBy(rotations, 4 * i, local)
    if (limited[i] === 1 && kind === BALL && isNear(block.bounds[i], local)) holdBall(rig, i, rotations)
  }
}

/** Carries a free root along. */
function moveRoot({ kinematics, block, settings, rig, subproblems }: Workspace, i: number): void {
  const { step } = block
  const f = kinematics.firstFreedom[i]
  const far = settings.errorClamp * rig.size
  const way = Math.sqrt(step[f] * step[f] + step[f + 1] * step[f + 1] + step[f + 2] * step[f + 2])
  const shrink = way > far ? far / way : 1
  const p = subproblems.ofBone[i]
  const share = (shrink * way) / rig.size
  subproblems.moved[p] = Math.max(subproblems.moved[p], share * share)
  for (let k = 0; k < 3; k++) kinematics.pose.positions[3 * i + k] += shrink * step[f + k]
}

/** Moves a joint that has coordinates of its own. */
function moveCoordinates({ kinematics, block, settings, rig, subproblems, starts }: Workspace, i: number): void {
  const { kinds, firstFreedom, pose, coordinates } = kinematics
  const { limits } = rig.joints[i]
  const kind = kinds[i]
  const p = subproblems.ofBone[i]
  const f = firstFreedom[i]
  const bound = kind === SLIDER ? settings.errorClamp * rig.size : settings.maxAngle
  for (let c = 0; c < FREEDOMS[kind]; c++) {
    const before = coordinates[2 * i + c]
    coordinates[2 * i + c] = before + Math.min(Math.max(block.step[f + c], -bound), bound)
    clampInside(coordinates, 2 * i + c, limits, 2 * c)
    const moved = coordinates[2 * i + c] - before
    subproblems.moved[p] = Math.max(subproblems.moved[p], moved * moved)
  }
  writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, starts.stretches)
}

/** Whether a turn may lead past one of a ball's bounds. */
function isNear({ count, room }: Bounds, turned: Float64Array): boolean {
  const squared = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]
  for (let b = 0; b < count; b++) if (room[b] * room[b] < AT_MOST * AT_MOST * squared) return true
  return false
}
