/** Weights of parts as users set them, and named sets of them. */

import { array, finite, knownFields, nonNegative, object, positive, shown } from '@tautline/core/kernel'
import { partAt } from './asset.js'
import type { RagdollAsset } from './data.js'
import { type Motion, WEIGHTS, type WeightName } from './motion.js'

/** How parts are driven; what is left out stays as it is. */
export interface RagdollWeights {
  /** Share 0 … 1 by which a part is held to its place in the target pose; 1 goes there whatever pushes it. @defaultValue 0 */
  pin?: number
  /** Share 0 … 1 of its joint's strength. @defaultValue 1 */
  muscle?: number
  /** Share 0 … 1 of the simulation in `pose()`; the rest is the target pose. @defaultValue 1 */
  mapping?: number
  /** Natural frequency of its joint's drive [Hz]: how quick it is. @defaultValue 15 */
  strength?: number
  /** Damping of the drive, as a share of the critical one. @defaultValue 1 */
  damping?: number
  /** Largest couple of the drive [N m]. @defaultValue an adult's, by joint; of others Infinity */
  maxTorque?: number
  /** How far ahead of its joint the target is at most [rad], and of a pin's spring [m, rad]: what is caught is wound by no more, and comes free at no more than maxLead · ω/2ζ. @defaultValue Infinity */
  maxLead?: number
}

/** Which parts: by bone or role, one or several; or one with all that hang on it. @defaultValue all of them */
export type PartChoice = string | readonly string[] | { readonly below: string }

/** Name of a set of weights. */
export type RagdollProfile = 'limp' | 'loose' | 'muscles' | 'held' | 'animated'

/** Sets of weights by name. */
export const RAGDOLL_PROFILES: Readonly<Record<RagdollProfile, RagdollWeights>> = {
  /** Falls without a muscle. */
  limp: { pin: 0, muscle: 0, mapping: 1 },
  /** Holds its pose loosely: what a hit or a fall bends. */
  loose: { pin: 0, muscle: 1, mapping: 1, strength: 2, damping: 1 },
  /** Follows the target with the couples of muscles alone. */
  muscles: { pin: 0, muscle: 1, mapping: 1, strength: 15, damping: 1 },
  /** Follows the target, held to its places softly. */
  held: { pin: 0.3, muscle: 1, mapping: 1, strength: 15, damping: 1 },
  /** The animation itself, which pushes what it meets. */
  animated: { pin: 1, muscle: 1, mapping: 1 },
}

/** Parts that a choice names. */
export function chosenParts(where: string, asset: RagdollAsset, choice: PartChoice | undefined): number[] {
  const { parts } = asset
  if (choice === undefined) return parts.map((_, part) => part)
  if (typeof choice === 'string') return [partAt(`${where}: bones`, asset, choice)]
  if (Array.isArray(choice))
    return (array(`${where}: bones`, choice) as string[]).map((bone) => partAt(`${where}: bones`, asset, bone))
  const { below } = knownFields(`${where}: bones`, object(`${where}: bones`, choice), ['below']) as { below: string }
  const top = partAt(`${where}: bones: below`, asset, below)
  return partsBelow(asset, top)
}

/** A part with all that hang on it. */
export function partsBelow({ parts }: RagdollAsset, top: number): number[] {
  const found = [top]
  for (let part = top + 1; part < parts.length; part++) if (found.includes(parts[part].parent)) found.push(part)
  return found
}

/** Checks weights, `what` in the words of who gave them; changes nothing. */
export function checkWeights(
  where: string,
  weights: RagdollWeights,
  what: string = where,
): Partial<Record<WeightName, number>> {
  knownFields(what, object(what, weights), WEIGHTS)
  const found: Partial<Record<WeightName, number>> = {}
  for (const name of WEIGHTS) {
    const value = weights[name]
    if (value === undefined) continue
    found[name] = value
    if (name === 'strength') positive(`${where}: ${name}`, value)
    else if (name === 'damping') nonNegative(`${where}: ${name}`, value)
    else if (name === 'maxTorque' || name === 'maxLead') {
      if (value !== Infinity) nonNegative(`${where}: ${name}`, value)
    } else if (finite(`${where}: ${name}`, value) < 0 || value > 1) {
      throw new RangeError(`${where}: ${name} must be within [0, 1], got ${shown(value)}`)
    }
  }
  return found
}

/** Writes checked weights to parts. */
export function writeWeights(
  { weights }: Motion,
  parts: readonly number[],
  values: Partial<Record<WeightName, number>>,
): void {
  for (const name of WEIGHTS) {
    const value = values[name]
    if (value !== undefined) for (const part of parts) weights[name][part] = value
  }
}
