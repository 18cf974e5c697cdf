/** Row 1.4: a motion on a skeleton of few bones and back on that of many. */

import { type RagdollBone, ragdollAsset } from '@tautline/assemblies'
import { Pose, Rig, WorldPose } from '@tautline/ik'
import { createPoseMapper, mapToHigh, mapToLow } from '@tautline/ik/poses'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'
import { mocap } from './figures.js'

const DEGREE = Math.PI / 180
/** Farthest that a mapped joint may be off [m, rad]. */
const OFF = 1e-9
const FRAMES = 1200
/** Frame 0 is a T-pose. */
const FIRST = 1

/** Bones of the parts of an asset of 11, at the places where they rest. */
function partsOf(rig: Rig): Rig {
  const { parts, skeleton } = ragdollAsset(rig, { detail: 11 })
  const { worldPositions: x, names } = skeleton
  return Rig.from(
    parts.map(({ bone, parent }): RagdollBone => {
      const above = parent < 0 ? -1 : parts[parent].bone
      const [a, b, c] = [0, 1, 2].map((k) => x[3 * bone + k] - (above < 0 ? 0 : x[3 * above + k]))
      return { name: names[bone], parent: above < 0 ? null : names[above], position: [a, b, c] }
    }),
  )
}

/** Angle between a bone's rotations in two places [rad]; by the sine, that small ones are told from round-off. */
function turned({ rotations: p }: WorldPose, { rotations: q }: WorldPose, i: number): number {
  const [px, py, pz, pw, qx, qy, qz, qw] = [...p.subarray(4 * i, 4 * i + 4), ...q.subarray(4 * i, 4 * i + 4)]
  const x = pw * qx - px * qw - py * qz + pz * qy
  const y = pw * qy - py * qw - pz * qx + px * qz
  const z = pw * qz - pz * qw - px * qy + py * qx
  const w = px * qx + py * qy + pz * qz + pw * qw
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w))
}

function mapped(): Measured {
  const bvh = mocap()
  if (typeof bvh === 'string') return skipped(bvh)
  const rig = Rig.from(bvh.bones)
  const low = partsOf(rig)
  const mappers = [1, 0].map((spread) => createPoseMapper(low, rig, { spread }))
  const between = ['LowerBack', 'Neck', 'Neck1', 'LeftShoulder', 'RightShoulder']
    .map((name) => rig.names.indexOf(name))
    .filter((i) => i >= 0 && mappers[0].high.task[i] > -2)
  const [clip, few, many] = [new Pose(rig), new Pose(low), new Pose(rig)]
  const [asked, got] = [new WorldPose(rig), new WorldPose(rig)]
  let [off, turn] = [0, 0]
  const inChains = [0, 0]
  for (let frame = 0; frame < FRAMES; frame++) {
    bvh.pose(FIRST + 2 * frame, clip)
    asked.update(rig, clip)
    mappers.forEach((mapper, n) => {
      mapToHigh(mapper, many, mapToLow(mapper, few, clip))
      got.update(rig, many)
      for (const name of low.names) {
        const i = rig.names.indexOf(name)
        for (let k = 3 * i; k < 3 * i + 3; k++) off = Math.max(off, Math.abs(asked.positions[k] - got.positions[k]))
        turn = Math.max(turn, turned(asked, got, i))
      }
      for (const i of between) inChains[n] += turned(asked, got, i) / (between.length * FRAMES)
    })
  }
  const [bent, straight] = inChains.map((angle) => `${figure(angle / DEGREE)}°`)
  return {
    figures: `${low.count} of ${rig.count} bones mapped: off by ${figure(off)} m, ${figure(turn)} rad at worst; ${between.length} bones in chains: mean ${bent} off, ${straight} without spreading`,
    holds: low.count === 11 && off <= OFF && turn <= OFF,
  }
}

export const mappingRows: readonly ReportRow[] = [
  {
    id: '1.4',
    claim: 'A motion on a skeleton of 11 bones and back: mapped joints are where the clip has them',
    asked: `mapped joints within ${OFF} m and rad; what is between them has no bound, and is told`,
    scene: `CMU 01_01, ${FRAMES} frames at 60 a second; bones of the parts of a doll of 11; to it and back, rest leads`,
    measure: mapped,
  },
]
