/** Surfaces that meet each other: none passes another, counted exactly; nothing is gained, momentum stays; what is tangled stays as it is. */

import { distance } from '../../constraints/src/index.js'
import { type Body, fromJSON } from '@tautline/core'
import fc from 'fast-check'
import type { vec3 } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { IS_THOROUGH, runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  addParticles,
  Collisions,
  collisionsFromJSON,
  particleEvents,
  type ParticleSet,
  particleSets,
  plane,
} from '../src/index.js'
import { countCrossings } from './support/crossings.js'
import { future, run, scene, type Scene, weightless } from './support/scene.js'

/** Round-off of the energy of some dozens of particles, and of their momentum. */
const ROUND_OFF = 1e-9
const MOMENTUM = 1e-11

/** How many edges of sets pass through triangles. */
function crossings(sets: readonly ParticleSet[]): number {
  const at: number[] = []
  const edges: number[] = []
  const triangles: number[] = []
  for (const set of sets) {
    const first = at.length / 3
    for (const body of set.bodies) at.push(...body!.position)
    edges.push(...Array.from(set.edges, (k) => first + k))
    triangles.push(...Array.from(set.triangles, (k) => first + k))
  }
  return countCrossings(at, edges, triangles)
}

/** Triangles and edges by themselves that fly through each other from two sides. */
function soup(random: Random, options: object): { s: Scene; sets: ParticleSet[]; speed: number } {
  const s = weightless({ substeps: 1 + random.below(8), ...options })
  const speed = random.between(1, 60)
  const count = 1 + random.below(2)
  const sets = Array.from({ length: count }, () => ({
    bodies: [] as Body[],
    triangles: [] as number[],
    edges: [] as number[],
  }))
  for (let f = 0; f < 14; f++) {
    const side = f % 2 === 0 ? -1 : 1
    const { bodies, triangles, edges } = sets[f % count]
    const corners = random.chance(0.8) ? 3 : 2
    const first = bodies.length
    const centre = [side * random.between(0.5, 2.5), random.between(-0.5, 0.5), random.between(-0.5, 0.5)]
    for (let k = 0; k < corners; k++) {
      const position = centre.map((x) => x + random.between(-0.4, 0.4)) as vec3
      const velocity: vec3 = [-side * speed, random.between(-3, 3), random.between(-3, 3)]
      bodies.push(s.world.addParticle({ position, velocity, mass: Math.pow(10, random.between(-2, 2)) }))
    }
    if (corners === 3) triangles.push(first, first + 1, first + 2)
    else edges.push(first, first + 1)
  }
  const radius = random.between(0.002, 0.03)
  const friction = random.next()
  return {
    s,
    speed,
    sets: sets.map(({ bodies, ...parts }) =>
      addParticles(s.collisions, bodies, { radius, friction, ...parts, selfCollision: 'surface' }),
    ),
  }
}

test(`what is thrown at each other never passes, gains nothing and keeps its momentum (seed ${SEED})`, () => {
  const property = fc.property(fc.integer(), (seed) => {
    const random = new Random(seed)
    const { s, sets, speed } = soup(random, { energyGuard: false })
    const began = crossings(sets)
    let energy = s.world.energy().kinetic
    const before = s.world.momentum().linear
    const scale = energy / speed
    for (let k = 0; k < 40; k++) {
      s.world.step(random.between(1 / 144, 1 / 30))
      const after = s.world.energy().kinetic
      expect(after).toBeLessThan(energy * (1 + ROUND_OFF))
      energy = after
      if (began === 0) expect(crossings(sets)).toBe(0)
    }
    const after = s.world.momentum().linear
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(MOMENTUM * scale)
  })
  fc.assert(property, { numRuns: runs(25), seed: SEED })
})

/** Cloth that stands on its edge, thin for its mesh, so that particles alone do not keep it from passing itself. */
function falling(kind: 'vertices' | 'surface', n: number, substeps: number): { s: Scene; set: ParticleSet } {
  const s = scene({ substeps })
  const side = 1 / (n - 1)
  const particles: Body[] = []
  const triangles: number[] = []
  for (let k = 0; k < n * n; k++) {
    const [x, y] = [side * (k % n), side * Math.floor(k / n)]
    // Not quite flat: it has to know where to fold. In closed form, the same on every engine.
    const z = 0.05 * (4 * x * (1 - x) - 0.5) * (8 * y * (1 - y) * (0.5 - y))
    particles.push(s.world.addParticle({ position: [x, 0.05 + y, z], mass: 0.2 / (n * n) }))
  }
  const tie = (a: number, b: number, compliance = 0): void =>
    void s.world.add(distance, { a: particles[a], b: particles[b], compliance })
  for (let k = 0; k < n * n; k++) {
    const isRow = (k + 1) % n !== 0
    const isColumn = k + n < n * n
    if (isRow) tie(k, k + 1)
    if (isColumn) tie(k, k + n)
    if (!isRow || !isColumn) continue
    tie(k, k + n + 1, 1e-4)
    tie(k + 1, k + n, 1e-4)
    triangles.push(k, k + 1, k + n, k + 1, k + n + 1, k + n)
  }
  s.collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.3 })
  const set = addParticles(s.collisions, particles, {
    radius: 0.15 * side,
    friction: 0.3,
    triangles,
    selfCollision: kind,
  })
  return { s, set }
}

