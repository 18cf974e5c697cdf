/** Nothing outside the state: snapshots, JSON, hashes, and worlds side by side. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { fromJSON } from '@tautline/core'
import { addParticles, box, Collisions, collisionsFromJSON, convexHull, plane, sphere } from '../src/index.js'
import { again, pile, SHAPES, TYPES } from './support/pile.js'
import { FLOORS, future, run, scene, type Scene, weightless } from './support/scene.js'

/**
 * State of the pile below after 120 steps. It is the same on every engine; a change of it is a change of what users get, to
 * be made on purpose, when the arithmetic of a step changes, and told in the changelog.
 */
const HASH = 'e1062cba254344ee'

describe('snapshots', () => {
  test.each([false, true])('in mid-pile go on with the same bits (sleeping: %s)', (sleeping) => {
    const s = pile(1, sleeping)
    for (const steps of [0, 20, 40]) {
      run(s, steps)
      const snapshot = s.world.snapshot()
      const reference = future(s, 20)
      for (let k = 0; k < 2; k++) {
        s.world.restore(snapshot)
        expect(s.world.snapshot().data).toEqual(snapshot.data)
        expect(future(s, 20)).toEqual(reference)
      }
      s.world.restore(snapshot)
    }
  })

  test(`whatever happens in between is forgotten (seed ${SEED})`, () => {
    const property = fc.property(
      fc.integer(),
      fc.integer({ min: 0, max: 60 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 15 }),
      (seed, steps, actions) => {
        const s = pile(seed)
        const { world, collisions } = s
        run(s, steps)
        const snapshot = world.snapshot()
        const events = JSON.stringify(summary(collisions))
        const reference = future(s, 5)
        const told = JSON.stringify(summary(collisions))
        world.restore(snapshot)
        const random = new Random(seed + 1)
        for (const action of actions) disturb(s, random, action)
        world.restore(snapshot)
        expect(JSON.stringify(summary(collisions))).toBe(events)
        expect(s.bodies.every(({ alive }) => alive)).toBe(true)
        expect(future(s, 5)).toEqual(reference)
        expect(JSON.stringify(summary(collisions))).toBe(told)
      },
    )
    fc.assert(property, { seed: SEED, numRuns: runs(12) })
  })

  test('handles live again, and those of what came later do not', () => {
    const s = pile()
    const [first] = s.collisions.collidersOf(s.bodies[0])
    const { material, shape } = first
    const snapshot = s.world.snapshot()
    first.set({ friction: 0.01, shape: sphere(0.1) })
    first.remove()
    const later = s.collisions.addCollider(s.bodies[0], { shape: sphere(1) })
    expect(later.id).toBe(first.id)
    s.world.restore(snapshot)
    expect([first.alive, later.alive]).toEqual([true, false])
    expect([first.material, first.shape]).toEqual([material, shape])
    expect(s.collisions.collidersOf(s.bodies[0])).toEqual([first])
  })

  test('what ended after the last step is told after a restore too', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const ball = s.collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0] })
    run(s, 3)
    ball.remove()
    const snapshot = s.world.snapshot()
    const json = again(s.world)
    for (const world of [s.world, json]) {
      world.step()
      expect((Collisions.of(world) as Collisions).events.map(({ type }) => type)).toEqual(['end'])
    }
    s.world.restore(snapshot)
    s.world.step()
    expect(s.collisions.events.map(({ type }) => type)).toEqual(['end'])
    const after = again(s.world)
    expect((Collisions.of(after) as Collisions).events.map(({ type }) => type)).toEqual(['end'])
  })

  test('what is near and does not touch is still near', () => {
    const s = weightless()
    s.collisions.addCollider(null, { shape: box([1, 1, 1]) })
    s.collisions.addBody({ shape: sphere(0.5), position: [0, 1.515, 0] })
    run(s, 3)
    expect(s.collisions.batch.count).toBe(1)
    const snapshot = s.world.snapshot()
    const json = again(s.world)
    const reference = future(s, 2)
    s.world.restore(snapshot)
    expect(future(s, 2)).toEqual(reference)
    expect(future({ world: json }, 2)).toEqual(reference)
  })

  test('from before there were collisions', () => {
    const s = scene()
    const empty = s.world.snapshot()
    const hash = s.world.hash()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    s.collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0] })
    run(s, 3)
    s.world.restore(empty)
    expect(s.world.hash()).toBe(hash)
    expect(s.collisions.collidersOf(null)).toEqual([])
    run(s, 2)
  })
})

