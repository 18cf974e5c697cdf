/** Scenes: they run, shrink, print as scripts that do the same, and the properties hold of them, or find what does not. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { distance } from '@tautline/constraints'
import { World } from '@tautline/core'
import { gradient } from '@tautline/core/kernel'
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  chains,
  cloths,
  gradientMatches,
  isFrameInvariant,
  isPassive,
  keepsLimits,
  keepsMomentum,
  piles,
  ragdolls,
  reloads,
  replays,
  restores,
  type Scene,
  scenes,
  staysFinite,
  staysMet,
  trees,
} from '../src/index.js'

const FOLDER = join(import.meta.dirname, '../node_modules/.cache/scripts')
const KINDS: Readonly<Record<string, Arbitrary<Scene>>> = {
  chains: chains({ size: 4 }),
  trees: trees({ size: 4 }),
  piles: piles({ size: 3 }),
  cloths: cloths({ size: 3 }),
  ragdolls: ragdolls({ size: 5 }),
}

function always(arbitrary: Arbitrary<Scene>, holds: (scene: Scene) => void, numRuns = 10): void {
  const property = fc.property(arbitrary, (scene) => {
    holds(scene)
  })
  fc.assert(property, { seed: SEED, numRuns: runs(numRuns) })
}

describe(`scenes (seed ${SEED})`, () => {
  test.each(Object.entries(KINDS))('%s stay finite, replay, and go on after snapshots and JSON', (_, kind) => {
    always(kind, (scene) => {
      const make = (): World => scene.world()
      staysFinite(make, { steps: 5 })
      replays(make, { steps: 5 })
      restores(make, { steps: 5 })
      reloads(make, { steps: 5 })
      keepsLimits(make, { steps: 5 })
    })
  })

  test('a printed scene, run as a script, has the same hash', () => {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    const all = Object.values(KINDS).flatMap((kind) => fc.sample(kind, { seed: SEED, numRuns: runs(4) }))
    all.forEach((scene, k) => writeFileSync(join(FOLDER, `${k}.mts`), scene.toScript()))
    writeFileSync(join(FOLDER, 'all.mts'), all.map((_, k) => `await import('./${k}.mjs')`).join('\n'))
    const args = ['--import', 'tsx', '--conditions=@tautline/source', join(FOLDER, 'all.mts')]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.trim().split('\n')).toEqual(all.map((scene) => scene.world().hash()))
  })

  test('a failure shrinks to one body of 1 kg at rest, and is printed as a script', () => {
    const property = fc.property(scenes(), (scene) => scene.def.bodies.length === 0)
    const { failed, counterexample } = fc.check(property, { seed: SEED })
    expect(failed).toBe(true)
    const [scene] = counterexample as [Scene]
    expect(scene.def.bodies.length).toBeLessThanOrEqual(4)
    expect(scene.def.operations).toEqual([])
    const [{ mass, velocity }] = scene.def.bodies
    if (scene.def.bodies.length === 1) expect([mass, velocity]).toEqual([1, [0, 0, 0]])
    expect(fc.stringify(scene)).toContain('console.log(world.hash())')
  })
})

describe('properties', () => {
  const pair = (gravity: [number, number, number] = [0, 0, 0]): World => {
    const world = new World({ gravity })
    const [a, b] = [0, 1].map((k) => world.addBody({ position: [k, 0, 0], velocity: [0, k, 0], inertia: 0.1 }))
    world.add(distance, { a, b })
    return world
  }

  test('hold of what they should', () => {
    keepsMomentum(pair)
    isPassive(pair)
    staysMet(pair)
    isFrameInvariant(pair)
    gradientMatches(pair().constraints()[0])
  })

  test('find what they should', () => {
    expect(() => keepsMomentum(() => pair([0, -9.81, 0]))).toThrow('change of linear momentum')
    const pushed = { act: (world: World): void => world.bodies.all()[0].applyForce([100, 0, 0]) }
    expect(() => isPassive(pair, pushed)).toThrow('energy gained')
    let made = 0
    expect(() => replays(() => pair([0, made++, 0]))).toThrow('into a replay')
    expect(() => staysMet(() => pair(), { linear: -1 })).toThrow('residual of distance')
    let pushes = 0
    const fading = { act: (world: World): void => world.bodies.all()[1].applyForce([0, pushes++, 0]) }
    expect(() => restores(pair, fading)).toThrow('after a snapshot')
    expect(() => isFrameInvariant(pair, { act: (world) => world.bodies.all()[0].applyForce([1, 0, 0]) })).toThrow(
      'turned',
    )
  })

  test('a gradient is rows of what each body does to each error', () => {
    const [group] = gradient(pair().constraints()[0])
    expect(group).toMatchObject({ kind: 'scalar', law: 'position', unit: 'm' })
    expect(group.rows[0].bodies[0].linear.map((x) => x + 0)).toEqual([-1, 0, 0])
    expect(group.rows[0].bodies[1].linear.map((x) => x + 0)).toEqual([1, 0, 0])
  })
})
