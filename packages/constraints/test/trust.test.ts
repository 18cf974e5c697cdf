import { type Body, type ConstraintType, custom, fromJSON, World, type WorldOptions } from '@tautline/core'
import { type BodyColumns } from '@tautline/core/kernel'
import { describe, expect, test } from 'vitest'
import {
  angularDrive,
  axle,
  ballSocket,
  distance,
  lineDistance,
  fixed,
  hinge,
  slider,
  swingTwist,
  tetraVolume,
  universal,
} from '../src/index.js'
import * as constraints from '../src/index.js'

const SIZES = {
  position: 4,
  orientation: 4,
  velocity: 3,
  angularVelocity: 3,
  inverseInertia: 9,
  jointAcceleration: 6,
} as const
/** Substeps after which a row that is never finite is off: four steps of eight. */
const STEPS_TO_OFF = 5

/** Columns of bodies that hold something which is not finite. */
function notFinite(world: World): string[] {
  const c: BodyColumns = world.bodies.columns
  return Object.entries(SIZES).flatMap(([name, size]) =>
    c[name as keyof typeof SIZES].subarray(0, size * world.bodies.count).every(Number.isFinite) ? [] : [name],
  )
}

function run(world: World, steps: number): void {
  for (let k = 0; k < steps; k++) world.step()
}

/** A pendulum that nothing bad is joined to. */
function pendulum(world: World): Body {
  const bob = world.addParticle({ position: [1, 50, 0] })
  world.add(distance, { a: bob, b: null, anchorB: [0, 50, 0] })
  return bob
}

/** A constraint whose error is no number from the `from`-th time on that it is asked for, `times` times. */
function broken(from: number, times: number): ReturnType<typeof custom> {
  let asked = 0
  return custom({
    name: 'broken',
    bodies: 2,
    error: ([a, b]) => (++asked >= from && asked < from + times ? NaN : a.position[1] - b.position[1] + 1),
  })
}

const OPTIONS: WorldOptions[] = [
  {},
  { solver: 'sweep' },
  { solver: 'direct' },
  { jacobians: 'frozen' },
  { jacobians: 'start' },
  { warmStart: 0.5, iterations: 3 },
]

const POISONS: Record<string, (world: World) => void> = {
  'an anchor of the world at 1e200': (world) => {
    const a = world.addBody({ inertia: 1 })
    world.add(ballSocket, { a, b: null, anchorA: [1, 0, 0], anchorB: [1e200, 0, 0] })
  },
  'the same, anchors at one point': (world) => {
    world.add(ballSocket, { a: world.addBody({ inertia: 1 }), b: null, anchorB: [1e200, 0, 0] })
  },
  'an inertia next to nothing': (world) => {
    world.add(ballSocket, { a: world.addBody({ inertia: 1e-307 }), b: null, anchorA: [1e3, 0, 0] })
  },
  'an error that is no number once': (world) => {
    const a = world.addBody({ inertia: 1, position: [0, -1, 0] })
    world.add(broken(40, 1), { bodies: [a, world.addBody({ type: 'static' })] })
  },
  'an error that is no number for good': (world) => {
    const a = world.addBody({ inertia: 1, position: [0, -1, 0] })
    world.add(broken(40, Infinity), { bodies: [a, world.addBody({ type: 'static' })] })
  },
  'a kinematic body at 1e308 m/s': (world) => {
    const b = world.addBody({ type: 'kinematic', velocity: [1e308, -1e308, 0], angularVelocity: [1e308, 1e308, 0] })
    world.add(distance, { a: world.addParticle({ position: [1, 0, 0] }), b })
  },
  'a step of 1e-300 s': (world) => {
    world.add(ballSocket, { a: world.addBody({ inertia: 1 }), b: null, anchorA: [1, 0, 0], compliance: 1e-3 })
    world.step(1e-300)
  },
  'a volume that cannot be': (world) => {
    const nodes = Array.from({ length: 16 }, (_, k) => world.addParticle({ position: [k % 4, 0, k >> 2] }))
    nodes.forEach((a, k) => {
      if (k % 4 < 3) world.add(lineDistance, { a, b: nodes[k + 1] })
      if (k < 12) world.add(lineDistance, { a, b: nodes[k + 4] })
    })
    world.add(distance, { a: nodes[0], b: null, anchorB: [0, 1, 0] })
    world.add(tetraVolume, { bodies: [nodes[0], nodes[1], nodes[4], nodes[5]], volume: -0.49 })
  },
}

