/** What users write for a ragdoll, and its checks. */

import { finiteVector, flag, integer, knownFields, nonNegative, object, unitQuaternion } from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { ASSET_FIELDS, type RagdollAssetOptions } from './asset.js'
import type { BonePose } from './pose.js'
import { type Profiles, type RagdollProfileDef, resolveProfiles } from './profiles.js'

/** What `ragdoll` takes besides the skeleton; with an asset, what {@link RagdollAssetOptions} says is its own. */
export interface RagdollOptions extends RagdollAssetOptions {
  /** Shown in messages, and in JSON. @defaultValue none */
  name?: string
  /** Where the origin of the skeleton's space is [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** How the skeleton's space is turned. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** Pose that it starts in; limits that it violates close within a third of a second. @defaultValue that of rest */
  pose?: BonePose
  /** Pose `dt` before: parts start with the velocities between the two. @defaultValue at rest */
  previous?: BonePose
  /** Time from `previous` to `pose` [s]. @defaultValue the world's `dt` */
  dt?: number
  /** Whether parts collide, where the world has collisions. @defaultValue true */
  collides?: boolean
  /** Whether parts collide with each other; those that are joined, or lie in each other at rest, never do. @defaultValue true */
  selfCollision?: boolean
  /** Of parts. @defaultValue 0.6 */
  friction?: number
  /** Of hands and feet. @defaultValue 1 */
  gripFriction?: number
  /** Layers that its colliders are on, a bit each. @defaultValue 1 */
  layer?: number
  /** Layers that they meet, a bit each. @defaultValue all */
  mask?: number
  /** Damping of joints without a muscle, as of tissue, by the inertia that each moves [1/s]. @defaultValue 2 */
  jointDamping?: number
  /** Rate at which velocities decay [1/s]. @defaultValue 0.05 */
  linearDamping?: number
  /** Rate at which angular velocities decay [1/s]: what flesh takes. @defaultValue 0.5 */
  angularDamping?: number
  /** Weights by name, for `profile`: of all parts, or a list by parts; one of a known name takes its place. @defaultValue none */
  profiles?: Readonly<Record<string, RagdollProfileDef>>
}

/** How parts collide and slow down. */
export interface RagdollSettings {
  readonly collides: boolean
  readonly selfCollision: boolean
  readonly friction: number
  readonly gripFriction: number
  readonly layer: number
  readonly mask: number
  readonly jointDamping: number
  readonly linearDamping: number
  readonly angularDamping: number
  readonly profiles: Profiles
  /** Of the skeleton's space in the world. */
  readonly position: readonly number[]
  readonly orientation: readonly number[]
}

const OWN: readonly (keyof RagdollOptions)[] = [
  'name',
  'position',
  'orientation',
  'pose',
  'previous',
  'dt',
  'collides',
  'selfCollision',
  'friction',
  'gripFriction',
  'layer',
  'mask',
  'jointDamping',
  'linearDamping',
  'angularDamping',
  'profiles',
]

/** Splits options into those of the asset and the rest. Throws for what is neither. */
export function assetOptions(where: string, options: RagdollOptions): RagdollAssetOptions {
  knownFields(where, object(`${where}: options`, options), [...ASSET_FIELDS, ...OWN])
  return Object.fromEntries(Object.entries(options).filter(([field]) => ASSET_FIELDS.includes(field)))
}

/** Checks the options of an instance. */
export function resolveSettings(where: string, options: RagdollOptions): RagdollSettings {
  const number = (
    field: 'friction' | 'gripFriction' | 'jointDamping' | 'linearDamping' | 'angularDamping',
    value: number,
  ): number => nonNegative(`${where}: ${field}`, options[field] ?? value)
  const bits = (field: 'layer' | 'mask', value: number): number =>
    integer(`${where}: ${field}`, options[field] ?? value, -0x80000000, 0xffffffff) | 0
  return {
    collides: flag(`${where}: collides`, options.collides ?? true),
    selfCollision: flag(`${where}: selfCollision`, options.selfCollision ?? true),
    friction: number('friction', 0.6),
    gripFriction: number('gripFriction', 1),
    layer: bits('layer', 1),
    mask: bits('mask', -1),
    jointDamping: number('jointDamping', 2),
    linearDamping: number('linearDamping', 0.05),
    angularDamping: number('angularDamping', 0.5),
    profiles: resolveProfiles(`${where}: profiles`, options.profiles ?? {}),
    position: Array.from(finiteVector(`${where}: position`, options.position ?? [0, 0, 0], 3)),
    orientation: [...unitQuaternion(`${where}: orientation`, options.orientation ?? [0, 0, 0, 1])],
  }
}
