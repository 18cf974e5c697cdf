/** What the materials of two that touch make together. */

import { combine, type Material, PAIR } from './material.js'
import type { CollisionSettings } from './options.js'

/** Static and dynamic friction, restitution, push-out [m/s]: what `combineInto` found last. */
export const SURFACE: Float64Array = /* @__PURE__ */ new Float64Array(4)

/** Combines two materials into `SURFACE`. */
export function combineInto(
  { frictionCombine, restitutionCombine }: CollisionSettings,
  r: Material,
  s: Material,
): void {
  PAIR[0] = r.friction
  PAIR[1] = s.friction
  combine(frictionCombine)
  SURFACE[0] = PAIR[0]
  PAIR[0] = r.dynamicFriction
  PAIR[1] = s.dynamicFriction
  combine(frictionCombine)
  SURFACE[1] = PAIR[0]
  PAIR[0] = r.restitution
  PAIR[1] = s.restitution
  combine(restitutionCombine)
  SURFACE[2] = PAIR[0]
  SURFACE[3] = Math.min(r.maxPushOut, s.maxPushOut)
}
