/** What is wrong is refused where it comes in: with what, where and the value, and nothing changed. */

import { type Body, fromJSON, World } from '@tautline/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  addParticles,
  box,
  type Collider,
  type CollisionOptions,
  Collisions,
  collisionsFromJSON,
  type Contact,
  heightfield,
  plane,
  sphere,
  triangleMesh,
} from '../src/index.js'

type Kind = typeof TypeError | typeof RangeError

function expectRefused(act: () => unknown, kind: Kind, message: RegExp): void {
  expect(act).toThrow(kind)
  expect(act).toThrow(message)
}

const mesh = triangleMesh([0, 0, 0, 1, 0, 0, 0, 0, 1], [0, 2, 1])

/** Fields that any collider may have wrong. */
const SURFACE: [object, Kind, RegExp][] = [
  [{ friction: -1 }, RangeError, /friction must be >= 0 and finite, got -1/],
  [{ friction: NaN }, RangeError, /friction must be >= 0 and finite, got NaN/],
  [{ friction: '1' }, TypeError, /friction must be a number >= 0, got "1"/],
  [{ friction: 0.2, dynamicFriction: 0.3 }, RangeError, /dynamicFriction must be <= friction 0.2, got 0.3/],
  [{ dynamicFriction: 0.6 }, RangeError, /dynamicFriction must be <= friction 0.5, got 0.6/],
  [{ dynamicFriction: Infinity }, RangeError, /dynamicFriction must be >= 0 and finite, got Infinity/],
  [{ torsionalFriction: -0.1 }, RangeError, /torsionalFriction must be >= 0 and finite, got -0.1/],
  [{ rollingFriction: NaN }, RangeError, /rollingFriction must be >= 0 and finite, got NaN/],
  [{ restitution: 1.1 }, RangeError, /restitution must be <= 1, got 1.1/],
  [{ restitution: -0.1 }, RangeError, /restitution must be >= 0 and finite, got -0.1/],
  [{ maxPushOut: -1 }, RangeError, /maxPushOut must be >= 0 and finite, got -1/],
  [{ layer: 1.5 }, RangeError, /layer must be an integer of 32 bits, got 1.5/],
  [{ layer: 2 ** 32 }, RangeError, /layer must be an integer of 32 bits, got 4294967296/],
  [{ mask: NaN }, RangeError, /mask must be an integer of 32 bits, got NaN/],
  [{ mask: -(2 ** 31) - 1 }, RangeError, /mask must be an integer of 32 bits, got -2147483649/],
  [{ mask: 'all' }, TypeError, /mask must be an integer of 32 bits, got "all"/],
  [{ group: 0.5 }, RangeError, /group must be an integer of 32 bits, got 0.5/],
  // Without a sign it would be a group below 0.
  [{ group: 2 ** 31 }, RangeError, /group must be an integer of 32 bits, got 2147483648/],
  [{ sensor: 1 }, TypeError, /sensor must be a boolean, got 1/],
  [{ shape: null }, TypeError, /shape must not be null, got null/],
  [{ shape: { kind: 0 } }, TypeError, /shape must be a shape, got an object/],
  [{ shape: 'ball' }, TypeError, /shape must be a shape, got "ball"/],
]

const POSE: [object, Kind, RegExp][] = [
  [{ position: [0, NaN, 0] }, RangeError, /position\[1\] must be finite, got NaN/],
  [{ position: [0, 0] }, RangeError, /position must be an array of 3 numbers, got 2 entries/],
  [{ position: 3 }, TypeError, /position must be an array of 3 numbers, got 3/],
  [{ orientation: [0, 0, 0, 2] }, RangeError, /orientation must be a unit quaternion.*of length 2/],
  [{ orientation: [0, 0, Infinity, 1] }, RangeError, /orientation\[2\] must be finite, got Infinity/],
]

describe('a body without inertia', () => {
  test('cannot turn with a collider: the error says what to do', () => {
    const world = new World()
    const collisions = new Collisions(world)
    const body = world.addBody({ name: 'crate' })
    const refused = new RegExp(
      '^addCollider: body must have inertia to turn with a box, got body 1 "crate" without: give it inertia, or make it by addBody',
    )
    expect(() => collisions.addCollider(body, { shape: box([1, 1, 1]) })).toThrow(refused)
    expect(() => collisions.addCollider(body, { shape: sphere(1), position: [1, 0, 0] })).toThrow(TypeError)
    expect(collisions.collidersOf(body)).toEqual([])
    collisions.addCollider(body, { shape: sphere(1) })
    collisions.addCollider(body, { shape: box([1, 1, 1]), sensor: true })
    expect(collisions.collidersOf(body).length).toBe(2)
  })
})

