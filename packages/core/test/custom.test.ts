import { describe, expect, test } from 'vitest'
import { type Body, custom, type CustomBody, World } from '../src/index.js'
import { rotationBetween, Rows } from '../src/kernel.js'
import { Random, run } from './support/random.js'
import { rod } from './support/link.js'

/** Central differences with a step of 6e-6: h² truncation and ε/h round-off, both near 1e-10. */
const DIFFERENCES = 1e-9
/** Sag is reached by relaxation over some seconds with damping. */
const SETTLED = 1e-6
/** Of a ball's speeds after 3 s [m/s, rad/s]: of second order in a turn of up to 0.05 rad a substep, 6e-6 seen. */
const ROLLED = 5e-5

/** Height of the only body over a plane. */
const height = custom<{ level: number }>({
  name: 'height',
  bodies: 1,
  error: ([body], { level }) => body.position[1] - level,
})

describe('an error function is a constraint', () => {
  test('a gradient by differences is the gradient that is given', () => {
    const params = { p: [0.1, 0.2, -0.3] as const, q: [0.4, 0, 0.1] as const }
    const error = ([a, b]: readonly CustomBody[], { p, q }: typeof params): number => {
      const [u, v] = [a.point(p), b.point(q)]
      return (u[0] - v[0]) * (u[0] - v[0]) + (u[1] - v[1]) * 2 + u[2] * v[2]
    }
    const byDifferences = custom<typeof params>({ name: 'differences', bodies: 2, error })
    const byHand = custom<typeof params>({
      name: 'hand',
      bodies: 2,
      error,
      gradient([a, b], { p, q }, out) {
        const [u, v] = [a.point(p), b.point(q)]
        const g = [
          [2 * (u[0] - v[0]), 2, v[2]],
          [-2 * (u[0] - v[0]), -2, u[2]],
        ]
        ;[a, b].forEach((body, k) => {
          const r = [u, v][k].map((x, i) => x - body.position[i])
          const [x, y, z] = g[k]
          out.linear(k, x, y, z)
          out.angular(k, r[1] * z - r[2] * y, r[2] * x - r[0] * z, r[0] * y - r[1] * x)
        })
      },
    })
    const random = new Random(5)
    for (let trial = 0; trial < 50; trial++) {
      const world = new World()
      const bodies = [0, 1].map(() =>
        world.addBody({ position: random.vector(), orientation: random.rotation(), inertia: 1 }),
      )
      const [J, K] = [byDifferences, byHand].map((type) => {
        const { batch } = world.add(type, { bodies, params })
        const out = new Rows(2, 1, false)
        world.hash()
        type.evaluate(world.bodies.columns, batch, 0, out)
        return out.J
      })
      for (let k = 0; k < 12; k++) expect(Math.abs(J[k] - K[k])).toBeLessThan(DIFFERENCES)
    }
    expect(byHand.traits?.rotatesWithFrame).toBe(true)
    expect(byDifferences.traits?.rotatesWithFrame).toBe(false)
  })

  test('holds an equality, a floor, a ceiling', () => {
    const error = ([body]: readonly CustomBody[]): number => body.position[1]
    const floor = custom({ name: 'floor', bodies: 1, holds: 'atLeast', error })
    const ceiling = custom({ name: 'ceiling', bodies: 1, holds: 'atMost', error })
    const world = new World({ gravity: [0, 0, 0] })
    const thrown = (y: number): ReturnType<World['addBody']> => world.addBody({ velocity: [0, y, 0] })
    const [onFloor, offFloor, atCeiling, offCeiling, held] = [-1, 1, 1, -1, 1].map(thrown)
    for (const body of [onFloor, offFloor]) world.add(floor, { bodies: [body] })
    for (const body of [atCeiling, offCeiling]) world.add(ceiling, { bodies: [body] })
    world.add(height, { bodies: [held], params: { level: 0 } })
    run(world, 30)
    for (const body of [onFloor, atCeiling, held]) expect(Math.abs(body.position[1])).toBeLessThan(DIFFERENCES)
    expect(offFloor.position[1]).toBeCloseTo(0.5, 9)
    expect(offCeiling.position[1]).toBeCloseTo(-0.5, 9)
    for (const body of [onFloor, offFloor]) body.applyForce([0, -1, 0])
    world.step()
    // All but the equality, and the one that now rests on its floor.
    expect(world.report.clampedRows).toBe(3)
  })

  test('turns bodies: a rod between two points keeps its length', () => {
    const world = new World({ substeps: 20 })
    const hook = world.addBody({ type: 'static' })
    const body = world.addBody({ position: [1, 0, 0], inertia: 0.1 })
    const joint = world.add(rod, { bodies: [hook, body], params: { p: [0, 0, 0], q: [-0.2, 0, 0], length: 0.8 } })
    run(world, 60)
    expect(joint.error).toBeLessThan(1e-4)
    expect(Math.abs(body.angularVelocity[2])).toBeGreaterThan(0.1)
  })

  test('sags by compliance times weight, and says so as force', () => {
    const world = new World({ gravity: [0, -10, 0] })
    const bodies = [1, 3].map((mass) => world.addBody({ mass }))
    const [byCompliance, byStiffness] = [{ compliance: 0.002 }, { stiffness: 500 }].map((soft, k) =>
      world.add(height, { bodies: [bodies[k]], params: { level: 0 }, ...soft, damping: 60 }),
    )
    run(world, 600)
    expect(bodies[0].position[1]).toBeCloseTo(-0.02, 6)
    expect(bodies[1].position[1]).toBeCloseTo(-0.06, 6)
    expect(Math.abs(byCompliance.force - 10)).toBeLessThan(10 * SETTLED)
    expect(Math.abs(byStiffness.reaction().force[1] - 30)).toBeLessThan(30 * SETTLED)
    expect(byCompliance.error).toBeCloseTo(0.02, 6)
    expect(world.energy().elastic).toBeCloseTo(0.5 * 500 * (0.02 ** 2 + 0.06 ** 2), 4)
  })

  test('frequency and damping ratio: an oscillator of that frequency', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 200 })
    const body = world.addBody({ position: [0, 0.1, 0], mass: 3 })
    const joint = world.add(height, { bodies: [body], params: { level: 0 }, frequency: 2, dampingRatio: 0 })
    expect(joint.def.compliance).toBeCloseTo(1 / (3 * (4 * Math.PI) ** 2), 12)
    const crossings: number[] = []
    world.onVelocities((_, h) => {
      const [y, v] = [body.position[1], body.velocity[1]]
      if (y * (y - h * v) < 0) crossings.push(crossings.length)
    })
    run(world, 60)
    // Four half periods in a second, the first a quarter in: four crossings.
    expect(crossings).toHaveLength(4)
  })

  test('breaks above its force', () => {
    const world = new World({ gravity: [0, -10, 0] })
    const [light, heavy] = [1, 3].map((mass) => world.addBody({ mass }))
    const [holds, breaks] = [light, heavy].map((body) =>
      world.add(height, { bodies: [body], params: { level: 0 }, breakForce: 20 }),
    )
    run(world, 10)
    expect([holds.broken, breaks.broken]).toEqual([false, true])
    expect([holds.enabled, breaks.enabled]).toEqual([true, false])
    expect(world.brokenConstraints()).toEqual([breaks])
    expect(heavy.position[1]).toBeLessThan(-0.1)
    breaks.set({ params: { level: heavy.position[1] } })
    expect(breaks.broken).toBe(true)
    expect(breaks.enabled).toBe(false)
    breaks.set({ breakForce: Infinity })
    breaks.enabled = true
    expect(breaks.broken).toBe(false)
    run(world, 10)
    expect(breaks.broken).toBe(false)
  })

  test('breakTorque breaks a couple', () => {
    const twist = custom({ name: 'twist', bodies: 1, unit: 'rad', error: ([body]) => body.direction([1, 0, 0])[2] })
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({ inertia: 1 })
    const joint = world.add(twist, { bodies: [body], breakTorque: 5 })
    body.applyTorque([0, 4, 0])
    world.step()
    expect(joint.torque).toBeCloseTo(4, 3)
    expect(joint.force).toBe(0)
    body.applyTorque([0, 6, 0])
    world.step()
    expect(joint.broken).toBe(true)
  })

  test('params can be changed while it runs', () => {
    const world = new World()
    const body = world.addBody({})
    const joint = world.add(height, { bodies: [body], params: { level: 0 } })
    joint.set({ params: { level: 2 } })
    run(world, 5)
    expect(body.position[1]).toBeCloseTo(2, 6)
  })

  test('the error is there right after it is made, and after another was removed', () => {
    const world = new World()
    const bodies = [1, 2, 3].map((y) => world.addBody({ position: [0, y, 0] }))
    const joints = bodies.map((body) => world.add(height, { bodies: [body], params: { level: 0 } }))
    expect(joints.map((joint) => joint.error)).toEqual([1, 2, 3])
    joints[0].remove()
    expect([joints[1].error, joints[2].error]).toEqual([2, 3])
  })
})

