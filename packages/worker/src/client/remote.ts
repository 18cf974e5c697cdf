/** Types of calls as the page makes them: the same as of the world itself, with handles of the remote world in place of its own. */

import type { Collider, ParticleSet, Shape } from '@tautline/collision'
import type { Body, Constraint } from '@tautline/core'
import type { RemoteBody } from './remote-body.js'
import type { RemoteCollider, RemoteConstraint, RemoteParticles } from './remote-handles.js'

/** A value with remote handles in place of handles, wherever they are in it. */
export type Remote<Value> = Value extends Body
  ? RemoteBody
  : Value extends Constraint
    ? RemoteConstraint
    : Value extends Collider
      ? RemoteCollider
      : Value extends ParticleSet
        ? RemoteParticles
        : Value extends Shape | ArrayBufferView | string | number | boolean | null | undefined
          ? Value
          : Value extends readonly unknown[]
            ? { [Place in keyof Value]: Remote<Value[Place]> }
            : Value extends ArrayLike<number> | ((...args: never[]) => unknown)
              ? Value
              : Value extends object
                ? { [Field in keyof Value]: Remote<Value[Field]> }
                : Value
