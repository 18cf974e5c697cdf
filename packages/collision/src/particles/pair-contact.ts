/**
 * Contact of two particles: one normal row and friction in the plane.
 *
 *   normal    c = n̂·(x_i − x_j) − d >= 0, λ_n >= 0         d: sum of the radii, or less where they were nearer when their set was made
 *   friction  u = displacement of i beyond that of j in the substep, in the plane;  ‖λ_t‖ <= ν λ_n
 *
 * n̂ is that of the first touch on their way through the substep, or of its start: the set of allowed places is convex and holds the start, so
 * that no contact gives energy. What overlaps at the start is moved apart before, without speed.
 */

import type { ConstraintType } from '@tautline/core'
import type { BodyColumns } from '@tautline/core/kernel'
import {
  APART,
  APPROACH,
  FRICTION,
  N,
  NEAR,
  PAIR_COLUMNS,
  type PairColumn,
  type PairContacts,
  RECORD,
  RESTITUTION,
  ROWS,
  TAKEN,
} from './pair-columns.js'
import type { PointRows } from './point-rows.js'
import { partingSpeed, takenBy, RESTING } from './bounce.js'
import { outlinePair } from './outline.js'

/** Way in a substep, as a share of d, from which the first touch is sought. */
const SLOW = 0.25
/** How much nearer than predicted other rows may bring two: as a share of their way, and of d. */
const FARTHER = 2
const ASIDE = 0.25
/** Share of their freedom below which two are squeezed by what does not give way. */
const SQUEEZED = 1e-9