describe('rolling without slipping, from a reference that is carried from substep to substep', () => {
  const RADIUS = 0.3
  const [TILT, G, SECONDS, SPIN, ACROSS] = [0.3, 9.81, 3, 5, 1]
  interface Reference {
    x: [number, number, number]
    q: Float64Array
    along: 0 | 2
  }
  const turned = new Float64Array(3)

  /** c = Δx_x + r Δφ_z, or Δx_z − r Δφ_x. */
  const slip = ([ball]: readonly CustomBody[], { x, q, along }: Reference): number => {
    rotationBetween(ball.orientation, 0, q, 0, turned, 0)
    const rolled = along === 0 ? turned[2] : -turned[0]
    return ball.position[along] - x[along] + RADIUS * rolled
  }
  const byRow = custom<Reference>({
    name: 'byRow',
    bodies: 1,
    error: slip,
    gradient(_bodies, { along }, out) {
      out.linear(0, along === 0 ? 1 : 0, 0, along === 2 ? 1 : 0)
      out.angular(0, along === 2 ? -RADIUS : 0, 0, along === 0 ? RADIUS : 0)
    },
  })
  const byDifferences = custom<Reference>({ name: 'byDifferences', bodies: 1, error: slip })

  /** A spinning ball sent across a slope, after some seconds. */
  function rolled(type: typeof byRow): Body {
    const world = new World({ gravity: [G * Math.sin(TILT), -G * Math.cos(TILT), 0] })
    const inertia = 0.4 * RADIUS * RADIUS
    const angularVelocity = [ACROSS / RADIUS, SPIN, 0] as const
    const ball = world.addBody({ position: [0, RADIUS, 0], inertia, velocity: [0, 0, ACROSS], angularVelocity })
    world.add(height, { bodies: [ball], params: { level: RADIUS } })
    const references = ([0, 2] as const).map((along): Reference => ({
      x: [0, RADIUS, 0],
      q: Float64Array.of(0, 0, 0, 1),
      along,
    }))
    for (const params of references) world.add(type, { bodies: [ball], params })
    world.onVelocities(() => {
      for (const { x, q } of references) {
        for (let k = 0; k < 3; k++) x[k] = ball.position[k]
        q.set(ball.orientation)
      }
    })
    run(world, 60 * SECONDS)
    return ball
  }

  test('with the row of the velocity a ball keeps its spin and follows the parabola', () => {
    const ball = rolled(byRow)
    // 5/7 g sin α down the slope, nothing across it, no torque about the normal.
    expect(Math.abs(ball.velocity[0] - (5 / 7) * G * Math.sin(TILT) * SECONDS)).toBeLessThan(ROLLED)
    expect(Math.abs(ball.velocity[2] - ACROSS)).toBeLessThan(ROLLED)
    expect(Math.abs(ball.angularVelocity[1] - SPIN)).toBeLessThan(ROLLED)
  })

  test('differences at the pose reached move spin between axes', () => {
    expect(Math.abs(rolled(byDifferences).angularVelocity[1] - SPIN)).toBeGreaterThan(100 * ROLLED)
  })
})

