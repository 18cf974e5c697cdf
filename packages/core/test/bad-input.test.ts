import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Body, type BodyDef, type Constraint, World, type WorldOptions } from '../src/index.js'
import { link, rod, rowLink } from './support/link.js'

type Kind = typeof TypeError | typeof RangeError

function expectRefused(act: () => unknown, kind: Kind, message: RegExp): void {
  expect(act).toThrow(kind)
  expect(act).toThrow(message)
}

describe('options of a world', () => {
  const cases: [string, unknown, Kind, RegExp][] = [
    ['gravity', 3, TypeError, /gravity must be an array of 3 numbers, got 3/],
    ['gravity', [0, -9.81], RangeError, /gravity must be an array of 3 numbers, got 2 entries/],
    ['gravity', [0, NaN, 0], RangeError, /gravity\[1\] must be finite, got NaN/],
    ['dt', 0, RangeError, /dt must be > 0 and finite, got 0/],
    ['dt', '1', TypeError, /dt must be a number > 0, got "1"/],
    ['substeps', 0, RangeError, /substeps must be an integer >= 1, got 0/],
    ['substeps', 2.5, RangeError, /substeps must be an integer >= 1, got 2.5/],
    ['iterations', -1, RangeError, /iterations must be an integer >= 1, got -1/],
    ['tolerance', -1, RangeError, /tolerance must be >= 0 and finite, got -1/],
    ['maxIterations', NaN, RangeError, /maxIterations must be an integer >= 1, got NaN/],
    ['jacobians', 'stale', RangeError, /jacobians must be 'fresh' or 'frozen' or 'start', got "stale"/],
    ['gyroscopic', 'yes', RangeError, /gyroscopic must be 'midpoint' or 'implicit' or 'explicit' or 'none', got "yes"/],
    ['effectiveInertia', 1, TypeError, /effectiveInertia must be a boolean, got 1/],
    ['warmStart', -0.1, RangeError, /warmStart must be >= 0 and finite, got -0.1/],
    ['warmStart', 0.6, RangeError, /warmStart must be <= 0.5 .*got 0.6/],
    ['relaxation', 0, RangeError, /relaxation must be > 0 and finite, got 0/],
    ['relaxation', 2, RangeError, /relaxation must be < 2, got 2/],
    ['relaxation', 1.5, RangeError, /relaxation must be <= 1 with one iteration.*got 1.5/],
    ['regularization', -1, RangeError, /regularization must be >= 0 and finite, got -1/],
    ['order', 'inward', RangeError, /order must be 'outward' or 'given' or 'alternating', got "inward"/],
    ['maxSteps', 0, RangeError, /maxSteps must be an integer >= 1, got 0/],
    ['substep', 4, TypeError, /options must be known ones \(.*substeps.*\), got substep/],
  ]

  test.each(cases)('%s: %o', (name, value, kind, message) => {
    const options = { [name]: value } as WorldOptions
    expectRefused(() => new World(options), kind, new RegExp(`^World: ${message.source}`))
    const world = new World()
    const before = { ...world.settings }
    expectRefused(() => world.configure(options), kind, new RegExp(`^configure: ${message.source}`))
    expect(world.settings).toEqual(before)
  })

  test('undefined is left out', () => {
    expect(new World({ substeps: undefined } as never).settings.substeps).toBe(8)
  })
})

