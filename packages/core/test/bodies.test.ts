import type { quat, vec3 } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { type Body, principalAxes, solidBox, World } from '../src/index.js'
import { quaternionFromRotationVector, rotateInertia, rotateVector } from '../src/kernel.js'
import { link } from './support/link.js'
import { Random, randomBody, run } from './support/random.js'

/** Sums of a few products of numbers near 1. */
const ROUND_OFF = 1e-14
/** The same after some hundred substeps, each of which adds one rounding a number. */
const DRIFT = 1e-12

const NO_GRAVITY = { gravity: [0, 0, 0] as const }

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual.length).toBe(expected.length)
  const worst = Math.max(...Array.from(actual, (x, k) => Math.abs(x - expected[k])))
  expect(worst, `[${Array.from(actual).join(', ')}] and [${Array.from(expected).join(', ')}]`).toBeLessThanOrEqual(
    tolerance,
  )
}

/** The rotation about `axis` (not normalised) by its length [rad]. */
function rotation(x: number, y: number, z: number): quat {
  const q = new Float64Array(4)
  quaternionFromRotationVector(q, 0, x, y, z)
  return [q[0], q[1], q[2], q[3]]
}

describe('what a body is made of', () => {
  test('every field arrives', () => {
    const world = new World()
    const body = world.addBody({
      name: 'box',
      position: [1, 2, 3],
      orientation: [0, 0.6, 0, 0.8],
      velocity: [4, 5, 6],
      angularVelocity: [7, 8, 9],
      mass: 2.5,
      inertia: [1, 2, 2.5],
      gravityScale: 0.5,
      linearDamping: 0.1,
      angularDamping: 0.2,
    })
    expect(body.name).toBe('box')
    expect(body.label).toContain('"box"')
    expect(body.type).toBe('dynamic')
    expect(body.isParticle).toBe(false)
    expect(body.frozen).toBe(false)
    expect(body.position).toEqual([1, 2, 3])
    expect(body.orientation).toEqual([0, 0.6, 0, 0.8])
    expect(body.velocity).toEqual([4, 5, 6])
    expect(body.angularVelocity).toEqual([7, 8, 9])
    expect(body.mass).toBe(2.5)
    expect(body.principalInertia).toEqual([1, 2, 2.5])
    const { gravityScale, linearDamping, angularDamping } = world.bodies.columns
    expect([gravityScale, linearDamping, angularDamping].map((column) => column[body.index])).toEqual([0.5, 0.1, 0.2])
  })

  test('defaults', () => {
    const body = new World().addBody({})
    expect(body.type).toBe('dynamic')
    expect(body.isParticle).toBe(true)
    expect(body.name).toBeUndefined()
    expect([...body.position, ...body.velocity, ...body.angularVelocity]).toEqual(new Array(9).fill(0))
    expect(body.orientation).toEqual([0, 0, 0, 1])
    expect(body.mass).toBe(1)
    expect(body.principalInertia).toEqual([0, 0, 0])
  })

  test('a copy is handed out, and `get…(out)` writes into what it is given', () => {
    const body = new World().addBody({ position: [1, 2, 3] })
    body.position[0] = 9
    const out = new Float32Array(3)
    expect(body.getPosition(out as unknown as vec3)).toBe(out)
    expect(Array.from(out)).toEqual([1, 2, 3])
  })

  test('what is given is read, not kept', () => {
    const position: vec3 = [1, 2, 3]
    const body = new World().addBody({ position })
    position[0] = 9
    expect(body.position[0]).toBe(1)
  })

  test('many from typed arrays are the same as one by one', () => {
    const random = new Random(1)
    const defs = Array.from({ length: 40 }, () => ({ ...randomBody(random), inertia: random.moments(1) }))
    const flat = (field: 'position' | 'orientation' | 'velocity' | 'angularVelocity' | 'inertia'): Float64Array =>
      Float64Array.from(defs.flatMap((def) => Array.from(def[field] as number[])))
    const single = new World()
    const many = new World()
    for (const def of defs) single.addBody({ ...def, gravityScale: 0.3, linearDamping: 0.1, angularDamping: 0.2 })
    const handles = many.addBodies({
      count: 40,
      positions: flat('position'),
      orientations: flat('orientation'),
      velocities: flat('velocity'),
      angularVelocities: flat('angularVelocity'),
      mass: Float64Array.from(defs, (def) => def.mass as number),
      inertia: flat('inertia'),
      gravityScale: 0.3,
      linearDamping: 0.1,
      angularDamping: 0.2,
    })
    expect(handles).toHaveLength(40)
    expect(handles[7].principalInertia).toEqual(defs[7].inertia)
    expect(many.hash()).toBe(single.hash())
    run(single, 5)
    run(many, 5)
    expect(many.hash()).toBe(single.hash())
  })

  test('many take the rows that removed bodies have left, as one by one, and forget what was there', () => {
    const positions = Array.from({ length: 18 }, (_, k) => k / 4)
    const [single, many] = [0, 1].map(() => {
      const world = new World()
      const old = [0, 1, 2, 3, 4].map((k) =>
        world.addBody({ position: [k, 1, 2], velocity: [1, 2, 3], inertia: 1, lockRotation: [true, false, false] }),
      )
      for (const k of [3, 1]) old[k].remove()
      return world
    })
    for (let k = 0; k < 6; k++) {
      const position = positions.slice(3 * k, 3 * k + 3) as unknown as vec3
      single.addBody({ position, mass: k === 2 ? Infinity : 2 })
    }
    const made = many.addBodies({ count: 6, positions, mass: [2, 2, Infinity, 2, 2, 2] })
    expect(made.map(({ index, generation }) => [index, generation])).toEqual(
      [2, 4, 6, 7, 8, 9].map((row, k) => [row, k < 2 ? 1 : 0]),
    )
    expect(many.hash()).toBe(single.hash())
    expect(many.toJSON()).toEqual(single.toJSON())
    expect(many.addBody({}).index).toBe(10)
    many.onVelocities(() => void many.addBodies({ count: 0, positions: [] }))
    expect(() => many.step()).toThrow(/^addBodies must not be called by what a step calls/)
  })

  test('many with one mass and inertia for all, or none: particles', () => {
    const world = new World()
    const [a, b] = world.addBodies({ count: 2, positions: [0, 0, 0, 1, 1, 1], mass: 3, inertia: [1, 2, 2] })
    expect([a.mass, b.mass]).toEqual([3, 3])
    expect(b.principalInertia).toEqual([1, 2, 2])
    const [c] = world.addBodies({ count: 1, positions: [0, 0, 0] })
    expect(c.isParticle).toBe(true)
    expect(world.addBodies({ count: 0, positions: [] })).toEqual([])
  })

  test('static and kinematic bodies are moved by nothing; infinite mass is static', () => {
    const world = new World()
    const fixed = [
      world.addBody({ mass: Infinity, velocity: [1, 0, 0] }),
      world.addBody({ type: 'static', inertia: 1, angularVelocity: [0, 1, 0] }),
      world.addBody({ type: 'kinematic', inertia: 1 }),
    ]
    expect(fixed.map((body) => body.type)).toEqual(['static', 'static', 'kinematic'])
    expect(fixed.map((body) => body.mass)).toEqual([Infinity, Infinity, Infinity])
    for (const body of fixed) {
      body.applyForce([100, 0, 0], [0, 1, 0])
      body.applyTorque([100, 0, 0])
      body.applyImpulse([0, 5, 0], [1, 0, 0])
    }
    const weight = world.addBody({ position: [0, -1, 0] })
    world.add(link, { a: fixed[0], b: weight })
    run(world, 10)
    for (const body of fixed) {
      expect(body.position).toEqual([0, 0, 0])
      expect(body.orientation).toEqual([0, 0, 0, 1])
    }
    expect(weight.position[1]).toBeCloseTo(-1, 3)
  })

  test('a particle does not turn', () => {
    const world = new World()
    const body = world.addParticle({ mass: 2 })
    body.applyTorque([1, 2, 3])
    body.applyAngularImpulse([1, 2, 3])
    body.applyForce([1, 0, 0], [0, 5, 0])
    world.step()
    expect(body.orientation).toEqual([0, 0, 0, 1])
    expect(body.angularVelocity).toEqual([0, 0, 0])
  })

  test('a full tensor has the principal moments and axes of the body', () => {
    const world = new World(NO_GRAVITY)
    const moments = solidBox(3, [0.2, 0.4, 0.8])
    const turned = rotation(0.3, -0.8, 0.5)
    const tensor = rotateInertia([moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]], turned)
    const body = world.addBody({ mass: 3, inertia: principalAxes(tensor) })
    expectClose(Array.from(body.principalInertia).sort(), Array.from(moments).sort(), ROUND_OFF)
    const { inverseInertia } = world.bodies.columns
    const inverse = inverseInertia.subarray(9 * body.index, 9 * body.index + 9)
    const product = [0, 1, 2].flatMap((r) =>
      [0, 1, 2].map((c) => [0, 1, 2].reduce((sum, k) => sum + tensor[3 * r + k] * inverse[3 * k + c], 0)),
    )
    expectClose(product, [1, 0, 0, 0, 1, 0, 0, 0, 1], ROUND_OFF)
  })
})

