/** Colliders, filters, events: what a user of `Collisions` meets. The forces are in `contact-rows` and `closed-forms`. */

import { ballSocket, distance } from '../../constraints/src/index.js'
import { type Body, principalAxes, World } from '@tautline/core'
import { rotateVector } from '@tautline/core/kernel'
import fc from 'fast-check'
import type { vec3 } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  box,
  capsule,
  type Collider,
  Collisions,
  compound,
  type ContactEvent,
  convexHull,
  cylinder,
  heightfield,
  massOf,
  plane,
  type Shape,
  sphere,
  taperedCapsule,
  triangleMesh,
} from '../src/index.js'
import {
  fastest,
  FLOORS,
  future,
  G,
  grid,
  length,
  only,
  run,
  scene,
  speedOf,
  told,
  weightless,
} from './support/scene.js'
import { ALL } from './support/shapes.js'

/** Sums of some products of doubles, relative. */
const ROUND_OFF = 1e-12
/** Height of what rests [m]: a contact sags by about h² g/softness, 7e-5 at 480 Hz a body that it carries. */
const SAG = 5e-4
/** What rests after a second and a half [m/s, rad/s]. */
const AT_REST = 1e-4
/** An impact of 8 m/s: rigid rows keep a trace of compliance, 1e-6 of them. */
const BLOW = 1e-5
/** Impulses of a step add up to the weight but for what still moves. */
const BALANCE = 1e-6

/** Two bodies that overlap a little, weightless: whether they tell of a contact after a step. */
function meets(first: object, second: object, join?: (world: World, a: Body, b: Body) => void): boolean {
  const s = weightless()
  const a = s.collisions.addBody({ shape: sphere(0.5), ...first })
  const b = s.collisions.addBody({ shape: sphere(0.5), position: [0.95, 0, 0], ...second })
  join?.(s.world, a, b)
  s.world.step()
  const touched = s.collisions.events.length > 0
  // What does not touch is left alone, what does is pushed.
  if (a.type === 'dynamic') expect(a.position[0] < 0).toBe(touched)
  return touched
}

/** Where the origin of a collider's shape is. */
function originOf({ collisions }: { collisions: Collisions }, collider: Collider): vec3 {
  const { body } = collider
  const { local } = collisions.colliders.records[collider.id]!
  const at: vec3 = [local[0], local[1], local[2]]
  return body === null ? at : body.toWorld(at)
}

describe('addBody', () => {
  test('mass by density, 1000 where nothing is said, or as given', () => {
    const { collisions } = scene()
    const ball = (4 / 3) * Math.PI * 0.5 ** 3
    const mass = (def: object): number => collisions.addBody({ shape: sphere(0.5), ...def }).mass
    expect(mass({})).toBeCloseTo(1000 * ball, 9)
    expect(mass({ density: 20 })).toBeCloseTo(20 * ball, 9)
    expect(mass({ mass: 3 })).toBeCloseTo(3, 12)
    const crate = collisions.addBody({ shape: box([0.5, 1, 2]), mass: 12 })
    expect(crate.principalInertia).toEqual([4 + 16, 1 + 16, 1 + 4].map((x) => expect.closeTo(x, 9) as number))
  })

  test(`the shape's origin is at the origin, the body at the centre of mass (seed ${SEED})`, () => {
    const property = fc.property(fc.integer(), (seed) => {
      const random = new Random(seed)
      const name = (['convexHull', 'compound', 'taperedCapsule'] as const)[random.below(3)]
      const shape = (ALL[name] as (random: Random) => Shape)(random)
      const s = scene()
      const at = random.vector(3)
      const orientation = random.rotation()
      const body = s.collisions.addBody({ shape, density: 7, origin: at, orientation })
      const { mass, centerOfMass, inertia } = massOf(shape, { density: 7 })
      const centre = new Float64Array(3)
      const q = Float64Array.from(orientation)
      rotateVector(q, 0, centerOfMass[0], centerOfMass[1], centerOfMass[2], centre, 0)
      const [collider] = s.collisions.collidersOf(body)
      const origin = originOf(s, collider)
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(body.position[k] - at[k] - centre[k])).toBeLessThan(10 * ROUND_OFF)
        expect(Math.abs(origin[k] - at[k])).toBeLessThan(10 * ROUND_OFF)
      }
      expect(Math.abs(body.mass / mass - 1)).toBeLessThan(ROUND_OFF)
      expect(body.principalInertia).toEqual(Array.from(principalAxes(inertia).moments))
    })
    fc.assert(property, { seed: SEED, numRuns: runs(50) })
  })

  test('a position is the centre of mass of a ball, as of its origin, and not given with one', () => {
    const s = scene()
    const [one, other] = [{ position: [1, 2, 3] }, { origin: [1, 2, 3] }].map((place) =>
      s.collisions.addBody({ shape: sphere(1), ...(place as { position: [number, number, number] }) }),
    )
    expect([one.position, other.position]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
    const both = { shape: sphere(1), position: [0, 0, 0], origin: [0, 0, 0] } as const
    expect(() => s.collisions.addBody(both)).toThrow('addBody: give one of origin and position, got both')
    expect(() => s.collisions.addBody({ shape: sphere(1), origin: [NaN, 0, 0] })).toThrow(/^addBody: origin/)
  })

  test.each([
    ['static', { type: 'static' }],
    ['static', { mass: Infinity }],
    ['kinematic', { type: 'kinematic' }],
    ['dynamic', {}],
  ] as const)('a %s body by %o', (type, fields) => {
    const s = scene()
    const hull = convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
    const body = s.collisions.addBody({ shape: hull, position: [1, 2, 3], velocity: [0, 0, 1], ...fields })
    expect(body.type).toBe(type)
    const [collider] = s.collisions.collidersOf(body)
    expect(Array.from(originOf(s, collider), (x) => Math.round(1e9 * x) / 1e9)).toEqual([1, 2, 3])
    expect(body.position).toEqual([1.25, 2.25, 3.25])
    const { position } = body
    run(s, 1)
    expect(body.position[1] < position[1]).toBe(type === 'dynamic')
  })

  test.each(['plane', 'heightfield', 'triangleMesh'] as const)(
    'a %s is fit for what does not move by itself',
    (name) => {
      const { collisions } = scene()
      for (const type of ['static', 'kinematic'] as const) {
        const body = collisions.addBody({ shape: FLOORS[name](), type })
        expect(body.type).toBe(type)
        expect(collisions.addCollider(body, { shape: FLOORS[name]() }).alive).toBe(true)
      }
    },
  )

  test('it hands on names, damping and locks', () => {
    const { collisions, world } = scene()
    const body = collisions.addBody({ shape: sphere(1), name: 'ball', lockTranslation: [false, true, false] })
    const damped = collisions.addBody({
      shape: sphere(1),
      position: [9, 0, 0],
      velocity: [0, 0, 1],
      linearDamping: 100,
    })
    world.step()
    expect(body.name).toBe('ball')
    expect(collisions.collidersOf(body)[0].name).toBe('ball')
    expect(body.position[1]).toBe(0)
    expect(damped.velocity[2]).toBeLessThan(0.3)
  })
})

