/**
 * Compiled loops that stand in for those of the step, with the same bits. The core knows the contract and no kernel: `simd()` of
 * @tautline/simd makes them, in WebAssembly, and tables live in its memory.
 */

import type { BodyColumns } from '../state/body-columns.js'
import { callable, knownFields } from './assert.js'
import type { WorldView } from './contract.js'

/** What `new World({ kernels })` takes. One object may serve any number of worlds: each opens a memory of its own. */
export interface Kernels {
  /** Opens what one world needs of them. */
  open(): WorldKernels
}

/** The kernels of one world. */
export interface WorldKernels {
  /**
   * Once a step, before anything holds columns: moves tables that have grown, or are new, into the memory (`Table.place`), and sets `Batch.loops`.
   * Tables that grow later in the step leave it, and the loops of their types run until the next one. Whether a table was moved.
   */
  settle(world: WorldView): boolean
  /**
   * Moves particles over h [s] as if they were free, from row `from` on; `fall` is h times gravity [m/s]. Returns the first row that is no dynamic
   * particle at rest or in flight, or is not finite: the step does that one.
   */
  predict(bodies: BodyColumns, from: number, to: number, h: number, fall: Float64Array): number
  /** Whether entries `from` to `to` of a column of multipliers are within measure (faults.ts); undefined where the column is not in the memory. */
  isBounded(column: Float64Array, from: number, to: number): boolean | undefined
  /** Velocities of particles from their poses, in the same way. */
  velocities(bodies: BodyColumns, from: number, to: number, h: number): number
}

/** Opens kernels for a world, where it is to have some. */
export function openKernels(where: string, kernels: Kernels | undefined): WorldKernels | undefined {
  if (kernels === undefined) return undefined
  callable(`${where}: kernels.open`, knownFields(`${where}: kernels`, kernels, ['open']).open)
  return kernels.open()
}
