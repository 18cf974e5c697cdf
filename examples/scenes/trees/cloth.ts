/**
 * Hanging cloth whose edges are to keep their lengths: a square sheet by two corners, and the Stanford bunny by its ears.
 *
 * The sheet starts flat and swings down. Its warp and weft are distance rows, which may be solved by lines; both diagonals
 * of each square are plain rows. The corners stay as far apart as the sheet is wide, so that its upper edge is taut: the
 * hardest way to hang it. The bunny's edges resist lengthening only, or it would be a board; its lines are a cover of all of
 * them by smooth paths.
 */

import { type Body, type Kernels, World } from '@tautline/core'
import { distance, lineDistance } from '@tautline/constraints'
import { bunnyMesh } from '../../lib/bunny.js'
import { edges, fit, vertexAreas, weld } from '../../lib/mesh.js'
import { distanceBetween, type Scene, stepsIn, type Timing, withDefaults, writePositions } from '../scene.js'

/** A cloth as plain data, for any engine. */
export interface ClothData {
  readonly name: string
  /** x, y, z of each vertex [m] */
  readonly positions: Float64Array
  /** [kg]; infinite where it is held. */
  readonly masses: Float64Array
  readonly triangles: Uint32Array
  /** Two vertices an edge: those whose stretch is measured, and the diagonals of squares. */
  readonly edges: Uint32Array
  readonly diagonals: Uint32Array
  /** Whether edges resist lengthening only. */
  readonly isSlack: boolean
}

/** A square sheet of n × n vertices, `width` [m] wide and of `mass` [kg], in the plane y = 0, held at two corners. */
export function sheet(n: number, width = 2, mass = 1): ClothData {
  if (!Number.isInteger(n) || n < 2) throw new RangeError(`sheet: n must be an integer >= 2, got ${n}`)
  const positions = new Float64Array(3 * n * n)
  const masses = new Float64Array(n * n).fill(mass / (n * n))
  masses[0] = masses[n - 1] = Infinity
  const threads: number[] = []
  const diagonals: number[] = []
  const triangles: number[] = []
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const v = row * n + column
      positions[3 * v] = (column * width) / (n - 1)
      positions[3 * v + 2] = (row * width) / (n - 1)
      if (column + 1 < n) threads.push(v, v + 1)
      if (row + 1 < n) threads.push(v, v + n)
      if (column + 1 === n || row + 1 === n) continue
      diagonals.push(v, v + n + 1, v + 1, v + n)
      triangles.push(v, v + n, v + n + 1, v, v + n + 1, v + 1)
    }
  }
  return {
    name: `sheet of ${n}×${n}`,
    positions,
    masses,
    triangles: Uint32Array.from(triangles),
    edges: Uint32Array.from(threads),
    diagonals: Uint32Array.from(diagonals),
    isSlack: false,
  }
}

/** Tips of ears are at least this far apart [m]. */
const EARS = 0.15
/** Vertices of the file that are closer than this [m, of its 10] are one. */
const WELD = 1e-5

/** The Stanford bunny, `size` [m] long and of `areaDensity` [kg/m²], held at the tips of its ears. */
export function bunnySheet(size = 1, areaDensity = 0.2): ClothData {
  const mesh = bunnyMesh()
  const { positions: raw, triangles } = weld(mesh.positions, mesh.triangles, WELD)
  const positions = fit(raw, size, 0)
  const masses = vertexAreas(positions, triangles).map((area) => area * areaDensity)
  const height = (v: number): number => positions[3 * v + 1]
  const byHeight = Array.from(masses.keys()).sort((v, w) => height(w) - height(v) || v - w)
  const apart = (v: number): number => {
    const [x, z] = [0, 2].map((axis) => positions[3 * v + axis] - positions[3 * byHeight[0] + axis])
    return Math.sqrt(x * x + z * z)
  }
  for (const tip of [byHeight[0], byHeight.find((v) => apart(v) > EARS * size)]) {
    if (tip !== undefined) masses[tip] = Infinity
  }
  return {
    name: 'Stanford bunny',
    positions,
    masses,
    triangles,
    edges: edges(triangles),
    diagonals: new Uint32Array(),
    isSlack: true,
  }
}

/** Which cloth, as data that JSON takes. */
export type ClothChoice =
  | { readonly kind: 'sheet'; readonly n: number; readonly width?: number; readonly mass?: number }
  | { readonly kind: 'bunny'; readonly size?: number; readonly areaDensity?: number }

