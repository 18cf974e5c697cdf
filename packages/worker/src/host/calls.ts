/** What may be called over the port, by name. Arguments come as they were given, with handles in place of numbers; the world checks them. */

import {
  addParticles,
  type ClosestPointOptions,
  closestParticle,
  closestPoint,
  Collider,
  type ColliderDef,
  type Collisions,
  findOverlaps,
  type FindOverlapsOptions,
  overlapParticles,
  overlapping,
  overlapPoint,
  overlapShape,
  pairCollides,
  particleContacts,
  ParticleSet,
  type ParticleQueryOptions,
  type ParticlesDef,
  type Pose,
  type QueryOptions,
  rayCast,
  rayCastAll,
  type RayCastOptions,
  rayCastParticles,
  setPairCollision,
  type Shape,
  shapeCast,
  shapeCastAll,
  type ShapeCastOptions,
  type ShapedBodyDef,
} from '@tautline/collision'
import {
  Body,
  type BodiesDef,
  type BodyDef,
  type BodyType,
  Constraint,
  type ProjectOptions,
  type World,
  type WorldOptions,
} from '@tautline/core'
import { type AnyType, instance } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { type Handle, RetainedSnapshot } from './handles.js'
import type { Subscriptions } from '../wire/messages.js'

/** What calls are made on. */
export interface Callable {
  readonly world: World
  /** Throws a `RangeError` where there are none. */
  readonly collisions: Collisions
  readonly loop: { start(timeScale: number): void; stop(): void }
  /** A type of constraints, by its name. */
  typeOf(name: string): AnyType
  step(dt?: number): void
  /** Returns how many steps were made. */
  advance(frameTime: number): number
  callOwn(name: string, args: unknown[]): unknown
  subscribe(subscriptions: Subscriptions): void
}

/** A call on a handle, or on the world. */
type Made = (host: Callable, on: Handle | undefined, args: readonly never[]) => unknown

function onWorld<Args extends readonly unknown[]>(call: (host: Callable, ...args: Args) => unknown): Made {
  return (host, _, args) => call(host, ...(args as unknown as Args))
}

function onCollisions<Args extends readonly unknown[]>(call: (collisions: Collisions, ...args: Args) => unknown): Made {
  return (host, _, args) => call(host.collisions, ...(args as unknown as Args))
}

function onHandle<On extends Handle, Args extends readonly unknown[]>(
  type: { prototype: On },
  noun: string,
  call: (handle: On, ...args: Args) => unknown,
): Made {
  return (_, on, args) => call(instance('handle', on, type, noun), ...(args as unknown as Args))
}

const onBody = <Args extends readonly unknown[]>(call: (body: Body, ...args: Args) => unknown): Made =>
  onHandle(Body, 'a body', call)
const onConstraint = <Args extends readonly unknown[]>(
  call: (constraint: Constraint, ...args: Args) => unknown,
): Made => onHandle(Constraint, 'a constraint', call)
const onCollider = <Args extends readonly unknown[]>(call: (collider: Collider, ...args: Args) => unknown): Made =>
  onHandle(Collider, 'a collider', call)
const onParticles = <Args extends readonly unknown[]>(call: (set: ParticleSet, ...args: Args) => unknown): Made =>
  onHandle(ParticleSet, 'a set of particles', call)

const WORLD_CALLS: Record<string, Made> = {
  addBody: onWorld(({ world }, def: BodyDef) => world.addBody(def)),
  addParticle: onWorld(({ world }, def: BodyDef) => world.addParticle(def)),
  addBodies: onWorld(({ world }, def: BodiesDef) => world.addBodies(def)),
  add: onWorld((host, type: string, def: object) => host.world.add<object>(host.typeOf(type), def)),
  configure: onWorld(({ world }, options: WorldOptions) => world.configure(options)),
  step: onWorld((host, dt?: number) => host.step(dt)),
  advance: onWorld((host, frameTime: number) => host.advance(frameTime)),
  start: onWorld((host, timeScale: number) => host.loop.start(timeScale)),
  stop: onWorld((host) => host.loop.stop()),
  project: onWorld(({ world }, options?: ProjectOptions) => world.project(options)),
  shrink: onWorld(({ world }) => world.shrink()),
  report: onWorld(({ world }) => world.report),
  residual: onWorld(({ world }) => world.residual()),
  energy: onWorld(({ world }) => world.energy()),
  momentum: onWorld(({ world }) => world.momentum()),
  hash: onWorld(({ world }) => world.hash()),
  time: onWorld(({ world }) => ({ time: world.time, steps: world.clock.steps })),
  toJSON: onWorld(({ world }) => world.toJSON()),
  snapshot: onWorld(({ world }) => new RetainedSnapshot(world.snapshot())),
  restore: ({ world }, on) => world.restore(instance('restore: snapshot', on, RetainedSnapshot, 'a snapshot').snapshot),
  bodies: onWorld(({ world }) => world.bodies.all()),
  constraints: onWorld(({ world }) => world.constraints()),
  brokenConstraints: onWorld(({ world }) => world.brokenConstraints()),
  find: onWorld(({ world }, name: string) => world.bodies.all().find((body) => body.name === name) ?? null),
  flush: onWorld(() => undefined),
  call: onWorld((host, name: string, ...args: unknown[]) => host.callOwn(name, args)),
  subscribe: onWorld((host, subscriptions: Subscriptions) => host.subscribe(subscriptions)),
}

