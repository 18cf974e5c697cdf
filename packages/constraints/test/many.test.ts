/** Constraints that are added at once are those that `add` makes one by one: rows, bits, definitions, handles, JSON. */

import { type Body, type Constraint, type ConstraintType, custom, fromJSON, World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  ballSocket,
  distance,
  type DistanceDef,
  lineDistance,
  shapeMatching,
  spring,
  tether,
  tetraVolume,
} from '../src/index.js'

const RUNS = 150
const COUNT = 8
const TYPES = [
  ballSocket,
  distance,
  lineDistance,
  shapeMatching,
  spring,
  tether,
  tetraVolume,
] as unknown as ConstraintType<never>[]

/** Types that make rows at once, by fields that they share with `distance`. */
const PAIRS = { distance, lineDistance, tether } as unknown as Readonly<
  Record<'distance' | 'lineDistance' | 'tether', ConstraintType<DistanceDef>>
>
/** Fields that only some of them have. */
const OWN = ['mode', 'anchorA', 'anchorB', 'point', 'direction', 'stretch']

type Fields = Record<string, unknown>

/** A scene and what is added to it. */
interface Plan {
  readonly type: keyof typeof PAIRS
  readonly options: object
  readonly places: readonly (readonly [number, number, number])[]
  /** Which of the bodies rotate, are static, sleep. */
  readonly kinds: readonly ('particle' | 'box' | 'static' | 'asleep')[]
  readonly pairs: readonly (readonly [number, number])[]
  readonly shared: Fields
  readonly each: Readonly<Record<string, readonly number[]>>
  /** Places in the list: what is removed before, and what is done to what after. */
  readonly before: readonly number[]
  readonly after: readonly { readonly do: 'remove' | 'set' | 'read' | 'restore' | 'step'; readonly at: number }[]
}

const coordinate = fc.double({ min: -2, max: 2, noNaN: true })
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

function plans(): fc.Arbitrary<Plan> {
  const end = fc.nat(COUNT)
  return fc
    .array(
      fc.tuple(end, end).filter(([a, b]) => a !== b),
      { minLength: 1, maxLength: 24 },
    )
    .chain((pairs) => {
      const perRow = (entry: fc.Arbitrary<number>) =>
        fc.array(entry, { minLength: pairs.length, maxLength: pairs.length })
      return fc.record({
        type: fc.constantFrom('distance', 'lineDistance', 'tether'),
        options: fc.constantFrom({}, { relaxation: 1.4, iterations: 3 }, { jacobians: 'frozen' }, { solver: 'sweep' }),
        places: fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: COUNT, maxLength: COUNT }),
        kinds: fc.array(fc.constantFrom('particle', 'particle', 'box', 'static', 'asleep'), {
          minLength: COUNT,
          maxLength: COUNT,
        }),
        pairs: fc.constant(pairs),
        shared: fc.oneof(
          fc.record(
            { damping: number(0, 5), mode: fc.constantFrom('rigid', 'rope', 'strut'), enabled: fc.boolean() },
            { requiredKeys: [] },
          ),
          fc.constantFrom<Fields>(
            { compliance: 1e-3, length: 0.5 },
            { frequency: 2, dampingRatio: 0.5 },
            { anchorA: [0.1, 0, 0], solver: 'direct' },
            { anchorB: [0, 0, 0], enableCollision: true, relaxation: 0.7 },
            { point: [0, 0, 0] },
            { direction: [1, 2, 3] },
            { stretch: 0.1, length: 1 },
          ),
        ),
        each: fc
          .constantFrom<readonly string[]>([], ['length'], ['breakForce'], ['damping'], ['regularization'])
          .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, perRow(number(0.01, 3))])))),
        soft: fc.option(fc.tuple(fc.constantFrom('compliance', 'stiffness'), perRow(number(1e-4, 1e3)))),
        before: fc.array(fc.nat(pairs.length - 1), { maxLength: 6 }),
        after: fc.array(
          fc.record({ do: fc.constantFrom('remove', 'set', 'read', 'restore', 'step'), at: fc.nat(pairs.length - 1) }),
          { maxLength: 8 },
        ),
      })
    })
    .map(({ soft, ...plan }) => {
      const isTaken = ['compliance', 'frequency'].some((field) => field in plan.shared)
      const each = soft === null || isTaken ? plan.each : { ...plan.each, [soft[0]]: soft[1] }
      const { type } = plan
      const isKnown = (field: string): boolean =>
        !OWN.includes(field) || (PAIRS[type].fields as string[]).includes(field)
      const shared = Object.fromEntries(
        Object.entries(plan.shared).filter(([field]) => !(field in each) && isKnown(field)),
      )
      return { ...plan, each, shared } as Plan
    })
}

