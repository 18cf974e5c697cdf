/** A soft body for any engine: a filled mesh above a floor, and what is read from it. */

import { softBodyAsset } from '@tautline/assemblies'
import { bunnyMesh } from '../../examples/lib/bunny.js'

/** What is asked of an engine. */
export interface BodyChoice {
  readonly mesh: BodyMesh
  /** Substeps of one sweep each; Jolt: iterations. */
  readonly work: number
}

/** An engine that lets a soft body fall on a floor at y = 0. */
export interface BodyEngine {
  readonly name: string
  /** Precision, what holds the body together, what `work` means. */
  readonly note: string
  load(): Promise<void>
  /** Makes the body; says how many rows it has. */
  setup(choice: BodyChoice): number
  step(dt: number): void
  /** x, y, z of each node. */
  positions(out: Float64Array): void
}

/** Young's modulus [Pa]. */
export const YOUNGS_MODULUS = 1e5
export const POISSON_RATIO = 0.4
/** [kg/m³]. */
export const DENSITY = 1000
/** Radius of nodes [m]. */
export const RADIUS = 0.01
export const FRICTION = 0.5
/** Acceleration by gravity [m/s²]. */
export const GRAVITY = 9.81
/** Height of the lowest node above where it touches the floor [m]. */
export const DROP = 1
/** Longest side [m]. */
const SIDE = 0.5

export const MESHES = ['cube', 'bunny'] as const

/** Tetrahedra in their pose at rest, where they are let go. */
export interface BodyMesh {
  readonly positions: Float64Array
  readonly tetrahedra: Uint32Array
  /** Three nodes a triangle, seen from outside counter-clockwise. */
  readonly surface: Uint32Array
  /** Of each node [kg]. */
  readonly masses: Float64Array
}

/** A closed surface, and the length of an edge that fills it with about 1000 tetrahedra [m]. */
function closedSurface(name: (typeof MESHES)[number]): { positions: number[]; indices: number[]; size: number } {
  if (name === 'cube') {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1, (k >> 1) & 1, k >> 2])
    const sides = [
      0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
    ]
    return { positions: corners.map((x) => SIDE * x), indices: sides, size: SIDE / 4 }
  }
  const { positions, triangles } = bunnyMesh()
  const scale = SIDE / Math.max(...[0, 1, 2].map((axis) => extent(positions, axis)))
  return { positions: Array.from(positions, (x) => scale * x), indices: Array.from(triangles), size: SIDE / 8 }
}

function extent(positions: ArrayLike<number>, axis: number): number {
  let [low, high] = [Infinity, -Infinity]
  for (let k = axis; k < positions.length; k += 3) {
    low = Math.min(low, positions[k])
    high = Math.max(high, positions[k])
  }
  return high - low
}

/** A filled mesh, {@link DROP} above the floor. */
export function bodyMesh(name: (typeof MESHES)[number]): BodyMesh {
  const { tetrahedra, surface, shares, ...asset } = softBodyAsset(closedSurface(name))
  const positions = asset.positions.slice()
  const rise = DROP + RADIUS - lowest(positions)
  for (let k = 1; k < positions.length; k += 3) positions[k] += rise
  return { positions, tetrahedra, surface, masses: Float64Array.from(shares, (volume) => DENSITY * volume) }
}

/** y of the lowest node [m]. */
export function lowest(positions: Float64Array): number {
  let low = Infinity
  for (let k = 1; k < positions.length; k += 3) low = Math.min(low, positions[k])
  return low
}

/** Volume of the tetrahedron whose nodes are listed from `t`, negative where it is inside out [m³]. */
export function tetraVolume(x: Float64Array, tetrahedra: Uint32Array, t: number): number {
  const [o, p, q, r] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[t + k])
  const [ax, ay, az] = [x[p] - x[o], x[p + 1] - x[o + 1], x[p + 2] - x[o + 2]]
  const [bx, by, bz] = [x[q] - x[o], x[q + 1] - x[o + 1], x[q + 2] - x[o + 2]]
  const [cx, cy, cz] = [x[r] - x[o], x[r + 1] - x[o + 1], x[r + 2] - x[o + 2]]
  return (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
}

/** Volume of all tetrahedra; those that are inside out count against it [m³]. */
export function volumeOf({ tetrahedra }: BodyMesh, x: Float64Array): number {
  let sum = 0
  for (let t = 0; t < tetrahedra.length; t += 4) sum += tetraVolume(x, tetrahedra, t)
  return sum
}

/** Height of the centre of mass [m]. */
export function heightOf({ masses }: BodyMesh, x: Float64Array): number {
  let [sum, mass] = [0, 0]
  for (let v = 0; v < masses.length; v++) {
    sum += masses[v] * x[3 * v + 1]
    mass += masses[v]
  }
  return sum / mass
}

/** Kinetic energy of the motion from `before` to `x` in `dt` [J]: by positions, so that it means the same of all engines. */
export function kineticOf({ masses }: BodyMesh, before: Float64Array, x: Float64Array, dt: number): number {
  let sum = 0
  for (let k = 0; k < x.length; k++) {
    const velocity = (x[k] - before[k]) / dt
    sum += 0.5 * masses[(k / 3) | 0] * velocity * velocity
  }
  return sum
}