describe('handles', () => {
  test('a removed body is named with its generation', () => {
    const world = new World()
    const body = world.addBody({ name: 'gone' })
    body.remove()
    expect(body.alive).toBe(false)
    expect(() => body.position).toThrow(RangeError)
    expect(() => body.setPosition([0, 0, 0])).toThrow(/body 1 "gone" of generation 0 must exist.*generation 1/)
    expect(() => world.add(link, { a: body, b: null })).toThrow(/link: a: body 1 "gone"/)
  })

  test('the row is used again, the old handle stays stale', () => {
    const world = new World()
    const old = world.addBody({ position: [1, 1, 1], mass: 7, inertia: 3, lockRotation: [true, true, true] })
    const other = world.addBody({})
    old.applyForce([1, 2, 3])
    old.remove()
    const fresh = world.addBody({})
    expect(fresh.index).toBe(old.index)
    expect(fresh.generation).toBe(old.generation + 1)
    expect(old.alive).toBe(false)
    expect(other.alive).toBe(true)
    expect(fresh.mass).toBe(1)
    expect(fresh.isParticle).toBe(true)
    world.step()
    expect(fresh.velocity[0]).toBe(0)
    expect(() => old.velocity).toThrow(/generation 0/)
  })

  test('a body of another world is refused', () => {
    const stranger = new World().addBody({})
    const world = new World()
    const body = world.addBody({})
    expect(() => world.add(link, { a: body, b: stranger })).toThrow(/of this world/)
    expect(() => world.interpolate(stranger, [0, 0, 0])).toThrow(/of this world/)
    expect(world.constraints()).toHaveLength(0)
  })

  test('removing a body removes what is attached to it, and nothing else', () => {
    const world = new World()
    const [a, b, c] = [0, 1, 2].map((k) => world.addBody({ position: [k, 0, 0] }))
    const ab = world.add(link, { a, b })
    const bc = world.add(link, { a: b, b: c })
    const free = world.add(link, { a: c, b: null })
    b.remove()
    expect([ab.alive, bc.alive, free.alive]).toEqual([false, false, true])
    expect(world.constraints().map((constraint) => constraint.bodies)).toEqual([[c, null]])
    expect(() => ab.error).toThrow(/link: constraint 0 of generation 0 must exist/)
    run(world, 3)
  })

  test('lists all bodies by row', () => {
    const world = new World()
    const [a, b, c] = [0, 1, 2].map(() => world.addBody({}))
    b.remove()
    expect(world.bodies.all()).toEqual([a, c])
  })
})

