/** What a user's definition of a constraint has besides the fields of its type. */

import type { Body } from '../state/body.js'

/** Fields that every definition may have. */
export interface CommonDef {
  /** Inverse stiffness [m/N] or [rad/(N m)]; 0 is rigid. Give one of compliance, stiffness, frequency. @defaultValue 0 */
  compliance?: number
  /** 1/compliance, in its place, above 0 [N/m] or [N m/rad]. @defaultValue by `compliance` */
  stiffness?: number
  /** Undamped natural frequency [Hz] of the joined masses, as they are when the constraint is made. @defaultValue none */
  frequency?: number
  /** Share of critical damping; goes with `frequency`, in place of `damping`. @defaultValue 1 */
  dampingRatio?: number
  /** Damping [N s/m] or [N m s/rad]; acts where there is compliance. @defaultValue 0 */
  damping?: number
  /** Share ξ of the error repaired a sweep (53), in (0, 2); above 1 no body may rotate, no error be bent, and (ξ − 1)^iterations be at most ¼. @defaultValue the world's */
  relaxation?: number
  /** Tikhonov term α (54) [1/kg or 1/(kg m²)] for over-constrained systems. @defaultValue the world's */
  regularization?: number
  /** Above this force [N] it is switched off, and `broken`. @defaultValue Infinity */
  breakForce?: number
  /** Above this couple of its angular rows [N m] likewise. @defaultValue Infinity */
  breakTorque?: number
  /** Whether it acts. @defaultValue true */
  enabled?: boolean
  /** Whether the two bodies that it joins may touch. @defaultValue false */
  enableCollision?: boolean
  /**
   * How it is solved: `sweep`, one after another (Gauss–Seidel); `direct`, together with all joints that it forms a tree with
   * (types with `joint`); `auto`, as the world's `solver` says. @defaultValue 'auto'
   */
  solver?: Solver
}

/** How a constraint is solved. */
export type Solver = 'auto' | 'direct' | 'sweep'

/** A definition on two bodies; `null` is the world. */
export interface PairDef extends CommonDef {
  /** First body; `null` is the world, and one of the two must be a body. @defaultValue null */
  a?: Body | null
  /** Second body, or `null`. @defaultValue null */
  b?: Body | null
}

/** A definition on any number of bodies. */
export interface ManyDef extends CommonDef {
  /** The bodies that it joins, none of them twice; no `null` here, use a static body. */
  bodies: readonly Body[]
}

/** A definition without what names its bodies. */
export type WithoutBodies<Def extends object> = Partial<Omit<Def, 'a' | 'b' | 'bodies'>>

/** What `world.addConstraints` takes: many constraints of one type, from arrays. */
export interface ConstraintsDef<Def extends object> {
  /** Bodies that constraints name by their place in this list; `null` is the world, for types of `a` and `b`. */
  bodies: readonly (Body | null)[]
  /** Places in `bodies`, a constraint after the other: its `a` and `b`, or its `bodies` in their order. */
  indices: ArrayLike<number>
  /** How many bodies each joins, where the type takes any number. @defaultValue the type's */
  arity?: number
  /** Fields that are the same for all. @defaultValue none */
  shared?: WithoutBodies<Def>
  /** Fields that differ: an array each, an entry a constraint. @defaultValue none */
  each?: { readonly [Field in keyof WithoutBodies<Def>]?: ArrayLike<NonNullable<Def[Field]>> }
}