describe('what meets what', () => {
  test.each([
    [{}, {}, true],
    [{ layer: 1, mask: 1 }, { layer: 1, mask: 1 }, true],
    [{ layer: 1, mask: 2 }, { layer: 2, mask: 1 }, true],
    [{ layer: 1, mask: 2 }, { layer: 2, mask: 2 }, false],
    [{ layer: 2, mask: 2 }, { layer: 1, mask: 2 }, false],
    [{ layer: 4, mask: 3 }, { layer: 1, mask: 4 }, true],
    [{ layer: 5, mask: 8 }, { layer: 8, mask: 4 }, true],
    [{ layer: 0 }, {}, false],
    [{ mask: 0 }, {}, false],
    // The highest bit, written without a sign.
    [{ layer: 0x80000000 }, { mask: 0x80000000 }, true],
    [{ layer: 0x80000000 }, { mask: 0x7fffffff }, false],
    [{ mask: 0xffffffff }, {}, true],
    [{ group: 1 }, { group: 1 }, true],
    [{ group: -1 }, { group: -1 }, false],
    [{ group: -1 }, { group: -2 }, true],
    [{ group: 1 }, { group: -1 }, true],
    [{ group: 3, mask: 0 }, { group: 3, mask: 0 }, true],
    [{ group: 3, mask: 0 }, { group: 4 }, false],
    [{ group: -3, mask: 0 }, { group: -4 }, false],
  ])('%o and %o: %s', (first, second, expected) => {
    expect(meets(first, second)).toBe(expected)
    expect(meets(second, first)).toBe(expected)
  })

  test.each([
    ['static', 'static', false],
    ['static', 'kinematic', false],
    ['kinematic', 'kinematic', false],
    ['static', 'dynamic', true],
    ['kinematic', 'dynamic', true],
    ['dynamic', 'dynamic', true],
  ] as const)('%s and %s: %s', (first, second, expected) => {
    // A velocity, so that the kinematic one counts as moving.
    const fields = (type: 'static' | 'kinematic' | 'dynamic'): object =>
      type === 'kinematic' ? { type, angularVelocity: [0, 1, 0] } : { type }
    expect(meets(fields(first), fields(second))).toBe(expected)
    expect(meets(fields(second), fields(first))).toBe(expected)
  })

  test('colliders of one body never', () => {
    const s = weightless()
    const body = s.collisions.addBody({ shape: sphere(0.5) })
    s.collisions.addCollider(body, { shape: sphere(0.5), position: [0.3, 0, 0] })
    run(s, 2)
    expect(told(s)).toEqual([])
    expect(speedOf(body)).toBe(0)
  })

  test.each([
    ['ballSocket', ballSocket, { point: [0.475, 0, 0] }],
    ['distance', distance, {}],
  ] as const)('bodies joined by a %s do not, unless enableCollision', (_, type, fields) => {
    const join =
      (more: object) =>
      (world: World, a: Body, b: Body): void => {
        world.add(type as typeof distance, { a, b, ...(fields as object), ...more })
      }
    expect(meets({}, {}, join({}))).toBe(false)
    expect(meets({}, {}, join({ enableCollision: false }))).toBe(false)
    const s = weightless()
    const [a, b] = [0, 0.95].map((x) => s.collisions.addBody({ shape: sphere(0.5), position: [x, 0, 0] }))
    const joint = s.world.add(type as typeof distance, { a, b, ...(fields as object), enableCollision: true })
    s.world.step()
    expect(told(s)).toEqual(['begin'])
    joint.remove()
    s.world.step()
    expect(told(s)).toEqual(['persist'])
  })

  test.each(['removed', 'switched off', 'broken', 'allowed'] as const)('a joint %s brings collisions back', (how) => {
    const s = weightless()
    const [a, b] = [0, 0.95].map((x) => s.collisions.addBody({ shape: sphere(0.5), position: [x, 0, 0] }))
    const other = s.collisions.addBody({ shape: sphere(0.5), position: [-5, 0, 0] })
    s.world.add(distance, { a, b: other })
    const joint = s.world.add(distance, { a, b, breakForce: 1 })
    run(s, 2)
    expect(told(s)).toEqual([])
    if (how === 'removed') joint.remove()
    if (how === 'switched off') joint.enabled = false
    if (how === 'allowed') joint.set({ enableCollision: true })
    if (how === 'broken') {
      b.applyImpulse([1, 0, 0])
      s.world.step()
      expect(joint.broken).toBe(true)
    }
    s.world.step()
    expect(told(s)).toEqual(['begin'])
    // A joint made while they touch ends it.
    const again = s.world.add(distance, { a, b })
    s.world.step()
    expect(told(s)).toEqual(['end'])
    again.remove()
    b.setPosition([0.95, 0, 0])
    a.setPosition([0, 0, 0])
    for (const body of [a, b]) body.setVelocity([0, 0, 0])
    s.world.step()
    expect(told(s)).toEqual(['begin'])
  })
})

