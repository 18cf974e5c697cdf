/**
 * Mass properties of a mesh of uniform density: exact integrals over tetrahedra, no sampling.
 *
 * For a tetrahedron with corners v₀ … v₃ as seen from a point o, and S = Σ vₖ:
 *
 *   V = det(v₁ - v₀, v₂ - v₀, v₃ - v₀) / 6
 *   ∫ x dV = V/4 S
 *   ∫ x xᵀ dV = V/20 (Σ vₖ vₖᵀ + S Sᵀ) =: C          I = ρ (tr C 1 - C)
 *
 * F. Tonon 2005, "Explicit exact formulas for the 3-D tetrahedron inertia tensor in terms of its vertex coordinates",
 * has the same tensor entry by entry. A closed surface is the sum of the signed tetrahedra (o, a, b, c) over its
 * triangles: B. Mirtich 1996, "Fast and accurate computation of polyhedral mass properties"; D. Eberly, "Polyhedral
 * mass properties (revisited)". Departure from them: they integrate about the origin and move the tensor by the
 * parallel axis theorem, which cancels badly for a small body far away. Here one pass finds the centre of mass, and a
 * second one integrates about it.
 *
 * Closedness: ∮ nⱼ dA = 0 and ∮ xᵢ nⱼ dA = V δᵢⱼ (divergence theorem). A hole, a flipped or a doubled triangle breaks
 * one of these; a set of holes with the symmetry of a cube can slip through. Pairing up edges would find every hole,
 * but takes vertices doubled along a texture seam for one.
 */

import { finite, positive, knownFields, refuseNested, shown } from '../define/assert.js'
import { mirrored } from './tensor.js'
import type { MassProperties } from './tensor.js'

/** How heavy a mesh is: its density [kg/m³] or its mass [kg]. */
export type MassOrDensity =
  { readonly density: number; readonly mass?: undefined } | { readonly mass: number; readonly density?: undefined }

/** Mass properties and the volume they belong to. */
export interface MeshMassProperties extends MassProperties {
  /** [m³] */
  readonly volume: number
}

type Point = [x: number, y: number, z: number]

/** Elements of `arity` vertices each: tetrahedra, or triangles that the point of reference makes tetrahedra of. */
interface Mesh {
  readonly name: 'tetrahedra' | 'triangles'
  readonly where: string
  readonly vertices: ArrayLike<number>
  readonly elements: ArrayLike<number>
  readonly arity: 3 | 4
}

/**
 * Gap in the closedness equations, relative to area and extent, that still counts as round-off: coordinates in float32
 * leave 1e-7 along a seam, a triangle missing out of a hundred thousand leaves 1e-5.
 */
const LEAK = 1e-6

/** Volume/extent³ below which a mesh is flat: round-off leaves 1e-16, a wire 1 m long and 1 µm thick has 1e-12. */
const FLAT = 1e-14

/**
 * Mass, centre of mass, volume and inertia tensor of a tetrahedral mesh of uniform density.
 * @param vertices - x, y, z of each vertex [m]
 * @param tetrahedra - four vertex indices a, b, c, d each, such that (b - a) × (c - a) points towards d
 * @param amount - `{ density }` [kg/m³] or `{ mass }` [kg]
 */
export function tetraMesh(
  vertices: ArrayLike<number>,
  tetrahedra: ArrayLike<number>,
  amount: MassOrDensity,
): MeshMassProperties {
  return integrate({ where: 'tetraMesh', name: 'tetrahedra', vertices, elements: tetrahedra, arity: 4 }, amount)
}

/**
 * Mass, centre of mass, volume and inertia tensor of the solid of uniform density within a closed surface.
 * @param vertices - x, y, z of each vertex [m]; vertices may be doubled, as along texture seams
 * @param triangles - three vertex indices each, counterclockwise seen from outside
 * @param amount - `{ density }` [kg/m³] or `{ mass }` [kg]
 */