describe('what is wrong is refused', () => {
  const error = (): number => 0

  test.each([
    [{ name: '', bodies: 1, error }, TypeError, /custom: name must be a text, got/],
    [{ name: 7, bodies: 1, error }, TypeError, /custom: name must be a text, got 7/],
    [{ name: 'x', bodies: 0, error }, RangeError, /custom: bodies must be an integer >= 1, got 0/],
    [{ name: 'x', bodies: 1.5, error }, RangeError, /got 1.5/],
    [{ name: 'x', bodies: 1, error: 3 }, TypeError, /custom: error must be a function, got 3/],
    [{ name: 'x', bodies: 1, error, gradient: 3 }, TypeError, /custom: gradient must be a function, got 3/],
    [{ name: 'x', bodies: 1, error, holds: 'up' }, RangeError, /custom: holds must be .*"up"/],
    [{ name: 'x', bodies: 1, error, unit: 'inch' }, RangeError, /custom: unit must be .*"inch"/],
  ])('%o', (options, kind, message) => {
    const make = (): unknown => custom(options as never)
    expect(make).toThrow(kind)
    expect(make).toThrow(message)
  })

  test('an error that is not finite, a wrong count of bodies, the world as a body, a body twice', () => {
    const world = new World()
    const body = world.addBody({})
    const nan = custom({ name: 'nan', bodies: 1, error: () => NaN })
    expect(() => world.add(nan, { bodies: [body] })).toThrow(/nan: error must be finite at the present pose, got NaN/)
    expect(() => world.add(height, { bodies: [] })).toThrow(/height: bodies must be 1, got 0/)
    expect(() => world.add(height, { bodies: [null as never] })).toThrow(/height: bodies\[0\] must be a body, got null/)
    expect(() => world.add(height, { bodies: body as never })).toThrow(/height: bodies must be an array of bodies/)
    expect(() => world.add(rod, { bodies: [body, body] } as never)).toThrow(/rod: bodies must differ, got body 1 twice/)
    expect(world.constraints()).toHaveLength(0)
    world.add(custom({ name: 'height', bodies: 1, error }) as never, { bodies: [body] } as never)
    expect(() => world.add(height, { bodies: [body], params: { level: 0 } })).toThrow(/height: type names must differ/)
  })
})
