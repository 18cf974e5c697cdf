/**
 * What every engine runs: scenes out of their JSON, so that nothing of them was computed by the engine's own sine, for so many steps.
 * Bundled to one script by engines.ts, which calls `printScenes` at its end.
 */

import * as constraints from '@tautline/constraints'
import { collisionsFromJSON } from '@tautline/collision'
import { fromJSON, type World } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { ImpulseSolver } from '@tautline/impulse-compat'

/** A scene as JSON. */
export interface EngineScene {
  readonly name: string
  readonly json: string
  /** Whether the velocity-level solver steps it. */
  readonly byImpulses: boolean
}

/** What a scene did. */
export interface SceneRun {
  readonly name: string
  /** By step: the hash of the state, at the steps of `CHECKPOINTS` that were reached. */
  readonly hashes: Readonly<Record<string, string>>
  /** The first two digits of the hash after every step, one after the other. */
  readonly trail: string
  /** By step, as `hashes`: x, y, z, qx, qy, qz, qw of every body. */
  readonly poses: Readonly<Record<string, readonly number[]>>
}

/** Steps after which hashes and poses are compared. */
export const CHECKPOINTS = [60, 600]

function isType(value: unknown): value is AnyType {
  return typeof value === 'object' && value !== null && 'evaluate' in value
}

const TYPES: readonly AnyType[] = (Object.values(constraints) as unknown[]).filter(isType)

function posesOf({ bodies }: World): number[] {
  return bodies.all().flatMap(({ position, orientation }) => [...position, ...orientation])
}

/** Runs a scene for `steps` steps. */
export function runScene({ name, json, byImpulses }: EngineScene, steps: number): SceneRun {
  const world = fromJSON(json, TYPES, { collisions: collisionsFromJSON })
  const solver = byImpulses ? new ImpulseSolver(world) : world
  const hashes: Record<string, string> = {}
  const poses: Record<string, number[]> = {}
  let trail = ''
  for (let step = 1; step <= steps; step++) {
    solver.step()
    const hash = world.hash()
    trail += hash.slice(0, 2)
    if (!CHECKPOINTS.includes(step)) continue
    hashes[step] = hash
    poses[step] = posesOf(world)
  }
  return { name, hashes, trail, poses }
}

/** Runs of all scenes, as JSON, one a line. */
export function printScenes(scenes: readonly EngineScene[], steps: number): string {
  return scenes.map((scene) => JSON.stringify(runScene(scene, steps))).join('\n')
}
