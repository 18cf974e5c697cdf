/** Debug lines of cloth, ropes, rods, pulleys, soft bodies, and of what their particles touch: each where it should be. */

import { attach, cloth, pulleys, rod, rope, softBody } from '@tautline/assemblies'
import { box, Collisions, plane } from '@tautline/collision'
import { type Body, type Constraint, solidBox, World } from '@tautline/core'
import { attachment } from '@tautline/constraints'
import { describe, expect, it } from 'vitest'
import { DebugDraw, type DebugOptions } from '../src/index.js'

const NONE: DebugOptions = {
  bodies: false,
  colliders: false,
  joints: false,
  limits: false,
  contacts: false,
  links: false,
  forces: false,
}
/** Of a Float32 near 1. */
const FINE = 1e-6
/** A tetrahedron. */
const MESH = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }

/** A square of n × n vertices, a metre wide, at a height [m]. */
function sheet(n: number, height = 0): { positions: number[]; indices: number[] } {
  const positions: number[] = []
  const indices: number[] = []
  for (let k = 0; k < n * n; k++) {
    const [i, j] = [k % n, Math.floor(k / n)]
    positions.push(i / (n - 1), height, j / (n - 1))
    if (i + 1 < n && j + 1 < n) indices.push(k, k + n, k + 1, k + 1, k + n, k + n + 1)
  }
  return { positions, indices }
}

type Line = readonly number[]

function drawn(world: World, options: DebugOptions): Line[] {
  const draw = new DebugDraw(world, { ...NONE, ...options })
  draw.update()
  return Array.from({ length: draw.count / 2 }, (_, k) => Array.from(draw.positions.subarray(6 * k, 6 * k + 6)))
}

const near = (p: ArrayLike<number>, q: ArrayLike<number>): boolean =>
  [0, 1, 2].every((k) => Math.abs(p[k] - q[k]) < FINE * Math.max(1, Math.abs(q[k])))

/** Whether a line runs between two points, either way. */
function hasLine(lines: readonly Line[], p: ArrayLike<number>, q: ArrayLike<number>): boolean {
  return lines.some((line) => {
    const [from, to] = [line.slice(0, 3), line.slice(3)]
    return (near(from, p) && near(to, q)) || (near(from, q) && near(to, p))
  })
}

/** Rows of a type, of which there have to be some. */
function rowsOf(world: World, name: string): readonly Constraint[] {
  const rows = world.constraints().filter(({ typeName }) => typeName === name)
  expect(rows.length).toBeGreaterThan(0)
  return rows
}

const bodiesOf = ({ bodies }: Constraint): Body[] => bodies.filter((body): body is Body => body !== null)

/** Every row of a type is drawn by lines between its bodies, these pairs of them. */
function joins(world: World, name: string, pairs: readonly (readonly [number, number])[]): void {
  const lines = drawn(world, { links: true })
  for (const row of rowsOf(world, name)) {
    const bodies = bodiesOf(row)
    for (const [i, j] of pairs) expect(hasLine(lines, bodies[i].position, bodies[j].position)).toBe(true)
  }
}

const EVERY_EDGE = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const

/** The points at which contacts are drawn: each is where a normal begins. */
function touches(world: World, at: readonly ArrayLike<number>[], normal: readonly [number, number, number]): void {
  const size = 0.2
  const lines = drawn(world, { contacts: true, size })
  for (const p of at) {
    const tip = [0, 1, 2].map((k) => p[k] + 0.5 * size * normal[k])
    expect(hasLine(lines, p, tip)).toBe(true)
  }
}

