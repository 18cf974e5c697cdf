/** One solve of the rows for their impulses, by the method of the options. */

import type { ImpulseSettings } from './options.js'
import { lemke } from './mlcp/lemke.js'
import type { Mlcp, MlcpSolution } from './mlcp/problem.js'
import { FREE_ROWS, FRICTION, type RowSystem } from './row-system.js'
import { assemble, BodySpace, CHANGE, RowSpace, type Space } from './space.js'
import { loadOn, type Pass, residualOf, sweep } from './sweep.js'

/** What a solve says of itself. */
export interface SolveReport {
  /** Rows of the last substep. */
  rows: number
  /** Iterations of the last substep, all its solves together. */
  iterations: number
  /** Row updates of the whole step: rows times iterations. */
  updates: number
  /** Largest change of a speed in the last iteration [m/s or rad/s]. */
  change: number
  /** With `trace`: what the rows still lacked before the first and after each iteration of the velocity solve [m/s or rad/s]. */
  trace: number[]
  /** Why `lemke` did not solve the last substep, so that `assembled` did; empty when it did. */
  fallback: string
}

/** What is solved, beside the rows. */
export interface Solve {
  readonly system: RowSystem
  readonly settings: ImpulseSettings
  /** Bodies of the world, dead ones included. */
  readonly bodies: number
  readonly impulse: Float64Array
  /** Velocities with the first guess of `impulse` in them; on return, with the impulses found. */
  readonly velocity: Float64Array
  readonly iterations: number
  /** Whether friction takes part. */
  readonly hasFriction: boolean
}

/** Finds impulses for `system.goal` and `system.passSoftness`. */
export function solve(problem: Solve, report: SolveReport, traces: boolean): void {
  const { system, settings, velocity } = problem
  const pass: Pass = {
    relaxation: settings.relaxation,
    projects: settings.method !== 'gaussSeidel',
    blocks: settings.contacts === 'manifold' && (settings.method === 'sequential' || settings.method === 'assembled'),
    hasFriction: problem.hasFriction,
    cone: settings.friction === 'cone',
    byWeight: settings.bound === 'weight',
  }
  if (settings.method === 'assembled' || settings.method === 'lemke') {
    solveAssembled(problem, pass, report, traces)
    return
  }
  const isJacobi = settings.method === 'jacobi'
  const space = new BodySpace(system, velocity, isJacobi ? velocity.slice() : velocity)
  iterate(problem, pass, space, report, traces, isJacobi ? () => velocity.set(space.to) : undefined)
}

/** Sweeps by count, or until nothing changes by more than the tolerance. */
function iterate(
  { system, settings, impulse, iterations }: Solve,
  pass: Pass,
  space: Space,
  report: SolveReport,
  traces: boolean,
  afterSweep: (() => void) | undefined,
): void {
  const note = (): void => void report.trace.push(residualOf(system, impulse, space, pass))
  if (traces) note()
  for (let done = 0; done < iterations; done++) {
    report.change = sweep(system, impulse, space, pass)
    afterSweep?.()
    report.iterations++
    report.updates += system.rows
    if (traces) note()
    if (settings.tolerance > 0 && report.change <= settings.tolerance) break
  }
}

function solveAssembled(problem: Solve, pass: Pass, report: SolveReport, traces: boolean): void {
  const { system, settings, impulse, velocity } = problem
  const bodies = new BodySpace(system, velocity)
  const start = impulse.slice(0, system.rows)
  const speeds = new Float64Array(system.rows)
  for (let k = 0; k < system.rows; k++) speeds[k] = bodies.speed(k)
  const space = new RowSpace(assemble(system, problem.bodies), speeds)
  report.fallback = settings.method === 'lemke' ? pivot(problem, pass, space, report) : ''
  if (settings.method === 'assembled' || report.fallback !== '')
    iterate(problem, pass, space, report, traces, undefined)
  for (let k = 0; k < system.rows; k++) {
    CHANGE[0] = impulse[k] - start[k]
    bodies.push(k)
  }
}

/** Bounds of friction that move by less than this share from one solution to the next are settled. */
const SETTLED = 1e-12
/** Bounds that move back by more than this share of their last change swing to and fro: they are interpolated. */
const SWINGS = 0.5

/**
 * Exact impulses. Friction is bounded by the normal impulses of the solution before, so that solutions are repeated until
 * the bounds settle; if they do not, friction is cut to the last load. Returns why there is no solution, or nothing.
 */
