/**
 * The rows of a cloth: what resists stretch, shear and bending, from the triangles as they hang together at present.
 *
 * Stiffness of the material to that of a row, ℓ its length at rest, A the area of the triangles at it (a third of what a mesh in three directions
 * shares out, or the strip of a thread):
 *   stretch   k = K A/ℓ² [N/m]
 *   shear     k = G [N/m] for each diagonal of a quad: both lengthen by ±γ ℓ/2 for a shear by γ
 *   bending   k_θ = D ℓ²/A [N m/rad], ℓ the edge, and isometric: D/3. "Discrete shells" (Grinspun, Hirani, Desbrun and Schröder, 2003) has three times as much, which is
 *             right for a dome; cloth does not stretch, so it rolls, and rolled along an edge it has D/2 κ² a square metre by this
 *             distance: k = k_θ (2 (h + g)/(h g))², h and g the heights of the triangles over the edge, or the two threads in a row: the same energy at 1 rad
 */

import { addConstraints, type Body, type Constraint, type LeanWorld } from '@tautline/core'
import { dihedralBend, distance, isometricBend, lineBend, lineDistance } from '@tautline/constraints'
import { apart, areaVector } from '../parts/mesh.js'
import { type Edges, oppositeCorner } from '../parts/topology.js'
import type { ClothAsset } from './asset.js'
import type { ClothSettings } from './definition.js'
import { DIAGONAL, LOOSE, WARP } from './threads.js'

/** What a row is for. */
export type ClothPart = 'stretch' | 'shear' | 'bend'

/** A row before it is one: vertices at present, and the triangles that it runs through. */
export interface ClothRow {
  readonly part: ClothPart
  /** Two vertices, or four of a fold: its edge, then the wings. */
  readonly vertices: readonly number[]
  /** The vertex between the two of a row over two threads, else −1. */
  readonly middle: number
  readonly triangles: readonly number[]
  /** Of a thread, the way it runs. */
  readonly kind: number
}

/** All rows of a mesh as it is at rest. */
export function rowsOf(asset: ClothAsset, settings: ClothSettings): ClothRow[] {
  const { edges, threads } = asset
  const rows: ClothRow[] = []
  for (let e = 0; e < edges.count; e++) {
    const kind = threads === undefined ? LOOSE : threads.kind[e]
    if (kind === DIAGONAL) continue
    rows.push({ part: 'stretch', vertices: endsOf(edges, e), middle: -1, triangles: around(edges, e), kind })
  }
  const { bendModel } = settings
  const byThreads = (bendModel === 'distance' || bendModel === 'threads') && threads !== undefined
  // Lists of a hundred thousand are too long to be handed over as arguments.
  return rows.concat(
    threads === undefined ? [] : shearRows(asset, threads.quads),
    byThreads ? threadBends(asset) : bendModel === 'none' ? [] : folds(asset),
  )
}

function endsOf({ ends }: Edges, e: number): [number, number] {
  return [ends[2 * e], ends[2 * e + 1]]
}

function around({ first, triangles }: Edges, e: number): number[] {
  return Array.from(triangles.subarray(first[e], first[e + 1]))
}

/** Both diagonals of each quad. */
function shearRows({ edges }: ClothAsset, quads: Uint32Array): ClothRow[] {
  const rows: ClothRow[] = []
  const byEnds = new Map<string, number>()
  for (let e = 0; e < edges.count; e++) byEnds.set(endsOf(edges, e).join(), e)
  for (let q = 0; q < quads.length; q += 4) {
    const [a, b, c, d] = quads.subarray(q, q + 4)
    const triangles = around(edges, byEnds.get([a, b].join()) as number)
    for (const vertices of [
      [a, b],
      [c, d],
    ])
      rows.push({ part: 'shear', vertices, middle: -1, triangles, kind: DIAGONAL })
  }
  return rows
}

/** A row over each two threads that go on into each other: they share no quad. */
function threadBends({ edges, threads }: ClothAsset): ClothRow[] {
  const kind = threads?.kind as Uint8Array
  const quadOf = new Map<number, number>()
  for (let q = 0, e = 0; e < edges.count; e++) {
    if (kind[e] !== DIAGONAL) continue
    for (const t of around(edges, e)) quadOf.set(t, q)
    q++
  }
  const at = new Map<number, number[]>()
  for (let e = 0; e < edges.count; e++) {
    if (kind[e] === DIAGONAL || kind[e] === LOOSE) continue
    for (const v of endsOf(edges, e)) at.set(v, [...(at.get(v) ?? []), e])
  }
  const rows: ClothRow[] = []
  for (const [middle, list] of at) {
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const [e, f] = [list[i], list[j]]
        if (kind[e] !== kind[f]) continue
        const quads = around(edges, e).map((t) => quadOf.get(t))
        if (around(edges, f).some((t) => quads.includes(quadOf.get(t)))) continue
        const vertices = [e, f].map((k) => edges.ends[2 * k] + edges.ends[2 * k + 1] - middle)
        rows.push({
          part: 'bend',
          vertices,
          middle,
          triangles: [...around(edges, e), ...around(edges, f)],
          kind: kind[e],
        })
      }
    }
  }
  return rows
}

