/**
 * An arbitrary force on up to four bodies, with its own Jacobian (Waterson 102–107).
 *
 *   Λ = h² F(X + ΔX) on convergence, F = (force, torque) of each body, Λ its own accumulated impulse
 *   ΔΛ = −ξ (1 + h² K M⁻¹)⁻¹ (Λ − h² F(X + ΔX)),  ΔX += M⁻¹ ΔΛ,  K = −∂F/∂X
 *
 * X is (x, θ) of each body, θ world-frame rotations applied on the left. Velocities are those of the iterate, (X − X_start)/h,
 * so a law that depends on them adds ∂F/∂v /h to ∂F/∂X, and drag is implicit.
 *
 * Departures: (106) subtracts M ΔX, which holds what other forces and constraints did as well; with Λ of its own, forces
 * add up (docs/method.md). All bodies of the law are solved together, not one block of (106) a body. Forces that add up
 * to zero keep linear momentum to round-off in every update; angular momentum is kept on convergence.
 *
 * K decides how fast it converges, not to what: central differences of F serve where no `jacobian` is given.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import type { BodyColumns, Rows } from '@tautline/core/kernel'
import { CustomBody } from '@tautline/core'
import { LARGEST_GROUP, rotationBetween, rotate, knownFields, shown } from '@tautline/core/kernel'
import { refuseSoftness } from './parts/definition.js'
import { ForceWriter, type ForceOut, JacobianWriter, type JacobianOut } from './parts/force-out.js'

/** A body as a force sees it. Do not keep it: it is overwritten. */
export class ForceBody extends CustomBody {
  /** [m/s] */
  readonly velocity: Float64Array = new Float64Array(3)
  /** World frame [rad/s]. */
  readonly angularVelocity: Float64Array = new Float64Array(3)

  /** Velocity [m/s] of a body-space point. */
  velocityAt(local: ArrayLike<number>): [number, number, number] {
    const [x, y, z] = this.direction(local)
    const { velocity: v, angularVelocity: w } = this
    return [v[0] + w[1] * z - w[2] * y, v[1] + w[2] * x - w[0] * z, v[2] + w[0] * y - w[1] * x]
  }
}

/** What {@link force} takes. `h` is the length of the substep [s]. */
export interface ForceOptions<Params> {
  /** Unique among the types of a world. */
  name: string
  /** How many bodies it acts on, 1 to 4. */
  bodies: number
  /** Writes the force [N] and torque [N m] on each body at the state of `bodies`. */
  force(bodies: readonly ForceBody[], h: number, out: ForceOut, params: Params): void
  /** Writes ∂F/∂X, with ∂F/∂v /h where it depends on velocities. @defaultValue central differences */
  jacobian?(bodies: readonly ForceBody[], h: number, out: JacobianOut, params: Params): void
  /** Energy stored [J], for `world.energy()`. @defaultValue none */
  energy?(bodies: readonly ForceBody[], params: Params): number
}

/** Definition of a force; it has no `compliance`, `stiffness` and `damping` but those of its own `params`. */
export interface ForceDef<Params = undefined> extends ManyDef {
  /** Handed to the functions: plain data, so that a scene can be saved. @defaultValue none */
  params?: Params
}

/** Step of the central differences [m, rad]: below ε^(1/3) of a double, as velocities change by it over h. */
const DIFFERENCE = 6e-7
/** The substep [s] at which a force is tried out when it is added. */
const TRIAL = 1 / 60

