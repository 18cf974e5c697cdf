/**
 * A surface whose vertices are bodies (cloth), or lie among them (a fine skin on a coarse lattice): a `BufferGeometry` that follows.
 *
 *   position   x_v = Σ w_vk x_k over up to four nodes
 *   normal     sum of the area vectors ½ (x_b − x_a) × (x_c − x_a) of the triangles around, made a unit one; vertices that `weld`
 *              gives one number, as at the seam of a texture, share theirs
 */

import type { ReadonlyVec3 } from 'gl-matrix'
import { BufferAttribute, BufferGeometry, type Object3D } from 'three'
import { finiteVector, refuseNested } from '@tautline/core/kernel'
import type { Grabbable, GrabPoint, Updatable } from './bindings.js'
import { isThree, kindOf, knownFields, share } from './checks.js'
import type { Embedding } from './embed.js'
import { dynamicAttribute, follow, giveBounds, indexAttribute, upload } from './geometry.js'
import { type NodeDef, Nodes } from './nodes.js'

/** How the vertices of a surface hang on its nodes. */
export interface SurfaceOptions {
  /**
   * Number of the node of each vertex, where vertices are not the nodes in order; several may share one. They share a
   * normal. @defaultValue the nodes in order
   */
  vertices?: ArrayLike<number>
  /** Four nodes and weights a vertex, in place of `vertices`: see {@link embed}. @defaultValue none */
  embedding?: Embedding
  /** A number a vertex: those with the same share a normal. @defaultValue `vertices`, else each its own */
  weld?: ArrayLike<number>
  /**
   * * A geometry to be brought along, with its texture coordinates and groups, in place of a new one: its positions and
   * normals are replaced. It has one vertex for each of the surface; `triangles` may then be left out. @defaultValue a new
   * one
   */
  geometry?: BufferGeometry
  /** Texture coordinates, two numbers a vertex. @defaultValue none */
  uv?: ArrayLike<number>
  /** The mesh in whose space the vertices are written. @defaultValue the world's: the mesh stands unmoved */
  space?: Object3D
}

const FIELDS = ['vertices', 'embedding', 'weld', 'geometry', 'uv', 'space']

/** Bodies as a surface. `new Mesh(surface.geometry, material)`, then `surface.update(alpha)` a frame, which allocates nothing. */
export class Surface implements Updatable, Grabbable {
  /** Positions, normals, index and bounds, the latter kept right for culling and rays. */
  readonly geometry: BufferGeometry
  private readonly nodes: Nodes
  private readonly index: ArrayLike<number>
  /** Node of each vertex; absent where they are in order or embedded. */
  private readonly nodeOf: Uint32Array | undefined
  private readonly embedding: Embedding | undefined
  /** Group of each vertex whose normals are one. */
  private readonly weld: Uint32Array | undefined
  private readonly x: Float64Array
  /** Sums of area vectors, by group, and normals by vertex. */
  private readonly sums: Float64Array
  private readonly n: Float64Array