describe('DebugDraw of assemblies', () => {
  it('draws threads, shear and bends of cloth, and its tethers', () => {
    const world = new World()
    cloth(world, { ...sheet(5), pins: [0], tether: 'geodesic' })
    world.step()
    joins(world, 'lineDistance', [[0, 1]])
    joins(world, 'distance', [[0, 1]])
    joins(world, 'tether', [[0, 1]])
    joins(world, 'lineBend', [
      [0, 1],
      [1, 2],
    ])
  })

  it.each(['isometric', 'dihedral'] as const)('draws %s folds from the middle of the edge', (bendModel) => {
    const world = new World()
    cloth(world, { ...sheet(4), bendModel })
    const lines = drawn(world, { links: true })
    for (const row of rowsOf(world, `${bendModel}Bend`)) {
      const [p, q, ...wings] = bodiesOf(row).map(({ position }) => position)
      const middle = [0, 1, 2].map((k) => 0.5 * (p[k] + q[k]))
      expect(hasLine(lines, p, q)).toBe(true)
      for (const wing of wings) expect(hasLine(lines, middle, wing)).toBe(true)
    }
  })

  it('draws segments and bends of a rope', () => {
    const world = new World()
    const line = rope(world, { from: [0, 2, 0], to: [2, 2, 0], start: 'world', bendCompliance: 1 })
    world.step()
    joins(world, 'lineBend', [
      [0, 1],
      [1, 2],
    ])
    const lines = drawn(world, { links: true })
    for (let k = 1; k < line.nodes.length; k++) {
      expect(hasLine(lines, line.nodes[k - 1].position, line.nodes[k].position)).toBe(true)
    }
  })

  it('draws joints of a rod, and the axes that bend', () => {
    const world = new World()
    const wire = rod(world, { from: [0, 0, 0], to: [1, 0, 0], segments: 4, start: { body: 'world', clamped: true } })
    for (let k = 0; k < 5; k++) world.step()
    const lines = drawn(world, { joints: true })
    for (const row of rowsOf(world, 'bendTwist')) {
      const bodies = bodiesOf(row)
      if (bodies.length === 2) expect(hasLine(lines, bodies[0].position, bodies[1].position)).toBe(true)
    }
    // From the middle of each link to both of its ends.
    const ends = wire.nodes.map(({ body, point }) => body.toWorld(point))
    wire.links.forEach((link, k) => {
      expect(hasLine(lines, link.position, ends[k])).toBe(true)
    })
  })

  it('draws the way of a tackle', () => {
    const world = new World()
    const load = world.addBody({ mass: 3, inertia: solidBox(3, [1, 1, 1]) })
    const weight = world.addParticle({ position: [2, 0, 0], mass: 1 })
    const way = [
      { body: load, point: [0, 0.5, 0] as const },
      { point: [0, 3, 0] as const },
      { point: [2, 3, 0] as const },
    ]
    pulleys(world, { points: [...way, weight] })
    for (let k = 0; k < 5; k++) world.step()
    const points = [load.toWorld([0, 0.5, 0]), [0, 3, 0], [2, 3, 0], weight.position]
    const lines = drawn(world, { links: true })
    for (let k = 1; k < points.length; k++) expect(hasLine(lines, points[k - 1], points[k])).toBe(true)
  })

  it.each([
    ['neoHookean', 'neoHookean', EVERY_EDGE],
    ['distance', 'tetraVolume', EVERY_EDGE],
    [
      'shape',
      'shapeMatching',
      [
        [0, 1],
        [0, 5],
      ],
    ],
  ] as const)('draws the nodes of %s as %s', (model, name, pairs) => {
    const world = new World()
    softBody(world, { ...MESH, size: 0.4, model, velocity: [1, 2, 3] })
    world.step()
    joins(world, name, pairs)
  })

  it('draws the edges around an enclosed volume', () => {
    const world = new World()
    softBody(world, { ...MESH, pressure: 1.2 })
    world.step()
    joins(world, 'enclosedVolume', EVERY_EDGE)
  })

  it('draws an attachment: its two points, and what shares them', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const corners = [0, 1, 2].map((k) =>
      world.addParticle({ position: [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0] }),
    )
    const crate = world.addBody({ position: [2, 2, 2], mass: 1, inertia: solidBox(1, [1, 1, 1]) })
    attach(world, { bodies: corners }, crate)
    const third = 1 / 3
    const lines = drawn(world, { links: true })
    const held = crate.toWorld(crate.toBody([third, third, third]))
    for (const { position } of corners) expect(hasLine(lines, [third, third, third], position)).toBe(true)
    expect(hasLine(lines, held, crate.position)).toBe(true)
    const other = new World({ gravity: [0, 0, 0] })
    const p = other.addParticle({ position: [1, 0, 0] })
    const q = other.addParticle({ position: [0, 1, 0] })
    other.add(attachment, { bodies: [p, q], count: 2, target: [0, 0, 1] })
    // The way that is left to the point of the world, which has a cross.
    expect(hasLine(drawn(other, { links: true }), [0.5, 0.5, 0], [0, 0, 1])).toBe(true)
    expect(drawn(other, { links: true })).toHaveLength(6)
  })
})

