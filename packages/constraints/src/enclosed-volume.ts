/**
 * Volume within a closed mesh of particles: balloons, and bodies that are skin alone (Müller, Heidelberger, Hennix and Ratcliff, "Position based
 * dynamics", 2007, 4.4; per solve along the gradient as Hong, Jung, Choi and Welch, "Fast volume preservation for a mass-spring system", 2006).
 *
 *   c = V − p V₀ [m³],  6V = Σ over triangles (x_i − o)·((x_j − o)×(x_k − o)), o the first body
 *   ∂c/∂x_i = Σ over its triangles (x_j − o)×(x_k − o)/6: a third of their area vectors, and as if o stood still
 *
 * λ/h² is the pressure [Pa] on the surface, so compliance is in m³/Pa: V₀/κ for a filling of bulk modulus κ [Pa], γ V₀ p/P for a gas at pressure P.
 * On a closed surface gradients add up to nothing, and so do their moments: both momenta are kept.
 *
 * Triangles are as many as the mesh has, which no column of a fixed length holds: they stay in the definition.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import type { Batch, BodyColumns, ResolvedDef } from '@tautline/core/kernel'
import { array, finite, integer, nonNegative, shown } from '@tautline/core/kernel'
import { centreGradient, NOISE, solveCentres } from './parts/centres.js'
import { keepsAll } from './parts/momenta.js'

/** Particles of a closed mesh, at their centres. `stiffness` is in Pa/m³, `compliance` in m³/Pa, `damping` in Pa s/m³. */
export interface EnclosedVolumeDef extends ManyDef {
  /** Three places in `bodies` a triangle, counter-clockwise from outside. Each edge once each way: it is closed. */
  triangles: readonly number[]
  /** At rest [m³]; below 0 where triangles run clockwise. @defaultValue the present volume */
  volume?: number
  /** Share of the volume at rest that it is blown up to, >= 0. @defaultValue 1 */
  pressure?: number
}

type Column = 'rest'

/** Gradient of the row in hand, three numbers a body; as long as the largest mesh there is. */
let g: Float64Array = /* @__PURE__ */ new Float64Array(0)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedEnclosedVolume = ResolvedDef<EnclosedVolumeDef, 'pressure' | 'volume'>

/** Keeps the volume within a closed mesh: `world.add(enclosedVolume, { bodies, triangles })`. */
export const enclosedVolume: ConstraintType<EnclosedVolumeDef, Column, ResolvedEnclosedVolume> = {
  name: 'enclosedVolume',
  order: 2,
  multipliers: 1,
  traits: {
    isCurved: true,
  },
  fields: ['bodies', 'triangles', 'volume', 'pressure'],
  columns: { rest: 1 },

  resolve(def, { bodies }) {
    const count = def.bodies.length
    if (count < 4) throw new RangeError(`enclosedVolume: bodies must be four or more, got ${count}`)
    const triangles = array('enclosedVolume: triangles', def.triangles).map((v, k) =>
      integer(`enclosedVolume: triangles[${k}]`, v, 0, count - 1),
    )
    checkClosed(triangles, count)
    const pressure = nonNegative('enclosedVolume: pressure', def.pressure ?? 1)
    if (def.volume !== undefined) {
      return { ...def, triangles, pressure, volume: finite('enclosedVolume: volume', def.volume) }
    }
    reserve(count)
    const ids = Int32Array.from(def.bodies, (body) => body.index)
    const volume = finite('enclosedVolume: volume of the present pose', measure(bodies, ids, 0, count, triangles))
    return { ...def, triangles, pressure, volume }
  },

  write({ columns }, row, def) {
    reserve(def.bodies.length)
    columns.rest[row] = def.pressure * def.volume
  },

  evaluate(bodies, batch, row, out) {
    const { rest, compliance, rayleigh } = batch.columns
    const { ids, arity } = batch
    const c = measure(bodies, ids, arity * row, arity, trianglesOf(batch, row)) - rest[row]
    if (isNoise(bodies, ids, arity * row, arity)) return
    const group = out.group('scalar', 'position', 'm3')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    out.row(0, c)
    centreGradient(out, arity, g)
  },

  keepsMomenta: keepsAll,
  outline({ position }, batch, row, out) {
    const { ids, arity } = batch
    const triangles = trianglesOf(batch, row)
    for (let t = 0; t < triangles.length; t++) {
      const next = t % 3 === 2 ? t - 2 : t + 1
      // Each edge is in two triangles, once each way.
      if (triangles[t] < triangles[next])
        out.link(position, 4 * ids[arity * row + triangles[t]], 4 * ids[arity * row + triangles[next]])
    }
  },
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids, arity } = batch
      const { rest } = batch.columns
      for (let row = from; row < to; row++) {
        const c = measure(bodies, ids, arity * row, arity, trianglesOf(batch, row)) - rest[row]
        if (!isNoise(bodies, ids, arity * row, arity)) solveCentres(bodies, batch, row, arity, g, c)
      }
    },
  },
}

