/**
 * What air does to cloth: drag, lift and overpressure, triangle by triangle, once a substep.
 *
 *   u = v − wind [m/s] of a triangle, n̂ its normal, A its area
 *   F = −½ ρ A [C_D u_n² û + C_L (|u| u_n n̂ − u_n² û)] = −(a u + b u_n n̂),  a = ½ ρ A (C_D − C_L) u_n²/|u|, b = ½ ρ A C_L |u|
 *
 * C_D = C_L is a thin plate: a force along the normal alone. Lift does no work. Each corner bears a third, by its own velocity, and with
 * a and b of the substep's start the velocities of its end follow implicitly, vertex by vertex:
 *
 *   (1 + h w M) Δu = −h w M (u + h g),  M = Σ ⅓ (a 1 + b n̂ n̂ᵀ) over the triangles around, w = 1/m
 *
 * Pressure is added to it in full: threads hold against pressure, so that it does not show in the velocity that the air resists.
 * |u| and u_n in a and b are those of the mean motion over the last dt, n̂ is the present one: a vertex that a solver leaves quivering between
 * substeps goes nowhere, so air does not resist it by the square of its speed. Such squares do not cancel, and would move a balloon on.
 * No light vertex is thrown back by what slows it, and a sheet that falls ends at the speed of the balance, whatever h. A Δu that would raise
 * the speed against the air (C_L above C_D) is cut. Thin plates: S. F. Hoerner, "Fluid-dynamic drag" (1965); the law for triangles: Ling,
 * Damodaran and Gay, "Aerodynamic force models for animating cloth motion in an air flow" (1996).
 */

import type { Body } from '@tautline/core'
import { type BodyColumns, DYNAMIC, RESTS, sin } from '@tautline/core/kernel'
import type { ClothMotion } from './definition.js'

/** Rates of three swells that do not repeat together [rad/s], and their phases. */
const SWELLS = [1.7, 2.9, 5.3] as const
const PHASES = [0, 1.3, 2.1] as const

/** Numbers a vertex: M (xx, xy, xz, yy, yz, zz), force [N] of pressure. */
const STRIDE = 9

/** Forces of the air on a cloth. */
export class Air {
  private rows: Int32Array = new Int32Array(0)
  private triangles: Uint32Array = new Uint32Array(0)
  /** By vertex, see above. */
  private sums: Float64Array = new Float64Array(0)
  /** By vertex: what this has added to the force on its body in this step [N]. */
  private added: Float64Array = new Float64Array(0)
  /** By vertex: its mean velocity in the last step [m/s], its last velocity, and how far it has come in this step by the trapezoids of them [m]. */
  private before = new Float64Array(0)
  private last = new Float64Array(0)
  private way = new Float64Array(0)
  /** By vertex: its mean velocity over the last dt [m/s]. */
  private mean = new Float64Array(0)
  private readonly wind = new Float64Array(3)
  private dt = 0
  private passed = 0

  /** Takes up vertices and triangles anew. */
  follow(vertices: readonly Body[], triangles: Uint32Array): void {
    this.rows = Int32Array.from(vertices, (body) => (body.alive ? body.index : -1))
    this.triangles = triangles
    this.sums = new Float64Array(STRIDE * vertices.length)
    this.added = new Float64Array(3 * vertices.length)
    this.before = new Float64Array(3 * vertices.length)
    this.last = new Float64Array(3 * vertices.length)
    this.way = new Float64Array(3 * vertices.length)
    this.mean = new Float64Array(3 * vertices.length)
  }

  /** A vertex is gone. */
  forget(row: number): void {
    const v = this.rows.indexOf(row)
    if (v >= 0) this.rows[v] = -1
  }

  /**
   * Before a step of `dt` [s]: clears the forces of the last one, which took `lastDt` [s], and finds the mean velocities in it. Where `lastDt` is 0, or
   * a vertex was put where it is, that is its present velocity.
   */
  beginStep(bodies: BodyColumns, dt: number, lastDt: number): void {
    const { rows, before, last } = this
    const { position, previousPosition, velocity } = bodies
    this.added.fill(0)
    this.way.fill(0)
    this.dt = dt
    this.passed = 0
    for (let v = 0; v < rows.length; v++) {
      const i = rows[v]
      if (i < 0) continue
      let moved = false
      for (let k = 0; k < 3; k++) {
        const d = position[4 * i + k] - previousPosition[3 * i + k]
        if (d !== 0) moved = true
        before[3 * v + k] = d / lastDt
        last[3 * v + k] = velocity[3 * i + k]
      }
      if (!moved || !(lastDt > 0)) for (let k = 0; k < 3; k++) before[3 * v + k] = velocity[3 * i + k]
    }
  }

