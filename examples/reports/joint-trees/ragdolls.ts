/** Row 5: ragdolls that walk by their drives, and that are thrown against a wall. */

import {
  adultRagdoll,
  joltRagdoll,
  type Missing,
  type Ragdoll,
  type RagdollOptions,
  SLIGHT,
  throwAtWall,
  walk,
} from '../../scenes/trees/index.js'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'

/** Asked: mean error of joints [°], gap [m]; violation of limits [°], and how long at most [s]. */
const TRACKED = 3
const GAP = 1e-6
const BEYOND = 1
const BACK = 0.2

/** Time that a ragdoll has to take the clip's first pose [s]. */
const SETTLE = 0.5
const WALKED = [1, 4]
/** The last counts. */
const THROWN = [8, 16, 32]

type Make = (options: RagdollOptions) => Ragdoll | Missing

/** Measures, or says what is missing. */
function onceThere(make: Make, measure: (make: (options: RagdollOptions) => Ragdoll) => Measured): Measured {
  const tried = make({})
  if ('missing' in tried) return skipped(tried.missing)
  return measure((options) => make(options) as Ragdoll)
}

function left(unsolved: number, halved: number): string {
  return unsolved + halved > 0 ? ` (${unsolved} unsolved, ${halved} halved)` : ''
}

function walks(id: string, who: string, clip: string, make: Make): ReportRow {
  return {
    id,
    claim: `${who} walks by its drives`,
    asked: `mean joint error < ${TRACKED}°, joint gaps <= ${GAP} m`,
    scene: `${clip}; pelvis led, drives of 20 Hz and critical damping of what they carry, up to the joint's largest couple, masses as they are; 60 Hz, ${WALKED.join(' and ')} substeps`,
    measure: () =>
      onceThere(make, (there) => {
        const runs = WALKED.map((substeps) => ({ substeps, ...walk(there({ led: true, substeps }), SETTLE) }))
        return {
          figures: runs
            .map(
              ({ substeps, mean, worst, gap, mass, unsolved, halved }) =>
                `${substeps} substeps: mean ${figure(mean)}°, most ${figure(worst)}°, gap ${figure(gap)} m, ${figure(mass)} kg without the pelvis${left(unsolved, halved)}`,
            )
            .join('; '),
          holds: runs.every(({ mean, gap }) => mean < TRACKED && gap <= GAP),
        }
      }),
  }
}

function thrown(id: string, who: string, make: Make): ReportRow {
  return {
    id,
    claim: `${who} thrown against a wall`,
    asked: `limits violated < ${BEYOND}° and back within ${BACK} s (${SLIGHT}°), at ${THROWN.at(-1) ?? 0} substeps`,
    scene: `limp, 10 m/s at a wall 1.5 m off, then falling on the floor, 3 s; 60 Hz, ${THROWN.join(', ')} substeps of one visit, Gauss–Seidel alone at the last beside it`,
    measure: () =>
      onceThere(make, (there) => {
        const runs = THROWN.map((substeps) => ({ name: `${substeps} substeps`, ...throwAtWall(there({ substeps })) }))
        const substeps = THROWN[THROWN.length - 1]
        const swept = { name: 'Gauss–Seidel', ...throwAtWall(there({ substeps, solver: 'sweep' })) }
        const { beyond, longest } = runs[runs.length - 1]
        return {
          figures: [...runs, swept]
            .map(
              (run) =>
                `${run.name}: ${figure(run.beyond)}°, ${figure(run.longest)} s, gap ${figure(1e3 * run.gap)} mm${left(run.unsolved, run.halved)}`,
            )
            .join('; '),
          holds: beyond < BEYOND && longest <= BACK,
        }
      }),
  }
}

export const ragdolls: readonly ReportRow[] = [
  walks('5.1', "The examples' adult of 16 parts", 'a synthetic walk of two strides', adultRagdoll),
  walks('5.2', "Jolt's human of 23 parts", 'its walk clip, 2.8 s', joltRagdoll),
  thrown('5.3', "The examples' adult of 16 parts", adultRagdoll),
  thrown('5.4', "Jolt's human of 23 parts", joltRagdoll),
]
