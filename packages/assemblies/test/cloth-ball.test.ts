import { describe, expect, it } from 'vitest'
import { cloth, type Cloth, type ClothDef } from '@tautline/assemblies'
import { box, Collisions, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { sheet } from './support/meshes.js'

/** Vertices a side. */
const N = 12
/** Momentum is kept to this share of what the ball had. */
const ROUND_OFF = 1e-12
/** Share by which energy may grow: what the guard allows. */
const GROWTH = 2e-3
/** Where the ball comes to a stop [m]: cotton gives way by about as much as 3.4 kJ stretch it; a ball that passes is 3 m on. */
const DEEPEST = 1.3

/** What a sheet of 1 m gives way by at most [m], held at its corners by threads that stretch a little when they are struck. */
const BULGE = 0.6

const EDGES = Array.from({ length: N * N }, (_, v) => v).filter(
  (v) => v % N === 0 || v % N === N - 1 || v < N || v >= N * (N - 1),
)

interface Shot {
  readonly mass: number
  readonly speed: number
  readonly radius: number
  readonly substeps: number
}

/** A sail that lies in y = 0, and a ball that flies up through its middle. */
function shoot({ mass, speed, radius, substeps }: Shot, fields: Partial<ClothDef>) {
  const world = new World({ gravity: [0, 0, 0], substeps })
  const collisions = new Collisions(world)
  const sail = cloth(world, { ...sheet(N, N, 1.5), ...fields })
  const [x, , z] = sail.centre
  const ball = collisions.addBody({
    shape: sphere(radius),
    mass,
    position: [x + 0.02, sail.vertices[0].position[1] - radius - 0.1, z + 0.03],
    velocity: [0, speed, 0],
  })
  return { world, sail, ball }
}

function kinetic(sail: Cloth, ball: Body): number {
  let sum = 0
  for (const body of [...sail.vertices, ball]) {
    if (body.type !== 'dynamic') continue
    const [x, y, z] = body.velocity
    sum += 0.5 * body.mass * (x * x + y * y + z * z)
  }
  return sum
}

describe('cloth that a heavy ball strikes', () => {
  it.each([
    ['threads that do not stretch', {}],
    ['cotton', { material: 'cotton' }],
    ['cotton whose surface touches', { material: 'cotton', surfaceContacts: true }],
  ] as const)('holds 30 kg at 15 m/s: %s', (_, fields) => {
    const shot = { mass: 30, speed: 15, radius: 0.3, substeps: 8 }
    const { world, sail, ball } = shoot(shot, { ...fields, pins: EDGES })
    for (let k = 0; k < 24; k++) {
      world.step()
      expect(ball.position[1]).toBeLessThan(DEEPEST)
    }
    expect(ball.velocity[1]).toBeLessThan(0)
    expect(kinetic(sail, ball)).toBeLessThan((1 + GROWTH) * 0.5 * 30 * 15 * 15)
  })

  it('bears what rests on it', () => {
    const shot = { mass: 30, speed: 0, radius: 0.3, substeps: 8 }
    const { world, ball } = shoot(shot, { material: 'cotton', pins: EDGES })
    world.configure({ gravity: [0, 9.81, 0] })
    for (let k = 0; k < 90; k++) {
      world.step()
      expect(ball.position[1]).toBeLessThan(0.5)
    }
  })

  it('holds loads of 100 and 1000 times its mass with threads that do not stretch', () => {
    for (const [mass, most] of [
      [20, 0.2],
      [200, 0.4],
    ]) {
      const world = new World()
      const collisions = new Collisions(world)
      const sail = cloth(world, { ...sheet(N, N, 1), pins: EDGES })
      const [x, y, z] = sail.centre
      const ball = collisions.addBody({ shape: sphere(0.15), mass, position: [x + 0.01, y + 0.17, z + 0.02] })
      for (let k = 0; k < 120; k++) {
        world.step()
        expect(sail.measure().stretch.max).toBeLessThan(most)
      }
      expect(ball.position[1]).toBeGreaterThan(y)
    }
  })

  it('keeps momentum, and gains nothing in flight', () => {
    const random = new Random(SEED)
    for (let k = 0; k < 6; k++) {
      const shot = {
        mass: 10 ** random.between(-1, 2),
        speed: random.between(1, 30),
        radius: random.between(0.1, 0.4),
        substeps: 1 + Math.floor(random.between(0, 8)),
      }
      const { world, sail, ball } = shoot(shot, k % 2 === 0 ? {} : { material: 'cotton', surfaceContacts: true })
      const energy = kinetic(sail, ball)
      for (let step = 0; step < 20; step++) {
        world.step()
        const { linear } = world.momentum()
        expect(Math.abs(linear[1] / (shot.mass * shot.speed) - 1)).toBeLessThan(ROUND_OFF * 100)
        expect(kinetic(sail, ball)).toBeLessThan((1 + GROWTH) * energy)
      }
    }
  })
})

describe('cloth that a light ball strikes', () => {
  const n = 15
  const rim = Array.from({ length: n * n }, (_, v) => v).filter(
    (v) => v % n === 0 || v % n === n - 1 || v < n || v >= n * (n - 1),
  )
  const corners = [0, n - 1, n * (n - 1), n * n - 1]

  it.each([
    ['smaller than the gaps between vertices, at 20 m/s', 0.05, 0.03, 20],
    ['smaller than the gaps between vertices, at 60 m/s', 0.05, 0.03, 60],
    ['wider than the gaps between vertices, at 60 m/s', 0.5, 0.1, 60],
  ])('stops a ball %s', (_, mass, radius, speed) => {
    for (const pins of [rim, corners]) {
      for (const [dx, dz] of [
        [0.02, 0.03],
        [-0.03, 0.11],
        [0, 0],
      ]) {
        const world = new World({ gravity: [0, 0, 0] })
        const collisions = new Collisions(world)
        const sail = cloth(world, { ...sheet(n, n, 1), pins })
        const [x, y, z] = sail.centre
        const position = [x + dx, y - radius - 0.15, z + dz] as const
        const ball = collisions.addBody({ shape: sphere(radius), mass, position, velocity: [0, speed, 0] })
        for (let step = 0; step < 30; step++) world.step()
        expect(ball.position[1]).toBeLessThan(y)
      }
    }
  })

  it(`stops bodies wider than its quads (seed ${SEED})`, () => {
    const random = new Random(SEED)
    for (let k = 0; k < runs(8); k++) {
      const size = random.between(0.08, 0.12)
      const world = new World({ gravity: [0, 0, 0] })
      const collisions = new Collisions(world)
      const sail = cloth(world, { ...sheet(n, n, 1), pins: k % 2 === 0 ? rim : corners })
      const [x, y, z] = sail.centre
      const ball = collisions.addBody({
        shape: k % 3 === 0 ? box([size, size, size]) : sphere(size),
        mass: random.between(500, 4000) * size ** 3,
        position: [x + random.between(-0.2, 0.2), y - 0.3, z + random.between(-0.2, 0.2)],
        velocity: [0, random.between(20, 90), 0],
      })
      for (let step = 0; step < 30; step++) {
        world.step()
        expect(ball.position[1]).toBeLessThan(y + BULGE)
      }
    }
  })

  it('meets it with edges and triangles only where it can pass between vertices', () => {
    const rows = [0.04, 0.2].map((radius) => {
      const world = new World()
      const collisions = new Collisions(world)
      collisions.addCollider(null, { shape: sphere(radius) })
      const sail = cloth(world, { ...sheet(n, n, 1), position: [0, radius + 0.012, 0] })
      world.step()
      expect(sail.settings.surfaceContacts).toBe('auto')
      return world.batches.find(({ type }) => type.name === 'particleFaceContact')?.count ?? 0
    })
    expect(rows[0]).toBeGreaterThan(0)
    expect(rows[1]).toBe(0)
  })
})
