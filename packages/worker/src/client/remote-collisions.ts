/** The collisions of a world in a worker: the calls of `Collisions`, and its queries as promises. */

import type {
  ClosestPoint,
  ClosestPointOptions,
  ColliderDef,
  FindOverlapsOptions,
  ImpactReport,
  Overlap,
  ParticleContact,
  ParticleHit,
  ParticleOverlap,
  ParticleQueryOptions,
  ParticlesDef,
  Pose,
  QueryFilter,
  QueryOptions,
  RayCastHit,
  RayCastOptions,
  Shape,
  ShapeCastHit,
  ShapeCastOptions,
  ShapedBodyDef,
} from '@tautline/collision'
import { callable, instance, knownFields } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import type { RemoteTriggerEvent } from './events.js'
import type { RemoteBody } from './remote-body.js'
import type { RemoteHandle, RemoteOwner } from './remote-handle.js'
import { type Remote, RemoteCollider, RemoteParticles } from './remote-handles.js'

/** The remote world, as its collisions see it. */
interface CollisionsOwner extends RemoteOwner {
  make<Made extends RemoteHandle>(name: string, handle: (id: number) => Made, ...args: unknown[]): Made
  makeBody(name: string, def: ShapedBodyDef, isParticle: boolean): RemoteBody
  on(name: 'trigger', listener: (event: RemoteTriggerEvent) => void): () => void
}

/** Options of a query with remote handles; a filter's predicate, which is a function, stays out. */
export type RemoteQueryOptions<Options extends QueryOptions> = Omit<Options, 'filter'> & {
  /** Which colliders count. @defaultValue all but sensors */
  filter?: Omit<QueryFilter, 'predicate' | 'exclude'> & {
    /** Colliders, and bodies with all of theirs, that do not count. @defaultValue none */
    exclude?: RemoteBody | RemoteCollider | readonly (RemoteBody | RemoteCollider)[]
  }
}

/** What {@link RemoteCollisions.onTrigger} calls, each with the other collider and the sensor. Each may be left out. */
export interface RemoteTriggerHandlers {
  /** Of the first step in which it is in the sensor. @defaultValue nothing */
  enter?: (other: RemoteCollider, sensor: RemoteCollider) => void
  /** Of each further one. @defaultValue nothing */
  stay?: (other: RemoteCollider, sensor: RemoteCollider) => void
  /** Of the first in which it is not. @defaultValue nothing */
  leave?: (other: RemoteCollider, sensor: RemoteCollider) => void
}

/**
 * Shapes and contacts of a world in a worker. Queries see the world as it is when the worker hears of them, after all calls that were made before:
 * they are rejected with the `TypeError` or `RangeError` that the function of the same name throws.
 */
export class RemoteCollisions {
  private readonly remote: CollisionsOwner

  /** Made by the remote world. */
  constructor(remote: CollisionsOwner) {
    this.remote = remote
  }

  /** Adds a body with its shape: centre of mass and inertia are the shape's. See `Collisions.addBody`. */
  addBody(def: ShapedBodyDef): RemoteBody {
    return this.remote.makeBody('addShapedBody', def, false)
  }

  /** Fixes a shape to a body, or to the world (`null`). See `Collisions.addCollider`. */
  addCollider(body: RemoteBody | null, def: ColliderDef): RemoteCollider {
    return this.remote.make('addCollider', (id) => new RemoteCollider(this.remote, id), body, def)
  }

  /** Has bodies collide as particles. See `addParticles`. */
  addParticles(bodies: readonly RemoteBody[], def: ParticlesDef): RemoteParticles {
    return this.remote.make('addParticles', (id) => new RemoteParticles(this.remote, id), bodies, def)
  }

  /** Whether the colliders of two bodies meet. */
  setPairCollision(a: RemoteBody, b: RemoteBody, meet: boolean): void {
    this.remote.post('setPairCollision', null, a, b, meet)
  }

  /** Whether the colliders of two bodies meet. */
  pairCollides(a: RemoteBody, b: RemoteBody): Promise<boolean> {
    return this.remote.ask('pairCollides', null, a, b)
  }

  /** Colliders of a body, or of the world (`null`). */
  collidersOf(body: RemoteBody | null): Promise<RemoteCollider[]> {
    return this.remote.ask('collidersOf', null, body)
  }

  /** What touched a collider in the last step, or was in it if it is a sensor. */
  overlapping(collider: RemoteCollider): Promise<RemoteCollider[]> {
    return this.remote.ask('overlapping', null, collider)
  }

  /** What became of impacts in the last step. */
  impactReport(): Promise<ImpactReport> {
    return this.remote.ask('impactReport', null)
  }