describe('events', () => {
  /** Ball and ground, in either order of numbers. */
  function dropped(ballFirst: boolean, height = 0.6): ReturnType<typeof scene> & { ball: Body; ground: Collider } {
    const s = scene()
    const addGround = (): Collider => s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const addBall = (): Body => s.collisions.addBody({ shape: sphere(0.5), position: [0.3, height, -0.2] })
    const first = ballFirst ? undefined : addGround()
    const ball = addBall()
    return { ...s, ball, ground: first ?? addGround() }
  }

  test.each([false, true])('begin, persist, end; impulse, point, normal (ball first: %s)', (ballFirst) => {
    const s = dropped(ballFirst)
    const seen: string[] = []
    for (let k = 0; k < 60; k++) {
      s.world.step()
      seen.push(...told(s))
      if (told(s).length === 0) continue
      const { a, b, normal, point, points, sensor } = only(s)
      const [ofBall] = s.collisions.collidersOf(s.ball)
      expect([a.id, b.id]).toEqual([ofBall.id, s.ground.id].sort())
      expect(sensor).toBe(false)
      expect(normal).toEqual([0, ballFirst ? 1 : -1, 0].map((x) => expect.closeTo(x, 12) as number))
      expect(points).toHaveLength(1)
      for (const p of [point, points[0].position]) {
        expect(p[0]).toBeCloseTo(0.3, 9)
        expect(p[2]).toBeCloseTo(-0.2, 9)
        // Of the ground, which is flat, or of the ball that sags into it.
        expect(Math.abs(p[1])).toBeLessThan(SAG)
      }
      expect(points[0].separation).toBeCloseTo(s.ball.position[1] - 0.5, 12)
    }
    expect(seen[0]).toBe('begin')
    expect(seen.slice(1)).toEqual(new Array(seen.length - 1).fill('persist'))
    expect(seen.length).toBeGreaterThan(45)
    const weight = s.ball.mass * G
    expect(Math.abs(only(s).impulse / (weight * s.world.settings.dt) - 1)).toBeLessThan(BALANCE)
    s.ball.setVelocity([0, 5, 0])
    s.world.step()
    expect(told(s)).toEqual(['end'])
    expect(only(s)).toMatchObject({ impulse: 0, points: [], normal: [0, 0, 0] })
    s.world.step()
    expect(told(s)).toEqual([])
  })

  test('the impulse of a blow is the momentum that it takes', () => {
    const s = weightless({}, {})
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]), restitution: 0.5 })
    const ball = s.collisions.addBody({ shape: sphere(0.1), position: [0, 0.2, 0], velocity: [0, -8, 0], mass: 2 })
    let impulse = 0
    for (let k = 0; k < 5; k++) {
      s.world.step()
      for (const event of s.collisions.events) impulse += event.impulse
    }
    expect(Math.abs(ball.velocity[1] - 4)).toBeLessThan(BLOW)
    expect(Math.abs(impulse - 2 * (8 + 4))).toBeLessThan(3 * BLOW)
  })

  test('impulses at rest add up to m g dt', () => {
    const s = scene()
    const ground = s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const bodies = [
      s.collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0] }),
      s.collisions.addBody({ shape: box([0.4, 0.2, 0.4]), position: [0, 1.2, 0], density: 300 }),
      s.collisions.addBody({ shape: cylinder(0.3, 0.2), position: [3, 0.2, 0] }),
      s.collisions.addBody({
        shape: capsule(0.3, 0.5),
        position: [-3, 0.3, 0],
        orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      }),
    ]
    run(s, 120)
    const impulses = (id: number): number =>
      s.collisions.events.filter(({ a, b }) => a.id === id || b.id === id).reduce((sum, e) => sum + e.impulse, 0)
    const weight = (body: Body): number => body.mass * G * s.world.settings.dt
    const total = bodies.reduce((sum, body) => sum + weight(body), 0)
    expect(Math.abs(impulses(ground.id) / total - 1)).toBeLessThan(BALANCE)
    const [upper] = s.collisions.collidersOf(bodies[1])
    expect(Math.abs(impulses(upper.id) / weight(bodies[1]) - 1)).toBeLessThan(BALANCE)
    expect(s.collisions.events.map((e) => e.points.length)).toEqual(
      [4, 4, 2, 4].map(() => expect.any(Number) as number),
    )
    const order = s.collisions.events.map(({ a, b }) => [a.id, b.id])
    expect(order).toEqual([...order].sort((p, q) => p[0] - q[0] || p[1] - q[1]))
    for (const [a, b] of order) expect(a).toBeLessThan(b)
  })

  test.each(['body', 'collider', 'shape'] as const)('what goes away is told of once: %s', (what) => {
    const s = dropped(true, 0.5)
    run(s, 3)
    const [collider] = s.collisions.collidersOf(s.ball)
    const { ground } = s
    if (what === 'body') s.ball.remove()
    if (what === 'collider') collider.remove()
    if (what === 'shape') collider.set({ mask: 0 })
    // A number that is given out again is another collider.
    if (what !== 'shape') {
      const next = s.collisions.addBody({ shape: sphere(0.5), position: [0, 30, 0] })
      expect(s.collisions.collidersOf(next)[0].id).toBe(collider.id)
    }
    s.world.step()
    const { type, a, b, sensor } = only(s)
    expect([type, sensor]).toEqual(['end', false])
    expect([a, b]).toEqual([collider, ground])
    expect([a.alive, b.alive]).toEqual([what === 'shape', true])
    s.world.step()
    expect(told(s)).toEqual([])
  })

  test('several patches of a pair are one event', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: FLOORS.compound() })
    const table = s.collisions.addBody({ shape: box([1, 0.1, 0.5]), position: [0, 0.1, 0] })
    run(s, 90)
    const { points, impulse } = only(s)
    expect(points.length).toBeGreaterThan(4)
    expect(Math.abs(impulse / (table.mass * G * s.world.settings.dt) - 1)).toBeLessThan(BALANCE)
  })
})