describe('JSON', () => {
  test.each([0, 30, 75, 150])('after %d steps goes on with the same bits', (steps) => {
    const s = pile()
    run(s, steps)
    if (steps === 150) expect(s.world.bodies.all().some(({ asleep }) => asleep)).toBe(true)
    const copy = again(s.world)
    const collisions = Collisions.of(copy) as Collisions
    expect(copy.hash()).toBe(s.world.hash())
    // Not the texts, which would be told in full.
    expect(JSON.stringify(copy) === JSON.stringify(s.world)).toBe(true)
    expect(summary(collisions)).toEqual(summary(s.collisions))
    for (let k = 0; k < 60; k++) {
      s.world.step()
      copy.step()
      expect(copy.hash(), `step ${k}`).toBe(s.world.hash())
    }
    expect(summary(collisions)).toEqual(summary(s.collisions))
  })

  test('numbers of colliders stay, with holes; what is added gets the same', () => {
    const s = pile()
    run(s, 10)
    s.bodies[2].remove()
    s.collisions.collidersOf(null)[1].remove()
    run(s, 2)
    const copy = again(s.world)
    const worlds = [s.world, copy].map((world) => ({ world, collisions: Collisions.of(world) as Collisions }))
    for (let k = 0; k < 3; k++) {
      const ids = worlds.map(({ collisions }) => {
        const { id, generation } = collisions.addCollider(null, { shape: sphere(0.2), position: [0, 3 + k, 0] })
        return [id, generation]
      })
      expect(ids[0]).toEqual(ids[1])
    }
    const [own, other] = worlds.map((w) => future(w, 30))
    expect(other).toEqual(own)
  })

  test('what is shared stays shared', () => {
    const s = scene()
    const shape = convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
    for (const x of [0, 3, 6]) s.collisions.addBody({ shape, position: [x, 0, 0] })
    const copy = Collisions.of(again(s.world)) as Collisions
    const shapes = copy.colliders.records.map((record) => record?.shape)
    expect(new Set(shapes).size).toBe(1)
  })

  test('every floor comes back', () => {
    for (const [name, make] of Object.entries(FLOORS)) {
      const s = scene()
      s.collisions.addCollider(null, { shape: make() })
      s.collisions.addBody({ shape: box([0.3, 0.2, 0.3]), position: [0.3, 0.3, 0.2], velocity: [1, 0, 0.3] })
      run(s, 10)
      const copy = again(s.world)
      expect(future({ world: copy }, 20), name).toEqual(future(s, 20))
    }
  })

  test('options and sleeping come back', () => {
    const s = scene(
      {},
      { margin: 0.05, frictionCombine: 'multiply', restitutionCombine: 'min', sleeping: { speed: 0.2, time: 1 } },
    )
    expect((Collisions.of(again(s.world)) as Collisions).options).toEqual(s.collisions.options)
    const json = JSON.stringify(s.world)
    const former = json
      .replace('frictionCombine":"multiply', 'mixFriction":"product')
      .replace('restitutionCombine":"min', 'mixRestitution":"smaller')
    expect(former).not.toBe(json)
    const read = fromJSON(former, [], { collisions: collisionsFromJSON })
    expect((Collisions.of(read) as Collisions).options).toEqual(s.collisions.options)
    const never = scene()
    expect((Collisions.of(again(never.world)) as Collisions).options.sleeping).toBe(false)
  })
})

test('scenes that name manifolds and accelerations by joints as before go on with the same bits', () => {
  const s = pile()
  run(s, 30)
  const json = JSON.stringify(s.world)
  const former = json.replaceAll('"manifolds":', '"patches":').replaceAll('"jointAcceleration":', '"pull":')
  expect(former.match(/"pull":/g)).toHaveLength(s.world.bodies.all().length)
  expect(former).not.toMatch(/"manifolds"|"jointAcceleration"/)
  const read = fromJSON(former, TYPES as never, { collisions: collisionsFromJSON })
  for (const world of [s.world, read]) for (let k = 0; k < 10; k++) world.step()
  expect(read.hash()).toBe(s.world.hash())
})

test('the same bits, whatever runs them', () => {
  const s = pile()
  run(s, 120)
  expect(s.world.report.nonFinite).toHaveLength(0)
  expect(s.world.hash()).toBe(HASH)
})

test('two worlds stepped in turns do not disturb each other', () => {
  const alone = future(pile(1), 40)
  const [one, other] = [pile(1), pile(2)]
  const hashes: string[] = []
  for (let k = 0; k < 40; k++) {
    hashes.push(...future(one, 1))
    other.world.step(1 / 100)
    if (k === 20) other.bodies[3].remove()
    // A read in between, that uses the same scratch.
    expect(other.collisions.events.length + one.collisions.events.length).toBeGreaterThanOrEqual(0)
  }
  expect(hashes).toEqual(alone)
})

test('events and reports change nothing', () => {
  const [watched, alone] = [pile(), pile()]
  const hashes: string[] = []
  for (let k = 0; k < 40; k++) {
    hashes.push(...future(watched, 1))
    summary(watched.collisions)
    watched.world.residual()
    watched.world.energy()
    JSON.stringify(watched.world)
    watched.world.snapshot()
  }
  expect(hashes).toEqual(future(alone, 40))
})

/** Events as plain data. */
function summary({ events }: Collisions): unknown {
  return events.map(({ type, a, b, sensor, normal, point, impulse, points }) => ({
    type,
    a: [a.id, a.generation],
    b: [b.id, b.generation],
    sensor,
    numbers: [...normal, ...point, impulse],
    points,
  }))
}

/** One of the things that users do. */
function disturb({ world, collisions }: Scene, random: Random, action: number): void {
  const all = world.bodies.all()
  const body = all[random.below(all.length)]
  const colliders = collisions.collidersOf(random.chance(0.2) ? null : body)
  const collider = colliders[random.below(colliders.length)] as (typeof colliders)[number] | undefined
  if (action === 0) world.step()
  if (action === 1) collisions.addBody({ shape: SHAPES[random.below(SHAPES.length)](), position: random.vector(2) })
  if (action === 2 && all.length > 3) body.remove()
  if (action === 3) collider?.remove()
  if (action === 4) collider?.set({ friction: random.next(), restitution: random.next() })
  if (action === 5) collisions.addCollider(body.type === 'dynamic' ? body : null, { shape: sphere(0.2) })
  if (action === 6) body.applyImpulse(random.vector(20))
  if (action === 7) world.constraints()[0]?.remove()
  if (action === 8) addParticles(collisions, [world.addParticle({ position: random.vector(2) })], { radius: 0.1 })
  if (action === 9) for (let k = 0; k < 5; k++) world.step(1 / 50)
}
