/**
 * Cloth that tears: a thread that bears more than its strength parts one of its ends.
 *
 * The triangles around the end that lie towards the other one go over to a new vertex, which takes the mass of their share of the cloth with it, at the
 * same place and velocity: mass and momentum are kept. Rows go with their triangles; those that ran through both sides are gone. Ends on the hem come
 * apart first, so that a cut goes on from its notch.
 */

import type { Body, Constraint, LeanWorld } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'
import { areaVector } from '../parts/mesh.js'
import type { ClothAsset } from './asset.js'
import { widthOf } from './rows.js'
import type { BuiltRow, ClothState, Tear } from './state.js'

/** Vertices that come apart in one step, at most. */
const MOST_TEARS = 16

/** Force of each thread, summed over the substeps of a step. */
export class ThreadForces {
  private sums: Float64Array = new Float64Array(0)
  private substeps = 0

  begin(rows: readonly BuiltRow[]): void {
    if (this.sums.length !== rows.length) this.sums = new Float64Array(rows.length)
    this.sums.fill(0)
    this.substeps = 0
  }

  /** Adds what rows have borne in the last substep of `h` [s]. */
  add(rows: readonly BuiltRow[], h: number): void {
    const { sums } = this
    for (let r = 0; r < rows.length; r++) {
      if (rows[r].part !== 'stretch') continue
      const { batch, slot, alive } = rows[r].constraints[0]
      // λ of a length that is pulled is below 0.
      if (alive) sums[r] -= batch.common.lambda[batch.slotRow[slot]] / (h * h)
    }
    this.substeps++
  }

  /** Mean pull of a row [N]. */
  mean(r: number): number {
    return this.substeps === 0 ? 0 : this.sums[r] / this.substeps
  }
}

/** Parts what bears more than its strength [N/m]; the state after it, or the same where all holds. */
export function tear(
  world: LeanWorld,
  asset: ClothAsset,
  strength: Float64Array,
  state: ClothState,
  forces: ThreadForces,
): ClothState {
  const loads: { row: BuiltRow; load: number }[] = []
  state.rows.forEach((row, r) => {
    if (row.part !== 'stretch') return
    const [a, b] = row.vertices.map((v) => state.origin[v])
    const holds = 0.5 * (strength[a] + strength[b]) * widthOf(asset, [a, b], row.triangles)
    const load = forces.mean(r) / holds
    if (load > 1) loads.push({ row, load })
  })
  if (loads.length === 0) return state
  loads.sort(
    (p, q) => q.load - p.load || p.row.vertices[0] - q.row.vertices[0] || p.row.vertices[1] - q.row.vertices[1],
  )
  const torn: Tear[] = []
  const touched = new Set<number>()
  let next = state
  for (const { row } of loads) {
    if (torn.length === MOST_TEARS) break
    if (row.vertices.some((v) => touched.has(v))) continue
    const [u, v] = row.vertices
    const ends = isOnHem(next, v) && !isOnHem(next, u) ? [v, u] : [u, v]
    for (const from of ends) {
      const away = from === u ? v : u
      const parted = split(world, asset, next, from, away)
      if (parted === next) continue
      torn.push({ from, to: next.vertices.length })
      touched.add(from).add(away)
      next = parted
      break
    }
  }
  return torn.length === 0 ? state : { ...next, torn }
}

/** Whether an edge at a vertex has one triangle. */
function isOnHem({ triangles }: ClothState, v: number): boolean {
  const count = new Map<number, number>()
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      if (triangles[t + k] !== v) continue
      for (const other of [triangles[t + ((k + 1) % 3)], triangles[t + ((k + 2) % 3)]]) {
        count.set(other, (count.get(other) ?? 0) + 1)
      }
    }
  }
  for (const n of count.values()) if (n === 1) return true
  return false
}

/** Gives the triangles around `v` that lie towards `away` a vertex of their own; the same state where all or none do, or where it is held. */
function split(world: LeanWorld, asset: ClothAsset, state: ClothState, v: number, away: number): ClothState {
  const { vertices, triangles, origin, pins } = state
  if (pins.some(({ vertex }) => vertex === v) || vertices[v].type !== 'dynamic') return state
  const at = vertices[v].position
  const to = vertices[away].position
  const way = [to[0] - at[0], to[1] - at[1], to[2] - at[2]]
  const parted: number[] = []
  let stay = 0
  let area = 0
  let all = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]]
    if (!corners.includes(v)) continue
    let along = 0
    for (const corner of corners) {
      if (!vertices[corner].alive) continue
      const x = vertices[corner].position
      for (let k = 0; k < 3; k++) along += way[k] * (x[k] - at[k])
    }
    const [x, y, z] = areaVector(asset.positions, origin[corners[0]], origin[corners[1]], origin[corners[2]])
    const own = Math.sqrt(x * x + y * y + z * z)
    all += own
    if (along > 0) {
      parted.push(t / 3)
      area += own
    } else stay++
  }
  if (parted.length === 0 || stay === 0) return state
  const made = halve(world, vertices[v], area / all)
  return rewired(world, asset, { ...state, vertices: [...vertices, made] }, v, new Set(parted))
}

