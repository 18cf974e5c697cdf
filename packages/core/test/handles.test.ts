/** Handles are themselves wherever a world gives them back, and print as short plain values. */

import { describe, expect, test } from 'vitest'
import { type Body, type Constraint, custom, fromJSON, World } from '../src/index.js'
import { link } from './support/link.js'

/** Holds a body at the level of the world; knows no number below it. */
const level = custom({ name: 'level', bodies: 1, error: ([{ position }]) => (position[1] < 0 ? NaN : position[1]) })

interface Scene {
  world: World
  bodies: Body[]
  /** Holds, breaks, and is not finite. */
  constraints: Constraint[]
}

function scene(): Scene {
  const world = new World()
  const bodies = [1, 2, 3].map((x) => world.addBody({ name: `body at ${x}`, position: [x, 0.5, 0] }))
  const constraints = [
    world.add(link, { a: bodies[0], b: null }),
    world.add(link, { a: bodies[1], b: null, breakForce: 1 }),
    world.add(level, { bodies: [bodies[2]], params: undefined }),
  ] as unknown as Constraint[]
  bodies[2].setPosition([3, -1, 0])
  world.step()
  return { world, bodies, constraints }
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((entry, k) => entry === b[k])

describe('the handle that was given', () => {
  test('is what the report and the list of constraints name', () => {
    const { world, constraints } = scene()
    const [, broken, skipped] = constraints
    expect(isSame(world.constraints(), constraints)).toBe(true)
    expect(isSame(world.brokenConstraints(), [broken])).toBe(true)
    expect(isSame(world.report.skipped, [skipped])).toBe(true)
  })

  test('is among what broke in the step in which it broke, and among all that are broken from then on', () => {
    const { world, constraints } = scene()
    expect(isSame(world.report.broken, [constraints[1]])).toBe(true)
    world.step()
    expect(world.report.broken).toEqual([])
    expect(isSame(world.brokenConstraints(), [constraints[1]])).toBe(true)
    constraints[1].enabled = true
    expect(world.brokenConstraints()).toEqual([])
  })

  test('keeps what its user hung on it, and tells JSON nothing of it', () => {
    const { world, bodies, constraints } = scene()
    const snapshot = world.snapshot()
    bodies[0].userData = { door: 7 }
    constraints[0].userData = world
    world.step()
    world.restore(snapshot)
    expect(world.bodies.all()[0].userData).toEqual({ door: 7 })
    expect(world.constraints()[0].userData).toBe(world)
    expect(JSON.stringify([bodies[0], constraints[0]])).not.toContain('door')
    expect(JSON.stringify(world)).not.toContain('door')
  })

  test('comes back with a snapshot, and what was added since is another', () => {
    const { world, constraints } = scene()
    const snapshot = world.snapshot()
    constraints[1].remove()
    const later = world.add(link, { a: world.bodies.all()[1], b: null })
    expect(later.slot).toBe(constraints[1].slot)
    expect(world.constraints().at(-1) === later).toBe(true)
    for (let k = 0; k < 2; k++) {
      world.restore(snapshot)
      expect(isSame(world.constraints(), constraints)).toBe(true)
      expect(later.alive).toBe(false)
      constraints[0].remove()
      world.add(link, { a: world.bodies.all()[0], b: null })
    }
  })

  test('is one of its own after its place was given up, and after the memory was', () => {
    const { world, constraints } = scene()
    const [first, second, third] = constraints
    first.remove()
    second.remove()
    world.shrink()
    const added = world.add(link, { a: world.bodies.all()[0], b: null }) as unknown as Constraint
    expect(isSame(world.constraints(), [third, added])).toBe(true)
    expect(first.alive || second.alive).toBe(false)
  })

  test('of a world from JSON is made once', () => {
    const { world } = scene()
    const copy = fromJSON(JSON.stringify(world), [link, level] as never)
    expect(isSame(copy.constraints(), copy.constraints())).toBe(true)
  })
})

describe('JSON', () => {
  test('of a report has handles as short plain values', () => {
    const { world, bodies, constraints } = scene()
    const guard = world.parts.find(({ name }) => name === 'energyGuard') as { scaled?: number[] } | undefined
    guard?.scaled?.push(bodies[0].index)
    const report = JSON.parse(JSON.stringify(world.report)) as Record<string, unknown>
    const { slot, generation } = constraints[1]
    expect(report.broken).toEqual([{ constraint: 'link', slot, generation }])
    expect(report.skipped).toEqual([{ constraint: 'level', slot: 0, generation: 0 }])
    expect(report.guard).toEqual({ components: 0, bodies: [{ body: 1, generation: 0, name: 'body at 1' }] })
  })

  test('of a handle that is stale says which it was', () => {
    const { bodies, constraints } = scene()
    bodies[1].remove()
    expect(constraints[1].alive).toBe(false)
    expect(JSON.stringify([bodies[1], constraints[1]])).toBe(
      '[{"body":2,"generation":0,"name":"body at 2"},{"constraint":"link","slot":1,"generation":0}]',
    )
  })
})
