/**
 * Point drive: a damped spring from a point of a body to a target in the world, never stronger than so much. What a pointer pulls by, and
 * what leads a ragdoll's hand.
 *
 *   c = p − x_T [m], three rows, ∂c/∂x = 1, ∂c/∂θ = r × 1
 *   F = −(k c + ν (dc/dt − v_T)) [N] at p, held inside the ball of maxForce by magnitude (132)
 */

import type { Body, ConstraintType, ManyDef } from '@tautline/core'
import { finiteVector, nonNegative, positive, type ResolvedDef, rotateVector } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { pointInWorld, triple } from './parts/definition.js'
import { needDamping } from './parts/scalar.js'

/** A spring from a point of one body to a point of the world. */
export interface PointDriveDef extends ManyDef {
  /** The one body that is pulled. */
  bodies: readonly Body[]
  /** What is pulled, in the body's space, from its centre of mass [m]. @defaultValue [0, 0, 0] */
  point?: ReadonlyVec3
  /** Where it is pulled to, world [m]. @defaultValue where the point is */
  target?: ReadonlyVec3
  /** Velocity of the target [m/s], to which the damper damps. @defaultValue [0, 0, 0] */
  velocityTarget?: ReadonlyVec3
  /** Stiffness k [N/m]; 0 leaves a damper. */
  stiffness: number
  /** Damping ν [N s/m]. @defaultValue 0 */
  damping?: number
  /** Most that it pulls with [N]. @defaultValue Infinity */
  maxForce?: number
}

/** How strong a spring is: `stiffness` and `damping`, or `frequency` and `dampingRatio` of a mass on it. */
export interface SpringStrength {
  /** Stiffness [N/m], in place of `frequency`. @defaultValue by `frequency` */
  stiffness?: number
  /** Damping [N s/m]; goes with `stiffness`. @defaultValue 0 */
  damping?: number
  /** Undamped natural frequency [Hz] of `mass` on it. @defaultValue by who asks */
  frequency?: number
  /** Share of critical damping; goes with `frequency`. @defaultValue 1 */
  dampingRatio?: number
  /** What the frequency moves [kg]. @defaultValue by who asks */
  mass?: number
}

const STIFFNESS = 0
const DAMPING = 1
const MAX_FORCE = 2
const GAINS = 3

/** The lever of the point [m], and three zeros: that of the world's. */
const r = /* @__PURE__ */ new Float64Array(6)
/** The point, and its target [m]. */
const ends = /* @__PURE__ */ new Float64Array(6)
const TARGET = 3

/** What `resolve` gives: what `write` reads is there. */
type ResolvedPointDrive = ResolvedDef<PointDriveDef, 'point' | 'target' | 'velocityTarget' | 'damping' | 'maxForce'>

/** Pulls a point of a body to a world point: `world.add(pointDrive, { bodies: [body], target, stiffness: 100, damping: 20 })`. */
export const pointDrive: ConstraintType<
  PointDriveDef,
  'point' | 'target' | 'velocityTarget' | 'gains',
  ResolvedPointDrive