/** A new particle with a share of the mass of another, at its place and velocity. */
function halve(world: LeanWorld, body: Body, share: number): Body {
  const { mass } = body
  const part = mass * share
  const { columns } = body.bodies
  const made = world.addParticle({
    position: body.position,
    velocity: body.velocity,
    mass: part,
    gravityScale: columns.gravityScale[body.index],
    linearDamping: columns.linearDamping[body.index],
  })
  body.setMass(mass - part)
  return made
}

/** Lets triangles and their rows go over from `v` to the last vertex. */
function rewired(
  world: LeanWorld,
  asset: ClothAsset,
  state: ClothState,
  v: number,
  parted: ReadonlySet<number>,
): ClothState {
  const { vertices } = state
  const fresh = vertices.length - 1
  const triangles = state.triangles.slice()
  for (const t of parted) for (let k = 3 * t; k < 3 * t + 3; k++) if (triangles[k] === v) triangles[k] = fresh
  const origin = new Uint32Array(fresh + 1)
  origin.set(state.origin)
  origin[fresh] = state.origin[v]
  const rows: BuiltRow[] = []
  for (const row of state.rows) {
    const over = row.triangles.filter((t) => parted.has(t))
    if ((!row.vertices.includes(v) && row.middle !== v) || over.length === 0) {
      rows.push(row)
      continue
    }
    const left = row.triangles.filter((t) => !parted.has(t))
    const area = areaOf(asset, row.triangles)
    const moved = {
      ...row,
      vertices: row.vertices.map((u) => (u === v ? fresh : u)),
      middle: row.middle === v ? fresh : row.middle,
    }
    if (left.length === 0) rows.push({ ...moved, constraints: replaced(world, row, moved, vertices, 1) })
    else if (row.part === 'stretch') {
      const old = areaOf(asset, over) / area
      rows.push({ ...moved, triangles: over, constraints: copied(world, row, moved, vertices, old) })
      rows.push({ ...row, triangles: left, constraints: replaced(world, row, row, vertices, 1 - old) })
    } else for (const constraint of row.constraints) if (constraint.alive) constraint.remove()
  }
  const tethers = state.tethers.filter((constraint) => {
    if (!constraint.alive || !constraint.bodies.includes(vertices[v])) return constraint.alive
    constraint.remove()
    return false
  })
  return { ...state, vertices, origin, triangles, rows, tethers }
}

/** The vertices of a row that its constraints are between. */
type Ends = Pick<BuiltRow, 'vertices' | 'middle'>

/** The same constraints between other vertices, `share` times as stiff, in place of the old ones. */
function replaced(world: LeanWorld, row: BuiltRow, ends: Ends, vertices: readonly Body[], share: number): Constraint[] {
  const made = copied(world, row, ends, vertices, share)
  for (const constraint of row.constraints) if (constraint.alive) constraint.remove()
  return made
}

/** The same constraints between other vertices, `share` times as stiff. */
function copied(
  world: LeanWorld,
  row: BuiltRow,
  { vertices: ends, middle }: Ends,
  vertices: readonly Body[],
  share: number,
): Constraint[] {
  return row.constraints
    .filter(({ alive }) => alive)
    .map((constraint) => {
      const def = constraint.def as { compliance?: number; damping?: number; bodies?: unknown }
      // A bend of two threads goes through the vertex between them.
      const through = constraint.batch.arity === 3 ? [ends[0], middle, ends[1]] : ends
      const bodies = through.map((u) => vertices[u])
      const joined = def.bodies === undefined ? { a: bodies[0], b: bodies[1] } : { bodies }
      const soft = share === 1 ? {} : { compliance: (def.compliance ?? 0) / share, damping: (def.damping ?? 0) * share }
      const type = constraint.batch.type as AnyType
      return world.addSaved(type as never, { ...def, ...joined, ...soft } as never) as unknown as Constraint
    })
}

function areaOf({ positions, triangles }: ClothAsset, list: readonly number[]): number {
  let area = 0
  for (const t of list) {
    const [x, y, z] = areaVector(positions, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2])
    area += 0.5 * Math.sqrt(x * x + y * y + z * z)
  }
  return area
}