describe.each(OPTIONS.map((options) => [JSON.stringify(options), options] as const))(
  'what is not finite, %s',
  (_, options) => {
    test.each(Object.keys(POISONS))('%s: nothing becomes NaN, what does not move stays, the rest goes on', (name) => {
      const world = new World(options)
      const still = world.addBody({ type: 'static', position: [0.1, 0.2, 0.3], orientation: [0.6, 0, 0, 0.8] })
      world.add(fixed, { a: world.addBody({ inertia: 1 }), b: still, breakForce: 1e9 })
      const bob = pendulum(world)
      const clean = new World(options)
      const other = pendulum(clean)
      POISONS[name](world)
      if (name.startsWith('a step')) clean.step(1e-300)
      const { position, orientation } = world.bodies.columns
      const before = [...position.slice(0, 3), ...orientation.slice(0, 4), ...still.position, ...still.orientation]
      for (let k = 0; k < 60; k++) {
        run(world, 1)
        run(clean, 1)
        expect(notFinite(world)).toEqual([])
      }
      const { position: x, orientation: q } = world.bodies.columns
      expect([...x.slice(0, 3), ...q.slice(0, 4), ...still.position, ...still.orientation]).toEqual(before)
      expect(bob.position).toEqual(other.position)
      for (const { handle } of world.constraints().map((handle) => ({ handle }))) {
        expect(handle.multipliers.every(Number.isFinite)).toBe(true)
      }
    })
  },
)

describe('a row that is not finite', () => {
  const build = (times: number): { world: World; type: ReturnType<typeof custom>; a: Body } => {
    const world = new World()
    const type = broken(40, times)
    const a = world.addBody({ inertia: 1, position: [0, -1, 0] })
    world.add(type, { bodies: [a, world.addBody({ type: 'static' })] })
    return { world, type, a }
  }

  test('is named while it lasts, and acts again after it', () => {
    const { world, a } = build(5)
    const [row] = world.constraints()
    let named = 0
    for (let k = 0; k < 10; k++) {
      world.step()
      const { skipped } = world.report
      if (skipped.length > 0) named++
      for (const one of skipped) expect([one.slot, one.typeName]).toEqual([row.slot, 'broken'])
    }
    expect(named).toBeGreaterThan(0)
    expect(world.report.skipped).toEqual([])
    expect(row.enabled).toBe(true)
    expect(row.error).toBeLessThan(1e-6)
    expect(a.frozen).toBe(false)
  })

  test('is switched off where it stays so, in snapshots and JSON as well, until it is switched on', () => {
    const { world, type, a } = build(Infinity)
    const [row] = world.constraints()
    run(world, 2)
    const snapshot = world.snapshot()
    const copy = fromJSON(JSON.stringify(world), [type])
    run(world, STEPS_TO_OFF)
    run(copy, STEPS_TO_OFF)
    expect(row.enabled).toBe(false)
    expect(copy.hash()).toBe(world.hash())
    const again = fromJSON(JSON.stringify(world), [type])
    for (const { report } of [world, copy, again]) expect(report.skipped.map(({ enabled }) => enabled)).toEqual([false])
    expect(a.velocity[1]).toBeLessThan(-0.1)
    world.restore(snapshot)
    expect(row.enabled).toBe(true)
    run(world, STEPS_TO_OFF)
    expect(world.hash()).toBe(copy.hash())
    row.enabled = true
    expect([row.enabled, world.report.skipped]).toEqual([true, []])
  })

  test('of a tree takes only itself out: the others hold', () => {
    const world = new World({ solver: 'direct' })
    const links = [1, 2, 3].map((k) => world.addBody({ inertia: 0.1, position: [k, 0, 0] }))
    const joints = links.map((b, k) =>
      world.add(hinge, { a: k === 0 ? null : links[k - 1], b, point: [k + 0.5, 0, 0], axis: [0, 0, 1] }),
    )
    const bad = world.add(ballSocket, { a: links[2], b: null, anchorA: [1e160, 0, 0], anchorB: [1e160, 0, 0] })
    run(world, 30)
    expect(bad.enabled).toBe(false)
    expect(notFinite(world)).toEqual([])
    for (const joint of joints) expect(joint.error).toBeLessThan(1e-6)
    expect(links[2].position[1]).toBeLessThan(-0.3)
  })
})

