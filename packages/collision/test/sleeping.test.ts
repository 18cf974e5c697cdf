/** Sleep: when bodies fall asleep, what wakes them, and that nobody can tell from what follows. */

import type { Body, Constraint } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { SEED } from '../../core/test/support/seed.js'
import { ballSocket, distance } from '../../constraints/src/index.js'
import { box, type Collider, plane, sphere } from '../src/index.js'
import { fastest, future, run, scene, type Scene } from './support/scene.js'

/** Falling, coming to rest, and half a second more. */
const A_WHILE = 90
/** A pile that slept against one that did not [m, m/s]: what was left of its speed when it fell asleep, and its sag. */
const SAME = 2e-3
/** An impact between two free balls: their manifold is solved in the same way whether one had slept, but for round-off. */
const SAME_BLOW = 1e-9

const HALF: [number, number, number] = [0.25, 0.25, 0.25]

/** A stack of boxes on the ground at x. */
function stack({ collisions }: Scene, count: number, x = 0): Body[] {
  return Array.from({ length: count }, (_, k) =>
    collisions.addBody({ shape: box(HALF), position: [x, 0.25 + 0.5 * k, 0], density: 400 }),
  )
}

function ground({ collisions }: Scene): Collider {
  return collisions.addCollider(null, { shape: plane([0, 1, 0]) })
}

const drowsy = (): Scene => scene({}, { sleeping: {} })

/** Two stacks asleep, the first of two boxes. */
function sleepers(): Scene & { lower: Body; upper: Body; other: Body; floor: Collider } {
  const s = drowsy()
  const floor = ground(s)
  const [lower, upper] = stack(s, 2)
  const [other] = stack(s, 1, 5)
  run(s, A_WHILE)
  expect([lower, upper, other].map(({ asleep }) => asleep)).toEqual([true, true, true])
  return { ...s, lower, upper, other, floor }
}

describe('falling asleep', () => {
  test('what rests does, after the time set, and stands still to the bit', () => {
    for (const time of [0.25, 1]) {
      const s = scene({}, { sleeping: { time } })
      ground(s)
      const bodies = stack(s, 3)
      let at = 0
      while (!bodies[0].asleep) {
        run(s, 1)
        at += s.world.settings.dt
        expect(at).toBeLessThan(time + 1)
      }
      expect(at).toBeGreaterThan(time - 1e-9)
      const before = s.world.hash()
      run(s, 30)
      expect(s.world.hash()).toBe(before)
      expect(fastest(s)).toBe(0)
    }
  })

  test('not when it is switched off, nor while it moves', () => {
    const awake = scene()
    ground(awake)
    const [still] = stack(awake, 1)
    run(awake, 2 * A_WHILE)
    expect(still.asleep).toBe(false)
    const s = scene({ gravity: [0, 0, 0] }, { sleeping: { speed: 0.1 } })
    const at = (x: number, more: object): Body =>
      s.collisions.addBody({ shape: sphere(0.5), position: [x, 0, 0], ...more })
    const drifts = at(0, { velocity: [0, 0.11, 0] })
    const spins = at(3, { angularVelocity: [0, 0.5, 0] })
    const slow = at(6, { velocity: [0, 0.05, 0], angularVelocity: [0.1, 0, 0] })
    run(s, 40)
    expect([drifts, spins, slow].map(({ asleep }) => asleep)).toEqual([false, false, true])
  })

  test('an island as a whole, not before its last body is ready', () => {
    const s = drowsy()
    ground(s)
    const bodies = stack(s, 3)
    const [alone] = stack(s, 1, 5)
    run(s, 20)
    bodies[2].setAngularVelocity([0, 1, 0])
    let first = -1
    for (let k = 0; k < A_WHILE; k++) {
      run(s, 1)
      const asleep = bodies.map((body) => body.asleep)
      expect(new Set(asleep).size).toBe(1)
      if (asleep[0] && first < 0) first = k
      if (alone.asleep) expect(first === -1 || first > 0).toBe(true)
    }
    expect(alone.asleep).toBe(true)
    expect(first).toBeGreaterThan(20)
  })

  test('joined bodies are one island, and so is what hangs from nothing that moves', () => {
    const s = drowsy()
    ground(s)
    const [a] = stack(s, 1)
    const far = s.collisions.addBody({ shape: sphere(0.25), position: [3, 0.25, 0] })
    s.world.add(distance, { a, b: far })
    const post = s.world.addBody({ type: 'static', position: [0, 9, 0] })
    const hung = [1, 2].map((x) => {
      const body = s.collisions.addBody({ shape: sphere(0.1), position: [9 * x, 8, 0], linearDamping: 1 })
      s.world.add(distance, { a: post, b: body, anchorA: [9 * x, 0, 0] })
      return body
    })
    run(s, A_WHILE)
    expect([a, far, ...hung].map(({ asleep }) => asleep)).toEqual([true, true, true, true])
    far.wake()
    hung[0].wake()
    run(s, 1)
    expect([a, far, ...hung].map(({ asleep }) => asleep)).toEqual([false, false, false, true])
  })

  test('what a driven body carries stays awake', () => {
    const s = drowsy()
    const platform = s.collisions.addBody({ shape: box([1, 0.1, 1]), type: 'kinematic', velocity: [0.01, 0, 0] })
    const crate = s.collisions.addBody({ shape: box(HALF), position: [0, 0.35, 0] })
    run(s, A_WHILE)
    expect(crate.asleep).toBe(false)
    expect(crate.velocity[0]).toBeCloseTo(0.01, 4)
    platform.setVelocity([0, 0, 0])
    run(s, A_WHILE)
    expect(crate.asleep).toBe(true)
  })
})

