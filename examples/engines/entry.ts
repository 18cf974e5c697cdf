/**
 * What every engine runs: scenes out of their JSON, so that nothing of them was computed by the engine's own sine, for so many steps.
 * Bundled to one script by engines.ts, which calls `runScenes` at its end.
 */

import * as constraints from '@tautline/constraints'
import { collisionsFromJSON } from '@tautline/collision'
import { fromJSON } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { ImpulseSolver } from '@tautline/impulse-compat'

/** A scene as JSON. */
export interface EngineScene {
  readonly name: string
  readonly json: string
  /** Whether the velocity-level solver steps it. */
  readonly byImpulses: boolean
}

function isType(value: unknown): value is AnyType {
  return typeof value === 'object' && value !== null && 'evaluate' in value
}

const TYPES: readonly AnyType[] = (Object.values(constraints) as unknown[]).filter(isType)

/** Hashes of the states after `steps`, one `name hash` a line. */
export function runScenes(scenes: readonly EngineScene[], steps: number): string {
  return scenes
    .map(({ name, json, byImpulses }) => {
      const world = fromJSON(json, TYPES, { collisions: collisionsFromJSON })
      const solver = byImpulses ? new ImpulseSolver(world) : world
      for (let step = 0; step < steps; step++) solver.step()
      return `${name} ${world.hash()}`
    })
    .join('\n')
}
