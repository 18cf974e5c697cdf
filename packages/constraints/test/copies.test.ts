/** A scene does the same as each of several of it that have nothing to do with each other: rows and bodies keep to their own numbers. */

import { fromJSON, type SceneJson, type World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import { scene } from './support/scene.js'
import { TABLE } from './support/table.js'

const COPIES = 3
const STEPS = 3

/** `count` times the bodies and constraints of a scene, at the same places: no two of them touch. */
function copied(json: SceneJson, count: number): SceneJson {
  const n = json.bodies.length
  const shifted = (value: unknown, by: number): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((entry) => shifted(entry, by))
    const entries = Object.entries(value)
    if (entries.length === 1 && entries[0][0] === 'body') return { body: (entries[0][1] as number) + by }
    return Object.fromEntries(entries.map(([key, entry]) => [key, shifted(entry, by)]))
  }
  const numbers = Array.from({ length: count }, (_, k) => k)
  return {
    ...json,
    clock: { ...json.clock, sequence: count * json.constraints.length },
    bodies: numbers.flatMap(() => json.bodies),
    constraints: numbers.flatMap((k) => json.constraints.map((entry) => shifted(entry, k * n) as typeof entry)),
  }
}

/** Where bodies are and how they move, and what constraints bear. */
function told(world: World): number[][][] {
  return [
    world.bodies
      .all()
      .map((body) =>
        [body.position, body.orientation, body.velocity, body.angularVelocity].flatMap((v) => Array.from(v)),
      ),
    world.constraints().map(({ multipliers, error }) => [...multipliers, error]),
  ]
}

describe.each(TABLE.map((entry) => [entry.name, entry] as const))('%s', (_, entry) => {
  test.each(['auto', 'sweep'] as const)(`of several is as it is alone, solver %s (seed ${SEED})`, (solver) => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1, 4), (seed, substeps) => {
        const options = { gravity: [0, -9.81, 0] as const, substeps, warmStart: 0.5 }
        const change = (def: object): Record<string, unknown> => ({ solver, ...def })
        const json = JSON.parse(JSON.stringify(scene(entry, seed, { options, change }).world)) as SceneJson
        const alone = fromJSON(json, [entry.type])
        const several = fromJSON(copied(json, COPIES), [entry.type])
        for (let k = 0; k < STEPS; k++) {
          alone.step()
          several.step()
        }
        const expected = told(alone)
        told(several).forEach((list, which) => {
          list.forEach((numbers, k) => expect(numbers).toEqual(expected[which][k % expected[which].length]))
        })
      }),
      { seed: SEED, numRuns: runs(4) },
    )
  })

  test(`of several is projected as it is alone (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0.01, Infinity), (seed, maxMove) => {
        const json = JSON.parse(JSON.stringify(scene(entry, seed).world)) as SceneJson
        const alone = fromJSON(json, [entry.type])
        const several = fromJSON(copied(json, COPIES), [entry.type])
        for (const world of [alone, several]) world.project({ maxMove, iterations: 3, tolerance: 0 })
        const [expected] = told(alone)
        const [bodies] = told(several)
        bodies.forEach((numbers, k) => expect(numbers).toEqual(expected[k % expected.length]))
      }),
      { seed: SEED, numRuns: runs(4) },
    )
  })
})