/** Made and kept by `Collisions`: a row a pair of particles that may touch in the step. */
export const pairContact: ConstraintType<object, PairColumn> = {
  name: 'particlePairContact',
  order: 5,
  arity: 2,
  multipliers: ROWS,
  traits: {
    warmStart: false,
    transient: true,
    unordered: true,
  },
  columns: PAIR_COLUMNS,

  resolve: (def) => def,
  write() {},
  energy: () => 0,
  outline: outlinePair,

  evaluate(bodies, batch, row, out) {
    const { record } = batch.columns
    const { position: x, startPosition: x0 } = bodies
    const r = RECORD * row
    const i = 4 * batch.ids[2 * row]
    const j = 4 * batch.ids[2 * row + 1]
    const n = [record[r], record[r + 1], record[r + 2]]
    const along = (d: readonly number[], at: (k: number) => number): number =>
      d[0] * at(0) + d[1] * at(1) + d[2] * at(2)
    const push = (d: readonly number[]): void => {
      out.linear(0, d[0], d[1], d[2])
      out.linear(1, -d[0], -d[1], -d[2])
    }
    const group = out.group('scalar', 'position', 'm')
    group.lower = 0
    group.restitution = record[r + RESTITUTION]
    out.row(0, along(n, (k) => x[i + k] - x[j + k]) - record[r + APART])
    push(n)
    if (record[r + FRICTION] === 0) return
    const disc = out.group('disc', 'position', 'm')
    disc.normal = 0
    disc.slip = record[r + FRICTION + 1]
    disc.radius = record[r + FRICTION]
    const isX = n[0] * n[0] < 0.5
    const s = isX ? 1 / Math.sqrt(1 - n[0] * n[0]) : 1 / Math.sqrt(1 - n[1] * n[1])
    const t = isX ? [0, s * n[2], -s * n[1]] : [-s * n[2], 0, s * n[0]]
    const u = [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]]
    for (const [k, d] of [t, u].entries()) {
      out.row(
        1 + k,
        along(d, (axis) => x[i + axis] - x0[i + axis] - x[j + axis] + x0[j + axis]),
      )
      push(d)
    }
  },
  loop: {
    prepare(bodies, batch, from, to, h) {
      const { position: x, startPosition: x0 } = bodies
      const { record } = batch.columns
      const { ids } = batch
      for (let row = from; row < to; row++) {
        const r = RECORD * row
        const i = 4 * ids[2 * row]
        const j = 4 * ids[2 * row + 1]
        const d = record[r + APART]
        const sx = x0[i] - x0[j]
        const sy = x0[i + 1] - x0[j + 1]
        const sz = x0[i + 2] - x0[j + 2]
        const wx = x[i] - x[j] - sx
        const wy = x[i + 1] - x[j + 1] - sy
        const wz = x[i + 2] - x[j + 2] - sz
        const square = sx * sx + sy * sy + sz * sz
        const way = wx * wx + wy * wy + wz * wz
        // (d (1 + aside) + 2 way)² at most.
        const wide = (1 + ASIDE) * d
        if (!(square <= 2 * (wide * wide + FARTHER * FARTHER * way)) || x[i + 3] + x[j + 3] === 0) {
          record[r + NEAR] = 0
          continue
        }
        let nx = sx
        let ny = sy
        let nz = sz
        let length = Math.sqrt(square)
        if (length > d && way > SLOW * SLOW * d * d) {
          // |s + t w| = d, at its first t in [0, 1].
          const half = sx * wx + sy * wy + sz * wz
          const under = half * half - way * (square - d * d)
          if (under < 0 || half >= 0) {
            record[r + NEAR] = 0
            continue
          }
          const t = (-half - Math.sqrt(under)) / way
          if (t < 1) {
            nx += t * wx
            ny += t * wy
            nz += t * wz
            length = d
          }
        }
        if (!(length > 0)) {
          nx = length = 1
        }
        nx /= length
        ny /= length
        nz /= length
        record[r + NEAR] = 1
        record[r + TAKEN] = 0
        record[r + N] = nx
        record[r + N + 1] = ny
        record[r + N + 2] = nz
        record[r + APPROACH] = (nx * wx + ny * wy + nz * wz) / h
      }
    },
    sweep(bodies, batch, from, to) {
      const { position: x, startPosition: x0 } = bodies
      const { record, lambda } = batch.columns
      const { ids } = batch
      const { batch: points, pressed } = batch.plan as PointRows
      const { way } = pressed
      for (let row = from; row < to; row++) {
        const r = RECORD * row
        if (record[r + NEAR] !== 1) continue
        const i = 4 * ids[2 * row]
        const j = 4 * ids[2 * row + 1]
        const nx = record[r + N]
        const ny = record[r + N + 1]
        const nz = record[r + N + 2]
        const d = record[r + APART]
        const before = lambda[ROWS * row]
        let c = nx * (x[i] - x[j]) + ny * (x[i + 1] - x[j + 1]) + nz * (x[i + 2] - x[j + 2]) - d
        if (c >= 0 && before === 0) continue
        // What overlaps at the start may stay as it is: other rows may have moved where that is, and no row may push for it.
        const start = nx * (x0[i] - x0[j]) + ny * (x0[i + 1] - x0[j + 1]) + nz * (x0[i + 2] - x0[j + 2]) - d
        if (start < 0) {
          c -= start
          if (c >= 0 && before === 0) continue
        }
        const wi = x[i + 3]
        const wj = x[j + 3]
        const heldI = pressed.find(points, ids[2 * row], record, r + N, 1)
        const ix = way[0]
        const iy = way[1]
        const iz = way[2]
        const heldJ = pressed.find(points, ids[2 * row + 1], record, r + N, -1)
        const free = wi + wj
        const w = wi * (ix * ix + iy * iy + iz * iz) + wj * (way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
        // Between two surfaces neither gives way.
        if (!(w > SQUEEZED * free)) continue
        let load = before - c / w
        if (!(load > 0)) load = 0
        const dl = load - before
        lambda[ROWS * row] = load
        if (record[r + RESTITUTION] > 0) record[r + TAKEN] += takenBy(dl, c, start, w)
        x[i] += wi * dl * ix
        x[i + 1] += wi * dl * iy
        x[i + 2] += wi * dl * iz
        x[j] += wj * dl * way[0]
        x[j + 1] += wj * dl * way[1]
        x[j + 2] += wj * dl * way[2]
        pressed.push[0] = dl
        if (heldI >= 0) pressed.pass(points, heldI, record, r + N, 1)
        if (heldJ >= 0) pressed.pass(points, heldJ, record, r + N, -1)
        const cone = record[r + FRICTION] * load
        const old1 = lambda[ROWS * row + 1]
        const old2 = lambda[ROWS * row + 2]
        if (cone === 0 && old1 === 0 && old2 === 0) continue
        let ux = x[i] - x0[i] - x[j] + x0[j]
        let uy = x[i + 1] - x0[i + 1] - x[j + 1] + x0[j + 1]
        let uz = x[i + 2] - x0[i + 2] - x[j + 2] + x0[j + 2]
        const off = nx * ux + ny * uy + nz * uz
        ux -= off * nx
        uy -= off * ny
        uz -= off * nz
        const isX = nx * nx < 0.5
        const s = isX ? 1 / Math.sqrt(1 - nx * nx) : 1 / Math.sqrt(1 - ny * ny)
        const tx = isX ? 0 : -s * nz
        const ty = isX ? s * nz : 0
        const tz = isX ? -s * ny : s * nx
        const vx = ny * tz - nz * ty
        const vy = nz * tx - nx * tz
        const vz = nx * ty - ny * tx
        let l1 = old1 - (tx * ux + ty * uy + tz * uz) / free
        let l2 = old2 - (vx * ux + vy * uy + vz * uz) / free
        const square = l1 * l1 + l2 * l2
        if (square > cone * cone) {
          const share = (record[r + FRICTION + 1] * load) / Math.sqrt(square)
          l1 *= share
          l2 *= share
        }
        lambda[ROWS * row + 1] = l1
        lambda[ROWS * row + 2] = l2
        const px = (l1 - old1) * tx + (l2 - old2) * vx
        const py = (l1 - old1) * ty + (l2 - old2) * vy
        const pz = (l1 - old1) * tz + (l2 - old2) * vz
        x[i] += wi * px
        x[i + 1] += wi * py
        x[i + 2] += wi * pz
        x[j] -= wj * px
        x[j + 1] -= wj * py
        x[j + 2] -= wj * pz
      }
    },
    adopt(_bodies, batch, from, to, h) {
      noteImpulses(batch, from, to, h)
    },
    velocities(bodies, batch, from, to, h, gravity) {
      const { record, lambda } = batch.columns
      for (let row = from; row < to; row++) {
        const r = RECORD * row
        if (record[r + RESTITUTION] === 0 || record[r + NEAR] !== 1 || lambda[ROWS * row] === 0) continue
        if (-record[r + APPROACH] > RESTING * gravity * h) bounce(bodies, batch, row, h)
      }
      noteImpulses(batch, from, to, h)
    },
  },
}

