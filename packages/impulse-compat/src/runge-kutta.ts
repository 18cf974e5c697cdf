/**
 * Runge–Kutta 4 with impulses at every stage (Wedekind 2019): the derivative of a state (X, V) is (V, a), a the acceleration
 * that brings V to what a solve over the whole step asks for.
 *
 *   k_s = f(y + h a_s k_{s−1}),   f = (V, (V_solved − V)/h),   y' = y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
 *
 * Rotations add up in the Lie algebra: q' = exp(h ω̄/2) q for the mean ω̄ of the stages, where an integrator of fourth order
 * on the group has commutators too; they are of the order of the turn's square, and impulses are of first order.
 */

import type { LeanWorld } from '@tautline/core'
import type { BodyColumns } from '@tautline/core/kernel'
import type { ImpulseSettings } from './options.js'
import { advance, finishPoses, readVelocities, writeVelocities } from './poses.js'
import { type RowSystem, ENTRY } from './row-system.js'

/** Where stages 2, 3, 4 are on the step, and the weights of all. */
const NODES = [0, 0.5, 0.5, 1] as const
const WEIGHTS = [1 / 6, 1 / 3, 1 / 3, 1 / 6] as const

/** What a stage asks of the solver. */
export interface StageSolver {
  readonly world: LeanWorld
  readonly settings: ImpulseSettings
  readonly system: RowSystem
  /** V of the last solve, six numbers a body. */
  readonly solved: Float64Array
  /** Rows at the present poses, over a substep of `h` [s]. */
  gatherRows(h: number): void
  /** One solve; `pushes` undefined leaves the system aimed as it is. */
  solveFor(
    impulse: Float64Array,
    velocity: Float64Array,
    iterations: number,
    hasFriction: boolean,
    pushes: boolean | undefined,
    traces: boolean,
  ): void
}

/** A substep of h of the solver's world. */
export function rungeKutta(solver: StageSolver, h: number): void {
  const { world, settings } = solver
  const bodies = world.bodies.columns
  const { count } = world.bodies
  const start: BodyColumns = {
    ...bodies,
    position: bodies.position.slice(),
    orientation: bodies.orientation.slice(),
  }
  const V = new Float64Array(ENTRY * count)
  readVelocities(bodies, count, V)
  /** Velocity and change of velocity of the stage before, and of the whole step. */
  const rate = V.slice()
  const change = new Float64Array(ENTRY * count)
  const meanRate = new Float64Array(ENTRY * count)
  const meanChange = new Float64Array(ENTRY * count)
  const stage = new Float64Array(ENTRY * count)
  for (let s = 0; s < 4; s++) {
    for (let k = 0; k < ENTRY * count; k++) stage[k] = V[k] + NODES[s] * change[k]
    advance(start, bodies, count, rate, NODES[s] * h, settings.rotation)
    writeVelocities(bodies, count, stage)
    solver.gatherRows(h)
    solver.solveFor(
      solver.system.impulse,
      solver.solved,
      settings.iterations,
      true,
      settings.stabilization === 'baumgarte',
      settings.trace && s === 3,
    )
    for (let k = 0; k < ENTRY * count; k++) {
      rate[k] = stage[k]
      change[k] = solver.solved[k] - stage[k]
      meanRate[k] += WEIGHTS[s] * rate[k]
      meanChange[k] += WEIGHTS[s] * change[k]
    }
  }
  for (let k = 0; k < ENTRY * count; k++) V[k] += meanChange[k]
  bodies.startPosition.set(start.position)
  bodies.startOrientation.set(start.orientation)
  advance(start, bodies, count, meanRate, h, settings.rotation)
  writeVelocities(bodies, count, V)
  finishPoses(world, h, settings)
}
