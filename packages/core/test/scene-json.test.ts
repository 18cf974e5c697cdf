import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { custom, fromJSON, principalAxes, type SceneJson, World } from '../src/index.js'
import { link, rod, TYPES } from './support/link.js'
import { addRandom, randomWorld, run } from './support/random.js'
import { SEED } from './support/seed.js'

function through(world: World): World {
  return fromJSON(JSON.stringify(world), TYPES)
}

function expectSameFuture(one: World, other: World, steps = 6): void {
  expect(other.hash()).toBe(one.hash())
  for (let k = 0; k < steps; k++) {
    one.step()
    other.step()
    expect(other.hash()).toBe(one.hash())
  }
}

/** A scene with something of everything, as plain data that may be spoilt. */
function scene(): SceneJson {
  const { world } = randomWorld(5)
  run(world, 2)
  return JSON.parse(JSON.stringify(world)) as SceneJson
}

describe('round trip', () => {
  test(`goes on bit for bit (seed ${SEED})`, () => {
    const property = fc.property(fc.integer(), fc.boolean(), (seed, mess) => {
      const { world, bodies, random } = randomWorld(seed, {
        iterations: 2,
        warmStart: 0.4,
        order: mess ? 'alternating' : 'outward',
      })
      run(world, 3)
      if (mess) {
        bodies[4].remove()
        world.constraints()[1]?.remove()
        addRandom(world, world.bodies.all(), random)
        world.constraints()[0].enabled = false
      }
      bodies[5].applyForce([1, 2, 3], [0, 0, 0])
      bodies[1].setTarget([1, 2, 3])
      world.advance(0.02)
      expectSameFuture(world, through(world), 4)
    })
    fc.assert(property, { seed: SEED, numRuns: 40 })
  })

  test('every kind of body', () => {
    const world = new World()
    world.addBody({ name: 'fixed', type: 'static', mass: 3, inertia: [1, 2, 2.5] })
    world.addBody({ mass: Infinity })
    world.addBody({ type: 'kinematic', velocity: [1, 0, 0], angularVelocity: [0, 1, 0], inertia: 2 })
    world.addBody({
      inertia: principalAxes([1, 0.1, 0, 0.1, 1.2, 0.2, 0, 0.2, 1.4]),
      angularVelocity: [1, 2, 3],
      mass: 0.1,
    })
    world.addBody({ inertia: [1, 2, 2.5], lockRotation: [true, false, true], angularVelocity: [1, 2, 3] })
    world.addBody({ lockTranslation: [false, true, false], linearDamping: 0.3, angularDamping: 0.2, gravityScale: -2 })
    run(world, 3)
    const copy = through(world)
    expect(copy.bodies.all().map((body) => [body.name, body.type, body.mass])).toEqual(
      world.bodies.all().map((body) => [body.name, body.type, body.mass]),
    )
    expectSameFuture(world, copy)
    copy.bodies.all()[0].setMass(2, 1)
    world.bodies.all()[0].setMass(2, 1)
    expectSameFuture(world, copy)
  })

  test('options and the clock', () => {
    const world = new World({
      gravity: [1, 2, 3],
      dt: 0.01,
      substeps: 3,
      jacobians: 'start',
      warmStart: 0.2,
      maxSteps: 3,
    })
    world.advance(0.025)
    const copy = through(world)
    expect(copy.settings).toEqual(world.settings)
    expect(copy.clock).toEqual(world.clock)
  })

  test('infinite values', () => {
    const world = new World()
    const body = world.addBody({ position: [0, -1, 0] })
    const joint = world.add(link, { a: body, b: null, breakForce: Infinity })
    expect(joint.def).toHaveProperty('breakForce', Infinity)
    const [copied] = through(world).constraints()
    expect(copied.def).toHaveProperty('breakForce', Infinity)
    expect(copied.bodies).toEqual([copied.world.bodies.all()[0], null])
  })

  test('a broken constraint stays broken', () => {
    const world = new World()
    const body = world.addBody({ position: [0, -1, 0] })
    const joint = world.add(link, { a: body, b: null, breakForce: 1 })
    run(world, 2)
    expect(joint.broken).toBe(true)
    const copy = through(world)
    const [copied] = copy.constraints()
    expect([copied.broken, copied.enabled]).toEqual([true, false])
    expectSameFuture(world, copy)
  })

  test('params of a custom constraint', () => {
    const world = new World()
    const bodies = [0, 1].map((x) => world.addBody({ position: [x, 0, 0], inertia: 1 }))
    const params = { p: [0, 0, 1] as const, q: [0, 1, 0] as const, length: 2 }
    world.add(rod, { bodies, params })
    const copy = through(world)
    expect((copy.constraints()[0].def as { params: unknown }).params).toEqual(params)
    expectSameFuture(world, copy)
  })

  test('params that look like a reference to a body, or like infinity, are what they were', () => {
    const type = custom<unknown>({ name: 'odd', bodies: 1, error: () => 0 })
    const world = new World()
    const body = world.addBody({})
    const params = { body: 0, word: 'Infinity', nested: [{ body: 7 }, { infinity: true }], far: -Infinity }
    world.add(type, { bodies: [body], params })
    const copy = fromJSON(JSON.stringify(world), [type] as never)
    expect((copy.constraints()[0].def as { params: unknown }).params).toEqual(params)
  })

  test('an object serves as well as text', () => {
    const { world } = randomWorld(6)
    run(world, 2)
    expectSameFuture(world, fromJSON(world.toJSON(), TYPES))
  })
})