function scene({ options, places, kinds }: Plan): { world: World; bodies: (Body | null)[] } {
  const world = new World(options)
  const made = places.map((position, k) => {
    const inertia = kinds[k] === 'box' ? { inertia: [0.1, 0.1, 0.1] } : {}
    return world.addBody({ position, type: kinds[k] === 'static' ? 'static' : 'dynamic', ...inertia })
  })
  return { world, bodies: [...made, null] }
}

/** Adds the plan's constraints one by one. */
function oneByOne({ type, pairs, shared, each }: Plan, world: World, bodies: readonly (Body | null)[]): Constraint[] {
  return pairs.map(([a, b], k) => {
    const own = Object.fromEntries(Object.entries(each).map(([field, values]) => [field, values[k]]))
    return world.add(PAIRS[type], {
      a: bodies[a],
      b: bodies[b],
      ...shared,
      ...own,
    } as DistanceDef) as unknown as Constraint
  })
}

function atOnce({ type, pairs, shared, each }: Plan, world: World, bodies: readonly (Body | null)[]): Constraint[] {
  const list = world.addConstraints(PAIRS[type], { bodies, indices: pairs.flat(), shared, each } as never)
  expect(list).toHaveLength(pairs.length)
  return [...list] as unknown as Constraint[]
}

type Add = typeof oneByOne

/** What becomes of a plan: all that can be read, after each of its steps. */
function history(plan: Plan, add: Add): unknown[] {
  const { world, bodies } = scene(plan)
  const told: unknown[] = []
  const tell = (): void => void told.push(world.hash(), JSON.stringify(world.toJSON()))
  try {
    // Slots that were given up are given out again.
    const former = oneByOne({ ...plan, shared: {}, each: {} }, world, bodies)
    for (const k of new Set(plan.before)) former[k].remove()
    plan.kinds.forEach((kind, k) => kind === 'asleep' && bodies[k]?.sleep())
    const made = add(plan, world, bodies)
    told.push(made.map(({ slot, generation }) => [slot, generation]))
    told.push(made.map((constraint) => constraint.error))
    const snapshot = world.snapshot()
    tell()
    for (const move of plan.after) {
      const constraint = made[move.at]
      if (move.do === 'step') world.step(1 / 60)
      else if (move.do === 'restore') world.restore(snapshot)
      else if (!constraint.alive) continue
      else if (move.do === 'remove') constraint.remove()
      else if (move.do === 'set') constraint.set({ compliance: 0.01 } as never)
      else told.push(JSON.stringify(constraint.def, (_, value: unknown) => (value === Infinity ? 'Infinity' : value)))
      tell()
    }
    world.step(1 / 60)
    tell()
    const again = fromJSON(world.toJSON(), TYPES)
    again.step(1 / 60)
    told.push(again.hash())
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    told.push(error.message.replace(/^addConstraints: \w+: constraint \d+: /, ''))
  }
  return told
}