describe('waking', () => {
  type Asleep = ReturnType<typeof sleepers>
  const byHand: [string, (s: Asleep) => void][] = [
    ['wake', ({ upper }) => upper.wake()],
    ['a force', ({ upper }) => upper.applyForce([1, 0, 0])],
    ['a torque', ({ upper }) => upper.applyTorque([0, 1, 0])],
    ['an impulse', ({ upper }) => upper.applyImpulse([1, 0, 0])],
    ['an impulse at a point', ({ upper }) => upper.applyImpulse([1, 0, 0], [0, 1, 0])],
    ['an angular impulse', ({ upper }) => upper.applyAngularImpulse([0, 1, 0])],
    ['setVelocity', ({ upper }) => upper.setVelocity([0, 1, 0])],
    ['setAngularVelocity', ({ upper }) => upper.setAngularVelocity([0, 1, 0])],
    ['setPosition', ({ upper }) => upper.setPosition([0, 2, 0])],
    ['setOrientation', ({ upper }) => upper.setOrientation([0, 0, 0, 1])],
    ['setMass', ({ upper }) => upper.setMass(3, 1)],
    ['setGravityScale', ({ upper }) => upper.setGravityScale(-1)],
    ['a collider added', ({ upper, collisions }) => collisions.addCollider(upper, { shape: sphere(0.3) })],
    ['a collider changed', ({ upper, collisions }) => collisions.collidersOf(upper)[0].set({ friction: 0 })],
    ['its collider removed', ({ upper, collisions }) => collisions.collidersOf(upper)[0].remove()],
    ['the lower collider removed', ({ lower, collisions }) => collisions.collidersOf(lower)[0].remove()],
    ['the lower body removed', ({ lower }) => lower.remove()],
    ['the upper body removed', ({ upper }) => upper.remove()],
    ['a joint to the world', ({ upper, world }) => void world.add(ballSocket, { b: upper, point: [0, 1, 0] })],
  ]

  test.each(byHand)('by %s: its island, and no other', (_, act) => {
    const s = sleepers()
    act(s)
    run(s, 1)
    const left = [s.lower, s.upper].filter(({ alive }) => alive)
    expect(left.map(({ asleep }) => asleep)).toEqual(left.map(() => false))
    expect(s.other.asleep).toBe(true)
  })

  const all: [string, (s: Asleep) => void][] = [
    ['the floor removed', ({ floor }) => floor.remove()],
    ['the floor lowered', ({ floor }) => floor.set({ position: [0, -1, 0] })],
    ['the floor a sensor', ({ floor }) => floor.set({ sensor: true })],
    ['gravity turned', ({ world }) => world.configure({ gravity: [0, 9.81, 0] })],
    ['a joint between two islands', ({ upper, other, world }) => void world.add(distance, { a: upper, b: other })],
  ]

  test.each(all)('by %s: everything on it', (_, act) => {
    const s = sleepers()
    act(s)
    run(s, 1)
    expect([s.lower, s.upper, s.other].map(({ asleep }) => asleep)).toEqual([false, false, false])
  })

  test('what lay on a floor that is gone falls', () => {
    const s = sleepers()
    s.floor.remove()
    run(s, 30)
    for (const body of [s.lower, s.other]) expect(body.position[1]).toBeCloseTo(0.25 - 0.5 * 9.81 * 0.25, 1)
  })

  test.each(['static', 'kinematic'] as const)('by a %s floor that is set down elsewhere', (type) => {
    const s = drowsy()
    const floor = s.collisions.addBody({ shape: box([2, 0.5, 2]), position: [0, -0.5, 0], type })
    const [crate] = stack(s, 1)
    run(s, A_WHILE)
    expect(crate.asleep).toBe(true)
    floor.setPosition([9, -0.5, 0])
    run(s, 30)
    expect(crate.position[1]).toBeLessThan(-0.5)
  })

  test.each(['velocity', 'target'] as const)('by a kinematic platform that starts to move, by %s', (how) => {
    const s = drowsy()
    const platform = s.collisions.addBody({ shape: box([2, 0.5, 2]), position: [0, -0.5, 0], type: 'kinematic' })
    const bodies = stack(s, 2)
    run(s, A_WHILE)
    expect(bodies.every(({ asleep }) => asleep)).toBe(true)
    for (let k = 1; k <= 60; k++) {
      if (how === 'velocity') platform.setVelocity([0, 1, 0])
      else platform.setTarget([0, -0.5 + k / 60, 0])
      run(s, 1)
    }
    bodies.forEach((body, k) => expect(body.position[1]).toBeCloseTo(1.25 + 0.5 * k, 2))
  })

  test('by something new that overlaps it', () => {
    const add: ((s: Asleep) => void)[] = [
      ({ collisions }) => collisions.addCollider(null, { shape: box([1, 1, 1]), position: [0, -0.7, 0] }),
      ({ collisions }) => collisions.addBody({ shape: box([1, 1, 1]), position: [0, -0.7, 0], type: 'static' }),
      ({ collisions }) => collisions.addBody({ shape: sphere(0.2), position: [0.4, 0.4, 0], gravityScale: 0 }),
    ]
    for (const act of add) {
      const s = sleepers()
      act(s)
      run(s, 1)
      expect([s.lower, s.upper, s.other].map(({ asleep }) => asleep)).toEqual([false, false, true])
    }
  })

  test('what falls beside it or slides past does not wake it', () => {
    const s = sleepers()
    s.collisions.addBody({ shape: sphere(0.2), position: [1, 1, 0] })
    s.collisions.addBody({ shape: sphere(0.2), position: [-3, 0.2, 0.6], velocity: [4, 0, 0], friction: 0 })
    for (let k = 0; k < 60; k++) {
      run(s, 1)
      expect(s.lower.asleep).toBe(true)
    }
  })

  test('by a joint that goes, changes, or is switched off', () => {
    const acts: ((joint: Constraint<{ length?: number }>) => void)[] = [
      (joint) => joint.remove(),
      (joint) => (joint.enabled = false),
      (joint) => joint.set({ length: 2 }),
    ]
    for (const act of acts) {
      const s = drowsy()
      const body = s.collisions.addBody({ shape: sphere(0.2), position: [0, 1, 0] })
      const joint = s.world.add(distance, { a: null, b: body, anchorA: [0, 2, 0] })
      run(s, A_WHILE)
      expect(body.asleep).toBe(true)
      act(joint as never)
      run(s, 15)
      expect(body.position[1]).toBeLessThan(0.9)
    }
  })
})