function pivot({ system, impulse, iterations }: Solve, pass: Pass, space: RowSpace, report: SolveReport): string {
  let problem = denseProblem(system, impulse, space, pass)
  let before: Bounds | undefined
  for (let round = 0; round < iterations; round++) {
    report.iterations++
    let solution: MlcpSolution
    try {
      solution = lemke(problem)
    } catch (error) {
      // A singular A: a step never throws.
      return (error as Error).message
    }
    if (solution.status !== 'solved') return `lemke: status ${solution.status}, residual ${solution.residual}`
    report.change = 0
    for (let k = 0; k < system.rows; k++) {
      report.change = Math.max(report.change, setImpulse(system, impulse, space, k, solution.lambda[k]))
    }
    const next = denseProblem(system, impulse, space, pass)
    const now: Bounds = { used: problem.upper, found: next.upper.slice() }
    if (now.found.every((bound, k) => bound === now.used[k] || Math.abs(bound - now.used[k]) <= SETTLED * bound)) {
      return ''
    }
    if (before !== undefined) interpolateBounds(system, next, now, before)
    before = now
    problem = next
  }
  cutFriction(system, impulse, space, pass)
  return ''
}

/** Upper bounds of all rows: those that a solution was found within, and those that its normal impulses give. */
interface Bounds {
  readonly used: Float64Array
  readonly found: Float64Array
}

/**
 * Replaces bounds of friction that swing to and fro by the zero of the secant. The solution's load falls by s where its bound
 * grows by 1: where friction lifts a body s may exceed 1, and taking the found bounds as they are would never end.
 */
function interpolateBounds(system: RowSystem, problem: Mlcp, now: Bounds, before: Bounds): void {
  for (let g = 0; g < system.groups; g++) {
    if (system.groupKind[g] !== FRICTION) continue
    for (let k = system.groupStart[g]; k < system.groupStart[g] + system.groupSize[g]; k++) {
      const change = now.found[k] - now.used[k]
      const last = before.found[k] - before.used[k]
      if (change * last >= 0 || Math.abs(change) <= SWINGS * Math.abs(last)) continue
      const bound = now.used[k] - (change * (now.used[k] - before.used[k])) / (change - last)
      problem.upper[k] = bound
      problem.lower[k] = -bound
    }
  }
}

/** Cuts the impulses of friction to what the present loads bear. */
function cutFriction(system: RowSystem, impulse: Float64Array, space: RowSpace, pass: Pass): void {
  const { lower, upper } = denseProblem(system, impulse, space, pass)
  for (let g = 0; g < system.groups; g++) {
    if (system.groupKind[g] !== FRICTION) continue
    for (let k = system.groupStart[g]; k < system.groupStart[g] + system.groupSize[g]; k++) {
      setImpulse(system, impulse, space, k, Math.min(Math.max(impulse[k], lower[k]), upper[k]))
    }
  }
}

/** Sets one impulse and the speeds of all rows with it; returns the change of its own speed. */
function setImpulse(system: RowSystem, impulse: Float64Array, space: RowSpace, k: number, value: number): number {
  const change = value - impulse[k]
  impulse[k] = value
  CHANGE[0] = change
  space.push(k)
  return Math.abs(change) * system.diagonal[k]
}

/**
 * (A + D) λ − b = w with friction bounded by the present iterate; what is held in a ball or on a disc is held in a box here.
 * A row that moves nothing gets a diagonal of 1.
 */
export function denseProblem(system: RowSystem, impulse: Float64Array, space: RowSpace, pass: Pass): Mlcp {
  const size = system.rows
  const A = space.dense(size)
  const b = new Float64Array(size)
  const lower = system.lower.slice(0, size)
  const upper = system.upper.slice(0, size)
  for (let k = 0; k < size; k++) {
    b[k] = system.goal[k] - space.speed(k)
    for (let l = 0; l < size; l++) b[k] += A[size * k + l] * impulse[l]
    A[(size + 1) * k] += system.passSoftness[k]
    if (A[(size + 1) * k] > 0) continue
    A[(size + 1) * k] = 1
    lower[k] = upper[k] = impulse[k] = 0
  }
  for (let g = 0; g < system.groups; g++) {
    if (system.groupKind[g] === FREE_ROWS) continue
    const hasFriction = system.groupKind[g] === FRICTION
    const unit = hasFriction ? loadOn(system, impulse, g, pass.byWeight) : 1
    const bound = hasFriction && !pass.hasFriction ? 0 : system.radius[g] * unit
    const from = system.groupStart[g]
    lower.fill(-bound, from, from + system.groupSize[g])
    upper.fill(bound, from, from + system.groupSize[g])
  }
  return { size, A, b, lower, upper }
}
