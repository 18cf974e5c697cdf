/**
 * A goal that pulls a dynamic body by a point drive, so a ragdoll's hand follows its target as far as the rest of it lets it:
 *
 *   const hand = pullTo(world, body, point, target, { frequency: 3, maxForce: 200 })
 *
 * Each step `hand.moveTo(target, dt)`; at last `hand.release()`.
 */

import { pointDrive, type PointDriveDef, springGains, type SpringStrength } from '@tautline/constraints'
import { Body, type Constraint, LeanWorld } from '@tautline/core'
import { instance, knownFields, nonNegative, positive } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { triple } from '../joints.js'

type Triple = [number, number, number]

/** How strongly to pull: `stiffness` and `damping`, or `frequency` and `dampingRatio`. */
export interface PullOptions extends SpringStrength {
  /** Undamped natural frequency [Hz] of `mass` on it. @defaultValue 2 */
  frequency?: number
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
  readonly constraint: Constraint<PointDriveDef>

  /** Made by {@link pullTo}. */
  constructor(constraint: Constraint<PointDriveDef>) {
    this.constraint = constraint
  }

  /**
   * Moves the target [m]; given the time [s] that it takes to come here, the body is pulled along with its speed. Throws
   * `TypeError`/`RangeError`, and changes nothing, when a value is wrong.
   */
  moveTo(target: ReadonlyVec3, dt?: number): void {
    const to = triple('pull: target', target)
    const { target: from, damping } = this.constraint.def
    const velocityTarget: Triple = [0, 0, 0]
    if (dt !== undefined) {
      const time = positive('pull: dt', dt)
      // Without damping speed is nothing to it.
      if (damping !== 0) for (let k = 0; k < 3; k++) velocityTarget[k] = (to[k] - (from as ReadonlyVec3)[k]) / time
    }
    this.constraint.set({ target: to, velocityTarget })
  }

  /** Changes how strong it may be [N], >= 0 or Infinity. */
  limit(maxForce: number): void {
    this.constraint.set({ maxForce: limitOf(maxForce) })
  }

  /** Force on the body in the last substep [N]. */
  get force(): Triple {
    return this.constraint.reaction().force
  }

  /** Lets go. */
  release(): void {
    this.constraint.remove()
  }
}

/** Pulls a body-space point [m] of a body to a world point. Throws `TypeError`/`RangeError`, and adds nothing, when a value is wrong. */
export function pullTo(
  world: LeanWorld,
  body: Body,
  point: ReadonlyVec3,
  target: ReadonlyVec3,
  options: PullOptions = {},
): Pull {
  instance('pullTo: world', world, LeanWorld, 'a World')
  instance('pullTo: body', body, Body, 'a body')
  knownFields('pullTo: options', options, OPTIONS)
  const { maxForce, ...strength } = options
  return new Pull(
    world.add(pointDrive, {
      bodies: [body],
      point: triple('pullTo: point', point),
      target: triple('pullTo: target', target),
      ...springGains('pullTo', strength, body.mass, FREQUENCY),
      maxForce: limitOf(maxForce ?? Infinity),
    }),
  )
}

/** Natural frequency where none is given [Hz]. */
const FREQUENCY = 2

function limitOf(maxForce: number): number {
  return maxForce === Infinity ? maxForce : nonNegative('pullTo: maxForce', maxForce)
}
