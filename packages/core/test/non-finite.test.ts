import { describe, expect, test } from 'vitest'
import { type Body, fromJSON, World } from '../src/index.js'
import { link, TYPES } from './support/link.js'
import { Random, randomBody, run } from './support/random.js'

/** A world with a chain, with or without a body that will not stay finite. */
function build(poison?: (world: World) => Body): { world: World; others: Body[]; bad: Body | undefined } {
  const world = new World()
  const random = new Random(9)
  const others = [world.addBody({ type: 'static' }), ...[1, 2, 3].map(() => world.addBody(randomBody(random)))]
  others.slice(1).forEach((b, k) => world.add(link, { a: others[k], b }))
  return { world, others, bad: poison?.(world) }
}

const state = (bodies: readonly Body[]): unknown =>
  bodies.map((body) => [body.position, body.orientation, body.velocity, body.angularVelocity])

const POISONS: Record<string, (world: World) => Body> = {
  'a huge force': (world) => {
    const body = world.addBody({ name: 'bad', position: [7, 8, 9], mass: 1e-9 })
    body.applyForce([1e307, 0, 0])
    return body
  },
  'a huge velocity': (world) => {
    world.step(1e-9)
    const body = world.addBody({ name: 'bad', position: [7, 8, 9], mass: 1 })
    body.setVelocity([1.7e308, 1.7e308, 0])
    return body
  },
  'a huge torque': (world) => {
    const body = world.addBody({ name: 'bad', position: [7, 8, 9], inertia: [1e-3, 2e-3, 2e-3], gravityScale: 0 })
    body.applyTorque([1e307, 0, 0])
    return body
  },
}

describe('a body that becomes non-finite', () => {
  test.each(Object.keys(POISONS))(
    'by %s: stands still at its last finite pose, named; the rest goes on the same',
    (kind) => {
      const poison = POISONS[kind]
      const { world, others, bad } = build(poison)
      const clean = build((w) => {
        if (kind === 'a huge velocity') w.step(1e-9)
        return w.addBody({ position: [50, 50, 50] })
      })
      const steps = 600
      run(world, steps)
      run(clean.world, steps)
      expect(world.report.nonFinite).toEqual([bad])
      expect(bad?.frozen).toBe(true)
      expect([...(bad as Body).position, ...(bad as Body).orientation].every(Number.isFinite)).toBe(true)
      expect(bad?.velocity).toEqual([0, 0, 0])
      expect(bad?.angularVelocity).toEqual([0, 0, 0])
      expect(state(others)).toEqual(state(clean.others))
      expect(clean.world.report.nonFinite).toEqual([])
    },
  )

  test('the last finite pose is that of the substep before', () => {
    const { world, bad } = build(POISONS['a huge force'])
    world.step()
    expect(bad?.position).toEqual([7, 8, 9])
  })

  test('setting its pose frees it', () => {
    for (const free of [
      (body: Body) => body.setPosition([1, 1, 1]),
      (body: Body) => body.setOrientation([0, 0, 0, 1]),
    ]) {
      const { world, bad } = build(POISONS['a huge torque'])
      world.step()
      expect(bad?.frozen).toBe(true)
      bad?.applyForce([1, 0, 0])
      world.step()
      expect(bad?.velocity).toEqual([0, 0, 0])
      free(bad as Body)
      expect(bad?.frozen).toBe(false)
      expect(world.report.nonFinite).toEqual([])
      bad?.applyForce([1, 0, 0])
      bad?.applyTorque([1e-5, 0, 0])
      world.step()
      expect(bad?.velocity[0]).toBeCloseTo(1 / 60, 9)
      expect(bad?.angularVelocity[0]).toBeGreaterThan(0)
    }
  })

  test('what hangs on it hangs on a fixed body', () => {
    const world = new World()
    const bad = world.addBody({ mass: 1e-9 })
    const bob = world.addBody({ position: [0, -1, 0] })
    world.add(link, { a: bad, b: bob })
    bad.applyForce([1e307, 0, 0])
    run(world, 60)
    expect(bob.position[1]).toBeCloseTo(-1, 3)
    expect(bob.frozen).toBe(false)
  })

  test('it survives a snapshot and JSON', () => {
    const { world } = build(POISONS['a huge force'])
    world.step()
    const copy = fromJSON(JSON.stringify(world), TYPES)
    const snapshot = world.snapshot()
    run(world, 5)
    const after = world.hash()
    run(copy, 5)
    expect(copy.hash()).toBe(after)
    expect(copy.report.nonFinite.map((body) => body.name)).toEqual(['bad'])
    world.restore(snapshot)
    run(world, 5)
    expect(world.hash()).toBe(after)
  })

  test('a frozen body in the middle of a chain: JSON goes on the same', () => {
    const world = new World()
    const bodies = [0, 1, 2, 3, 4].map((k) => world.addBody({ position: [k, 0, 0], mass: k === 4 ? 1e-9 : 1 }))
    bodies.slice(1).forEach((b, k) => world.add(link, { a: bodies[k], b }))
    world.add(link, { a: bodies[0], b: null, length: 0.5 })
    bodies[4].applyForce([1e307, 0, 0])
    world.step()
    const copy = fromJSON(JSON.stringify(world), TYPES)
    run(world, 5)
    run(copy, 5)
    expect(copy.hash()).toBe(world.hash())
  })
})

test('what a solver has lost, its start too, is frozen where the step began, and can be saved', () => {
  const world = new World({ gravity: [0, 0, 0], substeps: 1 })
  const bodies = [0, 1].map((x) => world.addBody({ position: [x, 0, 0], inertia: 1, velocity: [0, 1, 0] }))
  world.step()
  const before = world.bodies.columns.position.slice()
  let isLost = false
  world.solvers.push({
    name: 'loses',
    gather() {},
    locate() {},
    solve() {},
    endSubstep() {
      if (isLost) return
      isLost = true
      const { position, orientation, startPosition, startOrientation } = world.bodies.columns
      const o = 4 * bodies[1].index
      for (const column of [position, startPosition]) column.fill(NaN, o, o + 3)
      for (const column of [orientation, startOrientation]) column.fill(NaN, o, o + 4)
    },
  } as never)
  world.step()
  expect(world.report.nonFinite).toEqual([bodies[1]])
  expect([...bodies[1].position]).toEqual([...before.subarray(4 * bodies[1].index, 4 * bodies[1].index + 3)])
  const copy = fromJSON(JSON.stringify(world), [])
  expect(copy.hash()).toBe(world.hash())
})