test('cloth that falls and folds: no edge passes a triangle; balls alone let many', () => {
  const { s, set } = falling('surface', 9, 4)
  for (let k = 0; k < (IS_THOROUGH ? 600 : 120); k++) {
    s.world.step()
    if (k % 10 === 0) expect(crossings([set])).toBe(0)
  }
  expect(s.world.solvers.map(({ name }) => name)).toContain('particleSurfaces')
  const cheap = falling('vertices', 9, 4)
  let worst = 0
  for (let k = 0; k < 120; k++) {
    cheap.s.world.step()
    worst = Math.max(worst, crossings([cheap.set]))
  }
  expect(worst).toBeGreaterThan(0)
})

describe('a pair', () => {
  /** A triangle that lies still, and a particle of an edge above its middle. */
  function above(options: object): { s: Scene; edge: Body[]; corners: Body[]; set: ParticleSet } {
    const s = weightless()
    const corners = [
      [1, 0],
      [-0.5, -0.8],
      [-0.5, 0.8],
    ].map(([x, z]) => s.world.addParticle({ position: [x, 0, z], type: 'static' } as never))
    const edge = [1, 2].map((y) => s.world.addParticle({ position: [0, y, 0], velocity: [0.5, -1, 0] }))
    for (const body of corners) body.type = 'static'
    s.world.add(distance, { a: edge[0], b: edge[1] })
    const def = { radius: 0.05, triangles: [0, 1, 2], edges: [3, 4], selfCollision: 'surface', ...options } as const
    return { s, edge, corners, set: addParticles(s.collisions, [...corners, ...edge], def) }
  }

  test('keeps its thickness', () => {
    const { s, edge } = above({ friction: 0 })
    let lowest = Infinity
    for (let k = 0; k < 120; k++) {
      s.world.step()
      lowest = Math.min(lowest, edge[0].position[1])
    }
    // Two radii, but for the share of them that is let go.
    expect(lowest).toBeGreaterThan(0.1 * 0.97)
    expect(lowest).toBeLessThan(0.101)
    // Without friction it goes on, but for what pushes it where it slips off a side.
    expect(edge[0].velocity[0] + edge[1].velocity[0]).toBeGreaterThan(0.95)
  })

  test('rubs', () => {
    const { s, edge } = above({ friction: 1 })
    run(s, 120)
    expect(Math.abs(edge[0].velocity[0] + edge[1].velocity[0])).toBeLessThan(0.9)
  })

  test('that is tangled when it is made stays as it is, and does not explode', () => {
    const s = weightless()
    const corners = [
      [1, 0, 0],
      [-0.5, 0, -0.8],
      [-0.5, 0, 0.8],
      [0, -1, 0],
      [0, 1, 0],
    ].map((position) => s.world.addParticle({ position: position as vec3 }))
    s.world.add(distance, { a: corners[3], b: corners[4] })
    for (let k = 0; k < 3; k++) s.world.add(distance, { a: corners[k], b: corners[(k + 1) % 3] })
    const set = addParticles(s.collisions, corners, {
      radius: 0.05,
      triangles: [0, 1, 2],
      edges: [3, 4],
      selfCollision: 'surface',
    })
    run(s, 60)
    expect(crossings([set])).toBe(1)
    expect(s.world.energy().kinetic).toBeLessThan(1e-20)
    corners[3].setVelocity([3, 0, 0])
    let energy = s.world.energy().kinetic
    for (let k = 0; k < 60; k++) {
      s.world.step()
      expect(s.world.energy().kinetic).toBeLessThan(energy * (1 + 1e-6))
      energy = s.world.energy().kinetic
    }
  })
})

test('what is made crumpled opens to where it lies at rest', () => {
  for (const isTold of [false, true]) {
    const s = weightless()
    const pair = [0, 0.02].map((x) => s.world.addParticle({ position: [x, 0, 0] }))
    const rest = isTold ? { restPositions: [0, 0, 0, 1, 0, 0] } : {}
    addParticles(s.collisions, pair, { radius: 0.05, ...rest })
    run(s, 60)
    expect(pair[1].position[0] - pair[0].position[0]).toBeCloseTo(isTold ? 0.1 : 0.02, 3)
  }
  const s = weightless()
  const body = s.world.addParticle({})
  const add = (restPositions: unknown) => () =>
    addParticles(s.collisions, [body], { radius: 1, restPositions } as never)
  expect(add([1, 2])).toThrow(/restPositions must be 3 numbers a particle, 3, got 2/)
  expect(add([1, 2, NaN])).toThrow(/restPositions/)
  const set = addParticles(s.collisions, [body], { radius: 1 })
  expect(() => set.set({ restPositions: [0, 0, 0] } as never)).toThrow(/restPositions must stay, got a change of it/)
})

test('events tell of two sets, and a snapshot and JSON go on bit for bit', () => {
  const random = new Random(7)
  const { s, sets } = ((): ReturnType<typeof soup> => {
    for (;;) {
      const made = soup(random, {})
      if (made.sets.length === 2) return made
    }
  })()
  let met = false
  let snapshot = s.world.snapshot()
  let text = ''
  for (let k = 0; k < 60 && !met; k++) {
    s.world.step()
    met = particleEvents(s.collisions).some(({ set, other }) => set === sets[0] && other === sets[1])
    snapshot = s.world.snapshot()
    text = JSON.stringify(s.world)
  }
  expect(met).toBe(true)
  const told = particleEvents(s.collisions).map(({ type, impulse }) => [type, impulse])
  const expected = future(s, 20)
  s.world.restore(snapshot)
  expect(particleEvents(s.collisions).map(({ type, impulse }) => [type, impulse])).toEqual(told)
  expect(future(s, 20)).toEqual(expected)
  const copy = fromJSON(text, [], { collisions: collisionsFromJSON })
  expect(future({ world: copy }, 20)).toEqual(expected)
  expect(particleSets(Collisions.of(copy)!)[0].selfCollision).toBe('surface')
})