  /** Adds the forces of a substep of `h` [s] that begins at `time` [s], in place of those of the one before. */
  addForces(bodies: BodyColumns, motion: ClothMotion, gravity: ArrayLike<number>, h: number, time: number): void {
    const { sums, added, rows } = this
    this.swell(motion, time)
    sums.fill(0)
    this.average(bodies, h)
    this.gather(bodies, motion)
    const { force, kind, flags } = bodies
    for (let v = 0; v < rows.length; v++) {
      const i = rows[v]
      if (i < 0) continue
      const o = 3 * v
      for (let k = 0; k < 3; k++) force[3 * i + k] -= added[o + k]
      added[o] = added[o + 1] = added[o + 2] = 0
      if (kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
      this.resist(bodies, v, i, gravity, h)
      for (let k = 0; k < 3; k++) force[3 * i + k] += added[o + k]
    }
  }

  /** Mean velocities over the last dt: of what remains of the last step, and of the substeps of this one. */
  private average({ velocity }: BodyColumns, h: number): void {
    const { rows, before, last, way, mean, dt } = this
    const left = 1 - this.passed / dt
    for (let v = 0; v < rows.length; v++) {
      if (rows[v] < 0) continue
      for (let k = 0; k < 3; k++) {
        const o = 3 * v + k
        const now = velocity[3 * rows[v] + k]
        if (this.passed > 0) way[o] += 0.5 * h * (last[o] + now)
        last[o] = now
        mean[o] = left * before[o] + way[o] / dt
      }
    }
    this.passed += h
  }

  private swell({ wind, gust }: ClothMotion, time: number): void {
    let noise = 0
    if (gust > 0) for (let k = 0; k < 3; k++) noise += sin(SWELLS[k] * time + PHASES[k]) / 3
    for (let k = 0; k < 3; k++) this.wind[k] = wind[k] * (1 + gust * noise)
  }

  /** Sums of all triangles, by vertex. */
  private gather(bodies: BodyColumns, { drag, lift, airDensity, pressure }: ClothMotion): void {
    const { triangles, rows, sums, wind, mean } = this
    const { position: x } = bodies
    const [windX, windY, windZ] = wind
    for (let t = 0; t < triangles.length; t += 3) {
      const i = triangles[t]
      const j = triangles[t + 1]
      const l = triangles[t + 2]
      const a = rows[i]
      const b = rows[j]
      const c = rows[l]
      if (a < 0 || b < 0 || c < 0) continue
      const px = x[4 * b] - x[4 * a]
      const py = x[4 * b + 1] - x[4 * a + 1]
      const pz = x[4 * b + 2] - x[4 * a + 2]
      const qx = x[4 * c] - x[4 * a]
      const qy = x[4 * c + 1] - x[4 * a + 1]
      const qz = x[4 * c + 2] - x[4 * a + 2]
      const nx = py * qz - pz * qy
      const ny = pz * qx - px * qz
      const nz = px * qy - py * qx
      const twice = Math.sqrt(nx * nx + ny * ny + nz * nz)
      if (!(twice > 0)) continue
      const ux = (mean[3 * i] + mean[3 * j] + mean[3 * l]) / 3 - windX
      const uy = (mean[3 * i + 1] + mean[3 * j + 1] + mean[3 * l + 1]) / 3 - windY
      const uz = (mean[3 * i + 2] + mean[3 * j + 2] + mean[3 * l + 2]) / 3 - windZ
      const speed = Math.sqrt(ux * ux + uy * uy + uz * uz)
      const across = (ux * nx + uy * ny + uz * nz) / twice
      const half = airDensity * twice * 0.25
      const along = speed > 0 ? (half * (drag - lift) * across * across) / (3 * speed) : 0
      const normal = (half * lift * speed) / (3 * twice * twice)
      const push = pressure / 6
      for (let k = 0; k < 3; k++) {
        const o = STRIDE * triangles[t + k]
        sums[o] += along + normal * nx * nx
        sums[o + 1] += normal * nx * ny
        sums[o + 2] += normal * nx * nz
        sums[o + 3] += along + normal * ny * ny
        sums[o + 4] += normal * ny * nz
        sums[o + 5] += along + normal * nz * nz
        sums[o + 6] += push * nx
        sums[o + 7] += push * ny
        sums[o + 8] += push * nz
      }
    }
  }

  /** Force on vertex v, body i, by the velocity that the substep of `h` would end with. */
  private resist(bodies: BodyColumns, v: number, i: number, gravity: ArrayLike<number>, h: number): void {
    const { sums, added, wind } = this
    const { velocity, inverseMass, gravityScale } = bodies
    const o = STRIDE * v
    const s = h * inverseMass[i]
    const fall = h * gravityScale[i]
    const ux = velocity[3 * i] + fall * gravity[0] - wind[0]
    const uy = velocity[3 * i + 1] + fall * gravity[1] - wind[1]
    const uz = velocity[3 * i + 2] + fall * gravity[2] - wind[2]
    // (1 + s M) u' = u by cofactors: symmetric, and positive unless lift is above drag.
    const xx = 1 + s * sums[o]
    const xy = s * sums[o + 1]
    const xz = s * sums[o + 2]
    const yy = 1 + s * sums[o + 3]
    const yz = s * sums[o + 4]
    const zz = 1 + s * sums[o + 5]
    const cxx = yy * zz - yz * yz
    const cxy = xz * yz - xy * zz
    const cxz = xy * yz - xz * yy
    const det = xx * cxx + xy * cxy + xz * cxz
    let slower = 1
    let sx = 0
    let sy = 0
    let sz = 0
    if (det > 0) {
      sx = (cxx * ux + cxy * uy + cxz * uz) / det
      sy = (cxy * ux + (xx * zz - xz * xz) * uy + (xy * xz - xx * yz) * uz) / det
      sz = (cxz * ux + (xy * xz - xx * yz) * uy + (xx * yy - xy * xy) * uz) / det
      const before = ux * ux + uy * uy + uz * uz
      const after = sx * sx + sy * sy + sz * sz
      if (after > before) slower = Math.sqrt(before / after)
    }
    const f = 1 / s
    added[3 * v] = f * (slower * sx - ux) + sums[o + 6]
    added[3 * v + 1] = f * (slower * sy - uy) + sums[o + 7]
    added[3 * v + 2] = f * (slower * sz - uz) + sums[o + 8]
    for (let k = 3 * v; k < 3 * v + 3; k++) if (!(Math.abs(added[k]) < Infinity)) added[k] = 0
  }
}
