/** Row 1.7: ragdolls with friction torque in every joint. */

import { plane } from '@tautline/collision'
import { randomNumbers } from '../../lib/random.js'
import { adultRagdoll } from '../../scenes/trees/index.js'
import { figure, figures, median, type ReportRow } from '../report.js'

/** [N m] */
const TORQUE = 0.5
const SUBSTEPS = 8
const SECONDS = 10
/** Of the sample [s]. */
const SHORT = 1.5
/** Steps a second. */
const RATE = 60
/** For so long steps are timed, while nothing sleeps [s]. */
const TIMED = 1.5
const FALLS = 5
/** Most that friction may add to a step: as a multiple of the step without. */
const DEARER = 2

interface Fall {
  /** Unsolved passes of the worst second, and what was halved in all. */
  unsolved: number
  halved: number
  /** Highest energy above the start, as a share of m g L. */
  gain: number
  /** Milliseconds a step, median. */
  time: number
  /** When everything slept [s]. */
  sleeps: number
}

/** The adult drops onto a plane out of the T-pose, pushed at random. */
function fall(seed: number, torque: number, seconds: number): Fall {
  const { world, collisions, bodies, joints } = adultRagdoll({ substeps: SUBSTEPS, sleeps: true })
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  if (torque > 0) for (const { constraint } of joints) constraint.set({ frictionTorque: torque })
  const random = randomNumbers(7919 * seed)
  for (let k = 0; k < 5; k++) random()
  const velocity: [number, number, number] = [random(), 0, random()]
  for (const body of bodies) body.setVelocity(velocity)
  const start = world.energy().total
  const scale = 9.81 * bodies.reduce((sum, { mass }) => sum + mass, 0) * 1.75
  const result: Fall = { unsolved: 0, halved: 0, gain: 0, time: 0, sleeps: Infinity }
  const times: number[] = []
  let inSecond = 0
  for (let step = 0; step < seconds * RATE && result.sleeps === Infinity; step++) {
    if (step % RATE === 0) inSecond = 0
    const before = performance.now()
    world.step()
    if (step < TIMED * RATE) times.push(performance.now() - before)
    inSecond += world.report.direct.unsolved
    result.unsolved = Math.max(result.unsolved, inSecond)
    result.halved += world.report.direct.halved
    const gain = (world.energy().total - start) / scale
    if (!(gain <= result.gain)) result.gain = gain
    if (bodies.every(({ asleep }) => asleep)) result.sleeps = (step + 1) / RATE
  }
  result.time = median(times)
  return result
}

function tell(falls: readonly Fall[], sleep: boolean): string {
  const parts = [
    `unsolved in the worst second ${figures(falls.map(({ unsolved }) => unsolved))}`,
    `halved in all ${figures(falls.map(({ halved }) => halved))}`,
    `gain ${figures(falls.map(({ gain }) => 100 * gain))} %`,
  ]
  if (sleep) parts.push(`asleep after ${figures(falls.map(({ sleeps }) => sleeps))} s`)
  return parts.join('; ')
}

function row(id: string, falls: number, seconds: number, slow: boolean): ReportRow {
  return {
    id,
    claim:
      'Friction torque in every joint of a ragdoll is solved and cheap (before: 180 to 453 of 480 passes a second unsolved, 36 ms a step instead of 3, never asleep)',
    asked: `nothing unsolved, a step at most ${DEARER} × that without friction, energy ≤ 1 % of m g L above the start${slow ? `, asleep within ${seconds} s` : ''}`,
    scene: `adult of 16 bones, 75 kg and 1.75 m with its limits, ${TORQUE} N m in every joint, pushed by up to 1 m/s along x and z, seeds 1 to ${falls}, falls out of the T-pose on a plane, ${seconds} s; ${SUBSTEPS} substeps, ${RATE} Hz; medians of the first ${TIMED} s`,
    ...(slow && { slow }),
    measure() {
      const seeds = Array.from({ length: falls }, (_, k) => k + 1)
      // Of what is compiled only: the first fall would pay for the compiler, and friction goes first.
      for (const torque of [TORQUE, 0]) fall(0, torque, TIMED)
      const [rubbed, free] = [TORQUE, 0].map((torque) => seeds.map((seed) => fall(seed, torque, seconds)))
      const [dear, cheap] = [rubbed, free].map((of) => median(of.map(({ time }) => time)))
      return {
        figures: `with friction ${tell(rubbed, slow)}; ${figure(dear)} ms a step against ${figure(cheap)} without: ${tell(free, slow)}`,
        holds:
          rubbed.every(
            ({ unsolved, gain, sleeps }) => unsolved === 0 && gain <= 0.01 && (!slow || sleeps <= seconds),
          ) && dear <= DEARER * cheap,
      }
    },
  }
}

export const friction: readonly ReportRow[] = [row('1.7.1', 1, SHORT, false), row('1.7.2', FALLS, SECONDS, true)]
