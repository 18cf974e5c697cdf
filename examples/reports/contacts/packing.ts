/** Row 7: many spheres. */

import type { SphereScene } from '../../scenes/contacts/index.js'
import { confined, droppedSpheres, run, rush, sphereOverlap, topSpeed } from '../../scenes/contacts/index.js'
import { figure, type ReportRow } from '../report.js'

/** Asked: overlap as a share of a radius, and by when they rest [s]. */
const OVERLAP = 0.05
const RESTS_BY = 5
/** Below this everything rests [m/s]. */
const REST_SPEED = 0.01

/** Deepest overlap in the whole run and at its end, as shares of a radius, when the last came to rest, and the speed at the end. */
export function packs(scene: SphereScene): { deepest: number; left: number; rested: number; speed: number } {
  const { bodies, radius } = scene
  let [deepest, rested] = [-Infinity, 0]
  run(scene, RESTS_BY, (time) => {
    deepest = Math.max(deepest, sphereOverlap(bodies, radius) / radius)
    if (!(topSpeed(bodies) < REST_SPEED)) rested = time
  })
  return { deepest, left: sphereOverlap(bodies, radius) / radius, rested, speed: topSpeed(bodies) }
}

/** What starts apart must never overlap by more than is asked; what starts overlapping must not do so at the end. */
function pack(id: string, claim: string, scene: string, startsApart: boolean, make: () => SphereScene): ReportRow {
  return {
    id,
    claim,
    asked: `overlap < 5 % of a radius${startsApart ? ', ever' : ' at the end'}; at rest within ${RESTS_BY} s (speeds < ${1e3 * REST_SPEED} mm/s)`,
    scene: `${scene}; 8 substeps of 1 sweep, 60 Hz, no sleep`,
    measure() {
      const { deepest, left, rested, speed } = packs(make())
      const when = rested < RESTS_BY ? `rest at ${figure(rested)} s` : `${figure(speed)} m/s left`
      return {
        figures: `deepest ${figure(100 * deepest)} %, at the end ${figure(100 * left)} %, ${when}`,
        holds: (startsApart ? deepest : left) < OVERLAP && rested < RESTS_BY,
      }
    },
  }
}

export const packing: readonly ReportRow[] = [
  pack(
    '7.1',
    'SimBenchmark 666: 6³ spheres drop',
    '10 kg, radius 0.1 m, 0.21 m apart, shaken by 1 mm, seed 42, e = 0, ν = 0.5, rolling friction of the floor 0.02 m',
    true,
    () => droppedSpheres(),
  ),
  pack(
    '7.2',
    'Solver2D rush: 400 spheres pressed to a centre',
    'radius 0.5 m, 100 kg/m³, 1000 N each, in a plane, ν = 0.6',
    true,
    () => rush(),
  ),
  pack(
    '7.3',
    'Solver2D confined: 625 spheres packed in a box',
    'radius 0.5 m on a grid of 0.72 m, box of 20 × 20 × 2 m, ν = 0.5',
    false,
    () => confined(),
  ),
]