export function closedMesh(
  vertices: ArrayLike<number>,
  triangles: ArrayLike<number>,
  amount: MassOrDensity,
): MeshMassProperties {
  return integrate({ where: 'closedMesh', name: 'triangles', vertices, elements: triangles, arity: 3 }, amount)
}

function integrate(mesh: Mesh, amount: MassOrDensity): MeshMassProperties {
  const { where, arity } = mesh
  checkIndices(mesh)
  const { middle, extent } = bounds(mesh)
  if (arity === 3) checkClosed(mesh, middle, extent)
  else checkTetrahedra(mesh)

  const { V, S } = volumeIntegrals(mesh, middle)
  if (!(V > FLAT * extent * extent * extent)) {
    const hint = arity === 3 ? ' (triangles run counterclockwise seen from outside)' : ''
    throw new RangeError(`${where}: volume must be > 0 and not flat, got ${V}${hint}`)
  }
  const { mass, density } = weigh(where, amount, V)
  const center: Point = [middle[0] + S[0] / V, middle[1] + S[1] / V, middle[2] + S[2] / V]
  const [xx, xy, xz, yy, yz, zz] = volumeIntegrals(mesh, center).C.map((C) => density * C)
  // 0 - C and not -C: a symmetric body gets zeros, not negative zeros
  return { mass, volume: V, centerOfMass: center, inertia: mirrored(yy + zz, 0 - xy, 0 - xz, zz + xx, 0 - yz, xx + yy) }
}

/** ∫ dV, ∫ x dV and ∫ x xᵀ dV (xx, xy, xz, yy, yz, zz) as seen from `o`. */
function volumeIntegrals(mesh: Mesh, o: Point): { V: number; S: Point; C: number[] } {
  const { vertices, elements, arity } = mesh
  let V = 0
  const S: Point = [0, 0, 0]
  const C = [0, 0, 0, 0, 0, 0]
  for (let e = 0; e < elements.length; e += arity) {
    // a surface has `o` itself for its first corner
    const a: Point = arity === 4 ? seen(vertices, elements[e], o) : [0, 0, 0]
    const b = seen(vertices, elements[e + arity - 3], o)
    const c = seen(vertices, elements[e + arity - 2], o)
    const d = seen(vertices, elements[e + arity - 1], o)
    const v = signedVolume(a, b, c, d)
    const s: Point = [a[0] + b[0] + c[0] + d[0], a[1] + b[1] + c[1] + d[1], a[2] + b[2] + c[2] + d[2]]
    V += v
    for (let i = 0, ij = 0; i < 3; i++) {
      S[i] += (v / 4) * s[i]
      for (let j = i; j < 3; j++, ij++) {
        C[ij] += (v / 20) * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + d[i] * d[j] + s[i] * s[j])
      }
    }
  }
  return { V, S, C }
}

/** Throws unless the integrals of n dA and x nᵀ dA are those of a closed surface. */
function checkClosed(mesh: Mesh, o: Point, extent: number): void {
  const { where, vertices, elements } = mesh
  const N: Point = [0, 0, 0]
  const M = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  let area = 0
  for (let e = 0; e < elements.length; e += 3) {
    const a = seen(vertices, elements[e], o)
    const b = seen(vertices, elements[e + 1], o)
    const c = seen(vertices, elements[e + 2], o)
    const n = cross(minus(b, a), minus(c, a)) // twice the area
    area += Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2
    for (let j = 0; j < 3; j++) {
      N[j] += n[j] / 2
      for (let i = 0; i < 3; i++) M[3 * i + j] += ((a[i] + b[i] + c[i]) / 6) * n[j]
    }
  }
  const V = (M[0] + M[4] + M[8]) / 3
  for (const diagonal of [0, 4, 8]) M[diagonal] -= V
  const flux = Math.max(...N.map(Math.abs))
  const moment = Math.max(...M.map(Math.abs))
  if (flux <= LEAK * area && moment <= LEAK * area * extent) return
  const gap = Math.max(flux, moment / extent)
  throw new RangeError(
    `${where}: triangles must form a closed surface, all wound alike, got holes or flips of ${gap} m²`,
  )
}

