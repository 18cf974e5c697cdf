/** Row 6: heavy on light. */

import type { ContactScene } from '../../scenes/contacts/index.js'
import { cubeOnCubes, heavyTops, positionsOf, run, sidewaysDrift, sink } from '../../scenes/contacts/index.js'
import { figure, type ReportRow } from '../report.js'

/** The asked share of a side, the side of the small boxes [m], and how long they carry [s]. */
const SINK = 0.01
const SIDE = 1
const CARRIES = 10

function carries(id: string, claim: string, scene: string, make: () => ContactScene): ReportRow {
  return {
    id,
    claim,
    asked: `no box sinks 1 % of a side of ${SIDE} m in ${CARRIES} s`,
    scene: `${scene}; 8 substeps of 1 sweep, 60 Hz, no sleep`,
    measure() {
      const made = make()
      const starts = positionsOf(made.bodies)
      let deepest = 0
      run(made, CARRIES, () => {
        deepest = Math.max(deepest, sink(made.bodies, starts))
      })
      const drift = sidewaysDrift(made.bodies, starts)
      return {
        figures: `${figure((100 * deepest) / SIDE)} % (sideways ${figure(1e3 * drift)} mm)`,
        holds: deepest < SINK * SIDE,
      }
    },
  }
}

export const ratios: readonly ReportRow[] = [
  carries('6.1', 'Mass ratio 8000: two 1 m cubes under a 20 m cube', 'ν = 0.6, one density', () => cubeOnCubes()),
  carries(
    '6.2',
    'Mass ratios 100, 200, 300: three pyramids with a heavier top',
    'base 10, boxes of 1 m and 100 kg, ν = 0.6',
    () => heavyTops(),
  ),
]
