/**
 * Ropes, cables and rods: a polyline through bodies, or a tube around it.
 *
 * A tube's rings are turned by parallel transport: from one to the next by the smallest turn that takes the old tangent to the new, so
 * it neither twists nor flips where the rope is straight or bends back. The first ring is transported from frame to frame the same way.
 */

import { atan2, cos, positive, sin } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { BufferAttribute, BufferGeometry, type Object3D } from 'three'
import type { Grabbable, GrabPoint, Updatable } from './bindings.js'
import { integer, knownFields, share } from './checks.js'
import { dynamicAttribute, follow, giveBounds, indexAttribute, upload } from './geometry.js'
import { type NodeDef, Nodes } from './nodes.js'

/** How a rope is drawn. */
export interface RopeLineOptions {
  /** Segments between two nodes: 1 is straight from node to node, more is a smooth curve through them. @defaultValue 1 */
  segments?: number
  /** Whether it goes on from the last node to the first. @defaultValue false */
  closed?: boolean
  /** The object in whose space the vertices are written. @defaultValue the world's: the object stands unmoved */
  space?: Object3D
}

/** How a tube is drawn. */
export interface RopeTubeOptions extends RopeLineOptions {
  /** One for all, or a number a node [m]. */
  radius: number | ArrayLike<number>
  /** Sides of the tube. @defaultValue 8 */
  sides?: number
  /** Whether open ends have lids. @defaultValue true */
  caps?: boolean
}

const LINE = ['segments', 'closed', 'space']
const TUBE = [...LINE, 'radius', 'sides', 'caps']

/** A polyline through bodies: `new Line(rope.geometry, material)`, then `rope.update(alpha)` a frame, which allocates nothing. */
export class RopeLine implements Updatable, Grabbable {
  /** Positions and bounds. */
  readonly geometry: BufferGeometry
  private readonly nodes: Nodes
  private readonly parts: number
  private readonly closed: boolean
  private readonly x: Float64Array

  /** Throws `TypeError`/`RangeError` with what is wrong and its value; two nodes are the least. */
  constructor(nodes: readonly NodeDef[], options: RopeLineOptions = {}) {
    knownFields('RopeLine', options, LINE)
    this.nodes = new Nodes('RopeLine', nodes, 2, options.space ?? null)
    this.parts = integer('RopeLine: segments', options.segments ?? 1, 1)
    this.closed = options.closed ?? false
    const count = curveCount(nodes.length, this.parts, this.closed)
    this.x = new Float64Array(3 * count)
    this.geometry = new BufferGeometry()
    this.geometry.setAttribute('position', dynamicAttribute(count))
    giveBounds(this.geometry)
    this.update()
  }

  /** Writes where the points are and the bounds: see `Bindings.update`. */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    const { nodes, x, geometry } = this
    nodes.update(alpha)
    writeCurve(nodes.positions, this.parts, this.closed, x)
    nodes.toSpace(x, x.length / 3)
    upload(geometry.attributes.position as BufferAttribute, x)
    follow(geometry, x, x.length / 3)
  }

  /** The node nearest to a world point [m]: what a dragger pulls. */
  nearest(point: ReadonlyVec3): GrabPoint | null {
    return this.nodes.nearest(point)
  }
}

/** Tangent of a ring, one before it, and the ring's first direction. */
const T = /* @__PURE__ */ new Float64Array(3)
const S = /* @__PURE__ */ new Float64Array(3)
const U = /* @__PURE__ */ new Float64Array(3)

/** Below this length [m] a difference of points has no direction. */
const TOO_SHORT = 1e-12

/**
 * A tube around a rope: `new Mesh(rope.geometry, material)`, then `rope.update(alpha)` a frame, which allocates nothing and keeps the
 * topology. Texture coordinates run once around in u, and along in v from 0 at the first node to 1 at the last.
 */
