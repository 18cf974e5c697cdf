/** Tautline collision: shapes, contacts, queries. */

export { Collisions } from './collisions.js'
export { LeanCollisions } from './lean-collisions.js'
export type { CollisionPart, ImpactReport, LeanCollisionOptions } from './lean-collisions.js'
export type { CollisionParts } from './contact/collision-parts.js'
export { impacts } from './impact/impacts.js'
export { exactIslands } from './contact/island-solver.js'
export { addParticles, particleContacts, particles } from './particles/add-particles.js'
export { selfCollision } from './particles/self-collision.js'
export { sweptSensors } from './detect/swept-sensors.js'
export { particleEvents, particleSets } from './particles/read-particles.js'
export { ParticleSet } from './particles/particle-set.js'
export type {
  ParticleChanges,
  ParticleOwner,
  ParticlesDef,
  ParticleSetHandleJson,
  SelfCollision,
  SurfaceContacts,
} from './particles/particle-set.js'
export type { ParticleContact, ParticleEvent } from './particles/particle-events.js'
export type { CollisionOptions } from './state/options.js'
export type { ShapedBodyDef } from './state/shaped-body.js'
export { Collider } from './state/collider-handle.js'
export type { ColliderHandleJson, ColliderOwner } from './state/collider-handle.js'
export type { ColliderChanges, ColliderDef, FilterDef } from './state/collider.js'
export { pairCollides, setPairCollision } from './state/pair-collision.js'
export type { Material, MaterialDef, CombineRule } from './state/material.js'
export type { SleepOptions } from './sleep/sleeping.js'
export type { ContactEvent, ContactPoint } from './contact/events.js'
export { onTrigger, overlapping, type TriggerHandlers } from './contact/triggers.js'
export type { Contact, ContactCallback } from './contact/contact.js'
export {
  closestPoint,
  overlapPoint,
  overlapShape,
  rayCast,
  rayCastAll,
  shapeCast,
  shapeCastAll,
} from './query/queries.js'
export type {
  ClosestPoint,
  ClosestPointOptions,
  Pose,
  QueryFilter,
  QueryHit,
  QueryOptions,
  RayCastHit,
  RayCastOptions,
  ShapeCastHit,
  ShapeCastOptions,
} from './query/queries.js'
export { findOverlaps } from './query/overlaps.js'
export type { FindOverlapsOptions, Overlap } from './query/overlaps.js'
export { closestParticle, overlapParticles, rayCastParticles } from './query/particle-queries.js'
export type { ParticleHit, ParticleOverlap, ParticleQueryOptions } from './query/particle-queries.js'
export { createCharacter } from './mover/character.js'
export type { Character, CharacterDef, CharacterHit, CharacterOptions } from './mover/character.js'
export { moveCharacter } from './mover/move-character.js'
export { Shape } from './shapes/shape.js'
export type { ShapeJson, ShapeName } from './shapes/shape.js'
export { sphere } from './shapes/sphere.js'
export { capsule } from './shapes/capsule.js'
export { taperedCapsule } from './shapes/tapered-capsule.js'
export { box } from './shapes/box.js'
export { cylinder } from './shapes/cylinder.js'
export { convexHull } from './shapes/convex-hull.js'
export { plane } from './shapes/plane.js'
export { heightfield } from './shapes/heightfield.js'
export type { HeightfieldDef } from './shapes/heightfield.js'
export { triangleMesh } from './shapes/triangle-mesh.js'
export type { TriangleMeshOptions } from './shapes/triangle-mesh.js'
export { compound } from './shapes/compound.js'
export type { Part } from './shapes/compound.js'
export { shapeFromJSON } from './shapes/from-json.js'
export { massOf } from './shapes/mass.js'
export { collisionsFromJSON } from './from-json.js'
export type { CollisionsJson } from './state/to-json.js'
export { collide } from './detect/narrow/collide.js'
export { closest } from './detect/narrow/distance.js'
export { Manifold, ManifoldList } from './detect/narrow/manifold.js'
