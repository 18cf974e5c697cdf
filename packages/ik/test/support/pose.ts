/** Poses of bones, and where they put them. */

import type { BoneDef } from '../../src/index.js'
import { type LocalPose, type Place, type Vec3, within } from '../../src/rigs/transform.js'

export function emptyPose(count: number): LocalPose {
  return { positions: new Float64Array(3 * count), rotations: new Float64Array(4 * count) }
}

export function restPose(bones: readonly BoneDef[]): LocalPose {
  const pose = emptyPose(bones.length)
  bones.forEach(({ position, rotation }, i) => {
    pose.positions.set(position, 3 * i)
    pose.rotations.set(rotation ?? [0, 0, 0, 1], 4 * i)
  })
  return pose
}

/** Bones in the rig's space; `point` takes a point of a bone there. */
export function places(
  bones: readonly BoneDef[],
  pose: LocalPose,
): { position: number[]; rotation: number[]; point(bone: number, of: Vec3): Vec3 } {
  const found: Place[] = []
  bones.forEach(({ parent }, i) => {
    const [x, y, z] = pose.positions.slice(3 * i)
    const [a, b, c, d] = pose.rotations.slice(4 * i)
    const own: Place = { position: [x, y, z], rotation: [a, b, c, d] }
    const up = typeof parent === 'string' ? bones.findIndex(({ name }) => name === parent) : parent
    found.push(up === null ? own : within(found[up], own))
  })
  return {
    position: found.flatMap((place) => place.position),
    rotation: found.flatMap((place) => place.rotation),
    point: (bone, of) => within(found[bone], { position: of, rotation: [0, 0, 0, 1] }).position,
  }
}
