/** What robots, humanoids and figures of motion capture have in common: targets of a pose, and how far another is from them. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acos, cos, sin } from '@tautline/core/kernel'
import type { WorldPose } from '@tautline/ik'
import { type Pose, type Rig } from '@tautline/ik'
import type { Body } from '../solver.js'
import { multiply, rotate } from './kinematics.js'

/** Numbers of a target: position and orientation. */
export const TARGET = 7

/** Text of a file of `TAUTLINE_DATA`, or of ../shared/data beside the repository; `undefined` where it is absent. */
export function dataText(name: string): string | undefined {
  const path = join(
    process.env.TAUTLINE_DATA ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url)),
    name,
  )
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Where a pose has the effectors, into `out` from `at` on. */
export function writeTargets(body: Body, rig: Rig, world: WorldPose, pose: Pose, out: Float64Array, at: number): void {
  world.update(rig, pose)
  body.effectors.forEach(({ bone, point: [x, y, z] }, e) => {
    const o = at + TARGET * e
    rotate(world.rotations, 4 * bone, x, y, z, out, o)
    for (let k = 0; k < 3; k++) out[o + k] += world.positions[3 * bone + k]
    for (let k = 0; k < 4; k++) out[o + 3 + k] = world.rotations[4 * bone + k]
  })
}

/** How far the effectors are from their targets: the farthest [m], and the one turned most of those that count [rad]. */
export function targetErrors(body: Body, is: Float64Array, wanted: Float64Array, at: number): [number, number] {
  let [far, turned] = [0, 0]
  body.effectors.forEach(({ turns }, e) => {
    const [i, w] = [TARGET * e, at + TARGET * e]
    const [x, y, z] = [0, 1, 2].map((k) => is[i + k] - wanted[w + k])
    far = Math.max(far, Math.sqrt(x * x + y * y + z * z))
    if (turns) turned = Math.max(turned, turnBetween(is, i + 3, wanted, w + 3))
  })
  return [far, turned]
}

/** Angle of the rotation between two orientations [rad], exact where it is small. */
function turnBetween(p: Float64Array, i: number, q: Float64Array, j: number): number {
  const back = [-p[i], -p[i + 1], -p[i + 2], p[i + 3]]
  const between = new Float64Array(4)
  multiply(back, 0, q, j, between, 0)
  const [x, y, z, w] = between
  const s = Math.sqrt(x * x + y * y + z * z)
  return s < 0.5 ? 2 * Math.asin(s) : 2 * acos(Math.min(1, Math.abs(w)))
}

/** Hinge of a bone, as the rig numbers kinds. */
export const HINGE = 2

/** Sets a hinge's angle from rest [rad]. */
export function setHinge(rig: Rig, bone: number, angle: number, pose: Pose): void {
  const { frame } = rig.joints[bone]
  const q = new Float64Array([frame[0], frame[1], frame[2], frame[3]])
  const o = 4 * bone
  multiply(rig.restRotation, o, q, 0, pose.rotations, o)
  multiply(pose.rotations, o, [sin(0.5 * angle), 0, 0, cos(0.5 * angle)], 0, pose.rotations, o)
  multiply(pose.rotations, o, [-q[0], -q[1], -q[2], q[3]], 0, pose.rotations, o)
}

/** A hinge's angle from rest in (−π, π] [rad]. */
export function hingeAngle(rig: Rig, bone: number, pose: Pose): number {
  const { frame } = rig.joints[bone]
  const rest = rig.restRotation.subarray(4 * bone, 4 * bone + 4)
  const out = new Float64Array(4)
  multiply([-rest[0], -rest[1], -rest[2], rest[3]], 0, pose.rotations, 4 * bone, out, 0)
  multiply([-frame[0], -frame[1], -frame[2], frame[3]], 0, out, 0, out, 0)
  multiply(out, 0, frame, 0, out, 0)
  return out[3] < 0 ? 2 * Math.atan2(-out[0], -out[3]) : 2 * Math.atan2(out[0], out[3])
}
