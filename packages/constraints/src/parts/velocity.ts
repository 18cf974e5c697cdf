/** The velocity pass of a pair: relative velocity at its levers, and impulses there. */

import { type BodyColumns, RUNAWAY } from '@tautline/core/kernel'

/** n·(v_a − v_b) of the matter at the levers in `g` [m/s]. */
export function relativeSpeed(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  nx: number,
  ny: number,
  nz: number,
): number {
  return speedAt(bodies, a, g, 0, nx, ny, nz) - speedAt(bodies, b, g, 3, nx, ny, nz)
}

function speedAt(
  bodies: BodyColumns,
  i: number,
  g: Float64Array,
  k: number,
  nx: number,
  ny: number,
  nz: number,
): number {
  const { velocity, angularVelocity } = bodies
  const v = 3 * i
  const rx = g[k]
  const ry = g[k + 1]
  const rz = g[k + 2]
  return (
    nx * (velocity[v] + angularVelocity[v + 1] * rz - angularVelocity[v + 2] * ry) +
    ny * (velocity[v + 1] + angularVelocity[v + 2] * rx - angularVelocity[v] * rz) +
    nz * (velocity[v + 2] + angularVelocity[v] * ry - angularVelocity[v + 1] * rx)
  )
}

/** Gives a the impulse p [N s] at its lever and b −p at its own; nothing where p is not finite. */
export function pushVelocities(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  px: number,
  py: number,
  pz: number,
): void {
  if (!(Math.abs(px) + Math.abs(py) + Math.abs(pz) < RUNAWAY)) return
  pushVelocity(bodies, a, g, 0, px, py, pz)
  pushVelocity(bodies, b, g, 3, -px, -py, -pz)
}

function pushVelocity(
  bodies: BodyColumns,
  i: number,
  g: Float64Array,
  k: number,
  px: number,
  py: number,
  pz: number,
): void {
  const { position, velocity, angularVelocity } = bodies
  const I = bodies.inverseInertia
  const e = 9 * i
  const v = 3 * i
  const w = position[4 * i + 3]
  if (w === 0) return
  const tx = g[k + 1] * pz - g[k + 2] * py
  const ty = g[k + 2] * px - g[k] * pz
  const tz = g[k] * py - g[k + 1] * px
  velocity[v] += w * px
  velocity[v + 1] += w * py
  velocity[v + 2] += w * pz
  angularVelocity[v] += I[e] * tx + I[e + 1] * ty + I[e + 2] * tz
  angularVelocity[v + 1] += I[e + 3] * tx + I[e + 4] * ty + I[e + 5] * tz
  angularVelocity[v + 2] += I[e + 6] * tx + I[e + 7] * ty + I[e + 8] * tz
}