describe('options', () => {
  const cases: [object, Kind, RegExp][] = [
    [{ margin: -0.1 }, RangeError, /^Collisions: margin must be >= 0 and finite, got -0.1/],
    [{ margin: NaN }, RangeError, /^Collisions: margin must be >= 0 and finite, got NaN/],
    [{ sleeping: true }, TypeError, /^Collisions: sleeping must be an object, got true/],
    [{ sleeping: { speed: 0 } }, RangeError, /^Collisions: sleeping.speed must be > 0 and finite, got 0/],
    [{ sleeping: { time: -1 } }, RangeError, /^Collisions: sleeping.time must be > 0 and finite, got -1/],
    [{ frictionCombine: 'sum' }, RangeError, /^Collisions: frictionCombine must be .*got "sum"/],
    [{ restitutionCombine: 3 }, TypeError, /^Collisions: restitutionCombine must be .*got 3/],
    [{ sleep: false }, TypeError, /^Collisions: options must have known fields only .*, got sleep: false/],
  ]

  test.each(cases)('%o', (options, kind, message) => {
    const world = new World()
    expectRefused(() => new Collisions(world, options as CollisionOptions), kind, message)
    expect(world.stages).toEqual([])
    expect(world.batches).toEqual([])
    expect(new Collisions(world).world).toBe(world)
  })

  test('what is no world', () => {
    for (const value of [undefined, null, {}]) {
      expectRefused(() => new Collisions(value as never), TypeError, /^Collisions: world must be a World, got/)
    }
  })
})

