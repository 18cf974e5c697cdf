/**
 * Bending and twist of a rod between two of its links: stiffness of its own about the rod's axis and across it.
 *
 *   R = q̄_A q_B, q_A = q_a f, q_B = q_b ḡ f, f takes x to the axis on a, g the orientation of b seen from a at rest
 *   c = ±2 Im R [rad]: twist about x at 0, bends about y and z at 1 and 2; ± so that R_w >= 0: the short way round
 *   δR = ½ (0, w) R for a turn w of b, seen from A:  ∂c_k = ±(R_w e_k + Im R × e_k)·w, on b, and its negative on a
 *
 * Source: Kugelstadt and Schömer, "Position and orientation based Cosserat rods" (2016): c is their Darboux vector times the length of a link. Of a rod of stiffness E I and G J [N m²] and links of
 * length l, `bendStiffness` is E I/l and `twistStiffness` G J/l [N m/rad].
 *
 * Departures: they take the difference of two Darboux vectors, which for a curved rest shape mixes bending with twist; here R is the turn from rest. A joint of trees, it
 * is solved with the points that hold the links together. For a turn by θ c is 2 sin(θ/2).
 */

import type { ConstraintType, PairDef } from '@tautline/core'
import type { BodyColumns, ResolvedDef } from '@tautline/core/kernel'
import { nonNegative, rotateVectorAt } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { AXIS_FIELDS, refuseSoftness, resolveAxes } from './parts/definition.js'
import { FRAMES, jointFrames } from './parts/frames.js'
import { frameAlong, frameInB, type ReferenceDef, requireInertia, resolveReference } from './parts/joint-definition.js'
import { outlineAlignment } from './parts/outline.js'
import { keepsRotating } from './parts/momenta.js'

/** Two links, their axis, and how stiff the rod is between them. */
export interface BendTwistDef extends PairDef, ReferenceDef {
  /** World axis of the rod, at the present pose; wins over `axisA`. @defaultValue none */
  axis?: ReadonlyVec3
  /** Axis of the rod in the space of `a`. @defaultValue [0, 1, 0] */
  axisA?: ReadonlyVec3
  /** Stiffness against bending [N m/rad]; Infinity is rigid, 0 is off. @defaultValue 0 */
  bendStiffness?: number
  /** Stiffness against twist [N m/rad]; Infinity is rigid, 0 is off. @defaultValue 0 */
  twistStiffness?: number
  /** Damping of bending [N m s/rad]. @defaultValue 0 */
  bendDamping?: number
  /** Damping of twist [N m s/rad]. @defaultValue 0 */
  twistDamping?: number
}

type Column = 'frameA' | 'frameB' | 'stiffness' | 'damped'

const F = /* @__PURE__ */ new Float64Array(FRAMES)
/** c, then ∂c_k in the world, three numbers each. */
const c = /* @__PURE__ */ new Float64Array(3)
const N = /* @__PURE__ */ new Float64Array(9)
const couple = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedBendTwist = ResolvedDef<
  BendTwistDef,
  'axisA' | 'reference' | 'twistStiffness' | 'bendStiffness' | 'twistDamping' | 'bendDamping'
>

/** Resists bending and twist: `world.add(bendTwist, { a, b, axis, bendStiffness, twistStiffness })`. */
export const bendTwist: ConstraintType<BendTwistDef, Column, ResolvedBendTwist> = {
  name: 'bendTwist',
  order: 1,
  joint: true,
  arity: 2,
  multipliers: 3,
  ownsSoftness: true,
  fields: [
    ...AXIS_FIELDS.filter((field) => field !== 'axisB'),
    'reference',
    'bendStiffness',
    'twistStiffness',
    'bendDamping',
    'twistDamping',
  ],
  columns: { frameA: 4, frameB: 4, stiffness: 2, damped: 2 },

  resolve(def, { bodies, exists }) {
    const where = 'bendTwist'
    if (exists !== true) requireInertia(where, def)
    refuseSoftness(where, def, ['stiffness', 'damping'])
    const { axis, ...rest } = def
    const axes = resolveAxes(where, axis === undefined ? { ...def, axisA: def.axisA ?? [0, 1, 0] } : def, bodies)
    const stiffness = (field: 'bendStiffness' | 'twistStiffness'): number =>
      def[field] === Infinity ? Infinity : nonNegative(`${where}: ${field}`, def[field] ?? 0)
    return {
      ...rest,
      axisA: axes.axisA,
      reference: resolveReference(where, def, bodies),
      bendStiffness: stiffness('bendStiffness'),
      twistStiffness: stiffness('twistStiffness'),
      bendDamping: nonNegative(`${where}: bendDamping`, def.bendDamping ?? 0),
      twistDamping: nonNegative(`${where}: twistDamping`, def.twistDamping ?? 0),
    }
  },

  write({ columns }, row, def) {
    const frame = frameAlong(def.axisA)
    columns.frameA.set(frame, 4 * row)
    columns.frameB.set(frameInB(def.reference, frame), 4 * row)
    columns.stiffness.set([def.twistStiffness, def.bendStiffness], 2 * row)
    columns.damped.set([def.twistDamping, def.bendDamping], 2 * row)
  },

  evaluate(bodies, batch, row, out) {
    const { stiffness, damped } = batch.columns
    measure(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], batch.columns.frameA, batch.columns.frameB, row)
    for (let k = 0; k < 3; k++) {
      const o = 2 * row + (k === 0 ? 0 : 1)
      if (stiffness[o] === 0 && damped[o] === 0) continue
      const isRigid = stiffness[o] === Infinity
      const group = out.group('scalar', isRigid ? 'position' : 'force', 'rad')
      if (!isRigid) {
        group.stiffness = stiffness[o]
        group.damping = damped[o]
      }
      out.rowAt(k, c, k)
      out.rotations(-1, N, 3 * k)
    }
  },

  curvature(bodies, batch, row, out) {
    const { lambda, frameA, frameB } = batch.columns
    measure(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], frameA, frameB, row)
    // As a rotation vector from b to a has it; the rest is of the order of the turn.
    const l = 3 * row
    for (let k = 0; k < 3; k++) couple[k] = -(lambda[l] * N[k] + lambda[l + 1] * N[3 + k] + lambda[l + 2] * N[6 + k])
    out.couple(couple, 0)
  },

  keepsMomenta: keepsRotating,
  outline: outlineAlignment,
}

/** Fills `c` and `N`. */
function measure(
  bodies: BodyColumns,
  a: number,
  b: number,
  frameA: Float64Array,
  frameB: Float64Array,
  row: number,
): void {
  jointFrames(bodies, a, b, frameA, frameB, row, F)
  // R = conj(A) B.
  const x = F[3] * F[4] - F[0] * F[7] - F[1] * F[6] + F[2] * F[5]
  const y = F[3] * F[5] - F[1] * F[7] - F[2] * F[4] + F[0] * F[6]
  const z = F[3] * F[6] - F[2] * F[7] - F[0] * F[5] + F[1] * F[4]
  const w = F[3] * F[7] + F[0] * F[4] + F[1] * F[5] + F[2] * F[6]
  const s = w < 0 ? -1 : 1
  c[0] = 2 * s * x
  c[1] = 2 * s * y
  c[2] = 2 * s * z
  N[0] = N[4] = N[8] = s * w
  N[1] = s * z
  N[2] = -s * y
  N[3] = -s * z
  N[5] = s * x
  N[6] = s * y
  N[7] = -s * x
  for (let k = 0; k < 9; k += 3) rotateVectorAt(F, 0, N, k, N, k)
}