describe('sensors', () => {
  const shapes: [string, () => Shape][] = [
    ['sphere', () => sphere(1)],
    ['box', () => box([1, 1, 1])],
    ['plane', () => plane([0, 1, 0], 1)],
    ['compound', () => compound([{ shape: sphere(1) }, { shape: box([1, 1, 1]), position: [3, 0, 0] }])],
    ['triangleMesh', () => grid(2, 1)],
  ]

  test.each(shapes)('%s: begin, persist, end, and no push', (_, shape) => {
    const s = weightless()
    const sensor = s.collisions.addCollider(null, { shape: shape(), sensor: true })
    const ball = s.collisions.addBody({ shape: sphere(0.2), position: [0, 2, 0], velocity: [0, -3, 0] })
    const seen: ContactEvent[] = []
    for (let k = 0; k < 120; k++) {
      s.world.step()
      seen.push(...s.collisions.events)
      if (k === 60) ball.setVelocity([0, 4, 0])
    }
    const types = seen.map(({ type }) => type)
    expect(types[0]).toBe('begin')
    expect(types.at(-1)).toBe('end')
    expect(types.filter((type) => type !== 'persist').length % 2).toBe(0)
    for (const { a, sensor: isSensor, impulse, points, normal } of seen) {
      expect([isSensor, impulse, points, normal]).toEqual([true, 0, [], [0, 0, 0]])
      expect(a).toEqual(sensor)
    }
    expect(ball.velocity).toEqual([0, 4, 0])
  })

  test('they meet what stands still or is driven, other sensors, and follow layers', () => {
    const s = weightless()
    const driven = s.collisions.addBody({
      shape: sphere(0.5),
      type: 'kinematic',
      velocity: [1, 0, 0],
      position: [-1, 0, 0],
    })
    s.collisions.addCollider(null, { shape: sphere(0.5), sensor: true })
    s.collisions.addCollider(null, { shape: sphere(0.5), sensor: true, layer: 2, mask: 2 })
    s.collisions.addCollider(driven, { shape: sphere(0.5), sensor: true, position: [0, 0.1, 0] })
    const seen: string[] = []
    for (let k = 0; k < 150; k++) {
      s.world.step()
      seen.push(
        ...s.collisions.events
          .filter(({ type }) => type !== 'persist')
          .map(({ type, a, b }) => `${type} ${a.id} ${b.id}`),
      )
    }
    expect(seen).toEqual(
      ['begin 0 1', 'begin 1 3', 'end 0 1', 'end 1 3'].map((text) => expect.stringContaining(text[0]) as string),
    )
    expect([...seen].sort()).toEqual(['begin 0 1', 'begin 1 3', 'end 0 1', 'end 1 3'])
  })

  test('a driven plane or mesh that watches meets no other surface', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: grid(4, 1) })
    s.collisions.addCollider(null, { shape: FLOORS.heightfield() })
    for (const shape of [plane([0, 1, 0], 1), grid(4, 1)]) {
      s.collisions.addBody({ shape, sensor: true, type: 'kinematic', velocity: [0, 0.5, 0], position: [0, -1.2, 0] })
    }
    const ball = s.collisions.addBody({ shape: sphere(0.2), position: [0, 0.2, 0] })
    run(s, 60)
    const ids = s.collisions.events.filter(({ sensor }) => sensor).map(({ a, b }) => [a.id, b.id])
    expect(ids.every((pair) => pair.includes(s.collisions.collidersOf(ball)[0].id))).toBe(true)
    expect(ids.length).toBeGreaterThan(0)
  })

  test('what sleeps inside stays inside', () => {
    const s = scene({}, { sleeping: {} })
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    s.collisions.addCollider(null, { shape: box([1, 1, 1]), sensor: true })
    const crate = s.collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0, 0.2, 0] })
    run(s, 90)
    expect(crate.asleep).toBe(true)
    expect(told(s)).toEqual(['persist', 'persist'])
    crate.setPosition([5, 0.2, 0])
    s.world.step()
    expect(s.collisions.events.filter(({ sensor }) => sensor).map(({ type }) => type)).toEqual(['end'])
  })
})

