/** Row 7.2: a part of the mannequin falls, the rest is to the bit as its clip has it. */

import { ragdoll, restPose } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { boneMask, sampleClip } from '@tautline/ik/poses'
import { figure, type Measured, type ReportRow } from '../report.js'
import { gapOf } from './figures.js'
import { mannequin } from './tumbles.js'

const SUBSTEPS = 2
const STEPS = 300
/** What an arm that swings is away from its clip at least, by a number of a quaternion. */
const SWINGS = 0.3

/** An arm that hangs from the mannequin as it runs. */
async function partial(): Promise<Measured> {
  const man = await mannequin()
  const run = man.clip('run')
  const world = new World({ substeps: SUBSTEPS })
  const pose = sampleClip(restPose(man.asset.skeleton), run, 0)
  const doll = ragdoll(world, man.asset, { pose })
  doll.setWeights({ pin: 1, mapping: 0 })
  doll.setWeights({ pin: 0, muscle: 0, mapping: 1 }, { below: 'leftUpperArm' })
  const arm = boneMask(man.asset.skeleton, { below: 'leftUpperArm' })
  const out = restPose(man.asset.skeleton)
  let [bits, gap, swing] = [0, 0, 0]
  for (let k = 1; k <= STEPS; k++) {
    sampleClip(pose, run, k / 60)
    doll.driveTo(pose)
    world.step()
    doll.pose(out)
    out.rotations.forEach((value, n) => {
      const off = Math.abs(value - pose.rotations[n])
      if (arm[n >> 2] === 0) bits += Number(off !== 0)
      else swing = Math.max(swing, off)
    })
    out.positions.forEach((value, n) => (bits += Number(arm[Math.floor(n / 3)] === 0 && value !== pose.positions[n])))
    gap = Math.max(gap, gapOf(doll))
  }
  return {
    figures: `${bits} numbers of other bones differ, gaps ${figure(gap)} m; the arm is away by up to ${figure(swing)} of a quaternion`,
    holds: bits === 0 && gap <= 1e-6 && swing > SWINGS,
  }
}

export const partialRows: readonly ReportRow[] = [
  {
    id: '7.2',
    claim: 'An arm swings on a running body, the rest bit-equal to the clip',
    asked: 'no number differs; gaps ≤ 1e-6 m',
    scene: `mannequin, its run at 60 Hz, root in place, ${SUBSTEPS} substeps, ${STEPS} steps`,
    measure: partial,
  },
]