function noteImpulses({ columns }: PairContacts, from: number, to: number, h: number): void {
  const { lambda, touching, impulse } = columns
  for (let row = from; row < to; row++) {
    const pushed = lambda[ROWS * row]
    if (pushed === 0) continue
    impulse[row] += pushed / h
    touching[row] = 1
  }
}

/** Sends off what has struck with its share of the speed of approach, as in `point-contact.ts`. */
function bounce(
  { velocity: v, position: x, startPosition: x0 }: BodyColumns,
  batch: PairContacts,
  row: number,
  h: number,
): void {
  const { record, lambda } = batch.columns
  const r = RECORD * row
  const i = batch.ids[2 * row]
  const j = batch.ids[2 * row + 1]
  const w = x[4 * i + 3] + x[4 * j + 3]
  if (!(w > 0)) return
  let speed = 0
  for (let k = 0; k < 3; k++) speed += record[r + N + k] * (v[3 * i + k] - v[3 * j + k])
  const e = record[r + RESTITUTION]
  let start = -record[r + APART]
  for (let k = 0; k < 3; k++) start += record[r + N + k] * (x0[4 * i + k] - x0[4 * j + k])
  const load = lambda[ROWS * row]
  const parting = partingSpeed(e, speed, -record[r + APPROACH], record[r + TAKEN], load, start, w, h)
  const impulse = (parting - speed) / w
  if (!(impulse > 0)) return
  lambda[ROWS * row] += impulse * h
  for (let k = 0; k < 3; k++) {
    v[3 * i + k] += x[4 * i + 3] * impulse * record[r + N + k]
    v[3 * j + k] -= x[4 * j + 3] * impulse * record[r + N + k]
  }
}