describe('onContact', () => {
  const slope = (): ReturnType<typeof scene> & { crate: Body } => {
    const s = scene({ gravity: [3, -9, 0] })
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    return { ...s, crate: s.collisions.addBody({ shape: box([0.5, 0.2, 0.5]), position: [0, 0.2, 0] }) }
  }

  test('friction: as the callback says, each step, until it is taken back', () => {
    const s = slope()
    run(s, 30)
    expect(Math.abs(s.crate.velocity[0])).toBeLessThan(AT_REST)
    s.collisions.onContact((contact) => {
      expect(contact.friction).toBeCloseTo(0.5, 12)
      contact.friction = 0
    })
    run(s, 30)
    expect(s.crate.velocity[0]).toBeCloseTo(3 * 0.5, 4)
    s.collisions.onContact(undefined)
    run(s, 60)
    expect(Math.abs(s.crate.velocity[0])).toBeLessThan(AT_REST)
  })

  test('taking it back is felt by what did not move', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    s.collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0] })
    const friction = (): number => s.collisions.batch.columns.friction[0]
    s.collisions.onContact((contact) => void (contact.friction = 0.1))
    run(s, 90)
    expect(friction()).toBe(0.1)
    s.collisions.onContact(undefined)
    run(s, 1)
    expect(friction()).toBeCloseTo(0.5, 12)
  })

  test('restitution', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const ball = s.collisions.addBody({ shape: sphere(0.1), position: [0, 0.5, 0] })
    s.collisions.onContact((contact) => {
      expect(contact.restitution).toBe(0)
      contact.restitution = 1
    })
    let highest = 0
    for (let k = 0; k < 40; k++) {
      s.world.step()
      if (k > 20) highest = Math.max(highest, ball.position[1])
    }
    expect(highest).toBeGreaterThan(0.49)
  })

  test('false drops the contact for the step', () => {
    const s = slope()
    let calls = 0
    let dropped = false
    s.collisions.onContact((contact) => {
      calls++
      expect([contact.a.shape.name, contact.b.shape.name]).toEqual(['plane', 'box'])
      expect(contact.normal).toEqual([0, -1, 0].map((x) => expect.closeTo(x, 9) as number))
      expect(contact.maxPushOut).toBe(3)
      return !dropped
    })
    run(s, 10)
    expect(calls).toBe(10)
    expect(told(s)).toEqual(['persist'])
    dropped = true
    run(s, 1)
    expect(told(s)).toEqual(['end'])
    run(s, 29)
    expect(told(s)).toEqual([])
    expect(s.crate.position[1]).toBeCloseTo(0.2 - 0.5 * 9 * 0.5 ** 2, 1)
  })

  test('torsion and rolling can be set', () => {
    const s = weightless()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const ball = s.collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0], angularVelocity: [0, 3, 0] })
    s.collisions.onContact((contact) => {
      contact.torsionalFriction = contact.torsionalFriction + 0.2
      contact.rollingFriction = contact.rollingFriction + 0.1
      contact.maxPushOut = 1
      expect([contact.torsionalFriction, contact.rollingFriction, contact.maxPushOut]).toEqual([0.2, 0.1, 1])
    })
    s.world.configure({ gravity: [0, -9.81, 0] })
    run(s, 30)
    expect(Math.abs(ball.angularVelocity[1])).toBeLessThan(1.5)
  })
})