describe('forces and impulses', () => {
  test('a force acts over every substep of one step, then it is gone', () => {
    for (const substeps of [1, 4]) {
      const world = new World({ ...NO_GRAVITY, substeps, dt: 0.1 })
      const body = world.addBody({ mass: 2 })
      body.applyForce([3, 0, 0])
      body.applyForce([1, 0, 0])
      world.step()
      // Semi-implicit Euler: v = a t, x = a t² (1 + 1/n)/2.
      expect(body.velocity[0]).toBeCloseTo(0.2, 14)
      expect(body.position[0]).toBeCloseTo((0.5 * 2 * 0.01 * (substeps + 1)) / substeps, 14)
      world.step()
      expect(body.velocity[0]).toBeCloseTo(0.2, 14)
    }
  })

  test('a force at a point turns the body by its moment', () => {
    const world = new World({ ...NO_GRAVITY, substeps: 5, dt: 0.1 })
    const at = { position: [1, 2, 3] as const, mass: 2, inertia: 4 }
    const pushed = world.addBody(at)
    const turned = world.addBody(at)
    pushed.applyForce([0, 6, 0], [1.5, 2, 3])
    turned.applyForce([0, 6, 0])
    turned.applyTorque([0, 0, 3])
    world.step()
    expect(pushed.angularVelocity).toEqual(turned.angularVelocity)
    expect(pushed.velocity).toEqual(turned.velocity)
    expect(pushed.angularVelocity[2]).toBeCloseTo((3 / 4) * 0.1, 12)
  })

  test('an impulse changes velocity at once', () => {
    const world = new World(NO_GRAVITY)
    const body = world.addBody({ position: [1, 0, 0], mass: 2, inertia: [1, 2, 3] })
    body.applyImpulse([0, 4, 0], [2, 0, 0])
    expectClose(body.velocity, [0, 2, 0], 0)
    expectClose(body.angularVelocity, [0, 0, 4 / 3], ROUND_OFF)
    body.applyAngularImpulse([1, 1, 0])
    expectClose(body.angularVelocity, [1, 0.5, 4 / 3], ROUND_OFF)
    expect(body.position).toEqual([1, 0, 0])
    expectClose(body.velocityAt([1, 1, 0]), [-4 / 3, 2, 1], ROUND_OFF)
  })

  test('an impulse sees the inertia of the present pose', () => {
    const world = new World(NO_GRAVITY)
    const body = world.addBody({ mass: 2, inertia: [1, 2, 2.5], orientation: rotation(0, 0, Math.PI / 2) })
    body.applyAngularImpulse([2, 0, 0])
    expectClose(body.angularVelocity, [1, 0, 0], ROUND_OFF)
  })

  test('gravity is scaled', () => {
    const world = new World({ gravity: [0, -10, 0], dt: 0.1 })
    const [none, half, up] = [0, 0.5, -1].map((gravityScale) => world.addBody({ gravityScale }))
    const later = world.addBody({})
    later.setGravityScale(2)
    world.step()
    expectClose(
      [none, half, up, later].map((body) => body.velocity[1]),
      [0, -0.5, 1, -2],
      ROUND_OFF,
    )
  })

  test('damping takes the share h d of velocity each substep, and all of it beyond', () => {
    const world = new World({ ...NO_GRAVITY, substeps: 4, dt: 0.1 })
    const damped = (linearDamping: number, angularDamping: number): Body =>
      world.addBody({ velocity: [1, 0, 0], angularVelocity: [0, 2, 0], inertia: 1, linearDamping, angularDamping })
    const body = damped(0.7, 3)
    const stuck = damped(41, 1e308)
    run(world, 5)
    expect(body.velocity[0]).toBeCloseTo((1 - 0.025 * 0.7) ** 20, 12)
    expect(body.angularVelocity[1]).toBeCloseTo(2 * (1 - 0.025 * 3) ** 20, 11)
    expect(Array.from(stuck.velocity)).toEqual([0, 0, 0])
    expect(Array.from(stuck.angularVelocity)).toEqual([0, 0, 0])
  })

  test.each([0.1, 2, 30, 400, 1e5])(
    'a force moves what is damped by %d/s at F/(m d), and a torque at τ/(I d)',
    (damping) => {
      const world = new World({ substeps: 2 })
      const inertia = [0.2, 0.3, 0.4]
      const body = world.addBody({ mass: 3, inertia, linearDamping: damping, angularDamping: damping })
      for (let step = 0; step < (60 * 15) / damping + 60; step++) {
        body.applyTorque([0, 0.5, 0])
        world.step()
      }
      expect(body.velocity[1] * damping).toBeCloseTo(-9.81, 4)
      expect(body.angularVelocity[1] * damping).toBeCloseTo(0.5 / 0.3, 4)
    },
  )

  test('points go to world space and back', () => {
    const body = new World().addBody({ position: [1, 2, 3], orientation: rotation(0, 0, Math.PI / 2), inertia: 1 })
    expectClose(body.toWorld([1, 0, 0]), [1, 3, 3], ROUND_OFF)
    expectClose(body.toBody([1, 3, 3]), [1, 0, 0], ROUND_OFF)
  })
})

