/** What the materials of two that touch make together. */

import { combine, type Material } from '../state/material.js'
import type { CollisionSettings } from '../state/options.js'

/** Static and dynamic friction, restitution, push-out [m/s]: what `combineInto` found last. */
export const SURFACE: Float64Array = /* @__PURE__ */ new Float64Array(4)

/** Combines two materials into `SURFACE`. */
export function combineInto(
  { frictionCombine, restitutionCombine }: CollisionSettings,
  r: Material,
  s: Material,
): void {
  SURFACE[0] = combine(frictionCombine, r.friction, s.friction)
  SURFACE[1] = combine(frictionCombine, r.dynamicFriction, s.dynamicFriction)
  SURFACE[2] = combine(restitutionCombine, r.restitution, s.restitution)
  SURFACE[3] = Math.min(r.maxPushOut, s.maxPushOut)
}
