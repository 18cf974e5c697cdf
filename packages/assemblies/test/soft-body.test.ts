import {
  assembliesFromJSON,
  attach,
  softBody,
  softBodyAsset,
  type SoftBodyDef,
  softBodyKind,
  type SoftBodyModel,
} from '@tautline/assemblies'
import { box, Collisions, collisionsFromJSON, plane } from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import type { ElasticReport } from '@tautline/constraints'
import { type Body, fromJSON, solidBox, World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { splitBox, uvSphere } from './support/meshes.js'
import { runs, sample } from '../../core/test/support/runs.js'

const types = Object.values(constraints).filter(
  (type) => typeof type === 'object' && 'evaluate' in type,
) as unknown as AnyType[]
/** Coordinates near 1. */
const ROUND_OFF = 1e-9
/** Share of the energy there is that T + V may gain: errors of the order of the scheme, as for the last guard. */
const GROWTH = 2e-3
/** A body is back when it stores this share of E V: strains of some hundredths. */
const BACK = 1e-3
/** What is slow enough to sleep still creeps in its last step [-]. */
const AS_IT_FELL_ASLEEP = 1e-2
/** Scatters of a soft body, and the share of them that it must come back from: one in six stays tangled. */
const SCATTERS = 4
const MOSTLY = 0.5
/** What is asked of a beam, beside beam theory. */
const BEAM = 0.05
/** How deep a node may be in the floor for a substep [m]: what the last turn leaves of 7 mm. */
const IN_THE_FLOOR = 1e-4
const MODELS: readonly SoftBodyModel[] = ['neoHookean', 'distance', 'shape', 'balloon']

const cube = splitBox(2)
const ball = uvSphere(10, 8, 0.5)
const filled = softBodyAsset({ ...cube, size: 0.34 })
const skin = softBodyAsset({ ...ball, hollow: true })

function steps(world: World, count: number): void {
  for (let k = 0; k < count; k++) world.step()
}

function defOf(model: SoftBodyModel): SoftBodyDef {
  return { asset: model === 'balloon' ? skin : filled, model }
}

describe(`softBody (seed ${SEED})`, () => {
  it.each(MODELS)('of %s weighs what it should, and falls freely with its momenta', (model) => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = softBody(world, { ...defOf(model), mass: 3, velocity: [1, 2, 3] })
    expect(body.mass).toBeCloseTo(3, 9)
    steps(world, 30)
    const { linear } = world.momentum()
    ;[3, 6, 9].forEach((value, k) => expect(Math.abs(linear[k] - value)).toBeLessThan(ROUND_OFF))
    expect(body.centre[0]).toBeCloseTo(0.5, 6)
  })

  it.each(MODELS)('of %s comes to lie on a floor, and sleeps', (model) => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const body = softBody(world, { ...defOf(model), position: [0, 0.6, 0], damping: 0.01 })
    const volume = body.volume
    steps(world, 420)
    expect(body.asleep).toBe(true)
    expect(body.volume / volume).toBeGreaterThan(0.9)
    for (const node of body.nodes) expect(node.position[1]).toBeGreaterThan(0)
    body.wake()
    expect(body.asleep).toBe(false)
  })

  it('a stiff cube that is dropped on an edge stays above the floor, and stores less than it brought', () => {
    const [TILT, FELL] = [0.4, 0.3]
    const world = new World()
    new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
    const cube = softBody(world, {
      ...splitBox(1, 0.4),
      size: 0.1,
      position: [0, 0.6, 0],
      orientation: [Math.sin(TILT / 2), 0, 0, Math.cos(TILT / 2)],
      youngsModulus: 5e6,
      density: 1000,
    })
    const start = world.energy().potential
    for (let step = 0; step < 120; step++) {
      world.step()
      expect((world.report.solvers.elastic as ElasticReport).swept).toBe(0)
      for (const { position } of cube.nodes) expect(position[1]).toBeGreaterThan(-IN_THE_FLOOR)
      const { kinetic, potential, elastic } = world.energy()
      expect(kinetic + potential).toBeLessThan(start)
      expect(elastic).toBeLessThan(FELL * start)
    }
  })

  it(
    'bends as beam theory has it at default substeps: filled by the asset, four edges across',
    { tags: ['thorough'] },
    () => {
      const [E, density, g] = [1e5, 200, 1]
      const [length, side] = [0.4, 0.1]
      const bar = splitBox(1)
      const low = Math.min(...bar.positions)
      const width = Math.max(...bar.positions) - low
      const scaled = bar.positions.map((x, k) => ((k % 3 === 0 ? length : side) * (x - low)) / width)
      const asset = softBodyAsset({ positions: scaled, indices: bar.indices, size: side / 4 })
      expect(asset.report.tetrahedra).toBe(3648)
      const world = new World({ gravity: [0, -g, 0] })
      const material = { youngsModulus: E, poissonRatio: 0.3, density, damping: 5e-4, linearDamping: 2 }
      const body = softBody(world, { asset, ...material, collides: false })
      const ends = [0, length].map((x) => body.nodes.filter((_, v) => Math.abs(asset.positions[3 * v] - x) < 1e-9))
      for (const node of ends[0]) node.type = 'static'
      const before = ends[1].map(({ position }) => position[1])
      steps(world, 150)
      const sag = ends[1].reduce((sum, { position }, k) => sum + before[k] - position[1], 0) / ends[1].length
      // q L⁴/8 E I of bending, and q L²/2 κ G A of shear, κ = 5/6 (Timoshenko).
      const load = density * g * side * side
      const bending = (load * length ** 4) / ((8 * E * side ** 4) / 12)
      const shear = (load * length * length) / 2 / (((5 / 6) * E * side * side) / 2.6)
      expect(Math.abs(sag / (bending + shear) - 1)).toBeLessThan(BEAM)
    },
  )

  it.each(['neoHookean', 'distance', 'balloon'] as const)(
    'of %s stores what its material does when it is a little larger',
    (model) => {
      const world = new World({ gravity: [0, 0, 0] })
      const [E, ratio, strain] = [1e4, 0.3, 1e-4]
      const body = softBody(world, { ...defOf(model), youngsModulus: E, poissonRatio: ratio })
      for (const node of body.nodes) node.setPosition(Array.from(node.position, (x) => x * (1 + strain)) as never)
      const { volume } = body.asset.report
      const bulk = E / (3 * (1 - 2 * ratio))
      const area = body.asset.shares.reduce((sum, part) => sum + part, 0)
      const wanted = {
        neoHookean: 4.5 * bulk * volume,
        distance: 4.5 * (bulk + (2 / 3) * E) * volume,
        // Of its skin alone: what is within does not give way.
        balloon: 0.5 * E * area,
      }[model]
      expect(body.measure().energy / (wanted * strain * strain)).toBeCloseTo(1, 3)
    },
  )

  it.each(sample(['turned inside out', 'pressed flat', 'pressed to a point']))('comes back when it was %s', (how) => {
    for (const shape of sample([cube, ball])) {
      const asset = softBodyAsset({ ...shape, size: 0.25 })
      const world = new World({ gravity: [0, 0, 0] })
      const body = softBody(world, { asset, youngsModulus: 1e5 })
      for (const node of body.nodes) {
        const [x, y, z] = node.position
        if (how === 'turned inside out') node.setPosition([-x, y, z])
        else if (how === 'pressed flat') node.setPosition([x, 0, z])
        else node.setPosition([0, 0, 0])
      }
      steps(world, 480)
      expect(body.measure().energy).toBeLessThan(BACK * 1e5 * asset.report.volume)
      expect(body.volume / asset.report.volume).toBeCloseTo(1, 2)
    }
  })

  it(
    'comes back from most scatters; tetrahedra that lie within each other may hold each other there',
    { tags: ['thorough'] },
    () => {
      let back = 0
      for (let seed = 1; seed <= SCATTERS; seed++) {
        const random = new Random(seed)
        const world = new World({ gravity: [0, 0, 0] })
        const body = softBody(world, { asset: softBodyAsset({ ...cube, size: 0.25 }), youngsModulus: 1e5 })
        for (const node of body.nodes) node.setPosition(random.vector(0.5))
        steps(world, 480)
        if (body.measure().energy < BACK * 1e5 * body.asset.report.volume) back++
      }
      expect(back).toBeGreaterThanOrEqual(MOSTLY * SCATTERS)
    },
  )

  it('is shared out among clusters that overlap, and hold all of it', () => {
    const world = new World()
    const body = softBody(world, { ...defOf('shape'), clusters: 4 })
    expect(body.constraints).toHaveLength(4)
    const times = body.nodes.map((node) => body.constraints.filter((row) => row.bodies.includes(node)).length)
    expect(Math.min(...times)).toBe(1)
    expect(times.filter((count) => count > 1).length).toBeGreaterThan(4)
    for (const row of body.constraints) expect(row.bodies.length).toBeLessThan(0.8 * body.nodes.length)
  })

  it('keeps a dent by shape matching with plasticity, and none without', () => {
    const dent = (plasticity: SoftBodyDef['plasticity']): number => {
      const world = new World({ gravity: [0, 0, 0] })
      const body = softBody(world, { ...defOf('shape'), damping: 0.02, ...(plasticity && { plasticity }) })
      const width = (): number => {
        const xs = body.nodes.map((node) => node.position[0])
        return Math.max(...xs) - Math.min(...xs)
      }
      const before = width()
      for (const node of body.nodes) {
        const [x, y, z] = node.position
        node.setPosition([0.5 * x, y, z])
      }
      steps(world, 180)
      return 1 - width() / before
    }
    expect(dent(undefined)).toBeLessThan(0.01)
    expect(dent({ yield: 0.05, creep: 50, max: 1 })).toBeGreaterThan(0.1)
  })

  it('a balloon is blown up, and holds what it is blown up to', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = softBody(world, { ...ball, pressure: 1.2 })
    expect(body.settings.model).toBe('balloon')
    const rest = body.asset.report.volume
    steps(world, 60)
    expect(body.volume / rest).toBeCloseTo(1.2, 3)
    body.pressure = 0.8
    steps(world, 60)
    expect(body.volume / rest).toBeCloseTo(0.8, 3)
    expect(body.pressure).toBe(0.8)
  })

  it('carries its mesh, with normals outward', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = softBody(world, { ...ball, position: [1, 2, 3], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] })
    const [x, n] = [new Float32Array(ball.positions.length), new Float32Array(ball.positions.length)]
    body.positions(x, n)
    for (let o = 0; o < x.length; o += 3) {
      const [px, py, pz] = ball.positions.slice(o, o + 3)
      expect(x[o]).toBeCloseTo(1 - py, 5)
      expect(x[o + 1]).toBeCloseTo(2 + px, 5)
      expect(x[o + 2]).toBeCloseTo(3 + pz, 5)
      const outward = n[o] * (x[o] - 1) + n[o + 1] * (x[o + 1] - 2) + n[o + 2] * (x[o + 2] - 3)
      // Vertices of the seam at the poles are of no triangle.
      if (n[o] !== 0 || n[o + 1] !== 0 || n[o + 2] !== 0) expect(outward).toBeGreaterThan(0.3)
    }
    expect(() => body.positions(new Float32Array(3))).toThrow(
      /positions: out must be an array of .* numbers, got 3 entries/,
    )
  })

  it('hangs by pins, which move, and on bodies by attach', () => {
    const world = new World()
    const body = softBody(world, { asset: filled, pins: [0], damping: 0.02 })
    const held = body.bodyOf(0)
    const at = Array.from(held.position)
    steps(world, 30)
    expect(Array.from(held.position)).toEqual(at)
    body.movePin(0, [at[0] + 0.1, at[1], at[2]])
    world.step()
    expect(held.position[0]).toBeCloseTo(at[0] + 0.1, 12)
    body.unpin()
    expect(held.type).toBe('dynamic')
    const crate = world.addBody({ position: [0, 3, 0], mass: 1, inertia: solidBox(1, [1, 1, 1]) })
    const hook = attach(world, body.at(5), crate)
    steps(world, 10)
    expect(hook.alive).toBe(true)
  })

  it.each(MODELS)('of %s comes back from JSON and snapshots bit for bit', (model) => {
    const world = new World({ substeps: 3 })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const body = softBody(world, { ...defOf(model), position: [0, 0.7, 0], name: 'jelly', pins: [0] })
    steps(world, 20)
    body.unpin()
    const snapshot = world.snapshot()
    const again = fromJSON(JSON.stringify(world.toJSON()), types, {
      collisions: collisionsFromJSON,
      assemblies: assembliesFromJSON([softBodyKind]),
    })
    const run = (which: World): string => {
      steps(which, 40)
      return which.hash()
    }
    const hash = run(world)
    expect(run(again)).toBe(hash)
    world.restore(snapshot)
    expect(run(world)).toBe(hash)
  })

  it('asleep it stores what it stored when it fell asleep', () => {
    const world = new World()
    new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
    const body = softBody(world, { asset: filled, position: [0, 0.3, 0], youngsModulus: 3e4, damping: 0.05 })
    let before = 0
    for (let k = 0; k < 900 && !body.asleep; k++) {
      before = world.energy().elastic
      world.step()
    }
    expect(body.asleep).toBe(true)
    expect(before).toBeGreaterThan(0)
    expect(Math.abs(world.energy().elastic / before - 1)).toBeLessThan(AS_IT_FELL_ASLEEP)
  })

  it('teleports, and goes with all that it made', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = softBody(world, { asset: filled })
    const before = body.measure()
    body.teleport({ translation: [5, 0, 0], rotation: [0, 1, 0, 0] })
    expect(body.centre[0]).toBeCloseTo(5, 9)
    expect(body.measure().energy).toBeLessThan(ROUND_OFF)
    expect(body.volume).toBeCloseTo(before.volume, 12)
    body.remove()
    expect(body.alive).toBe(false)
    expect(world.constraints()).toHaveLength(0)
    expect(world.bodies.all()).toHaveLength(0)
  })

  it.each(MODELS)('of %s goes on without a node that is removed', (model) => {
    const world = new World()
    const body = softBody(world, { ...defOf(model), pins: [5] })
    const before = body.asset
    const [nodes, volume] = [body.nodes.length, body.volume]
    body.nodes[2].remove()
    expect(body.nodes).toHaveLength(nodes - 1)
    expect(body.nodes.every((node) => node.alive)).toBe(true)
    expect(body.constraints.every((row) => row.alive)).toBe(true)
    expect(body.volume).toBeLessThan(volume)
    expect(body.volume).toBeGreaterThan(0.5 * volume)
    expect(before.shares).toHaveLength(nodes)
    steps(world, 10)
    const again = fromJSON(JSON.stringify(world.toJSON()), types, { assemblies: assembliesFromJSON([softBodyKind]) })
    steps(world, 10)
    steps(again, 10)
    expect(again.hash()).toBe(world.hash())
    body.positions(new Float32Array(3 * body.asset.vertexOf.length))
    expect(Number.isFinite(body.measure().stretch.max)).toBe(true)
  })

  it('thrown, spun, disturbed, turned inside out or pulled, T + V gains nothing', () => {
    const random = new Random(SEED)
    for (let trial = 0; trial < runs(24); trial++) {
      const hz = [30, 60, 90, 144][random.below(4)]
      const world = new World({ substeps: 1 + random.below(8) })
      new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
      const model = MODELS[trial % 4]
      const youngsModulus = 10 ** random.between(2, 6)
      const poissonRatio = random.between(0, 0.499)
      const body = softBody(world, { ...defOf(model), youngsModulus, poissonRatio, position: [0, 2, 0] })
      disturb(random, body.nodes, body.centre)
      // What a rigid row was violated by is repaired without speed.
      if (model === 'balloon') world.step(1 / hz)
      const first = world.energy()
      const most = first.kinetic + first.elastic + body.mass * 9.81
      for (let step = 0; step < hz; step++) {
        world.step(1 / hz)
        const { kinetic, potential } = world.energy()
        expect(kinetic + potential - first.total).toBeLessThanOrEqual(GROWTH * most)
      }
    }
  })

  it('is pushed by what falls on it', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const body = softBody(world, { asset: filled, position: [0, 0.55, 0], surfaceContacts: true })
    const crate = collisions.addBody({ shape: box([0.3, 0.1, 0.3]), position: [0, 1.4, 0], density: 500 })
    steps(world, 120)
    expect(crate.position[1]).toBeGreaterThan(0.8)
    expect(crate.position[1]).toBeLessThan(1.25)
    expect(body.measure().energy).toBeGreaterThan(0)
  })

  it.each([
    [{ positions: undefined }, /softBody: positions or asset must be given/],
    [{ asset: filled }, /give asset or positions, indices, got both/],
    [{ model: 'jelly' }, /softBody: model must be/],
    [{ density: 0 }, /density must be/],
    [{ density: 1, mass: 1 }, /give mass or density, got both/],
    [{ poissonRatio: 0.5 }, /poissonRatio must be within \[0, 0.499\], got 0.5/],
    [{ pressure: 1, model: 'shape' }, /pressure must be left out of model shape \(it is of balloon\), got 1/],
    [{ plasticity: {} }, /plasticity must be left out of model neoHookean \(it is of shape\), got an object/],
    [{ model: 'shape', plasticity: { yeild: 1 } }, /yeild/],
    [{ model: 'shape', clusters: 0 }, /clusters/],
    [{ pins: [1e6] }, /pins\[0\] must be the number of one of/],
    [{ material: 'jelly' }, /material must be/],
    [{ stiffness: 1 }, /stiffness/],
    [{ tetrahedra: [0, 1, 2, 3] }, /tetrahedra/],
    [{ size: 1e-5 }, /size must leave/],
    [{ radius: 0 }, /radius/],
  ])('refuses %j and adds nothing', (fields, message) => {
    const world = new World()
    expect(() => softBody(world, { ...cube, ...fields } as never)).toThrow(message)
    expect(world.bodies.all()).toHaveLength(0)
    expect(world.constraints()).toHaveLength(0)
  })
})

/** One of the ways to start. */
function disturb(random: Random, nodes: readonly Body[], centre: ArrayLike<number>): void {
  const kind = random.below(5)
  const [spin, speed] = [random.vector(20), random.vector(10)]
  const scale = random.between(0.3, 3)
  for (const node of nodes) {
    const [x, y, z] = [0, 1, 2].map((k) => node.position[k] - centre[k])
    const turning = [spin[1] * z - spin[2] * y, spin[2] * x - spin[0] * z, spin[0] * y - spin[1] * x]
    if (kind === 0) node.setVelocity(speed)
    else if (kind === 1) node.setVelocity([turning[0] + speed[0], turning[1] + speed[1], turning[2] + speed[2]])
    else if (kind === 2) {
      const shift = random.vector(0.1)
      node.setPosition([node.position[0] + shift[0], node.position[1] + shift[1], node.position[2] + shift[2]])
    } else node.setPosition([centre[0] + (kind === 3 ? -x : scale * x), node.position[1], node.position[2]])
  }
}