  /**
   * A surface of `triangles`, three numbers of vertices each, counter-clockwise seen from outside. Throws `TypeError`/`RangeError`
   * with what is wrong and its value.
   */
  constructor(nodes: readonly NodeDef[], triangles?: ArrayLike<number>, options: SurfaceOptions = {}) {
    const where = 'Surface'
    knownFields(where, options, FIELDS)
    const { vertices, embedding, weld, geometry, uv, space } = options
    this.nodes = new Nodes(where, nodes, 1, space ?? null)
    const nodeCount = this.nodes.count
    if (vertices !== undefined && embedding !== undefined) {
      throw new TypeError(`${where}: give vertices or embedding, got both`)
    }
    if (vertices !== undefined) this.nodeOf = numbers(`${where}: vertices`, vertices, nodeCount)
    if (embedding !== undefined) this.embedding = checkedEmbedding(`${where}: embedding`, embedding, nodeCount)
    const count = this.nodeOf?.length ?? (embedding === undefined ? nodeCount : embedding.nodes.length / 4)
    if (weld !== undefined) {
      if (weld.length !== count) {
        throw new RangeError(`${where}: weld must be ${count} numbers, one a vertex, got ${weld.length} entries`)
      }
      this.weld = numbers(`${where}: weld`, weld, count)
    }
    this.weld ??= this.nodeOf
    if (geometry !== undefined) checkGeometry(where, geometry, count)
    const given = triangles ?? geometry?.index?.array ?? (geometry && Array.from({ length: count }, (_, k) => k))
    if (given === undefined) throw new TypeError(`${where}: triangles must be given, got none and no geometry`)
    refuseNested(`${where}: triangles`, given)
    this.index = numbers(`${where}: triangles`, given, count)
    if (this.index.length % 3 !== 0) {
      throw new RangeError(`${where}: triangles must be three numbers each, got ${this.index.length} entries`)
    }
    this.geometry = geometry ?? new BufferGeometry()
    if (triangles !== undefined || this.geometry.index === null) {
      this.geometry.setIndex(indexAttribute(this.index, count))
    }
    this.geometry.setAttribute('position', dynamicAttribute(count))
    this.geometry.setAttribute('normal', dynamicAttribute(count))
    if (uv !== undefined) {
      finiteVector(`${where}: uv`, uv, 2 * count)
      this.geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(uv), 2))
    }
    giveBounds(this.geometry)
    this.x = new Float64Array(3 * count)
    this.n = new Float64Array(3 * count)
    this.sums = this.weld === undefined ? this.n : new Float64Array(3 * Math.max(count, nodeCount))
    this.update()
  }

  /** Writes where the vertices are, their normals and the bounds: see `Bindings.update`. */
  update(alpha = 1): void {
    share('update: alpha', alpha)
    const { nodes, x, nodeOf, embedding, geometry } = this
    nodes.update(alpha)
    const p = nodes.positions
    const count = x.length / 3
    if (embedding !== undefined) blend(embedding, p, x)
    else if (nodeOf === undefined) x.set(p)
    else {
      for (let v = 0; v < count; v++) {
        const o = 3 * nodeOf[v]
        x[3 * v] = p[o]
        x[3 * v + 1] = p[o + 1]
        x[3 * v + 2] = p[o + 2]
      }
    }
    nodes.toSpace(x, count)
    this.findNormals()
    upload(geometry.attributes.position as BufferAttribute, x)
    upload(geometry.attributes.normal as BufferAttribute, this.n)
    follow(geometry, x, count)
  }

  /** The node nearest to a world point [m]: what a dragger pulls. */
  nearest(point: ReadonlyVec3): GrabPoint | null {
    return this.nodes.nearest(point)
  }

  private findNormals(): void {
    const { index, weld, x, sums, n } = this
    sums.fill(0)
    for (let t = 0; t < index.length; t += 3) {
      const a = 3 * index[t]
      const b = 3 * index[t + 1]
      const c = 3 * index[t + 2]
      const ux = x[b] - x[a]
      const uy = x[b + 1] - x[a + 1]
      const uz = x[b + 2] - x[a + 2]
      const vx = x[c] - x[a]
      const vy = x[c + 1] - x[a + 1]
      const vz = x[c + 2] - x[a + 2]
      const nx = uy * vz - uz * vy
      const ny = uz * vx - ux * vz
      const nz = ux * vy - uy * vx
      for (let k = t; k < t + 3; k++) {
        const o = 3 * (weld === undefined ? index[k] : weld[index[k]])
        sums[o] += nx
        sums[o + 1] += ny
        sums[o + 2] += nz
      }
    }
    for (let v = 0; v < n.length / 3; v++) {
      const o = 3 * (weld === undefined ? v : weld[v])
      const length = Math.sqrt(sums[o] * sums[o] + sums[o + 1] * sums[o + 1] + sums[o + 2] * sums[o + 2])
      const s = length > 0 ? 1 / length : 0
      n[3 * v] = s * sums[o]
      n[3 * v + 1] = s * sums[o + 1]
      n[3 * v + 2] = length > 0 ? s * sums[o + 2] : 1
    }
  }
}

function blend({ nodes, weights }: Embedding, p: Float64Array, x: Float64Array): void {
  for (let v = 0; v < x.length / 3; v++) {
    let a = 0
    let b = 0
    let c = 0
    for (let k = 4 * v; k < 4 * v + 4; k++) {
      const w = weights[k]
      const o = 3 * nodes[k]
      a += w * p[o]
      b += w * p[o + 1]
      c += w * p[o + 2]
    }
    x[3 * v] = a
    x[3 * v + 1] = b
    x[3 * v + 2] = c
  }
}

/** Integers below `end`. */
export function numbers(where: string, list: ArrayLike<number>, end: number): Uint32Array {
  if (typeof list !== 'object' || list === null || typeof list.length !== 'number') {
    throw new TypeError(`${where} must be an array of numbers, got ${kindOf(list)}`)
  }
  for (let k = 0; k < list.length; k++) {
    if (Number.isInteger(list[k]) && list[k] >= 0 && list[k] < end) continue
    throw new RangeError(`${where}[${k}] must be an integer in [0, ${end}), got ${list[k]}`)
  }
  return Uint32Array.from(list)
}

function checkedEmbedding(where: string, embedding: Embedding, nodeCount: number): Embedding {
  const nodes = numbers(`${where}.nodes`, embedding?.nodes, nodeCount)
  if (nodes.length % 4 !== 0) {
    throw new RangeError(`${where}.nodes must be four a vertex, got ${nodes.length} entries`)
  }
  const weights = Float64Array.from(finiteVector(`${where}.weights`, embedding.weights, nodes.length))
  return { nodes, weights }
}

function checkGeometry(where: string, geometry: BufferGeometry, count: number): void {
  isThree(`${where}: geometry`, geometry, 'isBufferGeometry')
  const { position } = geometry.attributes
  if (position !== undefined && position.count !== count) {
    throw new RangeError(`${where}: geometry must have ${count} vertices, got ${position.count}`)
  }
}
