import { fc, test as property } from '@fast-check/vitest'
import { box, Collisions, collisionsFromJSON, plane } from '@tautline/collision'
import { hinge, slider } from '@tautline/constraints'
import { fromJSON, World } from '@tautline/core'
import type { vec3 } from 'gl-matrix'
import { describe, expect, it } from 'vitest'
import { Assemblies, assembliesFromJSON, vehicle, type Vehicle, type VehicleDef, vehicleKind } from '../src/index.js'
import { runs, sample } from '../../core/test/support/runs.js'

const WHEELS = [1.3, -1.3].flatMap((z) =>
  [0.8, -0.8].map((x) => ({ position: [x, -0.35, z] as vec3, radius: 0.35, steered: z > 0 })),
)

function scene(
  options: ConstructorParameters<typeof World>[0] = {},
  more: Partial<VehicleDef> = {},
  at: vec3 = [0, 0.7, 0],
) {
  const world = new World(options)
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: 1 })
  const chassis = collisions.addBody({ shape: box([0.8, 0.25, 2]), mass: 1200, position: at })
  const car = vehicle(world, { chassis, wheels: WHEELS, ...more })
  return { world, collisions, chassis, car }
}

function run(world: World, seconds: number): void {
  for (let k = 0; k < Math.round(seconds / world.settings.dt); k++) world.step()
}

function worstGap(world: World): number {
  return Math.max(0, ...Object.values(world.residual()).map(({ linear }) => linear?.max ?? 0))
}