  /** Each contact of the particles of a set in the last step. */
  particleContacts(set: RemoteParticles): Promise<Remote<ParticleContact>[]> {
    return this.remote.ask('particleContacts', null, set)
  }

  /** Has a sensor call; returns what ends it. See `onTrigger`. Throws a `TypeError` for bad handlers. */
  onTrigger(sensor: RemoteCollider, handlers: RemoteTriggerHandlers): () => void {
    instance('onTrigger: sensor', sensor, RemoteCollider, 'a collider of a remote world')
    knownFields('onTrigger: handlers', handlers, ['enter', 'stay', 'leave'])
    for (const handler of Object.values(handlers)) callable('onTrigger: handler', handler)
    return this.remote.on('trigger', (event) => {
      if (event.sensor === sensor) handlers[event.type]?.(event.other, sensor)
    })
  }

  /** The first collider that a ray meets; `null` if there is none. See `rayCast`. */
  rayCast(
    origin: ReadonlyVec3,
    direction: ReadonlyVec3,
    options: RemoteQueryOptions<RayCastOptions> = {},
  ): Promise<Remote<RayCastHit> | null> {
    return this.remote.ask('rayCast', null, origin, direction, options)
  }

  /** All that a ray meets, by distance. See `rayCastAll`. */
  rayCastAll(
    origin: ReadonlyVec3,
    direction: ReadonlyVec3,
    options: RemoteQueryOptions<RayCastOptions> = {},
  ): Promise<Remote<RayCastHit>[]> {
    return this.remote.ask('rayCastAll', null, origin, direction, options)
  }

  /** The first collider that a shape touches on its way. See `shapeCast`. */
  shapeCast(
    shape: Shape,
    pose: Pose,
    displacement: ReadonlyVec3,
    options: RemoteQueryOptions<ShapeCastOptions> = {},
  ): Promise<Remote<ShapeCastHit> | null> {
    return this.remote.ask('shapeCast', null, shape, pose, displacement, options)
  }

  /** All that a shape touches on its way. See `shapeCastAll`. */
  shapeCastAll(
    shape: Shape,
    pose: Pose,
    displacement: ReadonlyVec3,
    options: RemoteQueryOptions<ShapeCastOptions> = {},
  ): Promise<Remote<ShapeCastHit>[]> {
    return this.remote.ask('shapeCastAll', null, shape, pose, displacement, options)
  }

  /** The colliders that a shape overlaps. See `overlapShape`. */
  overlapShape(shape: Shape, pose: Pose, options: RemoteQueryOptions<QueryOptions> = {}): Promise<RemoteCollider[]> {
    return this.remote.ask('overlapShape', null, shape, pose, options)
  }

  /** The colliders that hold a point. See `overlapPoint`. */
  overlapPoint(point: ReadonlyVec3, options: RemoteQueryOptions<QueryOptions> = {}): Promise<RemoteCollider[]> {
    return this.remote.ask('overlapPoint', null, point, options)
  }

  /** Pairs of colliders that overlap. See `findOverlaps`. */
  findOverlaps(
    options: RemoteQueryOptions<Omit<FindOverlapsOptions, 'body'>> & { body?: RemoteBody } = {},
  ): Promise<Remote<Overlap>[]> {
    return this.remote.ask('findOverlaps', null, options)
  }

  /** The nearest point of all colliders. See `closestPoint`. */
  closestPoint(
    point: ReadonlyVec3,
    options: RemoteQueryOptions<ClosestPointOptions> = {},
  ): Promise<Remote<ClosestPoint> | null> {
    return this.remote.ask('closestPoint', null, point, options)
  }

  /** The first particle that a ray meets. See `rayCastParticles`. */
  rayCastParticles(
    origin: ReadonlyVec3,
    direction: ReadonlyVec3,
    options: Omit<ParticleQueryOptions, 'predicate'> = {},
  ): Promise<Remote<ParticleHit> | null> {
    return this.remote.ask('rayCastParticles', null, origin, direction, options)
  }

  /** The particles that a shape overlaps. See `overlapParticles`. */
  overlapParticles(
    shape: Shape,
    pose: Pose,
    options: Omit<ParticleQueryOptions, 'predicate' | 'maxDistance'> = {},
  ): Promise<Remote<ParticleOverlap>[]> {
    return this.remote.ask('overlapParticles', null, shape, pose, options)
  }

  /** The particle whose surface is nearest to a point. See `closestParticle`. */
  closestParticle(
    point: ReadonlyVec3,
    options: Omit<ParticleQueryOptions, 'predicate'> = {},
  ): Promise<Remote<ParticleHit> | null> {
    return this.remote.ask('closestParticle', null, point, options)
  }
}