export class RopeTube implements Updatable, Grabbable {
  /** Positions, normals, texture coordinates, index and bounds. */
  readonly geometry: BufferGeometry
  private readonly nodes: Nodes
  private readonly parts: number
  private readonly closed: boolean
  private readonly sides: number
  private readonly caps: boolean
  /** By ring [m]. */
  private readonly radius: Float64Array
  /** cos, sin by side. */
  private readonly circle: Float64Array
  private readonly curve: Float64Array
  private readonly x: Float64Array
  private readonly n: Float64Array
  /** First direction of the first ring in the last frame. */
  private readonly first = new Float64Array(3)
  /** Tangent, and first direction, of every ring. */
  private readonly tangents: Float64Array
  private readonly normals: Float64Array

  /** Throws `TypeError`/`RangeError` with what is wrong and its value; two nodes and three sides are the least. */
  constructor(nodes: readonly NodeDef[], options: RopeTubeOptions) {
    const where = 'RopeTube'
    knownFields(where, options, TUBE)
    this.nodes = new Nodes(where, nodes, 2, options.space ?? null)
    this.parts = integer(`${where}: segments`, options.segments ?? 1, 1)
    this.closed = options.closed ?? false
    this.caps = !this.closed && (options.caps ?? true)
    const sides = integer(`${where}: sides`, options.sides ?? 8, 3)
    this.sides = sides
    const rings = curveCount(nodes.length, this.parts, this.closed)
    this.radius = radii(`${where}: radius`, options.radius, nodes.length, this.parts, rings)
    this.circle = new Float64Array(2 * (sides + 1))
    for (let k = 0; k <= sides; k++) {
      const angle = (2 * Math.PI * (k % sides)) / sides
      this.circle.set([cos(angle), sin(angle)], 2 * k)
    }
    this.curve = new Float64Array(3 * rings)
    this.tangents = new Float64Array(3 * rings)
    this.normals = new Float64Array(3 * rings)
    const count = (rings + (this.caps ? 2 : 0)) * (sides + 1)
    this.x = new Float64Array(3 * count)
    this.n = new Float64Array(3 * count)
    this.geometry = new BufferGeometry()
    this.geometry.setIndex(indexAttribute(tubeIndex(rings, sides, this.caps), count))
    this.geometry.setAttribute('position', dynamicAttribute(count))
    this.geometry.setAttribute('normal', dynamicAttribute(count))
    this.geometry.setAttribute('uv', new BufferAttribute(tubeUv(rings, sides, this.caps, this.circle), 2))
    giveBounds(this.geometry)
    this.update()
  }