/** The fold at each edge of two triangles. */
function folds({ edges, triangles }: ClothAsset): ClothRow[] {
  const rows: ClothRow[] = []
  for (let e = 0; e < edges.count; e++) {
    const two = around(edges, e)
    if (two.length !== 2) continue
    const [t, u] = two
    const wings = [oppositeCorner(triangles, edges, t, e), oppositeCorner(triangles, edges, u, e)]
    // The edge runs along the first triangle, so that the fold has a sign.
    const ends = endsOf(edges, e)
    const at = [0, 1, 2].find((k) => triangles[3 * t + k] === ends[0]) as number
    if (triangles[3 * t + ((at + 1) % 3)] !== ends[1]) ends.reverse()
    rows.push({ part: 'bend', vertices: [...ends, ...wings], middle: -1, triangles: two, kind: LOOSE })
  }
  return rows
}

/** What rows are made with: bodies by vertex, which lie as at rest. */
export interface RowMaker {
  readonly world: LeanWorld
  readonly asset: ClothAsset
  readonly settings: ClothSettings
  readonly vertices: readonly Body[]
}

/** Adds rows to the world, at rest, as many as are alike at once. Each is one constraint, or two where stretch is bounded as well. */
export function addRows(maker: RowMaker, rows: readonly ClothRow[]): Constraint[][] {
  const made: Constraint[][] = []
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const { part } = rows[from]
    while (to < rows.length && rows[to].part === part) to++
    const run = rows.slice(from, to)
    if (part === 'stretch' && !isBounded(maker.settings)) for (const one of addThreads(maker, run)) made.push([one])
    else if (part === 'shear') for (const one of addShears(maker, run)) made.push([one])
    else for (const row of run) made.push(addRow(maker, row))
  }
  return made
}

/** Whether rows against stretch have others beside them that bound it. */
function isBounded({ maxCompression, stretchLimit }: ClothSettings): boolean {
  return (maxCompression > 0 && maxCompression < 1) || stretchLimit < Infinity
}

function addThreads(maker: RowMaker, rows: readonly ClothRow[]): Constraint[] {
  const { world, settings, vertices, asset } = maker
  const shared = { mode: settings.maxCompression > 0 ? 'rope' : 'rigid' } as const
  const length = Float64Array.from(rows, ({ vertices: [u, v] }) => apart(asset.positions, u, v))
  const each = { length, ...softnesses(maker, rows, (row) => stretchOf(maker, row)) }
  const made: unknown = [
    ...addConstraints(world, lineDistance, { bodies: vertices, indices: endsIn(rows), shared, each }),
  ]
  return made as Constraint[]
}

function addShears(maker: RowMaker, rows: readonly ClothRow[]): Constraint[] {
  const { world, settings, vertices } = maker
  const each = softnesses(maker, rows, (row) => meanOf(settings.shear, row))
  const asked = { bodies: vertices, indices: endsIn(rows), shared: SWEPT, each }
  const made: unknown = [...addConstraints(world, distance, asked)]
  return made as Constraint[]
}

/** The vertices of rows of two. */
function endsIn(rows: readonly ClothRow[]): Uint32Array {
  const ends = new Uint32Array(2 * rows.length)
  rows.forEach(({ vertices }, k) => ends.set(vertices, 2 * k))
  return ends
}

/** Compliance of each row, and damping with it. */
function softnesses(
  { settings: { damping } }: RowMaker,
  rows: readonly ClothRow[],
  complianceOf: (row: ClothRow) => number,
): { compliance: Float64Array; damping?: Float64Array } {
  const compliance = Float64Array.from(rows, complianceOf)
  return damping > 0 ? { compliance, damping: compliance.map((c) => (c > 0 ? damping / c : 0)) } : { compliance }
}

/** What is tied to the cloth and solved directly must not take up the whole net. */
const SWEPT = { solver: 'sweep' } as const

/** Adds a row against stretch or bending. */
function addRow(maker: RowMaker, row: ClothRow): Constraint[] {
  if (row.part === 'stretch') return addStretch(maker, row)
  return [addBend(maker, row)]
}

