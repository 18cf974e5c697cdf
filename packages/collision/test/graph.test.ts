/** The graph of bodies, joints and contacts: its components, the bodies that a step visits, and what it costs to remove bodies and to let them sleep. */

import type { Body, World } from '@tautline/core'
import { ASLEEP, DEAD, DYNAMIC, graphOf } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { ballSocket, distance } from '../../constraints/src/index.js'
import { box, plane, sphere } from '../src/index.js'
import { run, scene, type Scene } from './support/scene.js'

const HALF: [number, number, number] = [0.25, 0.25, 0.25]
/** Steps after which boxes that were set down on the ground sleep, and have slept through a step. */
const ASLEEP_BY = 60

/** Components of moving bodies by all rows that act, found anew: root by body, and whether a component is joined to a body that does not move. */
function naive({ bodies, batches }: World): { root: number[]; held: boolean[] } {
  const { position } = bodies.columns
  const moves = (i: number): boolean => position[4 * i + 3] !== 0
  const root = Array.from({ length: bodies.count }, (_, i) => i)
  const held = root.map(() => false)
  const rows = batches.flatMap(({ common, arity, count }) =>
    Array.from({ length: count }, (_, row) => row)
      .filter((row) => common.enabled[row] !== 0)
      .map((row) => Array.from(common.body.subarray(arity * row, arity * (row + 1)))),
  )
  for (const row of rows) {
    const movers = row.filter(moves)
    const least = Math.min(...movers.map((i) => root[i]))
    const others = new Set(movers.map((i) => root[i]))
    for (let i = 0; i < root.length; i++) if (others.has(root[i])) root[i] = least
  }
  for (const row of rows) {
    const mover = row.find(moves)
    if (mover !== undefined && !row.every(moves)) held[root[mover]] = true
  }
  return { root, held }
}

/** Checks everything that follows from bodies and rows alone. */
function check({ world, collisions }: Scene): void {
  world.refreshOrder()
  const { sets, held } = graphOf(world)
  const expected = naive(world)
  const { columns, awake, count } = world.bodies
  const listed = Array.from(awake.rows.subarray(0, awake.count))
  expect(listed).toEqual([...new Set(listed)].sort((r, s) => r - s))
  for (let i = 1; i < count; i++) {
    if (columns.position[4 * i + 3] !== 0) {
      expect(sets.root(i)).toBe(expected.root[i])
      expect(held[sets.root(i)] !== 0).toBe(expected.held[expected.root[i]])
    }
    const sleeps = columns.kind[i] === DYNAMIC && (columns.flags[i] & ASLEEP) !== 0
    if (columns.kind[i] !== DEAD && !sleeps) expect(listed).toContain(i)
    if (awake.isResting(i)) expect(listed).not.toContain(i)
  }
  for (const { type, incidence, common, arity, count: rows } of world.batches) {
    if (type.traits?.unordered === true) continue
    for (let i = 0; i < count; i++) {
      const slots = Array.from({ length: rows }, (_, row) => row)
        .filter((row) => common.body.subarray(arity * row, arity * (row + 1)).includes(i))
        .map((row) => common.slot[row])
      expect(incidence.slotsOf(i)).toEqual(slots.sort((r, s) => r - s))
    }
  }
  for (const body of world.bodies.all()) {
    const ids = collisions.colliders.records.flatMap((record, id) => (record?.body === body ? [id] : []))
    expect(collisions.collidersOf(body).map(({ id }) => id)).toEqual(ids)
  }
}

/** One random edit. */
function edit({ world, collisions }: Scene, random: Random, saved: ReturnType<World['snapshot']>[]): void {
  const all = world.bodies.all()
  const body = all[random.below(all.length)]
  const other = all[random.below(all.length)]
  const constraints = world.constraints()
  const constraint = constraints[random.below(constraints.length)]
  const edits = [
    () => add(collisions, random),
    () => all.length > 4 && body.remove(),
    () => body !== other && world.add(distance, { a: body, b: other }),
    () => body !== other && world.add(ballSocket, { a: body, b: other, point: body.position, breakForce: 300 }),
    () => constraints.length > 0 && constraint.remove(),
    () => constraints.length > 0 && constraint.set({ enabled: !constraint.enabled } as never),
    () => (body.type = random.chance(0.5) ? 'dynamic' : random.chance(0.5) ? 'kinematic' : 'static'),
    () => body.sleep(),
    () => body.wake(),
    () => body.setPosition(random.vector(2)),
    () => saved.push(world.snapshot()),
    () => saved.length > 0 && world.restore(saved[random.below(saved.length)]),
    () => collisions.collidersOf(body)[0]?.remove(),
  ]
  edits[random.below(edits.length)]()
}

