/** What does not touch does not know of each other: piles that stand apart in one world go on with the same bits as each alone. */

import type { Body } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { box, capsule, plane, type Shape, sphere } from '../src/index.js'
import { scene, type Scene } from './support/scene.js'

type Build = (s: Scene, at: number) => Body[]

/** Boxes, balls and capsules that fall on each other and bounce, about x = `at` [m]. */
function bouncing(seed: number, speed: number): Build {
  return ({ collisions }, at) => {
    const random = new Random(seed)
    const shapes: (() => Shape)[] = [() => box([0.3, 0.2, 0.25]), () => sphere(0.25), () => capsule(0.15, 0.2)]
    return Array.from({ length: 8 }, (_, k) =>
      collisions.addBody({
        shape: shapes[k % 3](),
        position: [at + random.between(-0.4, 0.4), 0.6 + 0.6 * k, random.between(-0.4, 0.4)],
        orientation: random.rotation(),
        velocity: [0, -speed * random.between(0, 1), 0],
        restitution: 0.3 + 0.1 * (k % 6),
        friction: k % 2 === 0 ? 0.4 : 0,
      }),
    )
  }
}

/** A row of balls that touch, and one that strikes it. */
function cradle(speed: number): Build {
  return ({ collisions }, at) =>
    Array.from({ length: 5 }, (_, k) =>
      collisions.addBody({
        shape: sphere(0.1),
        position: [at + (k === 0 ? -0.5 : 0.2 * k), 3, 0],
        velocity: [k === 0 ? speed : 0, 0, 0],
        gravityScale: 0,
        restitution: 1,
        friction: 0,
      }),
    )
}

function poses(bodies: readonly Body[]): number[][] {
  return bodies.map((body) => [...body.position, ...body.orientation, ...body.velocity, ...body.angularVelocity])
}

/** Poses of the piles in every tenth step, each beside 100 m of nothing. */
function played(piles: readonly (Build | undefined)[], steps: number): number[][][] {
  const s = scene({ substeps: 4 })
  s.collisions.addCollider(null, { shape: plane([0, 1, 0]), restitution: 0.5, friction: 0.4 })
  const bodies = piles.map((build, k) => build?.(s, 100 * k) ?? [])
  const seen: number[][][] = bodies.map(() => [])
  for (let step = 1; step <= steps; step++) {
    s.world.step()
    if (step % 10 === 0) bodies.forEach((pile, k) => seen[k].push(poses(pile).flat()))
  }
  return seen
}

const SEEDS = Array.from({ length: 12 }, (_, k) => k + 1)

describe('two piles in one world', () => {
  const cases: [string, Build, Build][] = [
    ...SEEDS.map((seed): [string, Build, Build] => [`fall, seed ${seed}`, bouncing(seed, 1), bouncing(seed + 100, 3)]),
    ...SEEDS.map((seed): [string, Build, Build] => [
      `are thrown, seed ${seed}`,
      bouncing(seed, 30),
      bouncing(seed + 100, 60),
    ]),
    ['are cradles that are struck at once', cradle(1), cradle(1.005)],
    ['are a cradle and what is thrown', cradle(2), bouncing(3, 40)],
  ]
  test.each(cases)('%s: each as if alone', (_, first, second) => {
    const both = played([first, second], 60)
    expect(both[0]).toEqual(played([first, undefined], 60)[0])
    expect(both[1]).toEqual(played([undefined, second], 60)[1])
  })
})
