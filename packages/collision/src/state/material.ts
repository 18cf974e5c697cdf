/** Friction and restitution of surfaces, and how those of two combine. */

import { nonNegative, oneOf } from '@tautline/core/kernel'

/** Surface of a collider. Every field may be left out. */
export interface MaterialDef {
  /** Coulomb coefficient ν that holds what sticks. @defaultValue 0.5 */
  friction?: number
  /** Coefficient once it slides, at most `friction`. @defaultValue `friction` */
  dynamicFriction?: number
  /** Couple about the normal that a single point can bear, as a radius [m]; a face has its own besides. @defaultValue 0 */
  torsionalFriction?: number
  /** Couple against rolling, as a radius [m]. @defaultValue 0 */
  rollingFriction?: number
  /** Speed after an impact as a share of that before, in [0, 1]. @defaultValue 0 */
  restitution?: number
  /** How fast old overlap is pushed out at most [m/s]. @defaultValue 3 */
  maxPushOut?: number
}

/** A material with everything filled in. */
export type Material = Readonly<Required<MaterialDef>>

/** How two values become one. */
export type CombineRule = 'geometric' | 'average' | 'min' | 'max' | 'multiply'

export const COMBINE_RULES: readonly CombineRule[] = ['geometric', 'average', 'min', 'max', 'multiply']

const DEFAULT_FRICTION = 0.5
const DEFAULT_PUSH_OUT = 3

/** Checks a material over `base`. */
export function resolveMaterial(where: string, def: MaterialDef, base?: Material): Material {
  const friction = nonNegative(`${where}: friction`, def.friction ?? base?.friction ?? DEFAULT_FRICTION)
  // A new friction takes the dynamic one with it unless that is given too.
  const kept = def.friction === undefined ? base?.dynamicFriction : undefined
  const dynamicFriction = nonNegative(`${where}: dynamicFriction`, def.dynamicFriction ?? kept ?? friction)
  if (dynamicFriction > friction) {
    throw new RangeError(`${where}: dynamicFriction must be <= friction ${friction}, got ${dynamicFriction}`)
  }
  const restitution = nonNegative(`${where}: restitution`, def.restitution ?? base?.restitution ?? 0)
  if (restitution > 1) throw new RangeError(`${where}: restitution must be <= 1, got ${restitution}`)
  return {
    friction,
    dynamicFriction,
    torsionalFriction: nonNegative(
      `${where}: torsionalFriction`,
      def.torsionalFriction ?? base?.torsionalFriction ?? 0,
    ),
    rollingFriction: nonNegative(`${where}: rollingFriction`, def.rollingFriction ?? base?.rollingFriction ?? 0),
    restitution,
    maxPushOut: nonNegative(`${where}: maxPushOut`, def.maxPushOut ?? base?.maxPushOut ?? DEFAULT_PUSH_OUT),
  }
}

/** One of the rules, by name. */
export function combineRule(where: string, rule: CombineRule): CombineRule {
  return oneOf(where, rule, COMBINE_RULES)
}

/** Two values, and at 0 what {@link combine} makes of them: numbers among its arguments would be boxed. */
const PAIR: Float64Array = /* @__PURE__ */ new Float64Array(2)

/** Makes one of the two values in `PAIR`, which is at 0 then. */
function combine(rule: CombineRule): void {
  const a = PAIR[0]
  const b = PAIR[1]
  switch (rule) {
    case 'geometric':
      PAIR[0] = Math.sqrt(a * b)
      return
    case 'average':
      PAIR[0] = 0.5 * (a + b)
      return
    case 'min':
      PAIR[0] = Math.min(a, b)
      return
    case 'max':
      PAIR[0] = Math.max(a, b)
      return
    case 'multiply':
      PAIR[0] = a * b
  }
}

/** Static and dynamic friction, restitution, push-out [m/s]: what `combineInto` found last. */
export const SURFACE: Float64Array = /* @__PURE__ */ new Float64Array(4)

/** Combines two materials into `SURFACE`. */
export function combineInto(
  { frictionCombine, restitutionCombine }: { frictionCombine: CombineRule; restitutionCombine: CombineRule },
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
