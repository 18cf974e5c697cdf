/**
 * Damping of bodies over a substep, dv/dt = −c v + a:
 *
 *   v ← (1 − c h) v + h a,   c h < 1;   v ← a/c beyond
 *
 * Explicit in v, so that a acts whole: what holds a body against its weight bears all of it, and what falls ends at a/c, both to the last
 * digit. (1 + c h)⁻¹ (v + h a), implicit in v, has the latter too, but lets what hangs weigh (1 + c h)⁻¹ of itself: the joint's answer comes
 * after it and is not damped.
 */

/** What is left of a velocity; `damping` is c h. */
export function keptBy(damping: number): number {
  return damping < 1 ? 1 - damping : 0
}

/** The share of h that an acceleration acts for; `damping` is c h. */
export function actsAgainst(damping: number): number {
  return damping > 1 ? 1 / damping : 1
}
