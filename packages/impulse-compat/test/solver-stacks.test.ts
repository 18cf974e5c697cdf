/** Boxes on each other by impulses. */

import { describe, expect, test } from 'vitest'
import { type Body, World } from '@tautline/core'
import { box, Collisions, plane } from '../../collision/src/index.js'
import { ImpulseSolver, type ImpulseOptions } from '../src/index.js'
import { G, ground, stack } from './support/solver-scenes.js'

/** Speed of what stands [m/s]; how far off its axis it may be by then [m]. */
const STILL = 1e-3
const ALIGNED = 1e-6

/** Ten cubes of 1 m after 6 s. */
function stacked(options?: ImpulseOptions): readonly Body[] {
  const world = new World()
  const collisions = new Collisions(world, { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.6 })
  const bodies = Array.from({ length: 10 }, (_, k) =>
    collisions.addBody({ shape: box([0.5, 0.5, 0.5]), density: 100, position: [0, k + 0.5, 0], friction: 0.6 }),
  )
  const solver = new ImpulseSolver(world, options)
  for (let step = 0; step < 360; step++) solver.step(1 / 60)
  return bodies
}

const off = (bodies: readonly Body[]): number => Math.max(...bodies.map(({ position: [x, , z] }) => Math.hypot(x, z)))

describe('normals of a patch at once', () => {
  test.each(['sequential', 'assembled'] as const)('ten boxes stand at the defaults, %s', (method) => {
    const bodies = stacked({ method })
    expect(off(bodies)).toBeLessThan(ALIGNED)
    for (const { velocity } of bodies) expect(Math.hypot(...velocity)).toBeLessThan(STILL)
  })

  test('point after point tilts a face', () => {
    expect(off(stacked({ contacts: 'point' }))).toBeGreaterThan(1e-3)
  })
})

describe('a stack on springs of `soft` contacts', () => {
  /** Gravity over ω² [m]: the sag of a mass on a spring of that frequency, in hertz. */
  const sagOf = (frequency: number): number => G / (2 * Math.PI * frequency) ** 2
  const cases = [
    [1, 30, 4, 1],
    [5, 30, 4, 1],
    [10, 30, 4, 1],
    [10, 30, 16, 8],
    [10, 60, 8, 4],
  ] as const

  test.each(cases)('%i cubes at %i Hz sag by n (n − ¾) g/ω²', (count, contactFrequency, substeps, iterations) => {
    const scene = ground()
    const cubes = stack(scene, count, 0.5)
    const options = { stabilization: 'soft', contactFrequency, substeps, iterations, slop: 0 } as const
    const solver = new ImpulseSolver(scene.world, options)
    for (let step = 0; step < 360; step++) solver.step(1 / 60)
    const sag = count - 0.5 - cubes[count - 1].position[1]
    expect(sag / (count * (count - 0.75) * sagOf(contactFrequency))).toBeCloseTo(1, 4)
  })
})