describe('in a world', () => {
  let world: World
  let collisions: Collisions
  let body: Body
  let floor: Collider
  let ofBody: Collider
  let particle: Body
  let stale: Body
  let foreign: Body
  let before: string

  const state = (): string =>
    JSON.stringify([world.hash(), world.bodies.count, collisions.colliders.generations, world])

  beforeEach(() => {
    world = new World()
    collisions = new Collisions(world)
    floor = collisions.addCollider(null, { shape: plane([0, 1, 0]), name: 'floor' })
    body = collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0], name: 'crate' })
    ofBody = collisions.collidersOf(body)[0]
    stale = world.addBody({ name: 'gone' })
    particle = world.addParticle({ position: [0, 90, 0] })
    stale.remove()
    foreign = new World().addBody({ name: 'other' })
    world.step()
    before = state()
  })

  afterEach(() => {
    // Whatever was refused has changed nothing, and the world goes on.
    expect(state()).toBe(before)
    world.step()
    expect(world.report.nonFinite).toEqual([])
  })

  test.each([...SURFACE, ...POSE])('addCollider(%o)', (fields, kind, message) => {
    const where = new RegExp(`^addCollider: ${message.source}`)
    expectRefused(() => collisions.addCollider(body, { shape: sphere(1), ...fields } as never), kind, where)
    expectRefused(() => collisions.addCollider(null, { shape: sphere(1), ...fields } as never), kind, where)
  })

  test('a name stands in the message', () => {
    const def = { shape: sphere(1), name: 'knob', friction: -1 }
    expectRefused(() => collisions.addCollider(body, def), RangeError, /^addCollider "knob": friction must/)
    expectRefused(() => collisions.addBody(def), RangeError, /^addBody "knob": friction must/)
  })

  test.each([...SURFACE, ...POSE])('set(%o)', (fields, kind, message) => {
    // With the friction of 0.5 that it has.
    expectRefused(() => ofBody.set(fields as never), kind, new RegExp(`^collider 1 "crate": ${message.source}`))
    expectRefused(() => floor.set(fields as never), kind, new RegExp(`^collider 0 "floor": ${message.source}`))
  })

  test.each([
    ...SURFACE,
    ...POSE,
    [{ density: 5, mass: 3 }, TypeError, /give one of density and mass, got both/],
    [{ density: 0 }, RangeError, /density must be > 0 and finite, got 0/],
    [{ density: NaN, type: 'static' }, RangeError, /density must be > 0 and finite, got NaN/],
    [{ density: '1' }, TypeError, /density must be a number > 0, got "1"/],
    [{ mass: 0 }, RangeError, /mass must be > 0 and finite, got 0/],
    [{ mass: -1, type: 'kinematic' }, RangeError, /mass must be > 0 and finite, got -1/],
    [{ mass: NaN }, RangeError, /mass must be > 0 and finite, got NaN/],
    [{ type: 'ghost' }, TypeError, /type must be dynamic, static or kinematic, got "ghost"/],
    [{ velocity: [0, NaN, 0] }, RangeError, /velocity\[1\] must be finite, got NaN/],
    [{ angularVelocity: 3 }, TypeError, /angularVelocity must be an array of 3 numbers, got 3/],
    [{ linearDamping: -1 }, RangeError, /linearDamping must be >= 0 and finite, got -1/],
    [{ lockRotation: [true] }, TypeError, /lockRotation must be an array of three booleans, got 1 entries/],
    [{ shape: plane([0, 1, 0]) }, TypeError, /shape must be one that moves on a dynamic body, got a plane/],
    [{ shape: mesh }, TypeError, /shape must be one that moves on a dynamic body, got a triangleMesh/],
  ] as [object, Kind, RegExp][])('addBody(%o)', (fields, kind, message) => {
    const where = new RegExp(`^addBody: ${message.source}`)
    expectRefused(() => collisions.addBody({ shape: sphere(1), ...fields } as never), kind, where)
  })

  test('definitions that are none', () => {
    for (const def of [undefined, null, 3]) {
      const message = `definition must be an object, got ${String(def)}`
      expectRefused(() => collisions.addBody(def as never), TypeError, new RegExp(`^addBody: ${message}`))
      expectRefused(() => collisions.addCollider(body, def as never), TypeError, new RegExp(`^addCollider: ${message}`))
      expectRefused(
        () => addParticles(collisions, [], def as never),
        TypeError,
        new RegExp(`^addParticles: ${message}`),
      )
      expectRefused(() => ofBody.set(def as never), TypeError, new RegExp(`^collider 1 "crate": ${message}`))
    }
  })

  test('bodies that are none, are gone, or are of another world', () => {
    const cases: [unknown, Kind, string][] = [
      [undefined, TypeError, 'must be a body or null, got undefined'],
      [3, TypeError, 'must be a body or null, got 3'],
      [{ index: 1 }, TypeError, 'must be a body or null, got an object'],
      [stale, RangeError, 'body 2 "gone" of generation 0 must exist, got a removed one'],
      [foreign, RangeError, 'body 1 "other" of generation 0 must be of this world'],
    ]
    for (const [value, kind, message] of cases) {
      const of = new RegExp(`^addCollider: body:? ${message}`)
      expectRefused(() => collisions.addCollider(value as Body, { shape: sphere(1) }), kind, of)
      const among = new RegExp(`^addParticles: bodies\\[1\\]:? ${message.replace(' or null', '')}`)
      expectRefused(() => addParticles(collisions, [particle, value as Body], { radius: 1 }), kind, among)
      const known = new RegExp(`^collidersOf: body:? ${message}`)
      expectRefused(() => collisions.collidersOf(value as Body), kind, known)
    }
  })

  test.each([
    [{ radius: 0 }, RangeError, /^addParticles: radius must be > 0 and finite, got 0/],
    [{ radius: NaN }, RangeError, /^addParticles: radius must be > 0 and finite, got NaN/],
    [{}, TypeError, /^addParticles: radius must be a number > 0, got undefined/],
    [{ radius: 1, friction: -1 }, RangeError, /^addParticles: friction must be >= 0 and finite, got -1/],
    [{ radius: 1, group: 0.5 }, RangeError, /^addParticles: group must be an integer of 32 bits, got 0.5/],
  ] as [object, Kind, RegExp][])('addParticles(%o)', (def, kind, message) => {
    expectRefused(() => addParticles(collisions, [body], def as never), kind, message)
  })

  test('particles that are no list', () => {
    const message = /^addParticles: bodies must be an array, got an object/
    expectRefused(() => addParticles(collisions, body as never, { radius: 1 }), TypeError, message)
  })

  test.each(['plane', 'mesh'] as const)('a %s on a body that moves', (name) => {
    const shape = name === 'plane' ? plane([0, 1, 0]) : mesh
    const message = new RegExp(`: shape must be one that moves on a dynamic body, got a ${shape.name}`)
    expectRefused(() => collisions.addCollider(body, { shape }), TypeError, message)
    expectRefused(() => ofBody.set({ shape }), TypeError, message)
  })

  test('a callback that is none', () => {
    const message = /^onContact: callback must be a function, got 3/
    expectRefused(() => collisions.onContact(3 as never), TypeError, message)
  })

  test('a removed collider', () => {
    const extra = collisions.addCollider(null, { shape: sphere(1), position: [0, 50, 0] })
    extra.remove()
    before = state()
    expectRefused(() => extra.set({ friction: 1 }), RangeError, /^collider: collider 2 of generation 0 must exist/)
    expectRefused(() => extra.remove(), RangeError, /^collider: collider 2 of generation 0 must exist/)
  })
})

