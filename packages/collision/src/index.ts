/** Tautline collision: shapes, contacts, queries. */

export { Collisions } from './collisions.js'
export type { CollisionOptions, ImpactReport, ParticlesDef, ShapedBodyDef } from './collisions.js'
export { Collider } from './collider.js'
export type { ColliderChanges, ColliderDef, ColliderHandleJson, FilterDef } from './collider.js'
export type { Material, MaterialDef, MixingRule } from './material.js'
export type { SleepOptions } from './sleeping.js'
export type { ContactEvent, ContactPoint } from './events.js'
export type { Contact, ContactCallback } from './contact/contact.js'
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
} from './queries.js'
export { Shape } from './shape.js'
export type { ShapeJson, ShapeName } from './shape.js'
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
export { massOf } from './mass.js'
export { collisionsFromJSON } from './from-json.js'
export type { CollisionsJson } from './to-json.js'
export { collide } from './narrow/collide.js'
export { closest } from './narrow/distance.js'
export { Manifold, ManifoldList } from './narrow/manifold.js'
