/** Runs random joint scenes and measures what they gain, how far joints part, and what a step takes. */

import type { CommonDef, Constraint, World } from '@tautline/core'
import { type AttackScene, buildScene, type BuildOptions } from './build.js'
import { type ScenePlan, scenePlan } from './plan.js'

/** What a run of one scene showed. */
export interface AttackResult {
  seed: number
  /** Highest total energy above that of the start, as a share of m g L. */
  gain: number
  /** Time at which it was highest [s]. */
  gainAt: number
  /** Kinetic energy at the start, as a share of m g L. */
  thrown: number
  /** Worst error of a rigid joint at the end of a step [m, rad]. */
  gap: number
  /** Whether all joints were solved directly, and started satisfied. */
  isExact: boolean
  passes: number
  solves: number
  unsolved: number
  halved: number
  /** Steps of exact scenes after which a joint gaped though no pass was reported as unsolved. */
  silent: number
  /** How often the guard scaled a component back. */
  guarded: number
  /** Bodies that became non-finite. */
  lost: number
  /** Milliseconds a step in which something is awake: median, and 99th percentile. */
  median: number
  p99: number
  steps: number
}

const GRAVITY = 9.81

/** A gap of a joint that is closed [m]. */
export const CLOSED = 1e-6

/** Steps before times are looked at: the engine compiles. */
const WARM_UP = 5

/** Runs a scene for `seconds`. */
export function runScene({ plan, world, joints, mass, extent }: AttackScene, seconds: number): AttackResult {
  const steps = Math.round(seconds * plan.rate)
  const scale = mass * GRAVITY * extent
  const start = world.energy()
  const times: number[] = []
  const result: AttackResult = {
    seed: plan.seed,
    gain: 0,
    gainAt: 0,
    thrown: start.kinetic / scale,
    gap: 0,
    isExact: plan.start === 'satisfied',
    passes: 0,
    solves: 0,
    unsolved: 0,
    halved: 0,
    silent: 0,
    guarded: 0,
    lost: 0,
    median: 0,
    p99: 0,
    steps,
  }
  for (let k = 0; k < steps; k++) {
    const isAwake = world.bodies.all().some(({ type, asleep }) => type === 'dynamic' && !asleep)
    const before = performance.now()
    world.step()
    if (k >= WARM_UP && isAwake) times.push(performance.now() - before)
    const gain = (world.energy().total - start.total) / scale
    // NaN has to show.
    if (!(gain <= result.gain)) {
      result.gain = gain
      result.gainAt = (k + 1) / plan.rate
    }
    const failed = count(world, joints.length, result)
    const gap = measureGaps(joints, result)
    if (result.isExact && !failed && !(gap <= CLOSED)) result.silent++
  }
  times.sort((r, s) => r - s)
  result.median = times[times.length >> 1]
  result.p99 = times[Math.floor(0.99 * times.length)]
  result.lost = world.report.nonFinite.length
  return result
}

/** Adds up what the direct solution did; whether a pass of the last step failed. */
function count(world: World, joints: number, result: AttackResult): boolean {
  const { direct, guard } = world.report
  result.guarded += guard.components
  result.passes += direct.passes
  result.solves += direct.solves
  result.unsolved += direct.unsolved
  result.halved += direct.halved
  if (direct.joints !== joints) result.isExact = false
  return direct.unsolved > 0
}

/** Errors of the rigid joints; the worst of this step [m, rad]. What is soft gives way, and is no gap. */
function measureGaps(joints: readonly Constraint[], result: AttackResult): number {
  let worst = 0
  for (const joint of joints) {
    if (((joint.def as CommonDef).compliance ?? 0) > 0) continue
    if (!(joint.error <= worst)) worst = joint.error
  }
  if (!(worst <= result.gap)) result.gap = worst
  return worst
}

/** Runs the scene of a seed. */
export function attack(seed: number, seconds: number, options: BuildOptions = {}): AttackResult {
  return runScene(buildScene(scenePlan(seed), options), seconds)
}

/** The scene of a plan in one line. */
export function describe(plan: ScenePlan): string {
  const { kind, setting, start, motion, substeps, rate, decades, spin, links } = plan
  const kinds = [...new Set(links.map((link) => link.kind))]
  const what = `${kind} of ${links.length}, ${kinds.length > 3 ? 'mixed joints' : kinds.join(' and ')}`
  const limits = links.some(({ ranges }) => ranges !== undefined) ? ', limits' : ''
  const rubs = links.some(({ frictionTorque }) => frictionTorque > 0) ? ', friction torque' : ''
  const soft = links.some(({ compliance }) => compliance > 0) ? ', some soft' : ''
  const heavy = `masses to 10^${decades.toFixed(1)}`
  return `${what}${limits}${rubs}${soft}, ${heavy}, ${setting}, ${start}, ${motion} (${spin.toFixed(0)} rad/s), ${substeps} substeps at ${rate} Hz`
}
