/**
 * Muscles that are careful of what is caught.
 *
 * A spring of ω that is let go of at an angle e away swings back at up to e ω / 2.7 when it is damped critically: a limb that was held under the body would be
 * flung. Joints that are far from where they are to be have less strength, so that they come back slowly; and what has had less gets it back by and by: a spring that
 * is wound by 2 rad and given 30 times its frequency at once stores 800 times what it did.
 */

import { rotationBetween } from '@tautline/core/kernel'
import { inverse, times, rotationAt } from '../algebra.js'
import type { Ragdoll } from '../ragdoll.js'
import type { PartPlaces } from '../validate.js'

/** From which error on [rad], which share of its strength. */
const LEVELS = [
  [2, 0.035],
  [1.2, 0.06],
  [0.7, 0.12],
  [0.3, 0.25],
  [0.12, 0.5],
  [0, 1],
] as const

const v = /* @__PURE__ */ new Float64Array(3)

/** Time in which strength comes back by e [s]. */
const RETURN = 0.1

/** What stands and steps: drawn slowly, its feet would slide. */
export const LEGS: RegExp = /(?:Leg|Foot|Toes)$/

/**
 * Sets the strength of joints by how far they are from where they are to be; of `strength` [Hz] where they are near. Where `caught` [rad] is above 0, legs have all
 * of it, at once up to there and by and by beyond, and another joint that has all its strength keeps it until it is that far away. Says whether one is.
 */
export function takeCare(
  doll: Ragdoll,
  now: PartPlaces,
  wanted: PartPlaces,
  strength: number,
  caught: number,
): boolean {
  let isAny = false
  const growth = 1 + doll.world.settings.dt / RETURN
  doll.asset.parts.forEach(({ name, role, parent, joint }, part) => {
    if (joint === undefined || parent < 0) return
    const error = jointError(now, wanted, part, parent)
    const isLeg = LEGS.test(role ?? '')
    if (!isLeg && caught > 0 && error >= caught) isAny = true
    const has = doll.weights(name).strength
    const keeps = caught > 0 && (isLeg || (has === strength && error < caught))
    const level = keeps ? 1 : LEVELS[LEVELS.findIndex(([from]) => error >= from)][1]
    const next = Math.min(strength * level, isLeg && error < caught ? Infinity : has * growth)
    if (next !== has) doll.setWeights({ strength: next }, name)
  })
  return isAny
}

/** Whether a leg's joint is `caught` [rad] or more from where it is to be. */
export function isLegCaught({ asset }: Ragdoll, now: PartPlaces, wanted: PartPlaces, caught: number): boolean {
  return asset.parts.some(
    ({ role, parent }, part) => parent >= 0 && LEGS.test(role ?? '') && jointError(now, wanted, part, parent) >= caught,
  )
}

/** Angle between a joint and where it is to be [rad]. */
function jointError(now: PartPlaces, wanted: PartPlaces, part: number, parent: number): number {
  const seen = ({ rotations }: PartPlaces): Float64Array =>
    Float64Array.from(times(inverse(rotationAt(rotations, parent)), rotationAt(rotations, part)))
  rotationBetween(seen(now), 0, seen(wanted), 0, v, 0)
  return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}
