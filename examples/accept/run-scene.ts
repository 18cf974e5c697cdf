/** Runs one scene and gathers its metrics. */

import type { World } from '@tautline/core'
import { randomNumbers } from '../lib/random.js'
import { energyGain } from './energy.js'
import { type Measure, sumOf, TOLERANCES, worstOf } from './measure.js'
import { finiteOrNull, type Metric, type SceneResult } from './metric.js'
import type { AcceptScene, Made } from './scene.js'
import { Stopwatch } from './stopwatch.js'

/** By which `--nudge` moves bodies along each axis [m]: nobody can see it, and chaotic scenes end elsewhere. */
const NUDGE = 1e-9

/** Runs it from its start, and once more with the ledger where work is done on it. `nudge` is a seed; 0 moves nothing. */
export async function runScene(scene: AcceptScene, nudge = 0): Promise<SceneResult> {
  const { name, steps, bounds, hasWork = false, energyOf = 'all' } = scene
  try {
    const made = await scene.make()
    if (nudge !== 0) nudgeBodies(made.world, nudge)
    const measures = [...made.measures, ...commonMeasures(made, bounds)]
    if (bounds.energy !== undefined && !hasWork) measures.push(energyGain(made.world, bounds.energy, energyOf))
    let stopwatch = new Stopwatch(steps)
    timedRun(made, steps, measures, stopwatch)
    // A time without a bound is not judged.
    if (bounds.time < Infinity && stopwatch.total < ENOUGH) stopwatch = await timedAgain(scene)
    const metrics = measures.map(metricOf)
    if (bounds.energy !== undefined && hasWork) metrics.push(await energyWithWork(scene, bounds.energy, nudge))
    return { scene: name, metrics: [...metrics, timeMetric(stopwatch.ratio, bounds.time)], busy: busySeconds() }
  } catch (error) {
    return { scene: name, metrics: [], busy: busySeconds(), failed: String(error).split('\n')[0] }
  }
}

/** Processor time of steps that a median wants, and after which the engine has compiled most loops [µs]. */
const ENOUGH = 500_000
/** Runs of a short scene for its time, at most. */
const REPEATS = 6

function timedRun(made: Made, steps: number, measures: readonly Measure[], stopwatch: Stopwatch): void {
  run(made, steps, measures, (step) => {
    stopwatch.time(step, () => isAwake(made.world))
  })
}

/** Times a scene that was too short to tell, in further runs without measures. */
async function timedAgain(scene: AcceptScene): Promise<Stopwatch> {
  const stopwatch = new Stopwatch(scene.steps)
  for (let k = 0; k < REPEATS && stopwatch.total < ENOUGH; k++) {
    timedRun(await scene.make(), scene.steps, [], stopwatch)
  }
  return stopwatch
}

/** The energy gain of a second run, in which a ledger counts the work put in. */
async function energyWithWork(scene: AcceptScene, bound: number, nudge: number): Promise<Metric> {
  const made = await scene.make()
  if (nudge !== 0) nudgeBodies(made.world, nudge)
  made.world.configure({ energyLedger: true })
  const gain = energyGain(made.world, bound, scene.energyOf)
  run(made, scene.steps, [gain], (step) => {
    step()
  })
  return metricOf(gain)
}

function run(made: Made, steps: number, measures: readonly Measure[], timed: (step: () => void) => void): void {
  const { world } = made
  const advance = (): void => {
    if (made.advance === undefined) world.step()
    else made.advance()
  }
  for (let step = 0; step < steps; step++) {
    made.before?.(step)
    timed(advance)
    for (const measure of measures) measure.sample?.(step)
  }
}

function commonMeasures({ world, collisions }: Made, bounds: AcceptScene['bounds']): Measure[] {
  const measures = [
    sumOf('count', 'faults', 0, () => faultsOf(world)),
    sumOf('interventions', 'guarded', bounds.guarded ?? 0, () => world.report.guard.components),
  ]
  if (bounds.unsolved !== undefined)
    measures.push(sumOf('failures', 'unsolved', bounds.unsolved, () => unsolvedOf(world)))
  if (bounds.solves !== undefined) measures.push(solvesPerPass(world, bounds.solves))
  if (collisions !== undefined && bounds.penetration !== undefined) {
    measures.push(
      worstOf('depth', 'penetration', bounds.penetration, () => {
        let deepest = 0
        for (const { points } of collisions.events)
          for (const { separation } of points) deepest = Math.max(deepest, -separation)
        return deepest
      }),
    )
  }
  return measures
}

/** Bodies that became non-finite and constraints that were skipped in the last step. */
function faultsOf({ report }: World): number {
  return report.nonFinite.length + report.skipped.length
}

/** Passes of joint trees, and loads of soft bodies, that found no solution in the last step. */
function unsolvedOf({ report }: World): number {
  const elastic = report.solvers['elastic'] as { unsolved: number } | undefined
  return report.direct.unsolved + (elastic?.unsolved ?? 0)
}

function solvesPerPass(world: World, bound: number): Measure {
  let [solves, passes] = [0, 0]
  return {
    name: 'solves per pass',
    unit: '',
    bound,
    tolerance: TOLERANCES.solves,
    sample() {
      const { direct } = world.report
      solves += direct.solves
      passes += direct.passes
    },
    value: () => solves / passes,
  }
}

/** Processor time of this process so far [s]. */
function busySeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function isAwake(world: World): boolean {
  return world.bodies.all().some(({ type, asleep }) => type === 'dynamic' && !asleep)
}

function metricOf(measure: Measure): Metric {
  const { name, unit, bound, tolerance } = measure
  return { name, unit, value: finiteOrNull(measure.value()), bound, tolerance, isTime: false }
}

function timeMetric(ratio: number, bound: number): Metric {
  const tolerance = TOLERANCES.time
  return { name: 'time', unit: '× ref', value: finiteOrNull(ratio), bound, tolerance, isTime: true }
}

function nudgeBodies(world: World, seed: number): void {
  const random = randomNumbers(seed)
  for (const body of world.bodies.all()) {
    if (body.type !== 'dynamic') continue
    const [x, y, z] = body.position
    body.setPosition([x + NUDGE * random(), y + NUDGE * random(), z + NUDGE * random()])
  }
}
