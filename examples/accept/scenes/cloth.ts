/** Cloth: hanging, draped, touching itself, as a cape, struck by small fast balls. */

import { type Cloth, cloth } from '@tautline/assemblies'
import { Collisions, plane, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { countCrossings } from '../../lib/crossings.js'
import { grid } from '../../lib/grid.js'
import { addWalker } from '../../scenes/assemblies/walker.js'
import { besidePins } from '../../reports/assemblies/cape.js'
import { atEnd, largest, type Measure, timeUntilRest, worstOf } from '../measure.js'
import type { AcceptScene } from '../scene.js'

const DT = 1 / 60

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k)
}

function worstStretch(sheet: Cloth, bound: number): Measure {
  return worstOf('share', 'stretch', bound, () => sheet.measure().stretch.max)
}

const hanging: AcceptScene = {
  name: 'cloth-hangs',
  text: '20 × 20 vertices of 1 m, held by two corners, let go level, 3 s',
  steps: 180,
  bounds: { time: 5, energy: 0.01 },
  energyOf: 'motion',
  make() {
    const n = 20
    const world = new World()
    const sheet = cloth(world, { ...grid(n, n, (u, v) => [u, 0, v]), pins: [0, n - 1] })
    return { world, measures: [worstStretch(sheet, 0.01)] }
  },
}

const RADIUS = 0.3

const draped: AcceptScene = {
  name: 'cloth-draped',
  text: `30 × 30 vertices of 1.2 m fall on a sphere of ${RADIUS} m, 2.5 s`,
  steps: 150,
  bounds: { time: 12, energy: 0.02 },
  make() {
    const n = 30
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: sphere(RADIUS), friction: 0.6 })
    const sheet = cloth(
      world,
      grid(n, n, (u, v) => [1.2 * u - 0.6, RADIUS + 0.1, 1.2 * v - 0.6]),
    )
    const thickness = sheet.settings.thickness[0]
    const into = (): number =>
      largest(sheet.vertices, ({ position: [x, y, z] }) => RADIUS + thickness - Math.sqrt(x * x + y * y + z * z))
    return {
      world,
      collisions,
      measures: [
        worstStretch(sheet, 0.1),
        worstOf('depth', 'vertices too near the sphere', 0.002, () => Math.max(0, into())),
      ],
    }
  },
}

const onItself: AcceptScene = {
  name: 'cloth-on-itself',
  text: '14 × 14 vertices of 0.4 m, upright, fall on a floor and fold; surfaces touch; crossings counted exactly, 1.5 s',
  steps: 90,
  bounds: { time: 15, energy: 0.1 },
  energyOf: 'motion',
  make() {
    const n = 14
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const mesh = grid(n, n, (u, v) => [0.4 * u, 0.5 - 0.4 * v, 1e-3 * Math.sin(40 * u + 9 * v)])
    const sheet = cloth(world, { ...mesh, thickness: 0.006, selfCollision: 'surface' })
    const { edges, triangles } = sheet.asset
    const at = new Float64Array(mesh.positions.length)
    const crossings = (): number => {
      sheet.positions(at)
      return countCrossings(at, edges.ends, triangles)
    }
    return { world, collisions, measures: [worstStretch(sheet, 0.15), worstOf('count', 'crossings', 0, crossings)] }
  },
}

/** Of the cape: half way round the back [rad], distance from the middle of the trunk at the top and the bottom [m]. */
const HALF = 1.1
const [NEAR, FAR] = [0.19, 0.3]