function checkTetrahedra({ where, vertices, elements }: Mesh): void {
  for (let e = 0; e < elements.length; e += 4) {
    const o = seen(vertices, elements[e], [0, 0, 0])
    const [b, c, d] = [1, 2, 3].map((k) => seen(vertices, elements[e + k], o))
    const v = signedVolume([0, 0, 0], b, c, d)
    if (v > 0) continue
    throw new RangeError(
      `${where}: volume of tetrahedra[${e} … ${e + 3}] must be > 0, got ${v} (if negative, swap two of its indices)`,
    )
  }
}

function checkIndices({ where, name, vertices, elements, arity }: Mesh): void {
  checkLength(`${where}: vertices`, vertices, 3)
  checkLength(`${where}: ${name}`, elements, arity)
  for (let i = 0; i < vertices.length; i++) {
    if (!Number.isFinite(vertices[i])) finite(`${where}: vertices[${i}]`, vertices[i])
  }
  const count = vertices.length / 3
  for (let i = 0; i < elements.length; i++) {
    const index = elements[i]
    if (Number.isInteger(index) && index >= 0 && index < count) continue
    throw new RangeError(`${where}: ${name}[${i}] must be a vertex index from 0 to ${count - 1}, got ${index}`)
  }
}

function checkLength(where: string, value: ArrayLike<number>, stride: number): void {
  if (typeof value !== 'object' || typeof value?.length !== 'number') {
    throw new TypeError(`${where} must be an array of numbers, got ${shown(value)}`)
  }
  refuseNested(where, value)
  if (value.length > 0 && value.length % stride === 0) return
  throw new RangeError(`${where} must be ${stride} numbers each, at least once, got ${value.length} numbers`)
}

/** One of density and mass, positive; `where` is the function. */
export function checkAmount(where: string, amount: MassOrDensity): MassOrDensity {
  const { mass, density } = knownFields(`${where}: amount`, amount, ['mass', 'density'])
  if ((mass === undefined) === (density === undefined)) {
    throw new TypeError(
      `${where}: amount must be { density } or { mass }, got ${mass === undefined ? 'neither' : 'both'}`,
    )
  }
  if (mass === undefined) return { density: positive(`${where}: density`, density) }
  return { mass: positive(`${where}: mass`, mass) }
}

function weigh(where: string, amount: MassOrDensity, volume: number): { mass: number; density: number } {
  const { mass, density } = checkAmount(where, amount)
  return mass === undefined ? { mass: density * volume, density } : { mass, density: mass / volume }
}

/** Middle [m] and longest side [m] of the box around all vertices in use. */
function bounds({ vertices, elements }: Mesh): { middle: Point; extent: number } {
  const low: Point = [Infinity, Infinity, Infinity]
  const high: Point = [-Infinity, -Infinity, -Infinity]
  for (let e = 0; e < elements.length; e++) {
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i], vertices[3 * elements[e] + i])
      high[i] = Math.max(high[i], vertices[3 * elements[e] + i])
    }
  }
  const size = minus(high, low)
  return {
    middle: [low[0] + size[0] / 2, low[1] + size[1] / 2, low[2] + size[2] / 2],
    extent: Math.max(...size),
  }
}

/** Vertex `k` as seen from `o`. */
function seen(vertices: ArrayLike<number>, k: number, o: Point): Point {
  return [vertices[3 * k] - o[0], vertices[3 * k + 1] - o[1], vertices[3 * k + 2] - o[2]]
}

function signedVolume(a: Point, b: Point, c: Point, d: Point): number {
  const n = cross(minus(b, a), minus(c, a))
  const h = minus(d, a)
  return (n[0] * h[0] + n[1] * h[1] + n[2] * h[2]) / 6
}

function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