function add(collisions: Scene['collisions'], random: Random): Body {
  const shape = random.chance(0.5) ? sphere(0.3) : box(HALF)
  return collisions.addBody({ shape, density: 500, position: [random.between(-1, 1), 0.5, random.between(-1, 1)] })
}

describe(`after random edits (seed ${SEED})`, () => {
  test('components, awake bodies, rows of bodies and colliders are those found anew', () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const given = scene({}, { sleeping: { speed: 0.1, time: 0.1 } })
      given.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
      const saved: ReturnType<World['snapshot']>[] = []
      for (let k = 0; k < 6; k++) add(given.collisions, random)
      for (let round = 0; round < 15; round++) {
        for (let k = random.below(3); k > 0; k--) edit(given, random, saved)
        if (random.chance(0.3)) check(given)
        run(given, 1 + random.below(6))
        check(given)
      }
    })
    fc.assert(property, { seed: SEED, numRuns: 12 })
  })
})

/** Counts reads of numbers of arrays. */
class Reads {
  count = 0

  of<List extends object>(list: List): List {
    return new Proxy(list, {
      get: (target, key) => {
        if (typeof key === 'string' && key >= '0' && key <= '9~') this.count++
        const value = Reflect.get(target, key, target) as unknown
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }

  /** Counts those of all columns of a table from now on. */
  ofColumns(columns: Record<string, Float64Array>): void {
    for (const name of Object.keys(columns)) {
      if (columns[name] instanceof Float64Array) columns[name] = this.of(columns[name])
    }
  }
}

/** Boxes on the ground, in rows of ten that are joined, or apart. */
function boxes(count: number, joined: boolean): Scene & { all: Body[] } {
  const given = scene({}, { sleeping: {} })
  given.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const all = Array.from({ length: count }, (_, k) =>
    given.collisions.addBody({ shape: box(HALF), density: 400, position: [k % 10, 0.25, Math.floor(k / 10)] }),
  )
  for (let k = 1; joined && k < count; k++) {
    if (k % 10 !== 0)
      given.world.add(ballSocket, { a: all[k - 1], b: all[k], anchorA: [0.5, 0, 0], anchorB: [-0.5, 0, 0] })
  }
  return { ...given, all }
}

/** Reads of colliders and contacts while all bodies are removed, in a random order. */
function readsOfRemoval(count: number): number {
  const { world, collisions, all } = boxes(count, true)
  run({ world }, 2)
  const reads = new Reads()
  collisions.colliders.records = reads.of(collisions.colliders.records)
  collisions.colliders.body = reads.of(collisions.colliders.body)
  const { columns } = collisions.batch
  columns.pair = reads.of(columns.pair)
  columns.body = reads.of(columns.body)
  const random = new Random(1)
  while (all.length > 0) all.splice(random.below(all.length), 1)[0].remove()
  return reads.count
}

test('twice as many bodies with joints and contacts are removed with twice the work', () => {
  expect(readsOfRemoval(200) / readsOfRemoval(100)).toBeLessThan(2.5)
})

/** Reads of bodies and contacts in a step with sleepers, and with a box that is awake. */
function readsOfStep(sleepers: number): number {
  const { world, collisions } = boxes(sleepers, true)
  run({ world }, ASLEEP_BY)
  expect(world.bodies.all().every(({ asleep }) => asleep)).toBe(true)
  const awake = collisions.addBody({ shape: sphere(0.3), density: 400, position: [0, 50, 0] })
  run({ world }, 3)
  const reads = new Reads()
  reads.ofColumns(world.bodies.columns as unknown as Record<string, Float64Array>)
  for (const { columns } of world.batches) reads.ofColumns(columns)
  world.step(1 / 60)
  expect(awake.asleep).toBe(false)
  return reads.count
}

test('a step visits as few bodies and rows among many sleepers as among few', () => {
  const few = readsOfStep(20)
  expect(few).toBeGreaterThan(0)
  expect(readsOfStep(80)).toBe(few)
})
