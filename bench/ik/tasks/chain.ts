/** A chain to solve for many targets from one start, and what poses of it say. */

import type { Joint } from '../solver.js'
import { distance, fromVector } from './kinematics.js'
import type { Random } from './random.js'

export interface ChainTask {
  readonly name: string
  readonly text: string
  /** Lengths [m]; 1 in all. */
  readonly links: readonly number[]
  /** Left out: free balls. */
  readonly joints?: readonly Joint[]
  /** Rotations of the links against their parents, four numbers a link. */
  readonly start: Float64Array
  /** Three numbers a target [m]. */
  readonly targets: Float64Array
  readonly iterations: number
}

/** Length of the chain [m]: errors are then relative to it. */
export const LENGTH = 1
/** Components of the rotation vectors of a start that is nearly straight are within this of 0 [rad]. */
const PERTURBATION = 0.05

/** `n` equal lengths. */
export function equalLinks(n: number): number[] {
  return new Array<number>(n).fill(LENGTH / n)
}

/** Nearly straight along x. */
export function nearlyStraight(n: number, random: Random): Float64Array {
  const start = new Float64Array(4 * n)
  const component = (): number => random.between(-PERTURBATION, PERTURBATION)
  for (let k = 0; k < n; k++) start.set(fromVector(component(), component(), component()), 4 * k)
  return start
}

/** Straight along x. */
export function straight(n: number): Float64Array {
  return Float64Array.from({ length: 4 * n }, (_, i) => (i % 4 === 3 ? 1 : 0))
}

/** Bent in the xy plane: angles between neighbours [rad]. */
export function planar(angles: readonly number[]): Float64Array {
  return Float64Array.from(angles.flatMap((angle) => fromVector(0, 0, angle)))
}

/** Distance of the end from target `i`. */
export function endError(positions: Float64Array, target: ArrayLike<number>, i: number): number {
  return distance(positions, positions.length - 3, target, 3 * i)
}

/** Largest difference of a link from its length [m]: a chain that stretches solves another problem. */
export function stretch(links: readonly number[], positions: Float64Array): number {
  const off = links.map((length, k) => Math.abs(distance(positions, 3 * k + 3, positions, 3 * k) - length))
  return Math.max(...off)
}

/** Mean over the mass of the squared displacement of the links' centres of mass [m²]: uniform rods of one density. */
export function massDisplacement(links: readonly number[], from: Float64Array, to: Float64Array): number {
  let [sum, mass] = [0, 0]
  links.forEach((length, k) => {
    mass += length
    for (let c = 3 * k; c < 3 * k + 3; c++) {
      const moved = 0.5 * (to[c] + to[c + 3] - from[c] - from[c + 3])
      sum += length * moved * moved
    }
  })
  return sum / mass
}