test('velocities that a hook loses are found in the same step', () => {
  const world = new World()
  const a = world.addBody({ inertia: 1 })
  let calls = 0
  world.onVelocities(({ bodies }) => {
    if (++calls === 8) bodies.columns.velocity[3 * a.index] = NaN
  })
  world.step()
  expect(a.velocity).toEqual([0, 0, 0])
  expect(world.report.nonFinite).toEqual([a])
})

describe('JSON of joints', () => {
  const joints = {
    angularDrive: (world: World, a: Body, b: Body) => world.add(angularDrive, { a, b, stiffness: 1 }),
    axle: (world: World, a: Body, b: Body) => world.add(axle, { a, b, axis: [1, 0, 0] }),
    fixed: (world: World, a: Body, b: Body) => world.add(fixed, { a, b, point: [0, 0, 0] }),
    hinge: (world: World, a: Body, b: Body) => world.add(hinge, { a, b, point: [0, 0, 0], axis: [0, 1, 0] }),
    slider: (world: World, a: Body, b: Body) => world.add(slider, { a, b, point: [0, 0, 0], axis: [1, 0, 0] }),
    swingTwist: (world: World, a: Body, b: Body) => world.add(swingTwist, { a, b, point: [0, 0, 0], axis: [1, 0, 0] }),
    universal: (world: World, a: Body, b: Body) =>
      world.add(universal, { a, b, point: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0] }),
  }
  const types = [angularDrive, axle, fixed, hinge, slider, swingTwist, universal]

  test.each(Object.entries(joints))('%s whose bodies have lost their inertia is read, and may be changed', (_, add) => {
    const world = new World()
    const [a, b] = [0, 1].map((x) => world.addBody({ inertia: 1, position: [x, 0, 0] }))
    const joint = add(world, a, b)
    a.setMass(2)
    b.setMass(3)
    const copy = fromJSON(JSON.stringify(world), types)
    run(world, 3)
    run(copy, 3)
    expect(copy.hash()).toBe(world.hash())
    joint.set({ relaxation: 0.9 })
    expect(() => add(world, a, b)).toThrow(/must have inertia/)
  })
})

test('an unknown field is refused with each that is known, once', () => {
  const world = new World()
  const body = world.addBody({ inertia: 1 })
  const types: readonly unknown[] = Object.values(constraints)
  const isType = (value: unknown): value is ConstraintType<object> =>
    typeof value === 'object' && value !== null && 'resolve' in value
  const refused: string[] = []
  for (const type of types.filter(isType)) {
    const bodies = type.fields?.includes('bodies') === true ? { bodies: [body] } : { a: body }
    const add = (): unknown => world.add(type, { ...bodies, lenght: 1 })
    try {
      add()
    } catch (error) {
      const known = /known fields only \(([^)]*)\), got lenght: 1/.exec((error as Error).message)?.[1].split(', ')
      if (known === undefined) continue
      expect(known, type.name).toEqual([...new Set(known)])
      refused.push(type.name)
    }
  }
  expect(refused).toContain('hinge')
})