describe('colliders', () => {
  test('what they tell', () => {
    const { collisions } = scene()
    const shape = sphere(0.5)
    const body = collisions.addBody({ shape, friction: 0.7, restitution: 0.1, name: 'ball' })
    const [collider] = collisions.collidersOf(body)
    expect(collider.shape).toBe(shape)
    expect(collider.body).toBe(body)
    expect(collider.sensor).toBe(false)
    expect(collider.label).toBe('collider 0 "ball"')
    expect(collider.material).toEqual({
      friction: 0.7,
      dynamicFriction: 0.7,
      torsionalFriction: 0,
      rollingFriction: 0,
      restitution: 0.1,
      maxPushOut: 3,
    })
  })

  test('collidersOf', () => {
    const { collisions } = scene()
    const [one, other] = [0, 5].map((x) => collisions.addBody({ shape: sphere(1), position: [x, 0, 0] }))
    const second = collisions.addCollider(one, { shape: box([1, 1, 1]), position: [0, 1, 0] })
    const ground = collisions.addCollider(null, { shape: plane([0, 1, 0], -9) })
    expect(collisions.collidersOf(one)).toHaveLength(2)
    expect(collisions.collidersOf(one)[1]).toEqual(second)
    expect(collisions.collidersOf(other)).toHaveLength(1)
    expect(collisions.collidersOf(null)).toEqual([ground])
    second.remove()
    expect(collisions.collidersOf(one)).toHaveLength(1)
    other.remove()
    expect(() => collisions.collidersOf(other)).toThrow(/^collidersOf: body: body 2 of generation 0 must exist/)
  })

  test('what hangs from the world still meets the floor', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const ball = collisions.addBody({ shape: sphere(0.5), position: [0, 2, 0] })
    world.add(distance, { a: ball, anchorA: [0, 0, 0], anchorB: [0, 10, 0], length: 20, mode: 'rope' })
    for (let k = 0; k < 120; k++) world.step()
    expect(ball.position[1]).toBeGreaterThan(0.49)
  })

  test('set changes what is named and leaves the rest', () => {
    const { collisions } = scene()
    const collider = collisions.addCollider(null, { shape: sphere(1), friction: 0.4, layer: 6, name: 'post' })
    const record = (): Record<string, unknown> => ({ ...collisions.colliders.records[collider.id] })
    const before = record()
    collider.set({ restitution: 0.5 })
    expect(record()).toEqual({ ...before, material: { ...(before.material as object), restitution: 0.5 } })
    collider.set({ friction: 0.2 })
    expect(collider.material).toMatchObject({ friction: 0.2, dynamicFriction: 0.2, restitution: 0.5 })
    collider.set({ friction: 0.9, dynamicFriction: 0.1 })
    collider.set({ dynamicFriction: 0.3 })
    expect(collider.material).toMatchObject({ friction: 0.9, dynamicFriction: 0.3 })
    collider.set({ position: [1, 2, 3] })
    expect(originOf({ collisions }, collider)).toEqual([1, 2, 3])
    expect(collider.shape.name).toBe('sphere')
    collider.set({})
    expect(collider.name).toBe('post')
  })

  test('a shape, a place, a filter that changes is felt at the next step', () => {
    const s = scene()
    const ground = s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const ball = s.collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0], mass: 1 })
    const [collider] = s.collisions.collidersOf(ball)
    run(s, 10)
    collider.set({ shape: sphere(0.8) })
    run(s, 90)
    expect(Math.abs(ball.position[1] - 0.8)).toBeLessThan(SAG)
    expect(ball.mass).toBe(1)
    ground.set({ position: [0, -1, 0] })
    run(s, 90)
    expect(Math.abs(ball.position[1] + 0.2)).toBeLessThan(SAG)
    ground.set({ orientation: [0, 0, Math.sin(0.2), Math.cos(0.2)] })
    run(s, 30)
    expect(ball.velocity[0]).toBeLessThan(-0.5)
    ground.set({ sensor: true })
    const { position } = ball
    run(s, 30)
    expect(ball.position[1]).toBeLessThan(position[1] - 1)
  })

  test('friction is mixed by the rule', () => {
    const mixed = (rule?: 'average' | 'min' | 'max' | 'multiply'): number[] => {
      const s = scene({}, rule && { frictionCombine: rule, restitutionCombine: rule })
      s.collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.9, restitution: 0.5 })
      s.collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0], friction: 0.4, restitution: 0.2 })
      const found: number[] = []
      s.collisions.onContact((contact) => void found.push(contact.friction, contact.restitution))
      s.world.step()
      return found.map((x) => Math.round(1e12 * x) / 1e12)
    }
    expect(mixed()).toEqual([0.6, 0.5])
    expect(mixed('average')).toEqual([0.65, 0.35])
    expect(mixed('min')).toEqual([0.4, 0.2])
    expect(mixed('max')).toEqual([0.9, 0.5])
    expect(mixed('multiply')).toEqual([0.36, 0.1])
  })

  test('stale handles say so', () => {
    const { collisions } = scene()
    const collider = collisions.addCollider(null, { shape: sphere(1), name: 'gone' })
    const body = collisions.addBody({ shape: sphere(1), position: [5, 0, 0] })
    const [ofBody] = collisions.collidersOf(body)
    collider.remove()
    body.remove()
    const again = collisions.addCollider(null, { shape: box([1, 1, 1]) })
    expect(again.id).toBe(collider.id)
    expect(again.generation).toBe(1)
    for (const stale of [collider, ofBody]) {
      expect(stale.alive).toBe(false)
      expect(stale.shape.name).toBe('sphere')
      const message = `collider: ${stale.label} of generation 0 must exist, got a removed one`
      const uses = [() => stale.set({ friction: 1 }), () => stale.remove()]
      for (const use of uses) expect(use).toThrow(new RangeError(message))
    }
    expect(again.shape.name).toBe('box')
  })

  test('several on a body carry it together', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const bell = s.world.addBody({ position: [0, 0.6, 0], mass: 10, inertia: 1 })
    for (const x of [-1, 1]) s.collisions.addCollider(bell, { shape: sphere(0.5), position: [x, 0, 0] })
    run(s, 90)
    expect(Math.abs(bell.position[1] - 0.5)).toBeLessThan(SAG)
    const { events } = s.collisions
    expect(events.map(({ points }) => points.length)).toEqual([1, 1])
    expect(Math.abs(events[0].impulse - events[1].impulse)).toBeLessThan(1e-3 * events[0].impulse)
  })

  test('the mass of a body that rests may change', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const crate = s.collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0] })
    run(s, 60)
    for (const share of [1000, 1, 0.001]) {
      crate.setMass(1000 * share, (1000 * share) / 6)
      let highest = 0
      for (let k = 0; k < 30; k++) {
        s.world.step()
        highest = Math.max(highest, crate.position[1])
      }
      expect(highest).toBeLessThan(0.5 + SAG)
      expect(Math.abs(crate.position[1] - 0.5)).toBeLessThan(SAG)
    }
  })
})