describe('locked axes', () => {
  test('translation: the locked coordinate stays to the last bit, also where it is joined', () => {
    const world = new World()
    const body = world.addBody({
      position: [0.1, 0.2, 0.3],
      velocity: [1, 2, 3],
      lockTranslation: [false, true, false],
    })
    const bob = world.addBody({ position: [0.5, -1, 0.4], velocity: [0, 3, 0] })
    world.add(link, { a: body, b: bob })
    body.applyForce([0, 100, 0])
    run(world, 60)
    expect(body.position[1]).toBe(0.2)
    expect(body.velocity[1]).toBe(0)
    expect(Math.abs(body.position[0] - 0.1)).toBeGreaterThan(0.01)
  })

  test('rotation: only the free axis of the world turns', () => {
    const world = new World({ ...NO_GRAVITY, dt: 0.1 })
    const body = world.addBody({
      mass: 2,
      inertia: [1, 2, 2.5],
      orientation: rotation(0.4, 0.5, 0.6),
      angularVelocity: [1, 2, 3],
      lockRotation: [true, true, false],
    })
    run(world, 10)
    expectClose(Array.from(body.angularVelocity).slice(0, 2), [0, 0], DRIFT)
    expectClose([body.angularVelocity[2]], [3], DRIFT)
    const out = new Float64Array(3)
    const before = new Float64Array(3)
    // The world's z axis as the body sees it: unchanged.
    for (const [q, into] of [
      [rotation(0.4, 0.5, 0.6), before],
      [body.orientation, out],
    ] as const) {
      rotateVector(Float64Array.of(-q[0], -q[1], -q[2], q[3]), 0, 0, 0, 1, into, 0)
    }
    expectClose(out, before, DRIFT)
  })

  test('a torque on a locked body meets the inertia about the free axis alone', () => {
    const world = new World({ ...NO_GRAVITY, dt: 0.1, substeps: 2 })
    const orientation = rotation(0.7, 0, 0)
    const body = world.addBody({ mass: 2, inertia: [1, 2, 2.5], orientation, lockRotation: [true, true, false] })
    const c = Math.cos(0.7)
    const s = Math.sin(0.7)
    const Izz = s * s * 2 + c * c * 2.5
    body.applyTorque([5, 0, 3])
    world.step()
    expectClose(body.angularVelocity, [0, 0, (3 * 0.1) / Izz], DRIFT)
    body.applyAngularImpulse([5, 0, 3])
    expectClose(body.angularVelocity, [0, 0, (3 * 1.1) / Izz], DRIFT)
  })
})

