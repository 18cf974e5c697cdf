/**
 * A goal that pulls a dynamic body: a damped spring from a point of it to a target, never stronger than so much.
 *
 *   F = min(1, F_max/‖f‖) f,   f = k (x_T − p) − ν (dp/dt − dx_T/dt)   [N], at p
 *
 * so a ragdoll's hand follows its target as far as the rest of it lets it. It is a law of `force`, whose factory is passed in:
 *   const pull = pullLaw(force);  const hand = pullTo(world, pull, body, point, target, { frequency: 3, maxForce: 200 })
 * Each step `hand.moveTo(target, dt)`; at last `hand.release()`.
 */

import {
  Body,
  callable,
  type Constraint,
  type ConstraintType,
  instance,
  knownFields,
  type ManyDef,
  nonNegative,
  object,
  positive,
  World,
} from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import { triple } from './joints.js'

type Triple = [number, number, number]

/** What the law is told: plain data, so that a scene can be saved. */
export interface PullParams {
  /** Of the body, from its centre [m]. */
  point: Triple
  /** World [m]. */
  target: Triple
  /** Of the target [m/s]. */
  velocity: Triple
  /** Stiffness [N/m]. */
  stiffness: number
  /** Damping [N s/m]. */
  damping: number
  /** Most that it pulls with [N]. */
  maxForce: number
}

/** A definition of the law. */
export interface PullDef extends ManyDef {
  /** Changed as a whole, by the methods of {@link Pull}. @defaultValue none */
  params?: PullParams
}

/** A body as the law sees it. */
interface PulledBody {
  readonly position: Float64Array
  point(local: ArrayLike<number>): [number, number, number]
  velocityAt(local: ArrayLike<number>): [number, number, number]
}

/** What of `force` of `@tautline/constraints` is used. */
type ForceFactory = (options: {
  name: string
  bodies: number
  force(
    bodies: readonly PulledBody[],
    h: number,
    out: {
      forceAt(b: number, centre: ArrayLike<number>, point: ArrayLike<number>, x: number, y: number, z: number): void
    },
    params: PullParams,
  ): void
}) => ConstraintType<PullDef>

/** Makes the type that {@link pullTo} adds: once for a world, as its name is unique there. */
export function pullLaw(force: ForceFactory): ConstraintType<PullDef> {
  callable('pullLaw: force', force)
  return force({
    name: 'pull',
    bodies: 1,
    force([body], _h, out, { point, target, velocity, stiffness, damping, maxForce }) {
      const p = body.point(point)
      const v = body.velocityAt(point)
      const [x, y, z] = [0, 1, 2].map((k) => stiffness * (target[k] - p[k]) - damping * (v[k] - velocity[k]))
      const strength = Math.sqrt(x * x + y * y + z * z)
      const share = strength > maxForce ? maxForce / strength : 1
      out.forceAt(0, body.position, p, share * x, share * y, share * z)
    },
  })
}

/** How strongly to pull: `stiffness` and `damping`, or `frequency` and `dampingRatio`. */
export interface PullOptions {
  /** Stiffness [N/m], in place of `frequency`. @defaultValue by `frequency` */
  stiffness?: number
  /** Damping [N s/m]; goes with `stiffness`. @defaultValue 0 */
  damping?: number
  /** Undamped natural frequency [Hz] of `mass` on it. @defaultValue 2 */
  frequency?: number
  /** Share of critical damping. @defaultValue 1 */
  dampingRatio?: number
  /** What the frequency moves [kg]: the body, or the limb that hangs on it. @defaultValue the body's */
  mass?: number
  /** Most that it pulls with [N]. @defaultValue Infinity */
  maxForce?: number
}

const OPTIONS: readonly (keyof PullOptions)[] = [
  'stiffness',
  'damping',
  'frequency',
  'dampingRatio',
  'mass',
  'maxForce',
]

/** A pull at work. */
export class Pull {
  /** In the world. */
  readonly constraint: Constraint<PullDef>
  private params: PullParams

  /** Made by {@link pullTo}. */
  constructor(constraint: Constraint<PullDef>, params: PullParams) {
    this.constraint = constraint
    this.params = params
  }

  /**
   * Moves the target [m]; given the time [s] that it takes to come here, the body is pulled along with its speed. Throws
   * `TypeError`/`RangeError`, and changes nothing, when a value is wrong.
   */
  moveTo(target: ReadonlyVec3, dt?: number): void {
    const to = triple('pull: target', target)
    const from = this.params.target
    const velocity: Triple = [0, 0, 0]
    if (dt !== undefined) {
      const time = positive('pull: dt', dt)
      for (let k = 0; k < 3; k++) velocity[k] = (to[k] - from[k]) / time
    }
    this.set({ ...this.params, target: to, velocity })
  }

  /** Changes how strong it may be [N], >= 0 or Infinity. */
  limit(maxForce: number): void {
    this.set({ ...this.params, maxForce: limitOf(maxForce) })
  }

  /** Force on the body in the last substep [N]. */
  get force(): Triple {
    return this.constraint.reaction().force
  }

  /** Lets go. */
  release(): void {
    this.constraint.remove()
  }

  private set(params: PullParams): void {
    this.constraint.set({ params })
    this.params = params
  }
}

/** Pulls a body-space point [m] of a body to a world point. Throws `TypeError`/`RangeError`, and adds nothing, when a value is wrong. */
export function pullTo(
  world: World,
  law: ConstraintType<PullDef>,
  body: Body,
  point: ReadonlyVec3,
  target: ReadonlyVec3,
  options: PullOptions = {},
): Pull {
  instance('pullTo: world', world, World, 'a World')
  object('pullTo: law', law)
  instance('pullTo: body', body, Body, 'a body')
  knownFields('pullTo: options', options, OPTIONS)
  const params: PullParams = {
    point: triple('pullTo: point', point),
    target: triple('pullTo: target', target),
    velocity: [0, 0, 0],
    ...strengthOf(body, options),
    maxForce: limitOf(options.maxForce ?? Infinity),
  }
  return new Pull(world.add(law, { bodies: [body], params }), params)
}

function strengthOf(body: Body, options: PullOptions): { stiffness: number; damping: number } {
  const { stiffness, damping, frequency, dampingRatio } = options
  if (stiffness !== undefined) {
    if (frequency !== undefined || dampingRatio !== undefined) {
      throw new TypeError('pullTo: give stiffness and damping, or frequency and dampingRatio, got some of both')
    }
    return {
      stiffness: nonNegative('pullTo: stiffness', stiffness),
      damping: nonNegative('pullTo: damping', damping ?? 0),
    }
  }
  if (damping !== undefined) {
    nonNegative('pullTo: damping', damping)
    throw new TypeError('pullTo: damping must go with stiffness, got it alone')
  }
  const mass = positive('pullTo: mass', options.mass ?? body.mass)
  const omega = 2 * Math.PI * positive('pullTo: frequency', frequency ?? 2)
  return {
    stiffness: mass * omega * omega,
    damping: 2 * nonNegative('pullTo: dampingRatio', dampingRatio ?? 1) * mass * omega,
  }
}

function limitOf(maxForce: number): number {
  return maxForce === Infinity ? maxForce : nonNegative('pullTo: maxForce', maxForce)
}