/** Compliance of a row, and damping c = τ k [N s/m] with it. */
function softness({ settings }: RowMaker, compliance: number): { compliance: number; damping?: number } {
  const { damping } = settings
  return damping > 0 && compliance > 0 ? { compliance, damping: damping / compliance } : { compliance }
}

function addLength(maker: RowMaker, [u, v]: readonly number[], compliance: number): Constraint {
  const { world, vertices } = maker
  return world.add(distance, {
    a: vertices[u],
    b: vertices[v],
    ...SWEPT,
    ...softness(maker, compliance),
  }) as unknown as Constraint
}

/** Width of the strip that a row of two vertices carries [m]: the area at it by its length. */
export function widthOf(asset: ClothAsset, ends: readonly [number, number], triangles: readonly number[]): number {
  return areaAt(asset, triangles) / apart(asset.positions, ends[0], ends[1])
}

function addStretch(maker: RowMaker, row: ClothRow): Constraint[] {
  const { world, settings, vertices, asset } = maker
  const [u, v] = row.vertices
  const [a, b] = [vertices[u], vertices[v]]
  const length = apart(asset.positions, u, v)
  const compliance = stretchOf(maker, row)
  const { maxCompression, stretchLimit } = settings
  const mode = maxCompression > 0 ? 'rope' : 'rigid'
  const made: object[] = [world.add(lineDistance, { a, b, length, mode, ...softness(maker, compliance) })]
  if (maxCompression > 0 && maxCompression < 1) {
    made.push(world.add(distance, { a, b, length: (1 - maxCompression) * length, mode: 'strut', solver: 'sweep' }))
  }
  if (stretchLimit < Infinity && compliance > 0) {
    made.push(world.add(distance, { a, b, length: (1 + stretchLimit) * length, mode: 'rope', solver: 'sweep' }))
  }
  return made as Constraint[]
}

/** Compliance of a row against stretch [m/N]. */
function stretchOf({ settings, asset }: RowMaker, row: ClothRow): number {
  const length = apart(asset.positions, row.vertices[0], row.vertices[1])
  const square = meanOf(row.kind === WARP ? settings.warp : settings.weft, row)
  return (square * length * length) / areaAt(asset, row.triangles)
}

function addBend(maker: RowMaker, row: ClothRow): Constraint {
  const { world, settings, vertices, asset } = maker
  const compliance = meanOf(settings.bend, row)
  const x = asset.positions
  if (row.vertices.length === 2) {
    const [u, w] = row.vertices
    const [h, g] = [apart(x, u, row.middle), apart(x, row.middle, w)]
    // A strip as wide as the area at both threads says: k_θ = D width / ((h + g)/2).
    const width = areaAt(asset, row.triangles) / (h + g)
    if (settings.bendModel === 'threads') {
      const bodies = [u, row.middle, w].map((v) => vertices[v])
      const made: object = world.add(lineBend, { bodies, ...softness(maker, (compliance * 0.5 * (h + g)) / width) })
      return made as Constraint
    }
    return addLength(maker, row.vertices, (compliance * 0.5 * (h + g) * leverSquared(h, g)) / width)
  }
  const [a, b, c, d] = row.vertices
  const bodies = row.vertices.map((v) => vertices[v])
  const [h, g] = [height(x, a, b, c), height(x, b, a, d)]
  const angular = (compliance * 0.5 * (h + g)) / apart(x, a, b)
  if (settings.bendModel === 'distance') return addLength(maker, [c, d], angular * leverSquared(h, g))
  const made: object =
    settings.bendModel === 'dihedral'
      ? world.add(dihedralBend, { bodies, ...softness(maker, angular) })
      : world.add(isometricBend, { bodies, ...softness(maker, 3 * compliance) })
  return made as Constraint
}

/** By how much two ends at h and g [m] from a fold come nearer, squared [m²], at one rad. */
function leverSquared(h: number, g: number): number {
  const lever = (h * g) / (2 * (h + g))
  return lever * lever
}

function areaAt({ positions, triangles }: ClothAsset, at: readonly number[]): number {
  let area = 0
  for (const t of at) {
    const [x, y, z] = areaVector(positions, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2])
    area += 0.5 * Math.sqrt(x * x + y * y + z * z)
  }
  return area
}

function meanOf(values: Float64Array, { vertices }: ClothRow): number {
  let sum = 0
  for (const v of vertices) sum += values[v]
  return sum / vertices.length
}

/** Height of corner c over the edge a b [m]. */
function height(x: Float64Array, a: number, b: number, c: number): number {
  const [nx, ny, nz] = areaVector(x, a, b, c)
  return Math.sqrt(nx * nx + ny * ny + nz * nz) / apart(x, a, b)
}