describe('kinematic bodies', () => {
  function moving(): { world: World; body: Body } {
    const world = new World({ substeps: 4, dt: 0.1 })
    return { world, body: world.addBody({ type: 'kinematic', position: [1, 0, 0], inertia: 1 }) }
  }

  test('a target is reached at the end of the step, evenly over the substeps', () => {
    const { world, body } = moving()
    const seen: number[][] = []
    world.onVelocities(() => seen.push([body.position[0], body.velocity[0], body.angularVelocity[2]]))
    body.setTarget([2, 0, 0], rotation(0, 0, 0.8))
    world.step()
    expectClose(body.position, [2, 0, 0], ROUND_OFF)
    expectClose(body.orientation, rotation(0, 0, 0.8), ROUND_OFF)
    seen.forEach(([x, v, w], k) => {
      expectClose([x, v, w], [1.25 + 0.25 * k, 10, 8], DRIFT)
    })
    expect(seen).toHaveLength(4)
  })

  test('velocity is there to read after the step, and the body stops in the next', () => {
    const { world, body } = moving()
    body.setTarget([2, 0, 0])
    world.step()
    expectClose(body.velocity, [10, 0, 0], DRIFT)
    world.step()
    expectClose(body.position, [2, 0, 0], ROUND_OFF)
    expect(body.velocity).toEqual([0, 0, 0])
  })

  test('without a target it goes on with its velocity', () => {
    const { world, body } = moving()
    body.setVelocity([1, 0, 0])
    body.setAngularVelocity([0, 0, 2])
    run(world, 3)
    expectClose(body.position, [1.3, 0, 0], ROUND_OFF)
    expectClose(body.orientation, rotation(0, 0, 0.6), DRIFT)
  })

  test('a velocity set after a target was reached counts, and only that one', () => {
    const { world, body } = moving()
    body.setTarget([2, 0, 0], rotation(0, 0, 0.8))
    world.step()
    body.setVelocity([1, 0, 0])
    run(world, 2)
    expectClose(body.position, [2.2, 0, 0], ROUND_OFF)
    expectClose(body.orientation, rotation(0, 0, 0.8), DRIFT)
    body.setTarget([2, 0, 0])
    world.step()
    body.setAngularVelocity([0, 0, 1])
    run(world, 2)
    expectClose(body.position, [2, 0, 0], ROUND_OFF)
    expectClose(body.orientation, rotation(0, 0, 1), DRIFT)
  })

  test('a target keeps the orientation when it names none, and is refused elsewhere', () => {
    const { world, body } = moving()
    body.setOrientation(rotation(0, 1, 0))
    body.setTarget([2, 0, 0])
    world.step()
    expectClose(body.orientation, rotation(0, 1, 0), ROUND_OFF)
    expect(() => world.addBody({ name: 'd' }).setTarget([0, 0, 0])).toThrow(/body 2 "d" must be kinematic, got dynamic/)
  })

  test('it drags what is joined to it at the velocity of the substep', () => {
    const { world, body } = moving()
    const bob = world.addBody({ position: [0, 0, 0], gravityScale: 0 })
    world.add(link, { a: body, b: bob })
    body.setTarget([3, 0, 0])
    world.step()
    expectClose(bob.position, [2, 0, 0], DRIFT)
    expectClose(bob.velocity, [20, 0, 0], DRIFT)
  })
})

