import type { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { contactScene } from '../lib/contacts.js'
import { isFinite, runScene } from '../lib/run.js'
import {
  arch,
  bouncingBall,
  bouncingGrid,
  cardHouse,
  collidingCloud,
  confined,
  type ContactScene,
  cubeOnCubes,
  droppedSpheres,
  heavyTops,
  launchedBall,
  mixedPile,
  offsetStack,
  overlappingCubes,
  overlappingPyramid,
  positionsOf,
  pyramid,
  ramp,
  randomPile,
  rolling,
  run,
  rush,
  sidewaysDrift,
  sliding,
  stack,
} from '../scenes/contacts/index.js'
import { sample } from '../lib/thorough.js'

/** Every scene, as small as it can be made. */
const SCENES: Record<string, () => ContactScene> = {
  stack: () => stack(10),
  'offset stack': () => offsetStack(),
  pyramid: () => pyramid(6),
  arch: () => arch(),
  'card house': () => cardHouse(3),
  'mixed pile': () => mixedPile(32),
  'random pile': () => randomPile(1),
  'colliding cloud': () => collidingCloud(32),
  'dropped spheres': () => droppedSpheres(),
  rush: () => rush(),
  confined: () => confined(),
  'overlapping cubes': () => overlappingCubes(),
  'overlapping pyramid': () => overlappingPyramid(),
  'cube on cubes': () => cubeOnCubes(),
  'heavy tops': () => heavyTops(),
  'bouncing ball': () => bouncingBall(1),
  'bouncing grid': () => bouncingGrid(),
  ramp: () => ramp(0.5),
  sliding: () => sliding(1),
  'launched ball': () => launchedBall(),
  rolling: () => rolling(),
}

/** Numbers that a run is judged by. */
function state(world: World): number[] {
  const { position, orientation, velocity, angularVelocity } = world.bodies.columns
  const { count } = world.bodies
  return [
    ...position.subarray(0, 4 * count),
    ...orientation.subarray(0, 4 * count),
    ...velocity.subarray(0, 3 * count),
    ...angularVelocity.subarray(0, 3 * count),
  ]
}

test.each(sample(Object.entries(SCENES), 3))('%s runs for a second and stays finite', (_, make) => {
  const scene = make()
  run(scene, 1)
  // A body that became non-finite is put back to its last finite pose and listed here.
  expect(scene.world.report.nonFinite).toEqual([])
  expect(state(scene.world).every(Number.isFinite)).toBe(true)
})

describe('what npm run demo shows', () => {
  test('cards of three storeys stand', () => {
    const made = cardHouse(3)
    const starts = positionsOf(made.bodies)
    run(made, 2)
    expect(sidewaysDrift(made.bodies, starts)).toBeLessThan(DRIFT)
  })

  test('a pile runs the same way twice, and tells what touches', () => {
    const runs = [1, 2].map(() => runScene(contactScene('pile', mixedPile(16), 0.5, false)))
    expect(runs.every(isFinite)).toBe(true)
    expect(runs[1].hash).toBe(runs[0].hash)
    expect(runs[0].figures['touching pairs'].value).toBeGreaterThan(0)
  })
})

/** 0.6 mm, as the cards settle [m] */
const DRIFT = 0.003
