import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { World } from '../src/index.js'
import { link, rod } from './support/link.js'
import { runs } from './support/runs.js'
import { addRandom, Random, randomBody, randomWorld, run } from './support/random.js'
import { SEED } from './support/seed.js'

/** Hash after each of the next steps. */
function future(world: World, steps = 6): string[] {
  return Array.from({ length: steps }, () => {
    world.step()
    return world.hash()
  })
}

describe('snapshot and restore', () => {
  test('continues to the last bit, any number of times', () => {
    const { world } = randomWorld(1, { iterations: 2, warmStart: 0.5, order: 'alternating' })
    run(world, 5)
    const snapshot = world.snapshot()
    const before = world.hash()
    const reference = future(world)
    for (let k = 0; k < 2; k++) {
      world.restore(snapshot)
      expect(world.hash()).toBe(before)
      expect(world.time).toBeCloseTo(5 / 60, 12)
      expect(future(world)).toEqual(reference)
    }
  })

  test("takes a former one's array, also where bodies and rows have come and gone since, and is as good as a new one", () => {
    const { world, bodies, random } = randomWorld(3)
    run(world, 3)
    let former = world.snapshot()
    const arrays = new Set([former.data])
    for (let turn = 0; turn < 20; turn++) {
      if (turn === 5)
        for (let k = 0; k < 30; k++) addRandom(world, [...bodies, world.addBody(randomBody(random))], random)
      if (turn === 10) for (const body of bodies.slice(0, 3)) body.remove()
      const snapshot = world.snapshot(former)
      expect(() => world.restore(former)).toThrow(/snapshot must have its array/)
      const reference = future(world)
      world.restore(snapshot)
      expect(future(world)).toEqual(reference)
      former = snapshot
      arrays.add(former.data)
    }
    expect(arrays.size).toBe(2)
    expect(() => world.snapshot(new World().snapshot())).toThrow(/former must be of this world/)
    expect(() => world.snapshot(1 as never)).toThrow(/former must be an object, got 1/)
    expect(() => world.snapshot({} as never)).toThrow(/former must be of this world/)
  })

  test('a pending force, a target and a rest of frame time are in it', () => {
    const world = new World()
    const body = world.addBody({ inertia: 1 })
    const mover = world.addBody({ type: 'kinematic' })
    world.advance(0.025)
    body.applyForce([1, 2, 3], [0, 1, 0])
    mover.setTarget([1, 1, 1])
    const snapshot = world.snapshot()
    const reference = future(world)
    expect(mover.position[0]).toBeCloseTo(1, 12)
    world.advance(0.003)
    world.restore(snapshot)
    expect(world.clock.accumulator).toBeCloseTo(0.025 - 1 / 60, 12)
    expect(future(world)).toEqual(reference)
  })

  test('across bodies and constraints that were added', () => {
    const { world, bodies, random } = randomWorld(2)
    run(world, 3)
    const snapshot = world.snapshot()
    const reference = future(world)
    world.restore(snapshot)
    const added = Array.from({ length: 40 }, () => world.addBody(randomBody(random)))
    for (let k = 0; k < 40; k++) addRandom(world, [...bodies, ...added], random)
    run(world, 3)
    const constraint = world.constraints().at(-1)
    world.restore(snapshot)
    expect(added.map((body) => body.alive)).toEqual(new Array(40).fill(false))
    expect(constraint?.alive).toBe(false)
    expect(world.constraints()).toHaveLength(10)
    expect(future(world)).toEqual(reference)
  })

  test('across bodies and constraints that were removed: old handles and names live again', () => {
    const { world, bodies } = randomWorld(3)
    const named = world.addBody({ name: 'named', position: [9, 9, 9] })
    const joint = world.add(link, { a: named, b: bodies[3], length: 8 })
    run(world, 3)
    const snapshot = world.snapshot()
    const reference = future(world)
    world.restore(snapshot)
    named.remove()
    for (const body of bodies.slice(2)) body.remove()
    for (let k = 0; k < 5; k++) world.addBody({ name: 'other', position: [k, 5, 5] })
    run(world, 3)
    expect(joint.alive).toBe(false)
    world.restore(snapshot)
    expect(named.alive).toBe(true)
    expect(joint.alive).toBe(true)
    expect(joint.def.length).toBe(8)
    expect(joint.bodies).toEqual([named, bodies[3]])
    expect(world.bodies.all().at(-1)?.name).toBe('named')
    expect(world.bodies.handle(bodies[3].index)).toBe(bodies[3])
    expect(future(world)).toEqual(reference)
  })

  test('across set(), enabled, and a break', () => {
    const world = new World({ gravity: [0, -10, 0] })
    const bodies = [0, 1, 2, 3].map((k) => world.addBody({ position: [k, 0, 0] }))
    const joints = bodies
      .slice(1)
      .map((b, k) => world.add(link, { a: bodies[k], b, breakForce: 500, compliance: 1e-4 }))
    const hung = world.add(link, { a: bodies[0], b: null, length: 0.1, compliance: 1e-4 })
    run(world, 3)
    const snapshot = world.snapshot()
    const reference = future(world)
    world.restore(snapshot)
    joints[0].set({ length: 3, compliance: 0 })
    joints[1].enabled = false
    hung.set({ breakForce: 1e-3 })
    run(world, 2)
    expect(hung.broken).toBe(true)
    world.restore(snapshot)
    expect(joints[0].def.length).toBe(1)
    expect(joints[0].def.compliance).toBe(1e-4)
    expect([joints[1].enabled, hung.broken, hung.enabled]).toEqual([true, false, true])
    expect(hung.def.breakForce).toBe(Infinity)
    expect(future(world)).toEqual(reference)
    // The other way: from before a change to after it.
    joints[0].set({ length: 3 })
    const changed = world.snapshot()
    const changedFuture = future(world)
    world.restore(snapshot)
    expect(joints[0].def.length).toBe(1)
    world.restore(changed)
    expect(joints[0].def.length).toBe(3)
    expect(future(world)).toEqual(changedFuture)
  })

  test('from an empty world', () => {
    const world = new World()
    const empty = world.snapshot()
    const hash = world.hash()
    const [a, b] = [0, 1].map((x) => world.addBody({ position: [x, 0, 0] }))
    world.add(link, { a, b })
    world.add(rod, { bodies: [a, b], params: { p: [0, 0, 0], q: [0, 0, 0], length: 1 } })
    world.step()
    world.restore(empty)
    expect(world.hash()).toBe(hash)
    expect(world.bodies.all()).toEqual([])
    expect(world.constraints()).toEqual([])
    const again = world.addBody({})
    expect(again.index).toBe(1)
    world.add(link, { a: again, b: null, length: 0 })
    run(world, 2)
  })

  test('a snapshot of another world is refused', () => {
    const [one, other] = [new World(), new World()]
    one.addBody({ position: [1, 2, 3] })
    const hash = one.hash()
    expect(() => one.restore(other.snapshot())).toThrow(/restore: snapshot must be of this world/)
    expect(one.hash()).toBe(hash)
  })

  test('two worlds share nothing', () => {
    const alone = randomWorld(7).world
    const [one, other] = [7, 7].map((seed) => randomWorld(seed).world)
    const reference = future(alone)
    const hashes: string[] = []
    for (let k = 0; k < 6; k++) {
      one.step()
      hashes.push(one.hash())
      other.step(0.003)
      other.addBody({ position: [k, k, k] })
      if (k === 3) other.bodies.all()[4].remove()
    }
    expect(hashes).toEqual(reference)
  })

  test(`any history after it is forgotten (seed ${SEED})`, () => {
    const property = fc.property(
      fc.integer(),
      fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 25 }),
      (seed, actions) => {
        const { world, bodies } = randomWorld(seed)
        run(world, 2)
        const snapshot = world.snapshot()
        const reference = future(world, 3)
        world.restore(snapshot)
        const random = new Random(seed + 1)
        for (const action of actions) {
          const all = world.bodies.all()
          const joints = world.constraints()
          if (action === 0) world.step()
          if (action === 1) world.addBody(randomBody(random))
          if (action === 2 && all.length > 3) all[random.below(all.length)].remove()
          if (action === 3 && all.length > 2) addRandom(world, all, random)
          if (action === 4 && joints.length > 0) joints[random.below(joints.length)].remove()
          if (action === 5 && joints.length > 0) joints[random.below(joints.length)].enabled = random.chance(0.5)
          if (action === 6 && joints.length > 0)
            joints[random.below(joints.length)].set({ breakForce: random.between(1, 50) } as object)
        }
        world.restore(snapshot)
        expect(bodies.every((body) => body.alive)).toBe(true)
        expect(future(world, 3)).toEqual(reference)
      },
    )
    fc.assert(property, { seed: SEED, numRuns: runs(60) })
  })
})
