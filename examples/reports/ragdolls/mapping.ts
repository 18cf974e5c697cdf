/** Row 1.4: a motion on a skeleton of few bones and back on that of many. */

import { readFileSync } from 'node:fs'
import { WebIO } from '@gltf-transform/core'
import { type RagdollBone, ragdollAsset } from '@tautline/assemblies'
import { Pose, Rig, WorldPose } from '@tautline/ik'
import { fromGltf, gltfClip, readGlb } from '@tautline/ik/gltf'
import { createPoseMapper, mapToHigh, mapToLow } from '@tautline/ik/poses'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'
import { mocap } from './figures.js'

const DEGREE = Math.PI / 180
/** Farthest that a mapped joint may be off [m, rad]. */
const OFF = 1e-9
const FRAMES = 1200
/** Frame 0 is a T-pose. */
const FIRST = 1
const CLIPS = ['walk', 'run', 'jump', 'getUpFront', 'getUpBack']
/** What a mapper says of bones in no chain that are not mapped. */
const CARRIED = -2

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

/** A motion: what it is of, the rig, and a pose a frame. */
interface Motion {
  readonly name: string
  readonly rig: Rig
  readonly frames: number
  read(frame: number, pose: Pose): void
}

/** CMU's walk, or why there is none. */
function walk(): Motion | string {
  const bvh = mocap()
  if (typeof bvh === 'string') return bvh
  const read = (frame: number, pose: Pose): unknown => bvh.pose(FIRST + 2 * frame, pose)
  return { name: 'CMU', rig: Rig.from(bvh.bones), frames: FRAMES, read }
}

/** All clips of the mannequin, one after another. */
async function mannequinClips(): Promise<Motion> {
  const bytes = new Uint8Array(readFileSync(new URL('../../data/mannequin.glb', import.meta.url)))
  const { document } = await readGlb(new WebIO(), bytes)
  const bones = fromGltf(document)
  const rig = Rig.from(bones.bones)
  const poses = CLIPS.flatMap((name) => gltfClip(document, bones, name).poses)
  const read = (frame: number, { positions, rotations }: Pose): void => {
    positions.set(poses[frame].positions)
    rotations.set(poses[frame].rotations)
  }
  return { name: 'mannequin', rig, frames: poses.length, read }
}

/** How far mapped joints are off at worst [m, rad], and bones of chains in the mean [rad], by spread: its default, none and all of it. */
function measure({ rig, frames, read }: Motion): { count: number; off: number; turn: number; chains: number[] } {
  const low = partsOf(rig)
  const mappers = [{}, { spread: 0 }, { spread: 1 }].map((options) => createPoseMapper(low, rig, options))
  const { task, partner } = mappers[0].high
  const between = rig.names.flatMap((_, i) => (partner[i] < 0 && task[i] !== CARRIED ? [i] : []))
  const [clip, few, many] = [new Pose(rig), new Pose(low), new Pose(rig)]
  const [asked, got] = [new WorldPose(rig), new WorldPose(rig)]
  let [off, turn] = [0, 0]
  const chains = mappers.map(() => 0)
  for (let frame = 0; frame < frames; frame++) {
    read(frame, clip)
    asked.update(rig, clip)
    mappers.forEach((mapper, n) => {
      mapToHigh(mapper, many, mapToLow(mapper, few, clip))
      got.update(rig, many)
      for (const name of low.names) {
        const i = rig.names.indexOf(name)
        for (let k = 3 * i; k < 3 * i + 3; k++) off = Math.max(off, Math.abs(asked.positions[k] - got.positions[k]))
        turn = Math.max(turn, turned(asked, got, i))
      }
      for (const i of between) chains[n] += turned(asked, got, i) / (between.length * frames)
    })
  }
  return { count: low.count, off, turn, chains }
}

async function mapped(): Promise<Measured> {
  const cmu = walk()
  if (typeof cmu === 'string') return skipped(cmu)
  const motions = [cmu, await mannequinClips()]
  const results = motions.map(measure)
  const lines = results.map(({ count, off, turn, chains }, n) => {
    const [byDefault, none, whole] = chains.map((angle) => `${figure(angle / DEGREE)}°`)
    const { name, rig } = motions[n]
    return `${name}: ${count} of ${rig.count} bones mapped, off by ${figure(off)} m, ${figure(turn)} rad at worst; bones in chains: mean ${byDefault} off, ${none} with \`spread: 0\`, ${whole} with 1`
  })
  return {
    figures: lines.join('; '),
    holds: results.every(({ count, off, turn }) => count === 11 && off <= OFF && turn <= OFF),
  }
}

export const mappingRows: readonly ReportRow[] = [
  {
    id: '1.4',
    claim: 'A motion on a skeleton of 11 bones and back: mapped joints are where the clip has them',
    asked: `mapped joints within ${OFF} m and rad; what is between them has no bound, and is told`,
    scene: `CMU 01_01, ${FRAMES} frames at 60 a second, and the mannequin's clips; bones of the parts of a doll of 11; to it and back, rest leads`,
    measure: mapped,
  },
]
