/**
 * What rolls on its side. A contact point that is fixed to the surface turns away with it, and its lever behind the axis drives
 * the body on: a cylinder of 0.25 m at 2 m/s gains 5 % of speed a second. So where the ground is along its side, a cylinder
 * counts as round with its radius, and a tapered capsule with the mean of those at its points: the core, on the axis, stays.
 */

import { CYLINDER, type Shape, TAPERED_CAPSULE } from '../../shapes/shape.js'
import type { ManifoldList } from './manifold.js'

/** cos of the angle of normal and axis up to which a cylinder lies on its side rather than on its rim. */
const LYING = 0.1
/** How far that of a tapered capsule may be from its side's. */
const ON_SIDE = 1e-3

/** Notes the radii of manifolds from `first` on, of a and of b at `T`, in the frame of a. */
export function noteRolling(a: Shape, b: Shape, T: Float64Array, list: ManifoldList, first: number): void {
  for (let m = first; m < list.count; m++) {
    const manifold = list.items[m]
    const { normal: n } = manifold
    if (manifold.roundA === 0) manifold.roundA = sideRadius(a, -n[1])
    if (manifold.roundB === 0) manifold.roundB = sideRadius(b, T[4] * n[0] + T[7] * n[1] + T[10] * n[2])
  }
}

/** Radius of what lies on its side, `up` the cos of the angle of its axis and the way out of it; else 0. */
function sideRadius({ kind, params }: Shape, up: number): number {
  if (kind === CYLINDER) return Math.abs(up) < LYING ? params[0] : 0
  if (kind !== TAPERED_CAPSULE) return 0
  const slant = (params[1] - params[0]) / (2 * params[2])
  return Math.abs(up - slant) < ON_SIDE ? 0.5 * (params[0] + params[1]) : 0
}