describe('vehicle', () => {
  it.each(sample([60, 30, 144]))('stands where its wheels were put, and drives, steers and brakes at %i Hz', (rate) => {
    const { world, car, chassis } = scene({ dt: 1 / rate })
    run(world, 1.5)
    // A contact gives way by less than a centimetre under a ton, springs are pre-loaded.
    expect(Math.abs(chassis.position[1] - 0.7)).toBeLessThan(0.01)
    expect(chassis.asleep).toBe(true)
    car.control({ throttle: 1 })
    run(world, 1)
    // F = T/r: 1440 N m over 0.35 m at 1344 kg with wheels that turn are 2.9 m/s².
    expect(car.speed).toBeGreaterThan(2.7)
    expect(car.speed).toBeLessThan(3.1)
    expect(Math.abs(chassis.position[0])).toBeLessThan(0.01)
    car.control({ throttle: 0, steer: 1 })
    run(world, 0.6)
    expect(chassis.position[0]).toBeGreaterThan(0.05)
    const [inner, outer] = car.wheels
    expect(inner.angle).toBeGreaterThan(outer.angle)
    car.control({ steer: 0, brake: 1 })
    run(world, 1)
    expect(Math.abs(car.speed)).toBeLessThan(0.01)
    expect(worstGap(world)).toBeLessThan(0.02)
  })

  it('goes back, and holds on a slope by its brakes', () => {
    const { world, car } = scene({ gravity: [0, -9.5, 2.4] })
    car.control({ brake: 1 })
    run(world, 3)
    const before = car.chassis.position[2]
    run(world, 3)
    expect(Math.abs(car.chassis.position[2] - before)).toBeLessThan(0.01)
    car.control({ brake: 0, throttle: -1 })
    run(world, 3)
    expect(car.speed).toBeLessThan(-1)
  })

  it('drifts by the handbrake', () => {
    const { world, car } = scene()
    car.control({ throttle: 1 })
    run(world, 3)
    car.control({ throttle: 0, handbrake: 1, steer: 0.5 })
    run(world, 0.7)
    const [, , rear] = car.wheels
    expect(Math.abs(rear.spin * rear.radius)).toBeLessThan(0.3 * Math.hypot(...car.chassis.velocity))
  })

  property.prop(
    [
      fc.array(fc.double({ min: -6, max: 6, noNaN: true }), { minLength: 6, maxLength: 6 }),
      fc.constantFrom(30, 60, 144),
      fc.integer({ min: 1, max: 8 }),
      fc.double({ min: 0, max: 6.28, noNaN: true }),
    ],
    { numRuns: runs(5) },
  )('thrown and flipped it gains nothing', (v, rate, substeps, roll) => {
    const { world, car, chassis } = scene({ dt: 1 / rate, substeps, energyLedger: true }, {}, [0, 3, 0])
    car.teleport({ rotation: [0, 0, Math.sin(roll / 2), Math.cos(roll / 2)], about: chassis.position })
    for (const body of car.bodies) {
      body.setVelocity([v[0], v[1], v[2]])
    }
    chassis.setAngularVelocity([v[3], v[4], v[5]])
    const start = world.energy().total
    let most = 0
    for (let k = 0; k < 1.5 * rate; k++) {
      world.step()
      most = Math.max(most, world.energy().total)
    }
    const { drives = 0, user = 0 } = world.energy().ledger ?? {}
    // Springs are drives with pre-load: what they hold is no more than what they gave and took.
    expect(most).toBeLessThan(start + Math.abs(drives) + Math.abs(user) + 0.02 * start)
    for (const { velocity } of car.bodies) expect(Math.hypot(...velocity)).toBeLessThan(40)
  })

  it('is saved and read back, bit for bit', () => {
    const { world, car } = scene()
    car.control({ throttle: 0.7, steer: -0.4 })
    run(world, 1)
    const copy = fromJSON(JSON.stringify(world), [hinge, slider] as never, {
      collisions: collisionsFromJSON,
      assemblies: assembliesFromJSON([vehicleKind]),
    })
    const again = Assemblies.of(copy).all[0] as Vehicle
    expect(again.controls).toEqual(car.controls)
    const snapshot = world.snapshot()
    for (const [one, it] of [
      [world, car],
      [copy, again],
    ] as const) {
      it.control({ steer: 1 })
      run(one, 1)
    }
    expect(copy.hash()).toBe(world.hash())
    const hash = world.hash()
    world.restore(snapshot)
    car.control({ steer: 1 })
    run(world, 1)
    expect(world.hash()).toBe(hash)
  })

  it('goes as a whole, and goes on without a wheel', () => {
    const { world, car } = scene()
    car.wheels[3].body.remove()
    car.control({ throttle: 1, steer: 1 })
    run(world, 1)
    expect(car.wheels.length).toBe(3)
    car.remove()
    expect(world.bodies.all().length).toBe(0)
    expect(world.constraints().length).toBe(0)
  })

  it('bears by where its wheels are', () => {
    const { world, car } = scene({}, { wheels: [...WHEELS.slice(0, 2), { position: [0, -0.35, -0.8], driven: false }] })
    run(world, 2)
    for (const { compression } of car.wheels) expect(Math.abs(compression)).toBeLessThan(0.005)
  })

  it('refuses what is wrong, and adds nothing', () => {
    const { world, chassis, collisions } = scene()
    const count = world.bodies.all().length
    const bad: [Partial<VehicleDef> & Record<string, unknown>, RegExp][] = [
      [{ wheels: [] }, /wheels must be at least one/],
      [{ wheels: [{ position: [0, 0, NaN] }] }, /wheels\[0\]: position/],
      [{ wheels: [{ position: [0, 0, 0], radius: -1 }] }, /wheels\[0\]: radius must be > 0/],
      [{ maxSteer: 2 }, /maxSteer must be below/],
      [{ forward: [0, 1, 0] }, /forward must not be along up/],
      [{ torque: 3 }, /torque/],
      [{ suspensionTravel: 0 }, /suspensionTravel/],
    ]
    for (const [more, message] of bad) {
      expect(() => vehicle(world, { chassis, wheels: WHEELS, ...more } as VehicleDef)).toThrow(message)
    }
    const particle = world.addParticle({ position: [0, 1, 0] })
    expect(() => vehicle(world, { chassis: particle, wheels: WHEELS })).toThrow(/chassis must be a dynamic body/)
    expect(() => vehicle(new World(), { chassis, wheels: WHEELS })).toThrow(RangeError)
    expect(world.bodies.all().length).toBe(count + 1)
    const car = Assemblies.of(collisions.world).all[0] as Vehicle
    expect(() => car.control({ throttle: 2 })).toThrow('throttle must be in [−1, 1], got 2')
    expect(() => car.control({ gas: 1 } as never)).toThrow(/gas/)
  })
})