  /** Writes where the vertices are, their normals and the bounds: see `Bindings.update`. */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    const { nodes, curve, x, geometry } = this
    nodes.update(alpha)
    writeCurve(nodes.positions, this.parts, this.closed, curve)
    nodes.toSpace(curve, curve.length / 3)
    this.transport()
    const rings = curve.length / 3
    for (let i = 0; i < rings; i++) this.writeRing(i, i, 0)
    if (this.caps) {
      this.writeRing(0, rings, -1)
      this.writeRing(rings - 1, rings + 1, 1)
    }
    upload(geometry.attributes.position as BufferAttribute, x)
    upload(geometry.attributes.normal as BufferAttribute, this.n)
    follow(geometry, x, x.length / 3)
  }

  /** The node nearest to a world point [m]: what a dragger pulls. */
  nearest(point: ReadonlyVec3): GrabPoint | null {
    return this.nodes.nearest(point)
  }

  /** Tangents and first directions of all rings. */
  private transport(): void {
    const { curve, tangents, normals, first, closed } = this
    const rings = curve.length / 3
    const last = rings - 1
    T.fill(0)
    for (let i = 0; i < rings; i++) {
      // Of a closed one the last point is the first.
      const before = i > 0 ? i - 1 : closed ? last - 1 : 0
      const after = i < last ? i + 1 : closed ? 1 : last
      for (let k = 0; k < 3; k++) S[k] = curve[3 * after + k] - curve[3 * before + k]
      // Where there is no direction the ring keeps that of the one before it.
      if (unit(S)) T.set(S)
      else if (i === 0) T[0] = 1
      tangents.set(T, 3 * i)
    }
    for (let k = 0; k < 3; k++) {
      T[k] = tangents[k]
      U[k] = first[k]
    }
    squareUp()
    first.set(U)
    normals.set(U)
    for (let i = 1; i < rings; i++) {
      for (let k = 0; k < 3; k++) {
        S[k] = T[k]
        T[k] = tangents[3 * i + k]
      }
      turnAlong()
      squareUp()
      normals.set(U, 3 * i)
    }
    if (closed) this.spreadTwist()
  }

  /** What a closed tube has twisted when it is round, spread over all rings, so that the seam closes. */
  private spreadTwist(): void {
    const { normals, tangents } = this
    const last = normals.length / 3 - 1
    const o = 3 * last
    // Angle about the tangent from the last ring to the first.
    let c = 0
    let s = 0
    for (let k = 0; k < 3; k++) {
      const u = (k + 1) % 3
      const v = (k + 2) % 3
      c += normals[o + k] * normals[k]
      s += tangents[k] * (normals[o + u] * normals[v] - normals[o + v] * normals[u])
    }
    const angle = atan2(s, c)
    for (let i = 1; i <= last; i++) {
      const a = (angle * i) / last
      const ca = cos(a)
      const sa = sin(a)
      for (let k = 0; k < 3; k++) {
        const u = 3 * i + ((k + 1) % 3)
        const v = 3 * i + ((k + 2) % 3)
        U[k] = ca * normals[3 * i + k] + sa * (tangents[u] * normals[v] - tangents[v] * normals[u])
      }
      normals.set(U, 3 * i)
    }
  }

  /** Writes ring `i` of the curve as the `at`-th of the mesh: a lid's normals are along the tangent, by `cap`. */
  private writeRing(i: number, at: number, cap: number): void {
    const { curve, tangents, normals, circle, sides, x, n } = this
    const r = this.radius[i]
    const o = 3 * i
    const tx = tangents[o]
    const ty = tangents[o + 1]
    const tz = tangents[o + 2]
    const ux = normals[o]
    const uy = normals[o + 1]
    const uz = normals[o + 2]
    const vx = ty * uz - tz * uy
    const vy = tz * ux - tx * uz
    const vz = tx * uy - ty * ux
    for (let k = 0; k <= sides; k++) {
      const c = circle[2 * k]
      const s = circle[2 * k + 1]
      const dx = c * ux + s * vx
      const dy = c * uy + s * vy
      const dz = c * uz + s * vz
      const p = 3 * (at * (sides + 1) + k)
      x[p] = curve[o] + r * dx
      x[p + 1] = curve[o + 1] + r * dy
      x[p + 2] = curve[o + 2] + r * dz
      n[p] = cap === 0 ? dx : cap * tx
      n[p + 1] = cap === 0 ? dy : cap * ty
      n[p + 2] = cap === 0 ? dz : cap * tz
    }
  }
}

/** Turns U by the smallest turn that takes S to T. */
function turnAlong(): void {
  const wx = S[1] * T[2] - S[2] * T[1]
  const wy = S[2] * T[0] - S[0] * T[2]
  const wz = S[0] * T[1] - S[1] * T[0]
  const d = 1 + S[0] * T[0] + S[1] * T[1] + S[2] * T[2]
  // Folded back on itself, any half turn will do: squared up, U stays where it is.
  if (d < 1e-9) return
  const ux = U[0]
  const uy = U[1]
  const uz = U[2]
  const along = (wx * ux + wy * uy + wz * uz) / d
  const c = d - 1
  U[0] = c * ux + (wy * uz - wz * uy) + along * wx
  U[1] = c * uy + (wz * ux - wx * uz) + along * wy
  U[2] = c * uz + (wx * uy - wy * ux) + along * wz
}

/** Makes U a unit vector ⊥ T; where nothing is left of it, some other. */
function squareUp(): void {
  const along = U[0] * T[0] + U[1] * T[1] + U[2] * T[2]
  for (let k = 0; k < 3; k++) U[k] -= along * T[k]
  if (unit(U)) return
  const least =
    Math.abs(T[0]) < Math.abs(T[1])
      ? Math.abs(T[0]) < Math.abs(T[2])
        ? 0
        : 2
      : Math.abs(T[1]) < Math.abs(T[2])
        ? 1
        : 2
  for (let k = 0; k < 3; k++) U[k] = (k === least ? 1 : 0) - T[least] * T[k]
  unit(U)
}

