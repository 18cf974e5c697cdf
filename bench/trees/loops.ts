/**
 * Error against time of a scene with branches or loops, by the direct solution and by pure Gauss–Seidel, as JSON.
 *
 *   loops.ts --scene mobile|bridge|grid --solver auto|direct|sweep --substeps N [--iterations N]
 *
 * dt 1/60 s; the median step after 60 of warm-up, and the worst joint gap at the end of any measured one.
 */

import { parseArgs } from 'node:util'
import type { Solver, WorldOptions } from '@tautline/core'
import { bridge, jointGap, jointGrid, type JointScene } from '../../examples/scenes/impulse/index.js'
import { mobile } from '../../examples/scenes/trees/branching.js'

export interface LoopsResult {
  /** Of a step [ms]. */
  median: number
  /** [m]; `null` when a pose is not finite. */
  gap: number | null
  /** Of the last step: joints in trees and cut from them; visits that stayed unsolved or fell back, of all steps. */
  joints: number
  cuts: number
  unsolved: number
  halved: number
}

const WARM_UP = 60

const SCENES: Record<string, { make: (options: WorldOptions) => JointScene; steps: number }> = {
  mobile: { make: (options) => mobile(7, options), steps: 240 },
  bridge: { make: (options) => bridge(160, options), steps: 240 },
  grid: { make: (options) => jointGrid(100, options), steps: 30 },
}

const { values } = parseArgs({
  options: {
    scene: { type: 'string', default: 'mobile' },
    solver: { type: 'string', default: 'auto' },
    substeps: { type: 'string', default: '1' },
    iterations: { type: 'string', default: '1' },
  },
})
const scene = SCENES[values.scene] as (typeof SCENES)[string] | undefined
if (scene === undefined)
  throw new RangeError(`loops: scene must be one of ${Object.keys(SCENES).join(', ')}, got ${values.scene}`)
const made = scene.make({
  dt: 1 / 60,
  solver: values.solver as Solver,
  substeps: Number(values.substeps),
  iterations: Number(values.iterations),
})
console.log(JSON.stringify(measure(made, scene.steps)))

function measure(made: JointScene, steps: number): LoopsResult {
  const times: number[] = []
  let [gap, unsolved, halved] = [0, 0, 0]
  for (let step = 0; step < WARM_UP + steps; step++) {
    const before = performance.now()
    made.world.step()
    const took = performance.now() - before
    if (step < WARM_UP) continue
    times.push(took)
    const now = jointGap(made)
    // NaN has to show.
    gap = now <= gap ? gap : now
    unsolved += made.world.report.direct.unsolved
    halved += made.world.report.direct.halved
  }
  times.sort((r, s) => r - s)
  const { joints, cuts } = made.world.report.direct
  return {
    median: times[times.length >> 1],
    gap: Number.isFinite(gap) ? gap : null,
    joints,
    cuts: cuts.length,
    unsolved,
    halved,
  }
}
