/** A world that is stepped as the standard settings say. The solver of impulses is loaded when one asks for it. No DOM. */

import type { World, WorldOptions } from '@tautline/core'
import type * as Impulses from '@tautline/impulse-compat'
import type { ImpulseSolver } from '@tautline/impulse-compat'
import { choiceOf, numberOf, type Values } from './settings.js'

let impulses: typeof Impulses | undefined

function wantsImpulses(values: Values): boolean {
  return choiceOf(values, 'solver') === 'impulse'
}

/** Loads what values want a world solved by; `undefined` where it is there. */
export function solverOf(values: Values): Promise<void> | undefined {
  if (!wantsImpulses(values) || impulses !== undefined) return undefined
  return import('@tautline/impulse-compat').then((module) => void (impulses = module))
}

/** World options of the standard settings. Above 1 a relaxation needs two sweeps, which allow 1.5: with one it is 1. */
export function worldOptions(values: Values): WorldOptions {
  const solver = choiceOf(values, 'solver')
  const iterations = numberOf(values, 'iterations')
  return {
    substeps: numberOf(values, 'substeps'),
    iterations,
    relaxation: iterations > 1 ? numberOf(values, 'relaxation') : Math.min(1, numberOf(values, 'relaxation')),
    ...(solver !== undefined && { solver: solver === 'impulse' ? 'auto' : (solver as 'auto' | 'direct' | 'sweep') }),
    ...('gravity' in values && { gravity: [0, -numberOf(values, 'gravity'), 0] as const }),
  }
}

/** Steps a world by displacement or by impulses. */
export class Stepper {
  private readonly world: World
  private solver: ImpulseSolver | undefined

  constructor(world: World) {
    this.world = world
  }

  /** Takes values over. Throws `TypeError` where {@link solverOf} has not loaded what they want. */
  take(values: Values): void {
    this.world.configure(worldOptions(values))
    const { substeps, iterations } = this.world.settings
    if (!wantsImpulses(values)) this.solver = undefined
    else if (this.solver !== undefined) this.solver.configure({ substeps, iterations })
    else if (impulses !== undefined) this.solver = new impulses.ImpulseSolver(this.world, { substeps, iterations })
    else throw new TypeError('gallery: the solver of impulses must be loaded by solverOf(values), got none')
  }

  step(): void {
    if (this.solver === undefined) this.world.step()
    else this.solver.step()
  }
}