describe('DebugDraw of contacts of particles', () => {
  it('draws particles on a collider on its surface, and nothing of those in the air', () => {
    const world = new World()
    new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
    const line = rope(world, { from: [0, 0.05, 0], to: [1, 0.05, 0], radius: 0.05 })
    expect(drawn(world, { contacts: true, links: true })).toHaveLength(line.nodes.length - 1)
    for (let k = 0; k < 20; k++) world.step()
    touches(
      world,
      // Contacts of ropes give way a little, as springs at rest do.
      line.nodes.map(({ position: [x, y, z] }) => [x, y - 0.05, z]),
      [0, 1, 0],
    )
    for (const { position } of line.nodes) expect(Math.abs(position[1] - 0.05)).toBeLessThan(1e-4)
    const above = new World()
    new Collisions(above).addCollider(null, { shape: plane([0, 1, 0], 0) })
    rope(above, { from: [0, 0.08, 0], to: [1, 0.08, 0], radius: 0.05 })
    above.step()
    expect(drawn(above, { contacts: true })).toEqual([])
  })

  it('draws a particle on a body that gives way', () => {
    const world = new World({ gravity: [0, -10, 0] })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const crate = collisions.addBody({ shape: box([1, 0.5, 1]), mass: 50, position: [0, 0.5, 0] })
    rope(world, { from: [-0.4, 1.05, 0], to: [0.4, 1.05, 0], radius: 0.05, segments: 4 })
    for (let k = 0; k < 30; k++) world.step()
    const contacts = drawn(world, { contacts: true })
    const top = contacts.filter(([, y, , , to]) => Math.abs(y - crate.position[1] - 0.5) < 1e-3 && to > y + 0.05)
    expect(top.length).toBeGreaterThan(0)
  })

  it('draws a face on the corner that it lies on', () => {
    const world = new World({ substeps: 4 })
    const collisions = new Collisions(world)
    // A post between the vertices of the sheet.
    collisions.addBody({ type: 'static', shape: box([0.02, 0.5, 0.02]), position: [0.4, -0.5, 0.4] })
    cloth(world, { ...sheet(3, 0.01), pins: [0, 2, 6, 8], surfaceContacts: true, thickness: 0.01 })
    for (let k = 0; k < 10; k++) world.step()
    const lines = drawn(world, { contacts: true })
    const onPost = lines.filter(
      ([x, y, z]) => Math.abs(x - 0.4) < 0.03 && Math.abs(y) < 0.01 && Math.abs(z - 0.4) < 0.03,
    )
    expect(onPost.length).toBeGreaterThan(0)
  })

  it.each(['vertices', 'surface'] as const)('draws %s that touch each other, between them', (selfCollision) => {
    const world = new World({ gravity: [0, 0, 0] })
    new Collisions(world)
    const [low, high] = [0, 0.05].map((height) =>
      cloth(world, {
        ...sheet(4, height),
        selfCollision,
        thickness: 0.02,
        velocity: [0, height > 0 ? -1 : 1, 0],
      }),
    )
    let lines: Line[] = []
    for (let k = 0; k < 10 && lines.length === 0; k++) {
      world.step()
      lines = drawn(world, { contacts: true })
    }
    expect(lines.length).toBeGreaterThan(0)
    const heights = [low, high].map(({ vertices }) => vertices[5].position[1])
    for (const [x, y, z] of lines) {
      expect(y).toBeGreaterThan(Math.min(...heights) - 0.1)
      expect(y).toBeLessThan(Math.max(...heights) + 0.1)
      expect(Math.min(x, z)).toBeGreaterThan(-0.1)
      expect(Math.max(x, z)).toBeLessThan(1.1)
    }
  })
})