describe('a change of a body that its colliders or particles forbid is refused, and a file of the world can be read', () => {
  const reads = (world: World): void => {
    const copy = fromJSON(world.toJSON(), [], { collisions: collisionsFromJSON })
    expect(copy.toJSON()).toEqual(world.toJSON())
  }

  test('a static body with a plane, a mesh or a heightfield is to move', () => {
    const field = heightfield({ heights: new Float64Array(4), columns: 2, rows: 2, cellX: 1, cellZ: 1 })
    for (const shape of [plane([0, 1, 0]), mesh, field]) {
      const world = new World()
      const collisions = new Collisions(world)
      const body = collisions.addBody({ shape, type: 'static' })
      body.setMass(Infinity, 1)
      const before = world.hash()
      const message = new RegExp(`collider 0: shape must be one that moves on a dynamic body, got a ${shape.name}`)
      expectRefused(() => body.setMass(1, 1), TypeError, message)
      expect(world.hash()).toBe(before)
      const shelf = world.addBody({ mass: 1, inertia: 1, type: 'static' })
      collisions.addCollider(shelf, { shape })
      expectRefused(
        () => (shelf.type = 'dynamic'),
        TypeError,
        /^body 2: type: collider 1: shape must be one that moves/,
      )
      shelf.type = 'kinematic'
      reads(world)
    }
  })

  test('an impulse that has come out below zero is read', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    collisions.addBody({ shape: sphere(0.5), position: [0, 0.499, 0] })
    world.step()
    collisions.batch.columns.impulse[0] = -11.05
    reads(world)
  })

  test('a particle of a set is to turn', () => {
    const world = new World()
    const collisions = new Collisions(world)
    const bodies = [0, 1].map((x) => world.addParticle({ position: [x, 0, 0] }))
    const post = world.addBody({ type: 'static', mass: 1, inertia: 1 })
    const set = addParticles(collisions, [...bodies, post], { radius: 0.1, name: 'net' })
    const message = /body must stay a particle while it is one of particles 0 "net", got inertia/
    expectRefused(() => bodies[0].setMass(1, 1), TypeError, message)
    expectRefused(() => (post.type = 'dynamic'), TypeError, message)
    bodies[0].setMass(2)
    reads(world)
    set.remove()
    bodies[0].setMass(1, 1)
    reads(world)
  })

  test('a body with a box is to be a particle, or a sensor on a particle is to push', () => {
    const world = new World()
    const collisions = new Collisions(world)
    const crate = collisions.addBody({ shape: box([1, 1, 1]) })
    expectRefused(() => crate.setMass(1), TypeError, /^setMass: collider 0: body must have inertia to turn with a box/)
    const probe = collisions.addCollider(world.addParticle({ position: [0, 0, 0] }), {
      shape: box([1, 1, 1]),
      sensor: true,
    })
    expectRefused(
      () => probe.set({ sensor: false }),
      TypeError,
      /^collider 1: body must have inertia to turn with a box/,
    )
    reads(world)
  })
})

test.each([
  ['friction', NaN, /^contact: friction must be >= 0 and finite, got NaN/],
  ['friction', -1, /^contact: friction must be >= 0 and finite, got -1/],
  ['restitution', 2, /^contact: restitution must be <= 1, got 2/],
  ['torsionalFriction', NaN, /^contact: torsionalFriction must be >= 0 and finite, got NaN/],
  ['rollingFriction', -1, /^contact: rollingFriction must be >= 0 and finite, got -1/],
  ['maxPushOut', Infinity, /^contact: maxPushOut must be >= 0 and finite, got Infinity/],
] as const)('a callback that sets %s to %d', (field, value, message) => {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0] })
  collisions.onContact((contact: Contact) => void (contact[field] = value))
  expect(() => world.step()).toThrow(message)
  collisions.onContact(undefined)
  for (let k = 0; k < 30; k++) world.step()
  expect(world.report.nonFinite).toEqual([])
  expect(world.bodies.all()[0].position[1]).toBeCloseTo(0.5, 2)
})