describe(`added at once (seed ${SEED})`, () => {
  test('they are those that `add` makes, whatever becomes of them', () => {
    fc.assert(
      fc.property(plans(), (plan) => {
        expect(history(plan, atOnce)).toEqual(history(plan, oneByOne))
      }),
      { seed: SEED, numRuns: runs(RUNS) },
    )
  })

  test('rows that differ in bodies and numbers have no definition and no handle until one is asked for', () => {
    const { world, bodies } = sheet()
    const length = [1, 2, 3]
    const list = world.addConstraints(distance, { bodies, indices: [0, 1, 1, 2, 2, 3], each: { length } })
    const [batch] = world.batches
    expect(new Set(batch.defs).size).toBe(1)
    expect(batch.handles).toHaveLength(0)
    world.step()
    world.restore(world.snapshot())
    expect(new Set(batch.defs).size).toBe(1)
    length[1] = 7
    expect(list.at(1).def).toMatchObject({ a: bodies[1], b: bodies[2], length: 2, compliance: 0 })
    expect(list.at(1).def).toBe(list.at(1).def)
    expect(list.at(1)).toBe(world.constraints()[1])
    expect(new Set(batch.defs).size).toBe(2)
  })

  test('a handle of what was removed is stale, and that of what has its slot is another', () => {
    const { world, bodies } = sheet()
    const list = world.addConstraints(distance, { bodies, indices: [0, 1, 1, 2] })
    list.at(0).remove()
    const next = world.add(distance, { a: bodies[2], b: bodies[3] })
    expect(list.at(0).alive).toBe(false)
    expect(() => list.at(0).def).toThrow(/must exist/)
    expect(next.slot).toBe(0)
    expect(() => list.at(2)).toThrow(new RangeError('at: k must be <= 1, got 2'))
  })

  test('other types take them too: of any number of bodies, of the world, of users', () => {
    const { world, bodies } = sheet()
    const level = custom<number>({ name: 'level', bodies: 1, error: ([{ position }], height) => position[1] - height })
    world.addConstraints(shapeMatching, { bodies, indices: [0, 1, 2, 3], arity: 4, shared: { stiffness: 10 } })
    world.addConstraints(tetraVolume, { bodies, indices: [0, 1, 2, 3] })
    world.addConstraints(level, { bodies, indices: [0, 1], each: { params: [0, 1] } })
    world.addConstraints(spring, { bodies: [null, ...bodies], indices: [0, 1, 0, 2], each: { stiffness: [1, 2] } })
    world.addConstraints(ballSocket, { bodies, indices: [0, 1], each: { point: [[0, 0, 1]] } })
    world.addConstraints(distance, { bodies: [], indices: [] })
    const alone = sheet()
    const four = alone.bodies.slice(0, 4)
    alone.world.add(shapeMatching, { bodies: four, stiffness: 10 })
    alone.world.add(tetraVolume, { bodies: four })
    for (const k of [0, 1]) alone.world.add(level, { bodies: [four[k]], params: k })
    for (const k of [0, 1]) alone.world.add(spring, { a: null, b: four[k], stiffness: k + 1 })
    alone.world.add(ballSocket, { a: four[0], b: four[1], point: [0, 0, 1] })
    for (const { world: each } of [{ world }, alone]) each.step(1 / 60)
    expect(world.hash()).toBe(alone.world.hash())
    expect(world.toJSON()).toEqual(alone.world.toJSON())
  })
})

/** Four particles at corners. */
function sheet(): { world: World; bodies: Body[] } {
  const world = new World()
  return { world, bodies: world.addBodies({ count: 4, positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] }) }
}