describe('changing a body', () => {
  test('setMass: mass, inertia, from and to static', () => {
    const world = new World(NO_GRAVITY)
    const body = world.addBody({ inertia: 1 })
    body.setMass(4, [1, 2, 2])
    expect([body.mass, ...body.principalInertia]).toEqual([4, 1, 2, 2])
    body.applyImpulse([8, 0, 0])
    expect(body.velocity[0]).toBe(2)
    body.setMass(Infinity, 1)
    expect(body.type).toBe('static')
    run(world, 2)
    expect(body.position).toEqual([0, 0, 0])
    body.setMass(2)
    expect([body.type, body.isParticle]).toEqual(['dynamic', true])
    world.step()
    expect(body.position[0]).toBeGreaterThan(0)
  })

  test('setMass leaves a kinematic body kinematic', () => {
    const body = new World().addBody({ type: 'kinematic' })
    body.setMass(3)
    expect(body.type).toBe('kinematic')
  })

  test('setPosition and setOrientation move without velocity', () => {
    const world = new World(NO_GRAVITY)
    const body = world.addBody({ inertia: [1, 2, 2.5] })
    body.setPosition([5, 6, 7])
    body.setOrientation(rotation(1, 0, 0))
    world.step()
    expect(body.position).toEqual([5, 6, 7])
    expect(body.velocity).toEqual([0, 0, 0])
    expectClose(body.angularVelocity, [0, 0, 0], 0)
    const out: vec3 = [0, 0, 0]
    body.setPosition([0, 0, 0])
    world.interpolate(body, out)
    expect(out).toEqual([0, 0, 0])
  })

  test('an angular impulse turns the body it is given to, by its own inertia', () => {
    const world = new World(NO_GRAVITY)
    world.addBody({ inertia: [8, 8, 8] })
    const second = world.addBody({ inertia: [1, 2, 2.5] })
    const third = world.addBody({ inertia: [4, 5, 6], orientation: rotation(0, 0, Math.PI / 2) })
    second.applyAngularImpulse([1, 1, 1])
    expectClose(second.angularVelocity, [1, 1 / 2, 1 / 2.5], ROUND_OFF)
    // Its x axis is the world's y.
    third.applyAngularImpulse([1, 1, 1])
    expectClose(third.angularVelocity, [1 / 5, 1 / 4, 1 / 6], ROUND_OFF)
  })

  test('what a reached target left of its speeds ends when one of them is set', () => {
    const arrived = (): Body => {
      const world = new World(NO_GRAVITY)
      const body = world.addBody({ type: 'kinematic', inertia: 1 })
      body.setTarget([1, 0, 0], rotation(0, 0, 0.5))
      world.step()
      expect([body.velocity[0] > 0, body.angularVelocity[2] > 0]).toEqual([true, true])
      return body
    }
    const moved = arrived()
    moved.setVelocity([0, 3, 0])
    expect([moved.velocity, moved.angularVelocity]).toEqual([
      [0, 3, 0],
      [0, 0, 0],
    ])
    const turned = arrived()
    turned.setAngularVelocity([0, 3, 0])
    expect([turned.velocity, turned.angularVelocity]).toEqual([
      [0, 0, 0],
      [0, 3, 0],
    ])
  })
})