describe('JSON', () => {
  const readers = { collisions: collisionsFromJSON }
  type Json = { stages: { collisions: Record<string, unknown[]> & { colliders: Record<string, unknown>[] } } }

  function changed(change: (json: Json) => void): () => World {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0] })
    world.step()
    const json = JSON.parse(JSON.stringify(world)) as Json
    change(json)
    return () => fromJSON(json, [], readers)
  }

  test('without a reader', () => {
    const world = new World()
    const collisions = new Collisions(world)
    expect(collisions.world).toBe(world)
    expect(() => fromJSON(JSON.stringify(world), [])).toThrow(
      /stages must have a reader .*got none for collisions: .*collisionsFromJSON/,
    )
  })

  test.each<[string, (json: Json) => void, RegExp]>([
    [
      'no collisions',
      ({ stages }) => (stages.collisions = null as never),
      /collisionsFromJSON: data must be an object, got null/,
    ],
    [
      'no colliders',
      ({ stages }) => delete (stages.collisions as { colliders?: unknown }).colliders,
      /colliders must be an array, got undefined/,
    ],
    [
      'a body that is not there',
      ({ stages }) => (stages.collisions.colliders[1].body = 7),
      /colliders\[1\]: body must be <= 0, got 7/,
    ],
    [
      'a shape that is not there',
      ({ stages }) => (stages.collisions.colliders[1].shape = 7),
      /colliders\[1\]: shape must be <= 1, got 7/,
    ],
    [
      'a shape of no size',
      ({ stages }) => (stages.collisions.shapes[1] = { type: 'sphere', radius: -1 } as never),
      /^collisionsFromJSON: shapes\[1\]: sphere: radius must be > 0.*got -1/,
    ],
    [
      'a wrong friction',
      ({ stages }) => (stages.collisions.colliders[1].friction = 'x'),
      /colliders\[1\]: friction must be a number >= 0, got "x"/,
    ],
    [
      'numbers that are missing',
      ({ stages }) => (stages.collisions.manifolds[0] as { numbers: unknown[] }).numbers.pop(),
      /manifolds\[0\]: numbers must be an array of \d+ numbers, got \d+ entries/,
    ],
    [
      'numbers that are none',
      ({ stages }) => ((stages.collisions.manifolds[0] as { numbers: unknown[] }).numbers[5] = null),
      /manifolds\[0\]: numbers\[5\] must be a finite number, got null/,
    ],
    [
      'a patch of nobody',
      ({ stages }) => ((stages.collisions.manifolds[0] as { bodies: unknown }).bodies = [0, 9]),
      /manifolds\[0\]: (bodies\[1\] must be <= 0, got 9|numbers\[0\] .pair. must be a collider of body 0)/,
    ],
  ])('%s', (_, change, message) => {
    expect(changed(change)).toThrow(message)
    expect(changed(() => {})().bodies.all()).toHaveLength(1)
  })
})

test('triangles as lists of their own, and a shape for a body of the world', () => {
  const nested = [
    [0, 2, 1],
    [0, 3, 2],
  ] as never
  const square = [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1]
  expectRefused(
    () => triangleMesh(square, nested),
    TypeError,
    /^triangleMesh: triangles must be numbers in one list, as .flat\(\) makes of lists, got an array at \[0\]/,
  )
  const world = new World()
  const collisions = new Collisions(world)
  const bodies = [0, 1, 2, 3].map((x) => world.addParticle({ position: [x, 0, 0] }))
  expectRefused(
    () => addParticles(collisions, bodies, { radius: 0.1, triangles: nested }),
    TypeError,
    /^addParticles: triangles must be numbers in one list/,
  )
  for (const field of ['shape', 'density', 'origin']) {
    expectRefused(
      () => world.addBody({ [field]: 1 } as never),
      TypeError,
      new RegExp(`^addBody: ${field} must be given to addBody of collisions \\(\`collisions.addBody\`\\), got it here`),
    )
  }
})
