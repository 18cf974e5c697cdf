/**
 * A pendulum wave (Tamis and Maggiore, 10.3, figure 10): balls in a row, each hung at its top by a `distance` from a fixed
 * point, with lengths such that after one common period T all have made a whole number of swings, each one more than the last.
 *
 * The link has no mass but the ball turns about where it hangs, so a pendulum has two angles: θ of the link, of length l, and φ of
 * the ball, of radius r and moment k m r², k = 2/5. For small angles, with w = ω²/g,
 *
 *   k l r w² − (l + (1 + k) r) w + 1 = 0,      φ/θ = ρ = (1 − w l)/(w r)
 *
 * The smaller root is the swing, in which link and ball stay nearly in line, hence l = (1 − (1 + k) r w)/(w (1 − k r w)). A swing of
 * amplitude a is slower. To the order of a², by the Lagrangian averaged over θ = a cos ωt, φ = ρ θ,
 *
 *   ω² M = g (l + r ρ²) − a² (g (l + r ρ⁴)/8 − l r ρ (1 − ρ)² ω²/2),      M = l² + 2 l r ρ + (1 + k) r² ρ²
 *
 * which for r = 0 is the pendulum's 1 − a²/16. The lengths are those for which this ω fits T; what is left out is of order a⁴.
 *
 * What is left is the step's. Where tension acts along the link as it was when the step began, as a velocity-level solver has it, a
 * step h turns the phase by ω'h with sin(ω'h/2) = ωh/2: after n swings a pendulum is early by n (ωh)²/24 turns. Where it acts along
 * the link as it is at the end, as in a projection with fresh gradients, tan(ω'h) = ωh: it is late by n (ωh)²/3 turns, and its
 * amplitude has fallen by exp(−ω² h T/2). Hence an amplitude at which what it does to the phase is small in any case: n a²/16 turns.
 */

import { type Body, solidSphere, World, type WorldOptions } from '@tautline/core'
import { atan2, cos, sin } from '@tautline/core/kernel'
import { distance } from '@tautline/constraints'
import { QUALITY } from '../contacts/scene.js'

/** What the wave is made of. */
export interface WaveParameters {
  /** How many pendulums. */
  count: number
  /** After which all are together again [s]. */
  period: number
  /** Swings of the longest pendulum in a period; each one shorter makes one more. */
  slowest: number
  /** Of the balls [m]. */
  radius: number
  /** Largest angle of the links [rad]. */
  amplitude: number
}

/** Tamis's 50 balls. The links are between 1.38 m and 0.11 m long. */
export const WAVE: Readonly<WaveParameters> = { count: 50, period: 60, slowest: 25, radius: 0.04, amplitude: 0.02 }

/** One of the pendulums. */
export interface Pendulum {
  readonly ball: Body
  /** Where its link is fixed [m]. */
  readonly hook: readonly [number, number, number]
  /** Of its link [m]. */
  readonly length: number
  /** Of its swing, which has its amplitude [rad/s]. */
  readonly rate: number
  /** In a period. */
  readonly swings: number
}

/** A pendulum wave, the longest first. */
export interface WaveScene {
  readonly world: World
  readonly bodies: readonly Body[]
  readonly pendulums: readonly Pendulum[]
  readonly parameters: Readonly<WaveParameters>
}

/** Moment of a ball in units of m r². */
const BALL = 2 / 5

/** Length of the link [m], and ρ, with which a ball swings at the small-angle rate ω. */
function linkFor(rate: number, radius: number, g: number): { length: number; ratio: number } {
  const w = (rate * rate) / g
  const length = (1 - (1 + BALL) * radius * w) / (w * (1 - BALL * radius * w))
  return { length, ratio: (1 - w * length) / (w * radius) }
}

/** By multiplication: `**` has other last bits in another engine. */
function square(x: number): number {
  return x * x
}

/** By how much of itself a swing's rate is lower at `amplitude`. */
function slowing(rate: number, radius: number, g: number, amplitude: number): number {
  const { length: l, ratio } = linkFor(rate, radius, g)
  const inertia = l * l + 2 * l * radius * ratio + (1 + BALL) * square(radius * ratio)
  const pull = (g * (l + radius * square(square(ratio)))) / 8
  const fold = 0.5 * l * radius * ratio * square((1 - ratio) * rate)
  return 1 - Math.sqrt(1 - (square(amplitude) * (pull - fold)) / (inertia * rate * rate))
}

/** Link and ρ of a ball that swings at `rate` with `amplitude`. */
function tunedLink(rate: number, radius: number, g: number, amplitude: number): { length: number; ratio: number } {
  let small = rate
  for (let k = 0; k < 20; k++) small = rate / (1 - slowing(small, radius, g, amplitude))
  return linkFor(small, radius, g)
}

/** The wave, all balls at rest at their largest angle, on the side of +x. Balls do not meet. */
export function pendulumWave(options: WorldOptions = {}, given: Partial<WaveParameters> = {}): WaveScene {
  const parameters = { ...WAVE, ...given }
  const { count, period, slowest, radius, amplitude } = parameters
  const world = new World({ ...QUALITY, ...options })
  const g = -world.settings.gravity[1]
  const pendulums = Array.from({ length: count }, (_, k): Pendulum => {
    const swings = slowest + k
    const rate = (2 * Math.PI * swings) / period
    const { length, ratio } = tunedLink(rate, radius, g, amplitude)
    const hook = [0, 0, 2.5 * radius * k] as const
    const [theta, phi] = [amplitude, ratio * amplitude]
    const ball = world.addBody({
      mass: 1,
      inertia: solidSphere(1, radius),
      position: [length * sin(theta) + radius * sin(phi), -length * cos(theta) - radius * cos(phi), hook[2]],
      orientation: [0, 0, sin(0.5 * phi), cos(0.5 * phi)],
    })
    world.add(distance, { b: ball, anchorA: hook, anchorB: [0, radius, 0], length })
    return { ball, hook, length, rate, swings }
  })
  return { world, bodies: pendulums.map(({ ball }) => ball), pendulums, parameters }
}

/**
 * Phase of each pendulum, in turns, in (−½, ½]: 0 where it is farthest on the side of +x, a quarter where it next passes the
 * middle. Read from the angle of its hook to its ball's centre and from how fast that turns.
 */
export function phases({ pendulums }: WaveScene): number[] {
  return pendulums.map(({ ball, hook, rate }) => {
    const [x, y] = [ball.position[0] - hook[0], ball.position[1] - hook[1]]
    const [u, v] = ball.velocity
    const turning = (x * v - y * u) / (x * x + y * y)
    return atan2(-turning / rate, atan2(x, -y)) / (2 * Math.PI)
  })
}

/** How far the phases are from where they ought to be, in turns, in [−½, ½]. After a whole period they ought to be 0. */
export function phaseErrors(scene: WaveScene, time: number = scene.world.time): number[] {
  const { period } = scene.parameters
  return phases(scene).map((phase, k) => {
    const error = phase - (scene.pendulums[k].swings * time) / period
    return error - Math.round(error)
  })
}
