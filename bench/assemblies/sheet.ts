/** A sheet for any engine, and what it falls on. */

/** What is asked of an engine. */
export interface SheetChoice {
  /** n × n vertices, 2 cm apart. */
  readonly n: number
  /** Substeps of one sweep each; Jolt: iterations; Rapier: its solver's iterations, which are substeps. */
  readonly work: number
  /** Nothing, a sphere, or a sphere on a floor. */
  readonly on: 'nothing' | 'sphere' | 'sphere and floor'
  /** Whether it touches itself, by its vertices. */
  readonly self: boolean
}

/** An engine that lets a sheet fall. */
export interface SheetEngine {
  readonly name: string
  /** Precision, SIMD, what `work` means. */
  readonly note: string
  load(): Promise<void>
  /** Makes the sheet; says how many rows it has. */
  setup(choice: SheetChoice): number
  step(dt: number): void
  /** x, y, z of each vertex. */
  positions(out: Float64Array): void
}

/** Distance of two vertices [m]. */
export const SPACING = 0.02
/** Mass of a square metre [kg/m²]. */
export const DENSITY = 0.2
/** Radius of vertices [m]. */
export const THICKNESS = 0.008
export const FRICTION = 0.4

/** The sphere that it falls on: a quarter as wide as the sheet, standing on the floor. */
export function sphereRadius(n: number): number {
  return 0.125 * SPACING * (n - 1)
}

/** A sheet as plain data, level, just above the sphere. */
export interface Sheet {
  readonly positions: Float64Array
  readonly triangles: Uint32Array
  /** Two vertices a row: along warp and weft, across, and two apart. */
  readonly edges: Uint32Array
  readonly diagonals: Uint32Array
  readonly bends: Uint32Array
}

/** A sheet of n × n vertices. */
export function sheetOf(n: number): Sheet {
  const positions = new Float64Array(3 * n * n)
  const [edges, diagonals, bends, triangles]: number[][] = [[], [], [], []]
  const half = 0.5 * SPACING * (n - 1)
  const y = 2 * sphereRadius(n) + 2 * THICKNESS
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const v = j * n + i
      positions.set([SPACING * i - half, y, SPACING * j - half], 3 * v)
      if (i + 1 < n) edges.push(v, v + 1)
      if (j + 1 < n) edges.push(v, v + n)
      if (i + 2 < n) bends.push(v, v + 2)
      if (j + 2 < n) bends.push(v, v + 2 * n)
      if (i + 1 === n || j + 1 === n) continue
      diagonals.push(v, v + n + 1, v + 1, v + n)
      triangles.push(v, v + n, v + n + 1, v, v + n + 1, v + 1)
    }
  }
  const lists = { edges, diagonals, bends, triangles }
  const typed = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, Uint32Array.from(list)]))
  return { positions, ...typed } as unknown as Sheet
}

/** Mean of the share by which edges are longer or shorter than at rest. */
export function meanStretch({ edges }: Sheet, now: Float64Array): number {
  let sum = 0
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]]
    const length = Math.hypot(now[a] - now[b], now[a + 1] - now[b + 1], now[a + 2] - now[b + 2])
    sum += Math.abs(length / SPACING - 1)
  }
  return sum / (edges.length / 2)
}
