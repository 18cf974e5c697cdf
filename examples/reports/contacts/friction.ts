/** Rows 3 and 4: friction against closed forms. */

import {
  LAUNCH,
  launchedBall,
  RAMP_FRICTION,
  ramp,
  rampAcceleration,
  rolling,
  ROLLING_ACCELERATIONS,
  run,
  sliding,
  STOP_DISTANCE,
  TILT,
} from '../../scenes/contacts/index.js'
import { figure, figures, type ReportRow } from '../report.js'

/** Asked: share of the closed form, and creep of what sticks [m]. */
const SHARE = 0.01
const CREEP = 1e-3
const CREEP_TIME = 30
/** Acceleration is taken over the second of these seconds. */
const SLIDE_TIME = 2

/** How far the box went down the ramp in `CREEP_TIME` [m], or how fast it gained speed [m/s²]. */
export function rampMotion(friction: number): { creep: number; acceleration: number } {
  const scene = ramp(friction)
  const [box] = scene.bodies
  const [x, y, z] = box.position
  const sticks = friction > Math.tan(TILT)
  const speeds: number[] = []
  run(scene, sticks ? CREEP_TIME : SLIDE_TIME, () => {
    speeds.push(Math.hypot(...(box.velocity as [number, number, number])))
  })
  const [px, py, pz] = box.position
  const half = speeds.length >> 1
  return {
    creep: Math.hypot(px - x, py - y, pz - z),
    acceleration: (speeds[speeds.length - 1] - speeds[half - 1]) / (0.5 * SLIDE_TIME),
  }
}

const onRamp: ReportRow = {
  id: '3.1',
  claim: 'Ramp: boxes stick where ν > tan 0.25 = 0.2553, and the others slide as g (sin − ν cos)',
  asked: `creep < ${1e3 * CREEP} mm in ${CREEP_TIME} s; acceleration within 1 %`,
  scene: 'tilt 0.25 rad, boxes of 1 m and 25 kg, ν of the pair 0.75, 0.5, 0.35, 0.1, 0; 8 substeps of 1 sweep, 60 Hz',
  measure() {
    const found = RAMP_FRICTION.map((friction) => {
      const { creep, acceleration } = rampMotion(friction)
      if (friction > Math.tan(TILT))
        return { text: `ν ${friction}: creep ${figure(1e3 * creep)} mm`, holds: creep < CREEP }
      const expected = rampAcceleration(friction)
      return {
        text: `ν ${friction}: ${figure(acceleration, 4)} m/s² (${figure(expected, 4)})`,
        holds: Math.abs(acceleration / expected - 1) <= SHARE,
      }
    })
    return { figures: found.map(({ text }) => text).join('; '), holds: found.every(({ holds }) => holds) }
  },
}

/** How far the box of a mass slides [m]. */
export function stopDistance(mass: number): number {
  const scene = sliding(mass)
  const start = scene.bodies[0].position[0]
  run(scene, 3)
  return scene.bodies[0].position[0] - start
}

const stop: ReportRow = {
  id: '3.2',
  claim: `Stop distance from ${LAUNCH} m/s at ν = 0.3 is v²/(2νg) = ${figure(STOP_DISTANCE, 4)} m, whatever the mass`,
  asked: 'within 1 %',
  scene: 'boxes of 0.4 m, 0.1, 1 and 10 kg, 3 s; 8 substeps of 1 sweep, 60 Hz',
  measure() {
    const distances = [0.1, 1, 10].map(stopDistance)
    return {
      figures: `${figures(distances, 5)} m`,
      holds: distances.every((distance) => Math.abs(distance / STOP_DISTANCE - 1) <= SHARE),
    }
  },
}

const launch: ReportRow = {
  id: '4.1',
  claim: 'Ball launched sliding at 3 m/s rolls at 5/7 of it',
  asked: 'within 1 %, after 2 s',
  scene: 'radius 0.5 m, ν = 0.3; 8 substeps of 1 sweep, 60 Hz',
  measure() {
    const scene = launchedBall()
    run(scene, 2)
    const [ball] = scene.bodies
    const ratio = ball.velocity[0] / LAUNCH
    const slip = (ball.velocity[0] + 0.5 * ball.angularVelocity[2]) / LAUNCH
    return {
      figures: `${figure(ratio, 5)} (5/7 = ${figure(5 / 7, 5)}), slip ${figure(slip, 2)}`,
      holds: Math.abs(ratio / (5 / 7) - 1) <= SHARE,
    }
  },
}

const isotropy: ReportRow = {
  id: '4.2',
  claim: 'Isotropy: the 10 kg box under 25 rolling balls, pulled along the diagonal with 150 N',
  asked: 'velocities of box and balls within 1 % of the closed form, and along the diagonal',
  scene: 'SimBenchmark rolling: balls of 1 kg, ν 0.4 below and 0.8 above, dt 1e-3 s, 4 s; 8 substeps of 1 sweep',
  measure() {
    const scene = rolling()
    const seconds = 4
    run(scene, seconds)
    const share = (velocity: ArrayLike<number>, acceleration: number): number => {
      const along = acceleration * seconds * Math.SQRT1_2
      return Math.hypot(velocity[0] - along, velocity[1], velocity[2] - along) / (acceleration * seconds)
    }
    const slab = share(scene.slab.velocity, ROLLING_ACCELERATIONS.slab)
    const balls = Math.max(...scene.balls.map(({ velocity }) => share(velocity, ROLLING_ACCELERATIONS.ball)))
    const [x, , z] = scene.slab.velocity
    return {
      figures: `box (${figures([x, z], 4)}) m/s of ${figure(ROLLING_ACCELERATIONS.slab * seconds * Math.SQRT1_2, 4)} each, off by ${figure(100 * slab)} %; balls off by at most ${figure(100 * balls)} %`,
      holds: slab <= SHARE && balls <= SHARE,
    }
  },
}

export const friction: readonly ReportRow[] = [onRamp, stop, launch, isotropy]
