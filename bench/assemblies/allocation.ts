/**
 * How many bytes a step of each kind of assembly allocates, as JSON: growth of the heap over steps after a warm-up, the least of some rounds.
 *
 * Run natively in a process of its own, with --expose-gc, and with a young generation so large that nothing is collected while it is measured
 * (--min-semi-space-size=256 --max-semi-space-size=512).
 */

import { type Assembly, cloth, type ClothDef, rod, rope, softBody } from '@tautline/assemblies'
import { capsule, Collisions, plane, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import { sheetOf, SPACING, sphereRadius, THICKNESS } from './sheet.js'

/** Until everything is compiled and buffers have grown; then what is measured. */
const WARM_UP = 400
const STEPS = 30
/** The least of so many: the compiler works beside, and leaves its own. */
const ROUNDS = 6
const N = 30

function scene(make: (world: World) => Assembly): World {
  const world = new World({ substeps: 4 })
  const collisions = new Collisions(world, { sleeping: false })
  const radius = sphereRadius(N)
  collisions.addCollider(null, { shape: sphere(radius), position: [0, radius, 0], friction: 0.4 })
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  make(world)
  return world
}

function sheet(fields: Partial<ClothDef>): () => World {
  const { positions, triangles } = sheetOf(N)
  return () => scene((world) => cloth(world, { positions, indices: triangles, thickness: THICKNESS, ...fields }))
}

const HIGH = 2 * sphereRadius(N) + 0.05
const HALF = 0.5 * SPACING * N

/** An octahedron. */
const POINTS = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1].map((x) => 0.2 * x)
const SIDES = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]

/** What is measured, by name. */
export const CASES: Readonly<Record<string, () => World>> = {
  'cloth, points on a sphere': sheet({}),
  'surface contacts': sheet({ surfaceContacts: true }),
  'self-collision by vertices': sheet({ selfCollision: 'vertices' }),
  'self-collision by surface': sheet({ selfCollision: 'surface' }),
  rope: () =>
    scene((world) => rope(world, { from: [-HALF, HIGH, 0], to: [HALF, HIGH, 0], selfCollision: true, segments: 40 })),
  rod: () =>
    scene((world) => rod(world, { from: [-HALF, HIGH, 0], to: [HALF, HIGH, 0], segments: 20, shape: capsule })),
  'rod that yields': () =>
    scene((world) =>
      rod(world, {
        from: [0, 2, 0],
        to: [1, 2, 0],
        segments: 20,
        yieldCurvature: 0.1,
        creep: 0.01,
        start: { body: 'world', clamped: true },
      }),
    ),
  'soft body': () =>
    scene((world) => softBody(world, { positions: POINTS, indices: SIDES, size: 0.1, position: [0, HIGH + 0.2, 0] })),
}

/** Measures all cases. */
function measure(collect: () => void): Record<string, number> {
  const bytes: Record<string, number> = {}
  for (const [name, make] of Object.entries(CASES)) {
    const world = make()
    for (let k = 0; k < WARM_UP; k++) world.step()
    bytes[name] = Infinity
    for (let round = 0; round < ROUNDS; round++) {
      collect()
      const before = process.memoryUsage().heapUsed
      for (let k = 0; k < STEPS; k++) world.step()
      bytes[name] = Math.min(bytes[name], (process.memoryUsage().heapUsed - before) / STEPS)
    }
  }
  return bytes
}

const { gc } = globalThis as { gc?: () => void }
if (gc !== undefined) console.log(JSON.stringify(measure(gc)))