describe('what is not a scene', () => {
  const spoil = (change: (s: Record<string, never>) => void): SceneJson => {
    const s = scene()
    change(s as unknown as Record<string, never>)
    return s
  }

  test.each<[string, () => unknown, typeof TypeError | typeof RangeError, RegExp]>([
    ['broken text', () => '{"format":', TypeError, /fromJSON: text must be JSON, got/],
    ['text of something else', () => '3', TypeError, /fromJSON: scene must be a tautline scene, got number/],
    ['null', () => null, TypeError, /fromJSON: scene must be a tautline scene, got null/],
    ['nothing', () => undefined, TypeError, /got nothing/],
    ['another format', () => spoil((s) => Object.assign(s, { format: 'gltf' })), TypeError, /tautline scene/],
    [
      'a version to come',
      () => spoil((s) => Object.assign(s, { version: 99 })),
      RangeError,
      /fromJSON: version must be 1, got 99/,
    ],
    ['no version', () => spoil((s) => delete s.version), RangeError, /version must be 1, got undefined/],
    ['no bodies', () => spoil((s) => delete s.bodies), TypeError, /fromJSON: bodies must be there, got nothing/],
    [
      'null options',
      () => spoil((s) => Object.assign(s, { options: null })),
      TypeError,
      /fromJSON: scene: options must not be null, got null/,
    ],
    [
      'bodies that are no list',
      () => spoil((s) => Object.assign(s, { bodies: {} })),
      TypeError,
      /bodies must be an array/,
    ],
    ['an unknown option', () => spoil((s) => Object.assign(s.options, { warp: 9 })), TypeError, /got warp/],
    [
      'a bad option',
      () => spoil((s) => Object.assign(s.options, { substeps: 0 })),
      RangeError,
      /substeps must be .*got 0/,
    ],
    [
      'a bad clock',
      () => spoil((s) => Object.assign(s.clock, { time: 'noon' })),
      TypeError,
      /fromJSON: clock.time must be/,
    ],
    ['NaN in the clock', () => spoil((s) => Object.assign(s.clock, { steps: NaN })), RangeError, /clock.steps must be/],
    [
      'a body that is null',
      () => spoil((s) => Object.assign(s.bodies, { 2: null })),
      TypeError,
      /fromJSON: bodies\[2\].*got null/,
    ],
    [
      'a body without state',
      () => spoil((s) => Object.assign(s.bodies[2], { state: null })),
      TypeError,
      /fromJSON: bodies\[2\]/,
    ],
    [
      'NaN in the state',
      () => spoil((s) => Object.assign((s.bodies[2] as { state: object }).state, { force: [0, NaN, 0] })),
      TypeError,
      /fromJSON: bodies\[2\]\.force: state must be 3 finite numbers/,
    ],
    [
      'a short list in the state',
      () => spoil((s) => Object.assign((s.bodies[2] as { state: object }).state, { torque: [0] })),
      TypeError,
      /bodies\[2\]\.torque: state must be 3 finite numbers, got \[0\]/,
    ],
    [
      'NaN in a definition',
      () => spoil((s) => Object.assign(s.bodies[2], { position: [0, null, 0] })),
      TypeError,
      /^fromJSON: bodies\[2\]: addBody.*: position/,
    ],
    [
      'a type that was not given',
      () => spoil((s) => Object.assign(s.constraints[0], { type: 'glue' })),
      RangeError,
      /constraints\[0\]: type must be one of the types that fromJSON is given \(rowLink, link, rod\), got "glue"/,
    ],
    [
      'a constraint that is null',
      () => spoil((s) => Object.assign(s.constraints, { 1: null })),
      TypeError,
      /fromJSON: constraints\[1\].*got null/,
    ],
    [
      'a field of a definition that is out of range',
      () => spoil((s) => Object.assign((s.constraints[1] as { def: object }).def, { compliance: -1 })),
      RangeError,
      /^fromJSON: constraints\[1\]: \w+: compliance must be >= 0.*, got -1/,
    ],
    [
      'a field of a definition that is of another kind',
      () => spoil((s) => Object.assign((s.constraints[1] as { def: object }).def, { enabled: 'no' })),
      TypeError,
      /^fromJSON: constraints\[1\]: \w+: enabled must be a boolean, got "no"/,
    ],
    [
      'multipliers missing',
      () => spoil((s) => delete (s.constraints[0] as Record<string, never>).lambda),
      TypeError,
      /constraints\[0\]: state must be 1 finite numbers, got nothing/,
    ],
    [
      'a definition missing',
      () => spoil((s) => delete (s.constraints[0] as Record<string, never>).def),
      TypeError,
      /constraints\[0\]|definition must be an object/,
    ],
    [
      'a body that is not there',
      () => JSON.stringify(scene()).replace(/\{"body":\d+\}/, '{"body":77}'),
      RangeError,
      /constraints\[0\]: body must be <= 9, got 77/,
    ],
  ])('%s', (_, make, kind, message) => {
    const load = (): World => fromJSON(make(), TYPES)
    expect(load).toThrow(kind)
    expect(load).toThrow(message)
  })

  test('the types that are given must be enough', () => {
    expect(() => fromJSON(scene(), [])).toThrow(/type must be one of the types that fromJSON is given \(none\), got/)
  })
})