function trianglesOf(batch: Batch<never>, row: number): readonly number[] {
  return (batch.definition((batch as Batch).common.slot[row]) as EnclosedVolumeDef).triangles
}

/** Throws unless each edge runs once each way, or as often one way as the other. */
function checkClosed(triangles: readonly number[], count: number): void {
  if (triangles.length < 12 || triangles.length % 3 !== 0) {
    throw new RangeError(
      `enclosedVolume: triangles must be three places each, of four or more, got ${triangles.length}`,
    )
  }
  const balance = new Map<number, number>()
  for (let t = 0; t < triangles.length; t++) {
    const u = triangles[t]
    const v = triangles[t % 3 === 2 ? t - 2 : t + 1]
    if (u === v)
      throw new RangeError(`enclosedVolume: triangles[${t}] must differ from the next, got ${shown(u)} twice`)
    const key = Math.min(u, v) * count + Math.max(u, v)
    balance.set(key, (balance.get(key) ?? 0) + (u < v ? 1 : -1))
  }
  for (const [key, sum] of balance) {
    if (sum === 0) continue
    throw new RangeError(
      `enclosedVolume: triangles must be closed, got an open edge from ${Math.floor(key / count)} to ${key % count}`,
    )
  }
}

function reserve(count: number): void {
  if (g.length < 3 * count) g = new Float64Array(6 * count)
}

/** V [m³], and its gradient into `g`. `o` is the place of the row's first body in `ids`. */
function measure(
  bodies: Pick<BodyColumns, 'position'>,
  ids: Int32Array,
  o: number,
  count: number,
  triangles: readonly number[],
): number {
  const x = bodies.position
  const gradient = g
  const origin = 4 * ids[o]
  const ox = x[origin]
  const oy = x[origin + 1]
  const oz = x[origin + 2]
  for (let k = 0; k < 3 * count; k++) gradient[k] = 0
  let six = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t]
    const b = triangles[t + 1]
    const c = triangles[t + 2]
    const p = 4 * ids[o + a]
    const q = 4 * ids[o + b]
    const r = 4 * ids[o + c]
    const ax = x[p] - ox
    const ay = x[p + 1] - oy
    const az = x[p + 2] - oz
    const bx = x[q] - ox
    const by = x[q + 1] - oy
    const bz = x[q + 2] - oz
    const cx = x[r] - ox
    const cy = x[r + 1] - oy
    const cz = x[r + 2] - oz
    const ux = by * cz - bz * cy
    const uy = bz * cx - bx * cz
    const uz = bx * cy - by * cx
    six += ax * ux + ay * uy + az * uz
    gradient[3 * a] += ux / 6
    gradient[3 * a + 1] += uy / 6
    gradient[3 * a + 2] += uz / 6
    gradient[3 * b] += (cy * az - cz * ay) / 6
    gradient[3 * b + 1] += (cz * ax - cx * az) / 6
    gradient[3 * b + 2] += (cx * ay - cy * ax) / 6
    gradient[3 * c] += (ay * bz - az * by) / 6
    gradient[3 * c + 1] += (az * bx - ax * bz) / 6
    gradient[3 * c + 2] += (ax * by - ay * bx) / 6
  }
  return six / 6
}

/** Whether the gradient is round-off, as of a mesh that lies along a line: a solve along it would be a million errors long. */
function isNoise(bodies: Pick<BodyColumns, 'position'>, ids: Int32Array, o: number, count: number): boolean {
  const x = bodies.position
  const origin = 4 * ids[o]
  let w = 0
  let sum = 0
  let farthest = 0
  for (let b = 0; b < count; b++) {
    const p = 4 * ids[o + b]
    const dx = x[p] - x[origin]
    const dy = x[p + 1] - x[origin + 1]
    const dz = x[p + 2] - x[origin + 2]
    farthest = Math.max(farthest, dx * dx + dy * dy + dz * dz)
    w += x[p + 3] * (g[3 * b] * g[3 * b] + g[3 * b + 1] * g[3 * b + 1] + g[3 * b + 2] * g[3 * b + 2])
    sum += x[p + 3]
  }
  return w <= NOISE * farthest * farthest * sum
}
