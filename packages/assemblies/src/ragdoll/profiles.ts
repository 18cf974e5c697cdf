/** Weights by name: a user's own beside those of `RAGDOLL_PROFILES`, kept with the ragdoll and its JSON. */

import { array, object, shown } from '@tautline/core/kernel'
import type { RagdollAsset } from './data.js'
import { checkWeights, chosenParts, type PartChoice, RAGDOLL_PROFILES, type RagdollWeights } from './weights.js'

/** Weights of some parts. */
export interface ProfilePart extends RagdollWeights {
  /** Parts that it sets. @defaultValue all of them */
  bones?: PartChoice
}

/** Weights by name: of all parts, or a list of which later ones overrule earlier ones. */
export type RagdollProfileDef = ProfilePart | readonly ProfilePart[]

/** Profiles by name, each as a list. */
export type Profiles = Readonly<Record<string, readonly ProfilePart[]>>

/** Reads profiles as users write them, or as JSON has them. Throws `TypeError`/`RangeError` with which profile and the value. */
export function resolveProfiles(where: string, given: Readonly<Record<string, RagdollProfileDef>>): Profiles {
  const profiles = Object.entries(object(where, given) as typeof given).map(([name, def]) => {
    const list = (Array.isArray(def) ? array(`${where}.${name}`, def) : [def]) as ProfilePart[]
    return [name, list.map((part, k) => readPart(`${where}.${name}[${k}]`, part))] as const
  })
  return Object.fromEntries(profiles)
}

function readPart(where: string, part: ProfilePart): ProfilePart {
  const { bones, ...weights } = object(where, part) as ProfilePart
  const checked = exchanged(weights, BOUNDLESS, Infinity)
  checkWeights(where, checked)
  return { ...checked, ...(bones !== undefined && { bones }) }
}

/** Weights that may be beyond all, one way to say so for another. */
function exchanged<Weights extends RagdollWeights>(weights: Weights, from: number, to: number): Weights {
  const changed = { ...weights }
  for (const name of ['maxTorque', 'maxLead'] as const) if (changed[name] === from) changed[name] = to
  return changed
}

/** How JSON says Infinity. */
const BOUNDLESS = -1

/** Profiles as JSON. */
export function writeProfiles(profiles: Profiles): object {
  return Object.fromEntries(
    Object.entries(profiles).map(([name, list]) => [name, list.map((part) => exchanged(part, Infinity, BOUNDLESS))]),
  )
}

/** Checks that all parts that profiles name are the asset's. */
export function checkProfiles(where: string, asset: RagdollAsset, profiles: Profiles): void {
  for (const [name, list] of Object.entries(profiles)) {
    list.forEach(({ bones }, k) => chosenParts(`${where}: profiles.${name}[${k}]`, asset, bones))
  }
}

/** The profile of a name: a user's own before those that there are. */
export function profileOf(where: string, own: Profiles, name: string): readonly ProfilePart[] {
  if (Object.hasOwn(own, name)) return own[name]
  if (Object.hasOwn(RAGDOLL_PROFILES, name)) return [RAGDOLL_PROFILES[name as keyof typeof RAGDOLL_PROFILES]]
  const known = [...Object.keys(RAGDOLL_PROFILES), ...Object.keys(own)].join(', ')
  throw new RangeError(`${where}: name must be one of ${known}, got ${shown(name)}`)
}