> = {
  name: 'pointDrive',
  // Where it is swept, as on a particle of a net: after all that holds the thing together, or the damper, which may be that of the whole,
  // sees the one node alone, its own effect and not the answer of the rest. Before contacts.
  order: 3,
  arity: 1,
  joint: true,
  multipliers: 3,
  ownsSoftness: true,
  neverRigid: true,
  rotatesWithFrame: false,
  fields: ['bodies', 'point', 'target', 'velocityTarget', 'maxForce'],
  columns: { point: 3, target: 3, velocityTarget: 3, gains: GAINS },

  resolve(def, { bodies }) {
    const point = triple(finiteVector('pointDrive: point', def.point ?? [0, 0, 0], 3))
    const here = pointInWorld(bodies, def.bodies[0].index, point)
    const velocityTarget = triple(finiteVector('pointDrive: velocityTarget', def.velocityTarget ?? [0, 0, 0], 3))
    const damping = nonNegative('pointDrive: damping', def.damping ?? 0)
    if (velocityTarget.some((v) => v !== 0)) needDamping('pointDrive: ', damping, velocityTarget)
    const { maxForce } = def
    return {
      ...def,
      point,
      target: triple(finiteVector('pointDrive: target', def.target ?? here, 3)),
      velocityTarget,
      stiffness: nonNegative('pointDrive: stiffness', def.stiffness),
      damping,
      maxForce:
        maxForce === undefined || maxForce === Infinity ? Infinity : nonNegative('pointDrive: maxForce', maxForce),
    }
  },

  write({ columns }, row, def) {
    columns.point.set(def.point, 3 * row)
    columns.target.set(def.target, 3 * row)
    columns.velocityTarget.set(def.velocityTarget, 3 * row)
    const o = GAINS * row
    columns.gains[o + STIFFNESS] = def.stiffness
    columns.gains[o + DAMPING] = def.damping
    columns.gains[o + MAX_FORCE] = def.maxForce
  },

  evaluate(bodies, batch, row, out) {
    const { point, target, velocityTarget, gains } = batch.columns
    const i = batch.ids[row]
    const o = 3 * row
    rotateVector(bodies.orientation, 4 * i, point[o], point[o + 1], point[o + 2], r, 0)
    const group = out.group('block', 'force', 'm')
    group.stiffness = gains[GAINS * row + STIFFNESS]
    group.damping = gains[GAINS * row + DAMPING]
    group.radius = gains[GAINS * row + MAX_FORCE]
    for (let k = 0; k < 3; k++) {
      out.row(k, bodies.position[4 * i + k] + r[k] - target[o + k], velocityTarget[o + k])
      out.point(0, 1, r[0], r[1], r[2], k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0)
    }
  },

  curvature({ orientation }, batch, row, out) {
    const { point, lambda } = batch.columns
    const o = 3 * row
    rotateVector(orientation, 4 * batch.ids[row], point[o], point[o + 1], point[o + 2], r, 0)
    out.point(lambda, o, r)
  },

  outline(bodies, batch, row, out) {
    const { point, target } = batch.columns
    const i = batch.ids[row]
    const o = 3 * row
    rotateVector(bodies.orientation, 4 * i, point[o], point[o + 1], point[o + 2], ends, 0)
    for (let k = 0; k < 3; k++) {
      ends[k] += bodies.position[4 * i + k]
      ends[TARGET + k] = target[o + k]
    }
    out.link(ends, 0, TARGET)
    out.target(ends, TARGET)
  },
}

/**
 * Stiffness [N/m] and damping [N s/m] of a strength; `mass` [kg] and `frequency` [Hz] are what it has where it says neither. Throws
 * `TypeError`/`RangeError`, with `where` before it, when a value is wrong or both ways are given.
 */
export function springGains(
  where: string,
  strength: SpringStrength,
  mass: number,
  frequency: number,
): { stiffness: number; damping: number } {
  const { stiffness, damping, dampingRatio } = strength
  if (stiffness !== undefined) {
    if (strength.frequency !== undefined || dampingRatio !== undefined || strength.mass !== undefined) {
      throw new TypeError(`${where}: give stiffness and damping, or frequency, dampingRatio and mass, got some of both`)
    }
    return {
      stiffness: nonNegative(`${where}: stiffness`, stiffness),
      damping: nonNegative(`${where}: damping`, damping ?? 0),
    }
  }
  if (damping !== undefined) {
    nonNegative(`${where}: damping`, damping)
    throw new TypeError(`${where}: damping must go with stiffness, got it alone`)
  }
  const m = positive(`${where}: mass`, strength.mass ?? mass)
  const omega = 2 * Math.PI * positive(`${where}: frequency`, strength.frequency ?? frequency)
  return {
    stiffness: m * omega * omega,
    damping: 2 * nonNegative(`${where}: dampingRatio`, dampingRatio ?? 1) * m * omega,
  }
}
