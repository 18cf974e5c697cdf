/** What can be read from a cloth. */

import { Collider } from '@tautline/collision'
import type { Body, Constraint, LeanWorld } from '@tautline/core'
import type { vec3 } from 'gl-matrix'
import { contactsOf } from '../parts/collisions.js'
import { UNUSED } from '../parts/mesh.js'
import type { ClothAsset } from './asset.js'
import { widthOf } from './rows.js'
import type { ClothState } from './state.js'

/** How a cloth is at present. */
export interface ClothReadout {
  /** Share by which threads are longer than at rest: mean of |·|, and the most. */
  readonly stretch: { readonly mean: number; readonly max: number }
  /** Pull of threads by the width that they carry, in the last substep [N/m]: mean, and the most. */
  readonly tension: { readonly mean: number; readonly max: number }
  /** [m²] */
  readonly area: number
  /** Volume within, where it is closed [m³]. */
  readonly volume: number
  /** Kinetic energy [J]. */
  readonly kinetic: number
  /** Distance of a pin from its place on its holder, at most [m]: pins stop at static colliders where their holders do not. */
  readonly pinOffset: number
  /**
   * Static and kinematic colliders that hold the cloth while its rigid threads are more than 5 % longer than at rest: it is hooked or wedged between immovable bodies.
   */
  readonly caughtOn: readonly Collider[]
}

/** Share by which a rigid thread is longer than at rest where it is caught [-]: more than steps leave unsolved of cloth that hangs free. */
const CAUGHT = 0.05

/** What is to be drawn of a cloth. */
export interface ClothTopology {
  /** Three vertices a triangle. */
  readonly indices: Uint32Array
  /** By vertex: the one given that it looks like. */
  readonly source: Uint32Array
  /** By vertex: its body in `Cloth.vertices`. */
  readonly vertexOf: Uint32Array
}

const topologies = /* @__PURE__ */ new WeakMap<Uint32Array, ClothTopology>()

/** Triangles as given; what has torn has vertices of its own behind those given. */
export function topologyOf(asset: ClothAsset, { triangles }: ClothState): ClothTopology {
  const known = topologies.get(triangles)
  if (known !== undefined) return known
  const indices = new Uint32Array(triangles.length)
  const source = Array.from({ length: asset.vertexOf.length }, (_, g) => g)
  // What no triangle has is drawn nowhere; it goes with the first vertex.
  const vertexOf = Array.from(asset.vertexOf, (v) => (v === UNUSED ? 0 : v))
  const more = new Map<string, number>()
  for (let k = 0; k < triangles.length; k++) {
    const given = asset.corners[k]
    if (vertexOf[given] === triangles[k]) {
      indices[k] = given
      continue
    }
    const key = `${given},${triangles[k]}`
    let g = more.get(key)
    if (g === undefined) {
      more.set(key, (g = source.length))
      source.push(given)
      vertexOf.push(triangles[k])
    }
    indices[k] = g
  }
  const made = { indices, source: Uint32Array.from(source), vertexOf: Uint32Array.from(vertexOf) }
  topologies.set(triangles, made)
  return made
}

/** Looks at a cloth. */
export function readCloth(asset: ClothAsset, state: ClothState, world: LeanWorld): ClothReadout {
  const { rows, vertices, triangles, origin } = state
  const { position, velocity, inverseMass } = world.bodies.columns
  const at = (v: number): vec3 => {
    const p = 4 * vertices[v].index
    return [position[p], position[p + 1], position[p + 2]]
  }
  let [sum, most, pull, hardest, count] = [0, 0, 0, 0, 0]
  const long = new Set<Body>()
  for (const row of rows) {
    const [constraint] = row.constraints
    if (row.part !== 'stretch' || constraint?.alive !== true) continue
    const [a, b] = row.vertices.map(at)
    const length = Math.sqrt(
      (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]),
    )
    const stretch = length / (constraint.def as { length: number }).length - 1
    if (stretch > CAUGHT && isRigid(constraint)) for (const v of row.vertices) long.add(vertices[v])
    const [u, v] = row.vertices.map((vertex) => origin[vertex])
    const tension = constraint.force / widthOf(asset, [u, v], row.triangles)
    sum += Math.abs(stretch)
    most = Math.max(most, stretch)
    pull += tension
    hardest = Math.max(hardest, tension)
    count++
  }
  let [area, volume] = [0, 0]
  for (let t = 0; t < triangles.length; t += 3) {
    if (!vertices[triangles[t]].alive || !vertices[triangles[t + 1]].alive || !vertices[triangles[t + 2]].alive)
      continue
    const [a, b, c] = [at(triangles[t]), at(triangles[t + 1]), at(triangles[t + 2])]
    const [x, y, z] = cross(minus(b, a), minus(c, a))
    area += 0.5 * Math.sqrt(x * x + y * y + z * z)
    const [p, q, r] = cross(b, c)
    volume += (a[0] * p + a[1] * q + a[2] * r) / 6
  }
  let kinetic = 0
  for (const { alive, index: i } of vertices) {
    if (!alive || position[4 * i + 3] === 0) continue
    const [x, y, z] = velocity.subarray(3 * i, 3 * i + 3)
    kinetic += (0.5 * (x * x + y * y + z * z)) / inverseMass[i]
  }
  const n = Math.max(count, 1)
  return {
    stretch: { mean: sum / n, max: most },
    tension: { mean: pull / n, max: hardest },
    area,
    volume,
    kinetic,
    pinOffset: pinOffsetOf(state),
    caughtOn: long.size === 0 ? [] : collidersAt(state, world, long),
  }
}

function isRigid({ batch, slot }: Constraint): boolean {
  return batch.common.compliance[batch.slotRow[slot]] === 0
}

/** Colliders that do not give way and that some of `bodies` touch. */
function collidersAt({ vertices }: ClothState, world: LeanWorld, bodies: ReadonlySet<Body>): Collider[] {
  const { set, contacts } = contactsOf(world, vertices)
  const found = new Set<Collider>()
  for (const { particle, other } of contacts) {
    const vertex = set[particle]
    if (!(other instanceof Collider) || other.body?.type === 'dynamic') continue
    if (vertex !== null && bodies.has(vertex)) found.add(other)
  }
  return [...found]
}

function pinOffsetOf({ pins, vertices }: ClothState): number {
  let most = 0
  for (const { vertex, body, local } of pins) {
    if (body?.alive !== true || !vertices[vertex].alive) continue
    const [x, y, z] = minus(body.toWorld([...local]), vertices[vertex].position)
    most = Math.max(most, Math.sqrt(x * x + y * y + z * z))
  }
  return most
}

function minus(a: vec3, b: vec3): vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function cross(a: vec3, b: vec3): vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