const cape: AcceptScene = {
  name: 'cape-walks',
  text: 'a cape of 16 × 14 vertices on a figure of kinematic capsules that walks a circle at 1.4 m/s, 2.5 s',
  steps: 150,
  bounds: { time: 8, energy: 0.02 },
  energyOf: 'motion',
  hasWork: true,
  make() {
    const [across, down] = [16, 14]
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const figure = addWalker(collisions, 3)
    const [x, y, z] = figure.trunk.position
    const mesh = grid(across, down, (u, v) => {
      const a = HALF * (2 * u - 1)
      const r = NEAR + (FAR - NEAR) * v
      return [x + r * Math.sin(a), y + 0.25 - 0.9 * v, z - r * Math.cos(a)]
    })
    const sheet = cloth(world, { ...mesh, drag: 1.2, pins: [{ vertices: upTo(across), body: figure.trunk }] })
    const pinned = sheet.pins.map(({ vertex }) => vertex)
    const local = pinned.map((v) => figure.trunk.toBody(sheet.vertices[v].position))
    const free = sheet.vertices.filter((_, v) => !pinned.includes(v))
    const lag = (): number =>
      largest(pinned, (v, k) => apart(sheet.vertices[v].position, figure.trunk.toWorld(local[k])))
    const thickness = sheet.settings.thickness[0]
    const into = (): number =>
      largest(figure.parts, ({ body, size }) => largest(free, (vertex) => thickness + depthIn(vertex, body, size)))
    return {
      world,
      collisions,
      before: () => {
        figure.walk(DT, 1.4)
      },
      measures: [
        worstOf('share', 'stretch beside pins', 0.02, () => besidePins(sheet, pinned)),
        worstOf('gap', 'pins off their places', 1e-6, lag),
        worstOf('depth', 'vertices too near the figure', 0.005, () => Math.max(0, into())),
      ],
    }
  },
}

function apart(p: ArrayLike<number>, q: ArrayLike<number>): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** How deep a vertex is in a capsule along y [m]. */
function depthIn({ position }: Body, body: Body, [radius, half]: readonly [number, number]): number {
  const [x, y, z] = body.toBody(position)
  return radius - Math.hypot(x, y - Math.max(-half, Math.min(half, y)), z)
}

/** Balls by mass [kg], radius [m] and speed [m/s]. */
const BALLS = [
  [0.05, 0.03, 20],
  [0.05, 0.03, 60],
  [0.5, 0.1, 60],
] as const

const struck: AcceptScene = {
  name: 'cloth-small-balls',
  text: `three sheets of 15 × 15 vertices and 1 m, held at their edges, struck by balls of ${BALLS.map(([m, r, v]) => `${m} kg, ${r} m, ${v} m/s`).join('; ')}, 0.5 s`,
  steps: 30,
  bounds: { time: 15, energy: 0.01 },
  energyOf: 'motion',
  make() {
    const n = 15
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    const edges = upTo(n * n).filter((v) => v % n === 0 || v % n === n - 1 || v < n || v >= n * (n - 1))
    const balls = BALLS.map(([mass, radius, speed], k) => {
      cloth(world, { ...grid(n, n, (u, v) => [3 * k + u, 0, v]), pins: edges })
      const position = [3 * k + 0.52, -radius - 0.15, 0.53] as const
      return collisions.addBody({ shape: sphere(radius), mass, position, velocity: [0, speed, 0] })
    })
    // Sheets of a metre give by less than this without stretching by half.
    const passed = (): number => balls.filter(({ position }) => position[1] > 0.6).length
    return { world, collisions, measures: [atEnd('count', 'balls that passed', 0, passed)] }
  },
}

const rests: AcceptScene = {
  name: 'cloth-rests',
  text: '20 × 20 vertices of 0.8 m fall on a floor, 2.5 s',
  steps: 150,
  bounds: { time: 10, energy: 0.01 },
  energyOf: 'motion',
  make() {
    const n = 20
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const sheet = cloth(
      world,
      grid(n, n, (u, v) => [0.8 * u, 0.3 + 0.2 * u, 0.8 * v]),
    )
    return { world, collisions, measures: [worstStretch(sheet, 0.02), timeUntilRest(sheet.vertices, 2, DT)] }
  },
}

export const cloths: readonly AcceptScene[] = [hanging, rests, draped, onItself, cape, struck]