describe('floors', () => {
  const solids: [string, () => Shape, number][] = [
    ['box', () => box([0.5, 0.4, 0.3]), 0.4],
    ['sphere', () => sphere(0.4), 0.4],
    ['cylinder', () => cylinder(0.4, 0.3), 0.3],
    ['hull', () => convexHull([-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, 1, 0]), 0],
    [
      'compound',
      () => compound([-1, 1].map((x) => ({ shape: box([0.3, 0.5, 0.3]), position: [x, 0, 0] as const }))),
      0.5,
    ],
    ['taperedCapsule', () => taperedCapsule(0.2, 0.4, 0.5), 0.9],
  ]

  describe.each(Object.entries(FLOORS))('%s', (_, floor) => {
    test.each(solids)('a %s stays on it', (name, shape, height) => {
      const s = scene()
      s.collisions.addCollider(null, { shape: floor() })
      // Off the middle, where seams are; upright by its own shape.
      const body = s.collisions.addBody({ shape: shape(), position: [0.3, height + 0.05, -1.1] })
      const above = body.position[1] - 0.05
      run(s, 90)
      expect(Math.abs(body.position[1] - above)).toBeLessThan(SAG)
      expect(speedOf(body), name).toBeLessThan(AT_REST)
    })
  })

  test.each([
    ['mesh', () => grid(30, 0.4)],
    ['mesh of one side', () => grid(30, 0.4, true)],
    [
      'heightfield',
      () => heightfield({ heights: new Array<number>(961).fill(0), columns: 31, rows: 31, cellX: 0.4, cellZ: 0.4 }),
    ],
  ])('what rolls and slides over a flat %s meets no bumps', (_, floor) => {
    const s = scene()
    s.collisions.addCollider(null, { shape: floor(), friction: 0.5 })
    const rolls = s.collisions.addBody({
      shape: sphere(0.2),
      position: [-4, 0.2, 0.13],
      velocity: [6, 0, 0.5],
      angularVelocity: [2.5, 0, -30],
    })
    const slides = s.collisions.addBody({
      shape: box([0.3, 0.1, 0.2]),
      position: [-4, 0.1, 2],
      velocity: [6, 0, 0.4],
      friction: 0,
    })
    const tin = s.collisions.addBody({
      shape: cylinder(0.2, 0.1),
      position: [-4, 0.1, -2],
      velocity: [6, 0, 0.4],
      friction: 0,
    })
    run(s, 20)
    for (let k = 0; k < 60; k++) {
      s.world.step()
      for (const [body, height] of [
        [rolls, 0.2],
        [slides, 0.1],
        [tin, 0.1],
      ] as const) {
        expect(Math.abs(body.position[1] - height)).toBeLessThan(SAG)
        expect(Math.abs(body.velocity[1])).toBeLessThan(1e-3)
      }
    }
    expect(length([rolls.velocity[0] - 6, 0, rolls.velocity[2] - 0.5])).toBeLessThan(0.02)
    for (const body of [slides, tin]) {
      expect(length([body.velocity[0] - 6, 0, body.velocity[2] - 0.4])).toBeLessThan(1e-3)
      expect(length(body.angularVelocity)).toBeLessThan(1e-3)
    }
  })

  test('a mesh of one side lets through what comes from behind', () => {
    for (const oneSided of [false, true]) {
      const s = weightless()
      s.collisions.addCollider(null, { shape: grid(4, 1, oneSided) })
      const from = (y: number): Body =>
        s.collisions.addBody({ shape: sphere(0.2), position: [y, y, 0.3], velocity: [0, -4 * y, 0] })
      const [above, below] = [from(1), from(-1)]
      run(s, 60)
      expect(above.position[1]).toBeGreaterThan(0.19)
      expect(below.position[1] > 2).toBe(oneSided)
      expect(below.position[1] < -0.19).toBe(!oneSided)
    }
  })
})

