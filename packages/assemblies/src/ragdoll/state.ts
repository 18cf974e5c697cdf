/** What a ragdoll consists of at present. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { RagdollAsset } from './data.js'

/** Springs to a place in the world that pin a part in parts. */
export interface PinRows {
  readonly point: Constraint
  readonly turn: Constraint
}

/** A thing in a hand. */
export interface Held {
  readonly part: number
  readonly body: Body
  readonly joint: Constraint
}

/** What a ragdoll consists of. */
export interface RagdollState extends AssemblyState {
  /** By part; none for the root, and for what was cut off. */
  readonly joints: readonly (Constraint | undefined)[]
  /** By part. */
  readonly pins: readonly (PinRows | undefined)[]
  readonly held: readonly Held[]
}

/** Whether a part has come off: a joint between it and the root was cut, or broke. Nothing drives or pins it any more. */
export function isOff({ parts }: RagdollAsset, { joints }: Pick<RagdollState, 'joints'>, part: number): boolean {
  for (let k = part; parts[k].parent >= 0; k = parts[k].parent) if (joints[k]?.alive !== true) return true
  return false
}

/** Puts the lists together. */
export function gathered(state: Omit<RagdollState, 'constraints'>): RagdollState {
  const pins = state.pins.flatMap((pin) => (pin === undefined ? [] : [pin.point, pin.turn]))
  const joints = state.joints.filter((joint) => joint !== undefined)
  return { ...state, constraints: [...joints, ...pins, ...state.held.map(({ joint }) => joint)] }
}