function unit(v: Float64Array): boolean {
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  if (!(length > TOO_SHORT)) return false
  for (let k = 0; k < 3; k++) v[k] /= length
  return true
}

function radii(
  where: string,
  radius: number | ArrayLike<number>,
  nodes: number,
  parts: number,
  rings: number,
): Float64Array {
  const out = new Float64Array(rings)
  if (typeof radius !== 'object' || radius === null) return out.fill(positive(where, radius))
  if (radius.length !== nodes) {
    throw new RangeError(`${where} must be a number or ${nodes} numbers, one a node, got ${radius.length} entries`)
  }
  for (let k = 0; k < nodes; k++) positive(`${where}[${k}]`, radius[k])
  for (let i = 0; i < rings; i++) {
    const k = Math.floor(i / parts)
    const t = (i % parts) / parts
    out[i] = (1 - t) * radius[k % nodes] + t * radius[(k + 1) % nodes]
  }
  return out
}

function tubeIndex(rings: number, sides: number, caps: boolean): number[] {
  const index: number[] = []
  const row = sides + 1
  for (let i = 0; i + 1 < rings; i++) {
    for (let k = 0; k < sides; k++) {
      const a = i * row + k
      index.push(a, a + 1, a + row, a + row, a + 1, a + row + 1)
    }
  }
  if (!caps) return index
  for (let k = 1; k + 1 < sides; k++) {
    const a = rings * row
    const b = a + row
    index.push(a, a + k + 1, a + k, b, b + k, b + k + 1)
  }
  return index
}

function tubeUv(rings: number, sides: number, caps: boolean, circle: Float64Array): Float32Array {
  const row = sides + 1
  const uv = new Float32Array(2 * row * (rings + (caps ? 2 : 0)))
  for (let i = 0; i < rings; i++) {
    for (let k = 0; k < row; k++) uv.set([k / sides, i / (rings - 1)], 2 * (i * row + k))
  }
  for (let i = rings; i < uv.length / 2 / row; i++) {
    for (let k = 0; k < row; k++) uv.set([0.5 + 0.5 * circle[2 * k], 0.5 + 0.5 * circle[2 * k + 1]], 2 * (i * row + k))
  }
  return uv
}

/** Points of a polyline through `nodes` nodes, with `parts` segments between two. */
function curveCount(nodes: number, parts: number, closed: boolean): number {
  return closed ? nodes * parts + 1 : (nodes - 1) * parts + 1
}

/** Writes the curve through x, three numbers a node, to `out`. */
function writeCurve(x: Float64Array, parts: number, closed: boolean, out: Float64Array): void {
  const n = x.length / 3
  const spans = closed ? n : n - 1
  let o = 0
  for (let i = 0; i < spans; i++) {
    const b = 3 * i
    const c = 3 * ((i + 1) % n)
    // At an open end the tangent is that of the parabola through the last three.
    const isFirst = !closed && i === 0
    const isLast = !closed && i === spans - 1
    const a = 3 * ((i + n - 1) % n)
    const d = 3 * ((i + 2) % n)
    for (let s = 0; s < parts; s++) {
      const t = s / parts
      for (let k = 0; k < 3; k++) {
        const p = x[b + k]
        const q = x[c + k]
        let before = isFirst ? 0 : x[a + k]
        let after = isLast ? 0 : x[d + k]
        if (isFirst) before = isLast ? 2 * p - q : 3 * p - 3 * q + after
        if (isLast) after = isFirst ? 2 * q - p : 3 * q - 3 * p + before
        const u = 0.5 * (q - before)
        const v = 0.5 * (after - p)
        out[o++] = p + t * (u + t * (3 * (q - p) - 2 * u - v + t * (2 * (p - q) + u + v)))
      }
    }
  }
  const end = closed ? 0 : 3 * (n - 1)
  for (let k = 0; k < 3; k++) out[o++] = x[end + k]
}
