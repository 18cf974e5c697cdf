/** Row 2: bodies that start inside each other. */

import type { OverlapScene } from '../../scenes/contacts/index.js'
import { gaps, overlappingCubes, overlappingPyramid, run, topSpeed } from '../../scenes/contacts/index.js'
import { figure, type ReportRow } from '../report.js'

/** Asked: by when they rest [s], and how fast a body may ever be [m/s]. */
const RESTS_BY = 1
const FASTEST = 5
/** Below this everything rests [m/s], and below this nothing is apart [m]. */
const REST_SPEED = 0.01
const NO_GAP = 1e-3
const WATCHED = 3

/** When the last body came to rest, the highest speed of all, and what gaps were left when they had to rest. */
export function recovery(scene: OverlapScene): { rested: number; fastest: number; gap: number; overlap: number } {
  let [rested, fastest] = [0, 0]
  let left = { gap: Infinity, overlap: Infinity }
  run(scene, WATCHED, (time) => {
    const speed = topSpeed(scene.bodies)
    fastest = Math.max(fastest, speed)
    if (!(speed < REST_SPEED)) rested = time
    if (time <= RESTS_BY + 1e-9) left = gaps(scene)
  })
  return { rested, fastest, ...left }
}

function parts(id: string, claim: string, scene: string, make: () => OverlapScene): ReportRow {
  return {
    id,
    claim,
    asked: `at rest within ${RESTS_BY} s (speeds < ${1e3 * REST_SPEED} mm/s), never above ${FASTEST} m/s, no gap above ${1e3 * NO_GAP} mm`,
    scene: `${scene}; 8 substeps of 1 sweep, 60 Hz, no sleep`,
    measure() {
      const { rested, fastest, gap, overlap } = recovery(make())
      const when = rested < WATCHED ? `rests at ${figure(rested)} s` : `does not rest in ${WATCHED} s`
      return {
        figures: `${when}, fastest ${figure(fastest)} m/s, gap ${figure(1e3 * gap)} mm, overlap left ${figure(1e3 * overlap)} mm`,
        holds: rested <= RESTS_BY && fastest <= FASTEST && gap <= NO_GAP,
      }
    },
  }
}

export const overlap: readonly ReportRow[] = [
  parts(
    '2.1',
    'Overlap: five cubes 0.4 m into each other, the lowest 1.2 m into the floor',
    'Tamis 10.2: sides of 2.4 m, 1.2 kg, g = 10 m/s², ν = 0.5',
    () => overlappingCubes(),
  ),
  parts('2.2', 'Overlap: pyramid drawn together by 25 %', 'base 4, boxes of 1 m and 100 kg, ν = 0.5', () =>
    overlappingPyramid(),
  ),
]
