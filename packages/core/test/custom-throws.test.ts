/** A user's error function that throws where its bodies have come to: a step goes on, and says whose row it was. */

import { describe, expect, test } from 'vitest'
import { custom, type CustomBody, fromJSON, World } from '../src/index.js'
import type { AnyType } from '../src/kernel.js'

const far = ([a, b]: readonly CustomBody[]): number => {
  const x = b.position[0] - a.position[0]
  if (x > 2) throw new Error('too far')
  return x - 1
}
const types = [
  custom({ name: 'by differences', bodies: 2, error: far }),
  custom({
    name: 'with a gradient that throws',
    bodies: 2,
    error: ([a, b]) => b.position[0] - a.position[0] - 1,
    gradient(bodies, _, out) {
      far(bodies)
      out.linear(0, -1, 0, 0)
      out.linear(1, 1, 0, 0)
    },
  }),
]

describe.each(types.map((type) => [type.name, type] as const))('a custom constraint %s', (_, type) => {
  const build = (jacobians: 'fresh' | 'frozen' = 'fresh'): World => {
    const world = new World({ gravity: [0, 0, 0], jacobians })
    const [a, b, c] = [0, 1, -1].map((x) => world.addBody({ position: [x, 0, 0], velocity: [0, 1, 0] }))
    world.add(type, { bodies: [a, b] })
    b.setPosition([3, 0, 0])
    world.add(types[0], { bodies: [c, a] })
    return world
  }

  test.each(['fresh', 'frozen'] as const)('is skipped and named, and the step is whole (%s)', (jacobians) => {
    const world = build(jacobians)
    expect(() => world.step()).toThrow('too far')
    expect(world.clock.steps).toBe(1)
    // It was told; the row stays skipped.
    world.step()
    expect(world.clock.steps).toBe(2)
    const [bad] = world.constraints()
    expect(world.report.skipped.map(({ typeName }) => typeName)).toEqual([bad.typeName])
    expect(bad.force).toBe(0)
    expect(world.bodies.all().every(({ position }) => position[1] > 0)).toBe(true)
  })

  test('is off after 32 substeps, can be changed, and is read back', () => {
    const world = build()
    expect(() => world.step()).toThrow('too far')
    for (let step = 1; step < 5; step++) world.step()
    const [bad] = world.constraints()
    expect(bad.enabled).toBe(false)
    const copy = fromJSON(JSON.stringify(world), types as unknown as AnyType[])
    for (const each of [world, copy]) {
      each.bodies.all()[1].setPosition([1.5, 0, 0])
      each.constraints()[0].set({ enabled: true })
      each.step()
    }
    expect(bad.enabled).toBe(true)
    expect(world.report.skipped).toEqual([])
    expect(copy.hash()).toBe(world.hash())
  })

  test('still refuses to be made there', () => {
    const world = new World()
    const [a, b] = [0, 3].map((x) => world.addBody({ position: [x, 0, 0] }))
    expect(() => world.add(type, { bodies: [a, b] })).toThrow('too far')
    expect(world.constraints()).toEqual([])
  })
})

test('an error function that lacks its params says whose it is', () => {
  const needy = custom<{ length: number }>({
    name: 'needy',
    bodies: 1,
    error: ([a], { length }) => a.position[0] - length,
  })
  const world = new World()
  const bodies = [world.addBody({ position: [0, 0, 0] })]
  expect(() => world.add(needy, { bodies })).toThrow(/^needy: error must be a number .* params undefined: .*length/)
  expect(world.constraints()).toEqual([])
})