describe('nobody can tell', () => {
  test(`a ball that strikes a sleeping one gives it what it gives one that is awake (seed ${SEED})`, () => {
    const impact = (sleeping: boolean, speed: number, gap: number, e: number, dt: number): number[] => {
      const s = scene({ gravity: [0, 0, 0], dt }, { sleeping: sleeping ? { time: 0.1 } : false })
      const target = s.collisions.addBody({ shape: sphere(0.5), position: [0, 0, 0], restitution: e })
      const behind = s.collisions.addBody({ shape: sphere(0.5), position: [1, 0, 0], restitution: e })
      run(s, Math.ceil(0.2 / dt))
      expect([target.asleep, behind.asleep]).toEqual([sleeping, sleeping])
      const position = [-1 - gap, 0.2, 0] as [number, number, number]
      const ball = s.collisions.addBody({ shape: sphere(0.5), position, velocity: [speed, 0, 0], restitution: e })
      run(s, Math.ceil((gap / speed + 0.05) / dt) + 2)
      expect(target.asleep).toBe(false)
      return [ball, target, behind].flatMap((body) => [...body.position, ...body.velocity, ...body.angularVelocity])
    }
    const property = fc.property(
      fc.double({ min: 0.3, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.constantFrom(0, 0.5, 1),
      fc.constantFrom(1 / 60, 1 / 30),
      (speed, gap, e, dt) => {
        const [slept, awake] = [true, false].map((sleeping) => impact(sleeping, speed, gap, e, dt))
        slept.forEach((value, k) =>
          expect(Math.abs(value - awake[k]), `number ${k}: ${value} and ${awake[k]}`).toBeLessThan(
            SAME_BLOW * (1 + speed),
          ),
        )
      },
    )
    fc.assert(property, { seed: SEED, numRuns: runs(40) })
  })

  test.each([2, 8, 30])('a stack that a ball strikes at %d m/s', (speed) => {
    const hit = (sleeping: boolean): number[] => {
      const s = scene({}, { sleeping: sleeping && {} })
      ground(s)
      const bodies = stack(s, 3)
      run(s, 2 * A_WHILE)
      expect(bodies.map(({ asleep }) => asleep)).toEqual([sleeping, sleeping, sleeping])
      const ball = s.collisions.addBody({ shape: sphere(0.2), position: [-1, 1.2, 0.01], velocity: [speed, 0, 0] })
      run(s, Math.ceil((0.55 / speed + 0.15) * 60))
      expect(bodies.some((body) => body.position[0] > 1e-3)).toBe(true)
      return [...bodies, ball].flatMap((body) => [...body.position, ...body.velocity])
    }
    const [slept, awake] = [true, false].map(hit)
    slept.forEach((value, k) => expect(Math.abs(value - awake[k])).toBeLessThan(SAME * (1 + speed)))
  })

  test('a row of sleepers hands a blow on', () => {
    const s = scene({ gravity: [0, 0, 0] }, { sleeping: { time: 0.1 } })
    const row = [0, 1, 2, 3].map((k) =>
      s.collisions.addBody({ shape: sphere(0.5), position: [1.001 * k, 0, 0], restitution: 1, mass: 1 }),
    )
    run(s, 30)
    expect(row.every(({ asleep }) => asleep)).toBe(true)
    s.collisions.addBody({ shape: sphere(0.5), position: [-1.5, 0, 0], velocity: [3, 0, 0], restitution: 1, mass: 1 })
    run(s, 60)
    const { linear } = s.world.momentum()
    expect(linear[0]).toBeCloseTo(3, 4)
    expect(row[3].velocity[0]).toBeGreaterThan(1.5)
  })
})

describe('state', () => {
  /** A pile of which some sleeps and some has just been struck. */
  function pile(): Scene {
    const s = drowsy()
    ground(s)
    stack(s, 4)
    stack(s, 2, 2)
    stack(s, 1, 4)
    run(s, A_WHILE)
    s.collisions.addBody({ shape: sphere(0.2), position: [-1, 1.2, 0.05], velocity: [6, 0, 0] })
    run(s, 15)
    return s
  }

  test('two runs are the same to the bit', () => {
    const [one, other] = [pile(), pile()]
    const asleep = one.world.bodies.all().map((body) => body.asleep)
    expect(asleep).toContain(true)
    expect(asleep).toContain(false)
    expect(future(one, 60)).toEqual(future(other, 60))
  })

  test('a snapshot taken asleep goes on the same: left alone, and struck', () => {
    const s = drowsy()
    ground(s)
    const bodies = stack(s, 3)
    run(s, A_WHILE)
    const snapshot = s.world.snapshot()
    const strike = (): string[] => {
      s.collisions.addBody({ shape: sphere(0.2), position: [-1, 1.2, 0], velocity: [6, 0, 0] })
      return future(s, 60)
    }
    const reference = strike()
    s.world.restore(snapshot)
    expect(bodies.every(({ asleep }) => asleep)).toBe(true)
    run(s, 5)
    expect(bodies.every(({ asleep }) => asleep)).toBe(true)
    s.world.restore(snapshot)
    expect(strike()).toEqual(reference)
  })

  test('a snapshot taken just before it falls asleep', () => {
    const s = drowsy()
    ground(s)
    const [body] = stack(s, 1)
    run(s, 10)
    while (!body.asleep) {
      const snapshot = s.world.snapshot()
      const next = future(s, 3)
      s.world.restore(snapshot)
      expect(future(s, 3)).toEqual(next)
      s.world.restore(snapshot)
      run(s, 1)
    }
  })
})