describe('what is told from its neighbours', () => {
  test('a body that becomes static stops; those beside it go on', () => {
    const world = new World(NO_GRAVITY)
    const [before, body, after] = [0, 1, 2].map((x) =>
      world.addBody({ position: [x, 0, 0], inertia: 1, velocity: [1, 2, 3], angularVelocity: [4, 5, 6] }),
    )
    body.type = 'static'
    for (const other of [before, after]) {
      expect([...other.velocity, ...other.angularVelocity]).toEqual([1, 2, 3, 4, 5, 6])
    }
    expect([...body.velocity, ...body.angularVelocity]).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('a quaternion within 1 % of length 1 is normalised, each part of it', () => {
    const world = new World()
    const q = world.addBody({ inertia: 1, orientation: [0.2, 0.4, 0.4, 0.806] }).orientation
    expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(ROUND_OFF)
    expect(q[1] / q[0]).toBeCloseTo(2, 14)
    expect(q[3] / q[0]).toBeCloseTo(4.03, 14)
  })

  test('bodies that are added at once refuse unknown fields', () => {
    const world = new World()
    const def = { count: 2, positions: new Float64Array(6), masses: new Float64Array(2) }
    expect(() => world.addBodies(def as never)).toThrow(/masses/)
    expect(world.bodies.all()).toEqual([])
  })
})
