/** Makes ragdolls. */

import { type Body, type Constraint, LeanWorld } from '@tautline/core'
import { instance, positive } from '@tautline/core/kernel'
import { Assemblies } from '../assemblies.js'
import { checkName } from '../parts/checks.js'
import { collisionsOf } from '../parts/collisions.js'
import { vectorAt } from './algebra.js'
import { assetOf } from './asset.js'
import type { RagdollAsset } from './data.js'
import { assetOptions, type RagdollOptions, type RagdollSettings, resolveSettings } from './definition.js'
import { addJoint, bodyOf } from './dynamics.js'
import { driveJoints } from './drives.js'
import { openLimits } from './limits.js'
import { motionOf } from './motion.js'
import { BonePlaces, checkPose, placeBones, placeParts, restPose } from './pose.js'
import { velocitiesBetween } from './places.js'
import { checkProfiles } from './profiles.js'
import { Ragdoll, spaceOf } from './ragdoll.js'
import type { RagdollSource } from './skeleton.js'
import { gathered } from './state.js'
import type { PartPlaces } from './validate.js'
import { type LeanCollisions, setPairCollision } from '@tautline/collision'
import { sideOf } from './humanoid.js'

/**
 * Makes a ragdoll of any skeleton: `ragdoll(world, fromGltf(document))`. A humanoid, known by the names of its bones, gets an adult's masses and ranges of
 * joints; other skeletons what their files say, or what follows from their bones. It collides with the colliders of the world's `Collisions`, if the world has them at that
 * time. Throws `TypeError`/`RangeError` with what, which bone and the value, and adds nothing, when something is wrong.
 */
export function ragdoll(world: LeanWorld, source: RagdollSource | RagdollAsset, options: RagdollOptions = {}): Ragdoll {
  const where = typeof options?.name === 'string' ? `ragdoll "${options.name}"` : 'ragdoll'
  instance(`${where}: world`, world, LeanWorld, 'a World')
  world.bodies.callbacks.refuse(where)
  const own = assetOptions(where, options)
  checkName(where, options.name)
  const asset = isAsset(source) ? withoutOptions(where, source, own) : assetOf(where, source, own)
  const settings = resolveSettings(where, options)
  checkProfiles(where, asset, settings.profiles)
  const pose =
    options.pose === undefined ? restPose(asset.skeleton) : checkPose(`${where}: pose`, asset.skeleton, options.pose)
  const places = placesOf(asset, settings, pose)
  const dt = positive(`${where}: dt`, options.dt ?? world.settings.dt)
  const before =
    options.previous === undefined
      ? undefined
      : placesOf(asset, settings, checkPose(`${where}: previous`, asset.skeleton, options.previous))
  const moving = before && velocitiesBetween(asset, before, places, dt)
  const bodies: Body[] = []
  try {
    asset.parts.forEach((part, k) => {
      const motion =
        moving === undefined
          ? {}
          : { velocity: vectorAt(moving.velocities, k), angularVelocity: vectorAt(moving.spins, k) }
      const { linearDamping, angularDamping } = settings
      bodies.push(world.addBody({ ...bodyOf(part, places, k), linearDamping, angularDamping, ...motion }))
    })
    const joints = asset.parts.map(({ joint }, k): Constraint | undefined =>
      joint === undefined ? undefined : addJoint(world, asset.parts, k, bodies),
    )
    const collisions = settings.collides ? collisionsOf(world) : undefined
    if (collisions !== undefined) addColliders(collisions, asset, settings, bodies)
    const state = gathered({ bodies, joints, pins: bodies.map(() => undefined), held: [] })
    const motion = motionOf(asset)
    motion.target.positions.set(pose.positions)
    motion.target.rotations.set(pose.rotations)
    motion.positions.set(places.positions)
    motion.rotations.set(places.rotations)
    openLimits(asset, state, motion, places, Array.from(bodies.keys()), before && { places: before, dt })
    driveJoints(asset, state, motion, { gravity: world.settings.gravity, passive: settings.jointDamping })
    const owner = Assemblies.of(world)
    return owner.add(new Ragdoll(owner, world, options.name, asset, settings, state, motion))
  } catch (error) {
    // Nothing half-added: a body takes its joints and colliders along.
    for (const body of bodies) body.remove()
    throw error
  }
}

function isAsset(source: RagdollSource | RagdollAsset): source is RagdollAsset {
  return Array.isArray((source as Partial<RagdollAsset> | null)?.parts) && 'skeleton' in source
}

function withoutOptions(where: string, asset: RagdollAsset, own: object): RagdollAsset {
  const [field] = Object.keys(own)
  if (field !== undefined) throw new TypeError(`${where}: ${field} is that of the asset, and is not given`)
  return asset
}

function placesOf(asset: RagdollAsset, settings: RagdollSettings, pose: ReturnType<typeof restPose>): PartPlaces {
  const bones = new BonePlaces(asset.skeleton.names.length)
  const n = asset.parts.length
  const places = { positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) }
  placeBones(asset.skeleton, pose, spaceOf(settings), bones)
  placeParts(asset, bones, places)
  return places
}

const GRIPS = ['Hand', 'Foot', 'Toes']

/** Gives bodies their shapes, and has joined and overlapping parts pass through each other, also once a joint is cut. */
function addColliders(
  collisions: LeanCollisions,
  { parts, overlaps }: RagdollAsset,
  settings: RagdollSettings,
  bodies: readonly Body[],
): void {
  const { friction, gripFriction, layer, mask, selfCollision } = settings
  parts.forEach(({ shape, position, turn, matter, role }, part) => {
    const { centre } = matter
    const grips = role !== undefined && GRIPS.includes(sideOf(role).part)
    collisions.addCollider(bodies[part], {
      shape,
      position: [position[0] - centre[0], position[1] - centre[1], position[2] - centre[2]],
      orientation: turn,
      friction: grips ? gripFriction : friction,
      layer,
      mask,
    })
  })
  const apart = (a: number, b: number): void => setPairCollision(collisions, bodies[a], bodies[b], false)
  if (!selfCollision) {
    for (let a = 0; a < parts.length; a++) for (let b = 0; b < a; b++) apart(a, b)
    return
  }
  parts.forEach(({ parent }, part) => {
    if (parent >= 0) apart(parent, part)
  })
  for (const [a, b] of overlaps) apart(a, b)
}