const BODY_CALLS: Record<string, Made> = {
  'body.read': onBody((body) => ({
    type: body.type,
    mass: body.mass,
    principalInertia: body.principalInertia,
    position: body.position,
    orientation: body.orientation,
    velocity: body.velocity,
    angularVelocity: body.angularVelocity,
    asleep: body.asleep,
    frozen: body.frozen,
  })),
  'body.setType': onBody((body, type: BodyType) => void (body.type = type)),
}
for (const name of [
  'wake',
  'sleep',
  'setPosition',
  'setOrientation',
  'setVelocity',
  'setAngularVelocity',
  'setTarget',
  'setMass',
  'setGravityScale',
  'applyForce',
  'applyTorque',
  'applyImpulse',
  'applyAngularImpulse',
  'remove',
] as const) {
  BODY_CALLS[`body.${name}`] = onBody((body, ...args: never[]) => (body[name] as (...args: never[]) => void)(...args))
}

const CONSTRAINT_CALLS: Record<string, Made> = {
  'constraint.set': onConstraint((constraint, changes: object) => constraint.set(changes)),
  'constraint.remove': onConstraint((constraint) => constraint.remove()),
  'constraint.reaction': onConstraint((constraint, k?: number) => constraint.reaction(k)),
  'constraint.read': onConstraint((constraint) => ({
    typeName: constraint.typeName,
    bodies: constraint.bodies,
    def: constraint.def,
    error: constraint.error,
    force: constraint.force,
    torque: constraint.torque,
    multipliers: constraint.multipliers,
    enabled: constraint.enabled,
    broken: constraint.broken,
  })),
}

const COLLISION_CALLS: Record<string, Made> = {
  addShapedBody: onCollisions((collisions, def: ShapedBodyDef) => collisions.addBody(def)),
  addCollider: onCollisions((collisions, body: Body | null, def: ColliderDef) => collisions.addCollider(body, def)),
  collidersOf: onCollisions((collisions, body: Body | null) => collisions.collidersOf(body)),
  addParticles: onCollisions((collisions, bodies: Body[], def: ParticlesDef) => addParticles(collisions, bodies, def)),
  particleContacts: onCollisions((collisions, set: ParticleSet) => particleContacts(collisions, set)),
  setPairCollision: onCollisions((collisions, a: Body, b: Body, meet: boolean) =>
    setPairCollision(collisions, a, b, meet),
  ),
  pairCollides: onCollisions((collisions, a: Body, b: Body) => pairCollides(collisions, a, b)),
  overlapping: onCollisions((collisions, collider: Collider) => overlapping(collisions, collider)),
  impactReport: onCollisions((collisions) => collisions.impactReport),
  rayCast: onCollisions((collisions, o: ReadonlyVec3, d: ReadonlyVec3, options?: RayCastOptions) =>
    rayCast(collisions, o, d, options),
  ),
  rayCastAll: onCollisions((collisions, o: ReadonlyVec3, d: ReadonlyVec3, options?: RayCastOptions) =>
    rayCastAll(collisions, o, d, options),
  ),
  shapeCast: onCollisions((collisions, shape: Shape, pose: Pose, way: ReadonlyVec3, options?: ShapeCastOptions) =>
    shapeCast(collisions, shape, pose, way, options),
  ),
  shapeCastAll: onCollisions((collisions, shape: Shape, pose: Pose, way: ReadonlyVec3, options?: ShapeCastOptions) =>
    shapeCastAll(collisions, shape, pose, way, options),
  ),
  overlapShape: onCollisions((collisions, shape: Shape, pose: Pose, options?: QueryOptions) =>
    overlapShape(collisions, shape, pose, options),
  ),
  overlapPoint: onCollisions((collisions, point: ReadonlyVec3, options?: QueryOptions) =>
    overlapPoint(collisions, point, options),
  ),
  findOverlaps: onCollisions((collisions, options?: FindOverlapsOptions) => findOverlaps(collisions, options)),
  closestPoint: onCollisions((collisions, point: ReadonlyVec3, options?: ClosestPointOptions) =>
    closestPoint(collisions, point, options),
  ),
  rayCastParticles: onCollisions((collisions, o: ReadonlyVec3, d: ReadonlyVec3, options?: ParticleQueryOptions) =>
    rayCastParticles(collisions, o, d, options),
  ),
  overlapParticles: onCollisions((collisions, shape: Shape, pose: Pose, options?: ParticleQueryOptions) =>
    overlapParticles(collisions, shape, pose, options),
  ),
  closestParticle: onCollisions((collisions, point: ReadonlyVec3, options?: ParticleQueryOptions) =>
    closestParticle(collisions, point, options),
  ),
  'collider.set': onCollider((collider, changes: Partial<ColliderDef>) => collider.set(changes)),
  'collider.remove': onCollider((collider) => collider.remove()),
  'collider.read': onCollider(({ body, material, sensor, name }) => ({ body, material, sensor, name })),
  'particles.set': onParticles((set, changes: object) => set.set(changes)),
  'particles.remove': onParticles((set) => set.remove()),
}

/** All calls. A map, so that no name of an object's own methods is one. */
export const CALLS: ReadonlyMap<string, Made> = /* @__PURE__ */ new Map(
  [WORLD_CALLS, BODY_CALLS, CONSTRAINT_CALLS, COLLISION_CALLS].flatMap((calls) => Object.entries(calls)),
)