describe('what is wrong is refused as a whole', () => {
  const cases: readonly (readonly [string, object | ((bodies: Body[]) => object), RegExp])[] = [
    ['no definition', [], /^addConstraints: distance must be an object, got an array/],
    ['a field that is none', { lengths: 1 }, /known fields only .*got lengths: 1/],
    ['bodies that are none', { bodies: 3 }, /bodies must be an array, got 3/],
    ['a body that is none', ([a]: Body[]) => ({ bodies: [a, {}] }), /bodies\[1\] must be a body, got an object/],
    ['no indices', { indices: undefined }, /indices must be an array, got undefined/],
    ['half a pair', { indices: [0, 1, 2] }, /indices must be 2 a constraint, got 3 entries/],
    ['an index beyond', { indices: [0, 1, 2, 4] }, /indices\[3\] must be an integer from 0 to 3, got 4/],
    ['half an index', { indices: [0, 1, 2, 0.5] }, /indices\[3\] must be an integer from 0 to 3, got 0\.5/],
    ['an index that is text', { indices: [0, '1'] }, /indices\[1\] must be a finite number, got "1"/],
    ['a body twice', { indices: [0, 1, 2, 2] }, /constraint 1: distance: bodies must differ, got .* twice/],
    ['another arity', { arity: 3 }, /arity must be 2, got 3/],
    ['bodies in the definition', { shared: { a: null } }, /shared: a must be left out, as indices say it, got null/],
    ['an unknown field of all', { shared: { lenght: 1 } }, /shared: definition must have known fields only .*lenght/],
    ['an unknown field of each', { each: { lenght: [1, 1] } }, /each: definition must have known fields only .*lenght/],
    [
      'a field of all and each',
      { shared: { length: 1 }, each: { length: [1, 1] } },
      /length must be in shared or in each/,
    ],
    ['a number for an array', { each: { length: 1 } }, /each\.length must be an array, got 1/],
    ['too few entries', { each: { length: [1] } }, /each\.length must be of 2 entries, got 1/],
    [
      'a negative length',
      { each: { length: [1, -1] } },
      /constraint 1: distance: length must be >= 0 and finite, got -1/,
    ],
    ['a length that is none', { each: { length: [1, NaN] } }, /constraint 1: distance: length must be .*, got NaN/],
    ['a text', { each: { length: [1, '1'] } }, /constraint 1: distance: length must be a number >= 0, got "1"/],
    ['negative damping', { each: { damping: [0, -2] } }, /constraint 1: distance: damping must be >= 0.*got -2/],
    ['no stiffness', { each: { stiffness: [1, 0] } }, /constraint 1: distance: stiffness must be > 0.*got 0/],
    ['a limit of 0', { each: { breakForce: [Infinity, 0] } }, /constraint 1: distance: breakForce must be > 0.*got 0/],
    ['two softnesses', { shared: { compliance: 1 }, each: { stiffness: [1, 1] } }, /give one of compliance, stiffness/],
    ['a wrong mode', { shared: { mode: 'chain' } }, /constraint 0: distance: mode must be rigid, rope or strut/],
  ]
  test.each(cases)('%s', (_, given, message) => {
    const { world, bodies } = sheet()
    const before = world.hash()
    const rest = typeof given === 'function' ? (given as (bodies: Body[]) => object)(bodies) : given
    const def = Array.isArray(rest) ? rest : { bodies, indices: [0, 1, 1, 2], ...rest }
    expect(() => world.addConstraints(distance, def as never)).toThrow(message)
    expect(world.constraints()).toHaveLength(0)
    expect(world.hash()).toBe(before)
    expect(world.add(distance, { a: bodies[0], b: bodies[1] })).toMatchObject({ slot: 0, generation: 0 })
  })

  test('the world as both ends, a body of another world, a removed one, a type that takes any number', () => {
    const { world, bodies } = sheet()
    const add = (list: readonly (Body | null)[]) => world.addConstraints(distance, { bodies: list, indices: [0, 1] })
    expect(() => add([null, null])).toThrow(/constraint 0: distance: a or b must be a body/)
    expect(() => add([bodies[0], sheet().bodies[1]])).toThrow(/bodies\[1\]: .*must be of this world/)
    bodies[3].remove()
    expect(() => add([bodies[0], bodies[3]])).toThrow(/bodies\[1\]: .*must exist/)
    const asked = { bodies, indices: [0, 1, 2] }
    expect(() => world.addConstraints(shapeMatching, asked)).toThrow(/arity must be an integer, got undefined/)
    expect(() => world.addConstraints(tetraVolume, { bodies: [null], indices: [0, 0, 0, 0] })).toThrow(/bodies\[0\]/)
  })

  test('within a step, and where a function of the user throws in the midst', () => {
    const { world, bodies } = sheet()
    world.onVelocities(() => void world.addConstraints(distance, { bodies, indices: [0, 1] }))
    expect(() => world.step()).toThrow(/addConstraints must not be called by what a step calls/)
    for (const many of [undefined, distance.many]) {
      const picky = {
        ...distance,
        many,
        write(batch, row, def) {
          if (row > 0 || many !== undefined) throw new Error('no more')
          distance.write(batch, row, def)
        },
      } as typeof distance
      const scene = sheet()
      const asked = { bodies: scene.bodies, indices: [0, 1, 1, 2, 2, 3] }
      expect(() => scene.world.addConstraints(picky, asked)).toThrow('no more')
      expect(scene.world.constraints()).toHaveLength(0)
      expect(scene.world.clock.sequence).toBe(0)
    }
  })
})