describe('worlds', () => {
  test('each has collisions once, and knows them', () => {
    const world = new World()
    expect(Collisions.of(world)).toBeUndefined()
    const collisions = new Collisions(world)
    expect(Collisions.of(world)).toBe(collisions)
    expect(() => new Collisions(world)).toThrow(RangeError)
    expect(Collisions.of(new World())).toBeUndefined()
  })

  test('constraints and reports leave patches out, residuals tell of them', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    s.collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0] })
    run(s, 60)
    expect(s.world.constraints()).toEqual([])
    const { linear } = s.world.residual().manifold
    expect(linear?.max).toBeLessThan(SAG)
    // Four normals, and friction in the plane.
    expect(linear?.count).toBe(5)
    expect(s.world.report.clampedRows).toBe(0)
    expect(s.world.report.broken).toEqual([])
  })

  test('a step allocates no colliders, and nothing is left of what went away', () => {
    const s = scene()
    s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const empty = future(s, 1)
    for (let k = 0; k < 3; k++) {
      const body = s.collisions.addBody({ shape: sphere(0.5), position: [0, 0.5, 0] })
      run(s, 5)
      expect(fastest(s)).toBeLessThan(1)
      body.remove()
      run(s, 1)
      expect(s.collisions.batch.count).toBe(0)
    }
    expect(future(s, 1)).toEqual(empty)
  })

  test('triangleMesh and hull of one shape object serve many bodies', () => {
    const s = scene()
    const shape = triangleMesh([-9, 0, -9, 9, 0, -9, 0, 0, 9], [0, 2, 1])
    s.collisions.addCollider(null, { shape })
    s.collisions.addCollider(null, { shape, position: [0, -3, 0] })
    const ball = sphere(0.3)
    const bodies = [0.5, -2.5].map((y) => s.collisions.addBody({ shape: ball, position: [0, y, -3] }))
    run(s, 60)
    expect(bodies[0].position[1]).toBeCloseTo(0.3, 2)
    expect(bodies[1].position[1]).toBeCloseTo(-2.7, 2)
  })
})