describe('in a world', () => {
  let world: World
  let body: Body
  let other: Body
  let joint: Constraint<object>
  let before: string

  const state = (): string => JSON.stringify([world.hash(), world.bodies.count, world])

  beforeEach(() => {
    world = new World()
    body = world.addBody({ name: 'box', position: [1, 0, 0], inertia: 1 })
    other = world.addBody({ position: [2, 0, 0] })
    joint = world.add(link, { a: body, b: other }) as Constraint<object>
    before = state()
  })

  afterEach(() => {
    // Whatever was refused has changed nothing.
    expect(state()).toEqual(before)
  })

  test.each<[unknown, Kind, RegExp]>([
    [undefined, TypeError, /^addBody: definition must be an object, got undefined/],
    [null, TypeError, /^addBody: definition must be an object, got null/],
    [{ name: 3 }, TypeError, /^addBody: name must be a text, got 3/],
    [{ type: 'ghost' }, TypeError, /^addBody: type must be dynamic, static or kinematic, got "ghost"/],
    [{ position: [0, 0] }, RangeError, /^addBody: position must be an array of 3 numbers, got 2 entries/],
    [
      { name: 'crate', position: [0, Infinity, 0] },
      RangeError,
      /^addBody "crate": position\[1\] must be finite, got Infinity/,
    ],
    [{ position: '000' }, TypeError, /^addBody: position must be an array of 3 numbers, got "000"/],
    [{ orientation: [0, 0, 0, 0] }, RangeError, /^addBody: orientation must be a unit quaternion.*of length 0/],
    [{ orientation: [0, 0, 0, 2] }, RangeError, /^addBody: orientation must be a unit quaternion.*of length 2/],
    [{ orientation: [0, 0, 1] }, RangeError, /^addBody: orientation must be an array of 4 numbers, got 3 entries/],
    [{ velocity: [0, NaN, 0] }, RangeError, /^addBody: velocity\[1\] must be finite, got NaN/],
    [{ angularVelocity: 3 }, TypeError, /^addBody: angularVelocity must be an array of 3 numbers, got 3/],
    [{ mass: 0 }, RangeError, /^addBody: mass must be > 0 and finite, got 0/],
    [{ mass: -2 }, RangeError, /^addBody: mass must be > 0 and finite, got -2/],
    [{ mass: NaN }, RangeError, /^addBody: mass must be > 0 and finite, got NaN/],
    [{ mass: '5' }, TypeError, /^addBody: mass must be a number > 0, got "5"/],
    [{ inertia: 0 }, RangeError, /^addBody: inertia must be > 0 and finite, got 0/],
    [{ inertia: [1, 2, 0] }, RangeError, /^addBody: inertia\[2\] must be > 0 and finite, got 0/],
    [
      { inertia: [1, 1, 5] },
      RangeError,
      /^addBody: inertia must have no principal moment above the sum of the other two/,
    ],
    [
      { inertia: [1e30, 2, 2] },
      RangeError,
      /^addBody: inertia must have no principal moment above .*got moments \[1e\+30, 2, 2\]/,
    ],
    [
      { inertia: { moments: [1, 1, 5], orientation: [0, 0, 0, 1] } },
      RangeError,
      /^addBody: inertia.moments must have no principal moment above/,
    ],
    [{ inertia: [1, 2] }, RangeError, /^addBody: inertia must be an array of 3 numbers, got 2 entries/],
    [{ inertia: null }, TypeError, /^addBody: inertia must not be null, got null/],
    [{ inertia: [1, 1, 0, 0, 1, 0, 0, 0, 1] }, RangeError, /^addBody: inertia/],
    [{ gravityScale: Infinity }, RangeError, /^addBody: gravityScale must be finite, got Infinity/],
    [{ linearDamping: -1 }, RangeError, /^addBody: linearDamping must be >= 0 and finite, got -1/],
    [{ angularDamping: NaN }, RangeError, /^addBody: angularDamping must be >= 0 and finite, got NaN/],
    [
      { lockTranslation: [true] },
      TypeError,
      /^addBody: lockTranslation must be an array of three booleans, got 1 entries/,
    ],
    [{ lockRotation: 'xyz' }, TypeError, /^addBody: lockRotation must be an array of three booleans, got "xyz"/],
    [{ lockRotation: [0, 1, 0] }, TypeError, /^addBody: lockRotation\[0\] must be a boolean, got 0/],
  ])('addBody(%o)', (def, kind, message) => {
    expectRefused(() => world.addBody(def as BodyDef), kind, message)
  })

  test.each<[unknown, Kind, RegExp]>([
    [{ count: -1, positions: [] }, RangeError, /^addBodies: count must be an integer >= 0, got -1/],
    [{ count: 1.5, positions: [] }, RangeError, /^addBodies: count must be an integer >= 0, got 1.5/],
    [
      { count: 2, positions: [0, 0, 0] },
      RangeError,
      /^addBodies: positions must be an array of 6 numbers, got 3 entries/,
    ],
    [{ count: 1, positions: [0, NaN, 0] }, RangeError, /^addBodies: positions\[1\] must be finite, got NaN/],
    [
      { count: 1, positions: [0, 0, 0], orientations: [0, 0, 0, 3] },
      RangeError,
      /^addBodies: orientations\[0\] must be a unit/,
    ],
    [{ count: 1, positions: [0, 0, 0], velocities: [1] }, RangeError, /^addBodies: velocities must be/],
    [{ count: 1, positions: [0, 0, 0], angularVelocities: [1] }, RangeError, /^addBodies: angularVelocities must be/],
    [
      { count: 2, positions: [0, 0, 0, 1, 1, 1], mass: [1, 0] },
      RangeError,
      /^addBodies: mass\[1\] must be > 0 and finite, got 0/,
    ],
    [{ count: 2, positions: [0, 0, 0, 1, 1, 1], mass: [1] }, RangeError, /^addBodies: mass must be .*got 1 entries/],
    [
      { count: 2, positions: [0, 0, 0, 1, 1, 1], inertia: [1, 1, 1, 1, -1, 1] },
      RangeError,
      /^addBodies: inertia\[1\]\[1\] must be > 0/,
    ],
    [
      { count: 1, positions: [0, 0, 0], gravityScale: NaN },
      RangeError,
      /^addBodies: gravityScale must be finite, got NaN/,
    ],
    [{ count: 1, positions: [0, 0, 0], linearDamping: -1 }, RangeError, /^addBodies: linearDamping must be/],
    [{ count: 1, positions: [0, 0, 0], angularDamping: -1 }, RangeError, /^addBodies: angularDamping must be/],
  ])('addBodies(%o)', (def, kind, message) => {
    expectRefused(() => world.addBodies(def as never), kind, message)
  })

  test('methods of a body', () => {
    const cases: [() => unknown, Kind, RegExp][] = [
      [() => body.setPosition([0, 0] as never), RangeError, /^setPosition: position must be an array of 3/],
      [() => body.setPosition([0, NaN, 0]), RangeError, /^setPosition: position\[1\] must be finite, got NaN/],
      [() => body.setOrientation([0, 0, 0, 0]), RangeError, /^setOrientation: orientation must be a unit quaternion/],
      [() => body.setVelocity(5 as never), TypeError, /^setVelocity: velocity must be an array of 3 numbers, got 5/],
      [() => body.setAngularVelocity([NaN, 0, 0]), RangeError, /^setAngularVelocity: velocity\[0\] must be finite/],
      [() => body.setMass(0), RangeError, /^setMass: mass must be > 0 and finite, got 0/],
      [() => body.setMass(1, [1, 1, -1]), RangeError, /^setMass: inertia\[2\] must be > 0 and finite, got -1/],
      [() => body.setGravityScale(NaN), RangeError, /^setGravityScale: scale must be finite, got NaN/],
      [() => body.applyForce([0, Infinity, 0]), RangeError, /^applyForce: force\[1\] must be finite, got Infinity/],
      [() => body.applyForce([0, 1, 0], [0, NaN, 0]), RangeError, /^applyForce: point\[1\] must be finite, got NaN/],
      [() => body.applyTorque([0] as never), RangeError, /^applyTorque: torque must be an array of 3/],
      [
        () => body.applyImpulse([0, 1, 0], [0, NaN, 0]),
        RangeError,
        /^applyImpulse: point\[1\] must be finite, got NaN/,
      ],
      [() => body.applyAngularImpulse([NaN, 0, 0]), RangeError, /^applyAngularImpulse: impulse\[0\] must be finite/],
      [() => body.setTarget([0, 0, 0]), TypeError, /^setTarget: body 1 "box" must be kinematic, got dynamic/],
    ]
    for (const [act, kind, message] of cases) expectRefused(act, kind, message)
  })

  test('forces and impulses that overflow', () => {
    const light = new World().addBody({ mass: 0.01, inertia: 0.01 })
    const big = [2.5, 0, 1e308] as const
    const state = (): string => JSON.stringify([light.velocity, light.angularVelocity])
    const start = state()
    expectRefused(
      () => light.applyImpulse(big),
      RangeError,
      /^applyImpulse: impulse must leave forces and velocities finite, got \[2\.5, 0, 1e\+308\]/,
    )
    expectRefused(() => light.applyImpulse([0, 1e200, 0], [1e200, 0, 0]), RangeError, /^applyImpulse: impulse must/)
    expectRefused(() => light.applyAngularImpulse(big), RangeError, /^applyAngularImpulse: impulse must/)
    expectRefused(() => light.applyForce([0, 1e200, 0], [1e200, 0, 0]), RangeError, /^applyForce: force must/)
    light.applyForce(big)
    expectRefused(() => light.applyForce(big), RangeError, /^applyForce: force must/)
    light.applyTorque(big)
    expectRefused(() => light.applyTorque(big), RangeError, /^applyTorque: torque must/)
    expect(state()).toBe(start)
  })

  const bad: [object | null | undefined, Kind, RegExp][] = [
    [undefined, TypeError, /^link: definition must be an object, got undefined/],
    [null, TypeError, /^link: definition must be an object, got null/],
    [{}, TypeError, /^link: a or b must be a body, got none/],
    [{ a: null, b: null }, TypeError, /^link: a or b must be a body, got none/],
    [{ a: 3 }, TypeError, /^link: a must be a body or null, got 3/],
  ]

  test.each(bad)('add(link, %o)', (def, kind, message) => {
    expectRefused(() => world.add(link, def as never), kind, message)
  })

  test.each<[object, Kind, RegExp]>([
    [{ length: -1 }, RangeError, /^link: length|rowLink: length must be >= 0 and finite, got -1/],
    [{ compliance: -1 }, RangeError, /^link: compliance must be >= 0 and finite, got -1/],
    [{ compliance: NaN }, RangeError, /^link: compliance must be >= 0 and finite, got NaN/],
    [{ stiffness: 0 }, RangeError, /^link: stiffness must be > 0 and finite, got 0/],
    [{ frequency: 0 }, RangeError, /^link: frequency must be > 0 and finite, got 0/],
    [{ dampingRatio: 1 }, TypeError, /^link: dampingRatio must go with frequency, got it alone/],
    [{ frequency: 1, dampingRatio: -1 }, RangeError, /^link: dampingRatio must be >= 0 and finite, got -1/],
    [
      { compliance: 1, stiffness: 1 },
      TypeError,
      /^link: give one of compliance, stiffness and frequency, got 2 of them/,
    ],
    [{ damping: -1 }, RangeError, /^link: damping must be >= 0 and finite, got -1/],
    [{ relaxation: 0 }, RangeError, /^link: relaxation must be > 0 and finite, got 0/],
    [{ relaxation: 1.5 }, RangeError, /^link: relaxation must be <= 1 where bodies rotate, got 1.5/],
    [{ regularization: -1 }, RangeError, /^link: regularization must be >= 0 and finite, got -1/],
    [{ breakForce: 0 }, RangeError, /^link: breakForce must be > 0 and finite, got 0/],
    [{ breakTorque: NaN }, RangeError, /^link: breakTorque must be > 0 and finite, got NaN/],
    [{ enabled: 1 }, TypeError, /^link: enabled must be a boolean, got 1/],
  ])('add and set %o', (fields, kind, message) => {
    expectRefused(() => world.add(link, { a: body, b: other, ...fields }), kind, message)
    if (!('dampingRatio' in fields) || 'frequency' in fields) expectRefused(() => joint.set(fields), kind, message)
  })

  test('a joint of more than two bodies', () => {
    const three = { ...rowLink, name: 'three', arity: 3, joint: {}, fields: ['bodies'] }
    const alone = new World()
    const bodies = [1, 2, 3].map((mass) => alone.addBody({ mass }))
    expectRefused(
      () => alone.add(three as never, { bodies } as never),
      RangeError,
      /^three: bodies of a joint must be at most 2, got 3/,
    )
  })

  test('bodies of a constraint', () => {
    expectRefused(
      () => world.add(link, { a: body, b: body }),
      RangeError,
      /^link: bodies must differ, got body 1 "box" twice/,
    )
    expectRefused(() => world.add(rod, { bodies: [body] }), RangeError, /^rod: bodies must be 2, got 1/)
    expectRefused(() => joint.set({ a: other } as object), TypeError, /^link: a must stay, got a change of it/)
    const { name: _, ...impostor } = rowLink
    expectRefused(
      () => world.add({ ...impostor, name: 'link' }, { a: body, b: other }),
      TypeError,
      /^link: type names must differ/,
    )
  })

  test('stepping and reading', () => {
    expectRefused(() => world.step(0), RangeError, /^step: dt must be > 0 and finite, got 0/)
    expectRefused(() => world.step(NaN), RangeError, /^step: dt must be > 0 and finite, got NaN/)
    expectRefused(() => world.step('1' as never), TypeError, /^step: dt must be a number > 0, got "1"/)
    expectRefused(
      () => world.step(16),
      RangeError,
      /^step: dt must be in seconds and at most 1 s \(option maxDt of World\), got 16$/,
    )
    expectRefused(() => world.configure({ dt: 16.7 }), RangeError, /^configure: dt must be in seconds and at most 1 s/)
    expectRefused(() => joint.reaction(2), RangeError, /^reaction: body must be <= 1, got 2/)
    expectRefused(() => joint.reaction(0.5), RangeError, /^reaction: body must be an integer >= 0, got 0.5/)
  })

  test('points and handles of queries', () => {
    expectRefused(() => body.toWorld([0, NaN, 0]), RangeError, /^toWorld: local\[1\] must be finite, got NaN/)
    expectRefused(() => body.toBody([0, NaN, 0]), RangeError, /^toBody: point\[1\] must be finite, got NaN/)
    expectRefused(() => body.velocityAt([NaN, 0, 0]), RangeError, /^velocityAt: point\[0\] must be finite, got NaN/)
    const gone = world.addBody({})
    gone.remove()
    expectRefused(
      () => world.interpolate(gone, [0, 0, 0]),
      RangeError,
      /^interpolate: body: .* must exist, got a removed one/,
    )
    before = state()
  })
})