/** The cloth that is chosen. */
export function clothOf(choice: ClothChoice): ClothData {
  return choice.kind === 'sheet'
    ? sheet(choice.n, choice.width, choice.mass)
    : bunnySheet(choice.size, choice.areaDensity)
}

/** By which its edges are measured. */
export interface Stretch {
  /** Share of an edge's length: the largest, and the mean; of slack edges lengthening alone. */
  readonly max: number
  readonly mean: number
  /** The same of diagonals. */
  readonly maxShear: number
  readonly meanShear: number
}

/** How much longer or shorter edges are at `positions`, x, y, z each, than at the start. */
export function stretchOf(cloth: ClothData, positions: ArrayLike<number>): Stretch {
  const [max, mean] = stretchAlong(cloth, cloth.edges, positions)
  const [maxShear, meanShear] = stretchAlong(cloth, cloth.diagonals, positions)
  return { max, mean, maxShear, meanShear }
}

function stretchAlong(cloth: ClothData, pairs: Uint32Array, now: ArrayLike<number>): [number, number] {
  let max = 0
  let sum = 0
  for (let e = 0; e < pairs.length; e += 2) {
    const share = lengthOf(pairs, e, now) / lengthOf(pairs, e, cloth.positions) - 1
    const size = cloth.isSlack ? Math.max(0, share) : Math.abs(share)
    // Not a number is worse than any.
    max = size <= max ? max : size
    sum += size
  }
  return [max, pairs.length > 0 ? sum / (pairs.length / 2) : 0]
}

function lengthOf(pairs: Uint32Array, e: number, positions: ArrayLike<number>): number {
  const [a, b] = [3 * pairs[e], 3 * pairs[e + 1]]
  return Math.hypot(
    positions[a] - positions[b],
    positions[a + 1] - positions[b + 1],
    positions[a + 2] - positions[b + 2],
  )
}

export interface HangingClothParameters extends Timing {
  cloth: ClothChoice
  /** How warp and weft, or a mesh's edges, are solved. */
  solver: 'lines' | 'auto'
  /** Drag of the air [1/s] */
  drag: number
}

export const HANGING_CLOTH: HangingClothParameters = {
  cloth: { kind: 'sheet', n: 32 },
  solver: 'lines',
  drag: 0.1,
  dt: 1 / 60,
  substeps: 4,
  iterations: 1,
  seconds: 5,
}

/** A cloth that hangs by what is held of it. */
export function hangingClothScene(
  given: Partial<HangingClothParameters> = {},
  kernels?: Kernels,
): Scene<HangingClothParameters> {
  const parameters = withDefaults('hangingClothScene', HANGING_CLOTH, given, ['seconds'])
  const cloth = clothOf(parameters.cloth)
  const { solver, drag, dt, substeps, iterations } = parameters
  const world = new World({ dt, substeps, iterations, ...(kernels !== undefined && { kernels }) })
  const vertices = world.addBodies({
    count: cloth.masses.length,
    positions: cloth.positions,
    mass: cloth.masses,
    linearDamping: drag,
  })
  const mode = cloth.isSlack ? 'rope' : 'rigid'
  const join = (pairs: Uint32Array, how: 'lines' | 'auto'): [Body, Body][] =>
    Array.from({ length: pairs.length / 2 }, (_, e) => {
      const [a, b] = [vertices[pairs[2 * e]], vertices[pairs[2 * e + 1]]]
      const row = { a, b, mode, length: distanceBetween(world, a, b) } as const
      if (how === 'lines') world.add(lineDistance, row)
      else world.add(distance, row)
      return [a, b]
    })
  const lines = join(cloth.edges, solver)
  join(cloth.diagonals, 'auto')
  const now = new Float64Array(cloth.positions.length)
  return {
    name: `hanging ${cloth.name}`,
    parameters,
    world,
    dt,
    steps: stepsIn(parameters),
    picture: {
      shapes: [],
      lines,
      surface: {
        triangles: cloth.triangles,
        count: vertices.length,
        nodes: vertices,
        write: (out) => writePositions(world, vertices, out),
      },
    },
    measure() {
      writePositions(world, vertices, now)
      const { max, mean, maxShear, meanShear } = stretchOf(cloth, now)
      return {
        stretch: max,
        figures: {
          'mean stretch': { value: 100 * mean, unit: '%' },
          'largest shear': { value: 100 * maxShear, unit: '%' },
          'mean shear': { value: 100 * meanShear, unit: '%' },
        },
      }
    },
  }
}