/** Makes a constraint type from a law of force. Add it like any other: `world.add(type, { bodies: [a, b] })`. */
export function force<Params = undefined>(options: ForceOptions<Params>): ConstraintType<ForceDef<Params>> {
  check(options)
  const { name, bodies: arity } = options
  const size = 6 * arity
  const views = Array.from({ length: arity }, () => new ForceBody())
  const writer = new ForceWriter(arity)
  const jacobian = new JacobianWriter(arity)
  const up = new Float64Array(size)
  const kept = new Float64Array(4)

  const evaluateForce = (h: number, params: Params): Float64Array => {
    writer.values.fill(0)
    options.force(views, h, writer, params)
    return writer.values
  }

  /** Column j of −∂F/∂X from the two sides of coordinate `axis` of view `b`. */
  const differentiate = (
    bodies: BodyColumns,
    id: number,
    b: number,
    axis: number,
    h: number,
    params: Params,
    tangent: Float64Array,
  ): void => {
    const view = views[b]
    kept.set(view.orientation)
    shift(bodies, id, view, axis, DIFFERENCE, h)
    up.set(evaluateForce(h, params))
    view.orientation.set(kept)
    shift(bodies, id, view, axis, axis < 3 ? -2 * DIFFERENCE : -DIFFERENCE, h)
    const down = evaluateForce(h, params)
    for (let i = 0; i < size; i++) tangent[size * i + 6 * b + axis] = (down[i] - up[i]) / (2 * DIFFERENCE)
    view.orientation.set(kept)
    load(bodies, id, view, h)
  }

  const type: ConstraintType<ForceDef<Params>> = {
    name,
    order: 1,
    arity,
    multipliers: size,
    fields: ['bodies', 'params'],
    columns: {},
    traits: {
      ownsSoftness: true,
      warmStart: false,
      hasTangent: true,
      opaque: true,
      rotatesWithFrame: false,
    },

    resolve(def, { bodies, exists }) {
      refuseSoftness(name, def, ['compliance', 'stiffness', 'frequency', 'dampingRatio', 'damping'])
      views.forEach((view, b) => load(bodies, def.bodies[b].index, view, 0))
      const bad = evaluateForce(TRIAL, def.params as Params).find((value) => !Number.isFinite(value))
      if (exists !== true && bad !== undefined)
        throw new RangeError(`${name}: force must be finite at the present state, got ${bad}`)
      return def
    },

    write() {},

    evaluate(bodies, batch, row, out) {
      const params = (batch.definition(batch.common.slot[row]) as ForceDef<Params>).params as Params
      const h = out.substep
      for (let b = 0; b < arity; b++) load(bodies, batch.ids[arity * row + b], views[b], h)
      const F = evaluateForce(h, params)
      out.group('block', 'implicitForce', '1')
      for (let k = 0; k < size; k++) {
        out.row(k, -F[k])
        out.J[size * k + k] = 1
      }
      tangentOf(bodies, batch.ids, arity * row, out, params)
    },
  }

  const tangentOf = (bodies: BodyColumns, ids: Int32Array, o: number, out: Rows, params: Params): void => {
    const h = out.substep
    const { tangent } = out
    tangent.fill(0)
    if (!(h > 0)) return
    if (options.jacobian !== undefined) {
      jacobian.values.fill(0)
      options.jacobian(views, h, jacobian, params)
      for (let k = 0; k < size * size; k++) tangent[k] = -jacobian.values[k]
      return
    }
    for (let b = 0; b < arity; b++) {
      const i = ids[o + b]
      // What cannot move needs no column: it is multiplied by an inverse mass of zero.
      if (bodies.position[4 * i + 3] > 0) {
        for (let axis = 0; axis < 3; axis++) differentiate(bodies, i, b, axis, h, params, tangent)
      }
      if (turns(bodies, i)) for (let axis = 3; axis < 6; axis++) differentiate(bodies, i, b, axis, h, params, tangent)
    }
  }

  const { energy } = options
  if (energy !== undefined) {
    type.energy = (bodies, batch, row) => {
      const params = (batch.definition(batch.common.slot[row]) as ForceDef<Params>).params as Params
      for (let b = 0; b < arity; b++) load(bodies, batch.ids[arity * row + b], views[b], 0)
      return energy(views, params)
    }
  }
  return type
}

function check<Params>(options: ForceOptions<Params>): void {
  knownFields('force: options', options, ['name', 'bodies', 'force', 'jacobian', 'energy'])
  const { name, bodies, force: law, jacobian, energy } = options
  if (typeof name !== 'string' || name === '') throw new TypeError(`force: name must be a text, got ${shown(name)}`)
  const most = LARGEST_GROUP / 6
  if (!Number.isInteger(bodies) || bodies < 1 || bodies > most) {
    throw new RangeError(`${name}: bodies must be an integer from 1 to ${most}, got ${shown(bodies)}`)
  }
  if (typeof law !== 'function') throw new TypeError(`${name}: force must be a function, got ${shown(law)}`)
  for (const [field, value] of Object.entries({ jacobian, energy })) {
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(`${name}: ${field} must be a function, got ${shown(value)}`)
    }
  }
}

function turns(bodies: BodyColumns, i: number): boolean {
  for (let k = 9 * i; k < 9 * i + 9; k++) if (bodies.inverseInertia[k] !== 0) return true
  return false
}

/** Pose and velocity of a body, the latter as the iterate has it; with h = 0, as it is stored. */
function load(bodies: BodyColumns, i: number, view: ForceBody, h: number): void {
  for (let k = 0; k < 3; k++) view.position[k] = bodies.position[4 * i + k]
  for (let k = 0; k < 4; k++) view.orientation[k] = bodies.orientation[4 * i + k]
  if (h > 0) refreshVelocity(bodies, i, view, h)
  else {
    for (let k = 0; k < 3; k++) {
      view.velocity[k] = bodies.velocity[3 * i + k]
      view.angularVelocity[k] = bodies.angularVelocity[3 * i + k]
    }
  }
}

function refreshVelocity(bodies: BodyColumns, i: number, view: ForceBody, h: number): void {
  const { startPosition, startOrientation } = bodies
  for (let k = 0; k < 3; k++) view.velocity[k] = (view.position[k] - startPosition[4 * i + k]) / h
  rotationBetween(view.orientation, 0, startOrientation, 4 * i, view.angularVelocity, 0)
  for (let k = 0; k < 3; k++) view.angularVelocity[k] /= h
}

/** Moves a view along one coordinate, velocity included. */
function shift(bodies: BodyColumns, i: number, view: ForceBody, axis: number, by: number, h: number): void {
  if (axis < 3) view.position[axis] += by
  else rotate(view.orientation, 0, axis === 3 ? by : 0, axis === 4 ? by : 0, axis === 5 ? by : 0)
  refreshVelocity(bodies, i, view, h)
}
