/** Every call that is served, once, beside the call itself: the same results, the same bits. */

import * as collision from '@tautline/collision'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { distance } from '@tautline/constraints'
import { World } from '@tautline/core'
import { expect, test } from 'vitest'
import { CALLS } from '../src/host/calls.js'
import { pair } from './support/pair.js'

/** Handles as what they are: of the body its place among all, of others nothing but that they are one. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array)
  if (Array.isArray(value)) return value.map(plain)
  const json = (value as { toJSON?: () => object }).toJSON?.()
  if (json !== undefined) return 'handle'
  return Object.fromEntries(Object.entries(value).map(([field, entry]) => [field, plain(entry)]))
}

test('every call gives what the call itself gives', async () => {
  const { remote, errors } = pair({}, { setup: () => ({ calls: { add: (a: number, b: number) => a + b } }) })
  const world = new World()
  const direct = new Collisions(world)
  const { collisions } = remote
  const called = new Set<string>(['flush', 'subscribe', 'start', 'stop', 'call'])
  const ask = async (name: string, answer: Promise<unknown>, expected: unknown): Promise<void> => {
    called.add(name)
    expect(plain(await answer), name).toEqual(plain(expected))
  }
  const same = async (...names: string[]): Promise<void> => {
    for (const name of names) called.add(name)
    expect(errors.map(({ call, error }) => `${call}: ${error.message}`)).toEqual([])
    expect(await remote.hash(), names.join(', ')).toBe(world.hash())
  }
  const ground = [
    direct.addCollider(null, { shape: plane([0, 1, 0], 0) }),
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) }),
  ] as const
  const def = { shape: box([0.5, 0.5, 0.5]), origin: [0, 0.45, 0] as [number, number, number], name: 'crate' }
  const crate = [direct.addBody(def), collisions.addBody(def)] as const
  const at = { position: [3, 4, 0] as [number, number, number], inertia: 1 }
  const free = [world.addBody(at), remote.addBody(at)] as const
  const grain = [world.addParticle({ position: [1, 1, 0] }), remote.addParticle({ position: [1, 1, 0] })] as const
  const many = { count: 3, positions: [0, 3, 0, 0.2, 3, 0, 0.4, 3, 0] }
  const grains = [world.addBodies(many), remote.addBodies(many)] as const
  const set = [
    collision.addParticles(direct, grains[0], { radius: 0.1 }),
    collisions.addParticles(grains[1], { radius: 0.1 }),
  ] as const
  const link = [
    world.add(distance, { a: free[0], b: null, length: 2 }),
    remote.add(distance, { a: free[1], b: null, length: 2 }),
  ] as const
  const ball = [
    direct.addCollider(free[0], { shape: sphere(0.3) }),
    collisions.addCollider(free[1], { shape: sphere(0.3) }),
  ] as const
  await same('addBody', 'addParticle', 'addBodies', 'add', 'addCollider', 'addShapedBody', 'addParticles')
  const belt = [
    world.addBody({ type: 'kinematic', inertia: 1 }),
    remote.addBody({ type: 'kinematic', inertia: 1 }),
  ] as const
  for (const k of [0, 1] as const) {
    const [body, lift, constraint] = [free[k], belt[k], link[k]]
    body.setPosition([3, 3.5, 0])
    body.setOrientation([0, 0, 1, 0])
    body.setVelocity([0, 1, 0])
    body.setAngularVelocity([0, 2, 0])
    body.setMass(2, [1, 2, 2])
    body.setGravityScale(0.5)
    body.applyForce([1, 0, 0], [3, 4, 0])
    body.applyTorque([0, 0, 1])
    body.applyImpulse([0, 0, 1])
    body.applyAngularImpulse([0, 1, 0])
    crate[k].sleep()
    crate[k].wake()
    lift.setTarget([0, 0.1, 0], [0, 0, 0, 1])
    constraint.set({ length: 1.5, compliance: 1e-4 } as never)
    ball[k].set({ friction: 0.2 })
    set[k].set({ friction: 0.1 })
  }
  grain[0].type = 'static'
  grain[1].setType('static')
  collision.setPairCollision(direct, crate[0], free[0], false)
  collisions.setPairCollision(crate[1], free[1], false)
  world.configure({ substeps: 6 })
  remote.configure({ substeps: 6 })
  for (let step = 0; step < 40; step++) {
    world.step()
    remote.step(step === 0 ? 1 / 60 : undefined)
  }
  await same(
    ...[
      'setPosition',
      'setOrientation',
      'setVelocity',
      'setAngularVelocity',
      'setMass',
      'setGravityScale',
      'applyForce',
    ].map((name) => `body.${name}`),
    ...['applyTorque', 'applyImpulse', 'applyAngularImpulse', 'sleep', 'wake', 'setTarget', 'setType'].map(
      (name) => `body.${name}`,
    ),
    ...['constraint.set', 'collider.set', 'particles.set', 'setPairCollision', 'configure', 'step', 'hash'],
  )
  world.advance(0.05)
  remote.advance(0.05)
  await same('advance')
  await ask('energy', remote.energy(), world.energy())
  await ask('momentum', remote.momentum(), world.momentum())
  await ask('residual', remote.residual(), world.residual())
  await ask('report', remote.report(), world.report)
  await ask('toJSON', remote.toJSON(), world.toJSON())
  await ask('bodies', remote.bodies(), world.bodies.all())
  expect(await remote.bodies()).toContain(crate[1])
  await ask('constraints', remote.constraints(), world.constraints())
  await ask('brokenConstraints', remote.brokenConstraints(), [])
  await ask('find', remote.find('crate'), crate[0])
  await ask('time', remote.ask('time', null), { time: world.time, steps: world.clock.steps })
  const [body] = free
  await ask('body.read', free[1].read(), {
    type: 'dynamic',
    mass: body.mass,
    principalInertia: body.principalInertia,
    position: body.position,
    orientation: body.orientation,
    velocity: body.velocity,
    angularVelocity: body.angularVelocity,
    asleep: body.asleep,
    frozen: body.frozen,
  })
  const { typeName, def: linkDef, error, force, torque, multipliers, enabled, broken, bodies } = link[0]
  await ask('constraint.read', link[1].read(), {
    typeName,
    bodies,
    def: linkDef,
    error,
    force,
    torque,
    multipliers,
    enabled,
    broken,
  })
  await ask('constraint.reaction', link[1].reaction(), link[0].reaction())
  const { material, sensor, name } = ball[0]
  await ask('collider.read', ball[1].read(), { body, material, sensor, name })
  await ask('collidersOf', collisions.collidersOf(crate[1]), direct.collidersOf(crate[0]))
  await ask('overlapping', collisions.overlapping(ground[1]), collision.overlapping(direct, ground[0]))
  await ask('pairCollides', collisions.pairCollides(crate[1], free[1]), false)
  await ask('impactReport', collisions.impactReport(), direct.impactReport)
  await ask('particleContacts', collisions.particleContacts(set[1]), collision.particleContacts(direct, set[0]))
  const [up, down] = [
    [0.1, 9, 0],
    [0, -1, 0],
  ] as [[number, number, number], [number, number, number]]
  const ray = { maxDistance: 20, filter: { exclude: [ground[1]] } }
  const directRay = { maxDistance: 20, filter: { exclude: [ground[0]] } }
  await ask('rayCast', collisions.rayCast(up, down, ray), collision.rayCast(direct, up, down, directRay))
  await ask('rayCastAll', collisions.rayCastAll(up, down), collision.rayCastAll(direct, up, down))
  const pose = { position: up }
  const way: [number, number, number] = [0, -20, 0]
  await ask(
    'shapeCast',
    collisions.shapeCast(sphere(0.2), pose, way),
    collision.shapeCast(direct, sphere(0.2), pose, way),
  )
  await ask(
    'shapeCastAll',
    collisions.shapeCastAll(sphere(0.2), pose, way),
    collision.shapeCastAll(direct, sphere(0.2), pose, way),
  )
  const low = { position: [0, 0.5, 0] as [number, number, number] }
  await ask('overlapShape', collisions.overlapShape(sphere(2), low), collision.overlapShape(direct, sphere(2), low))
  await ask('overlapPoint', collisions.overlapPoint(low.position), collision.overlapPoint(direct, low.position))
  await ask('findOverlaps', collisions.findOverlaps({ tolerance: 0 }), collision.findOverlaps(direct, { tolerance: 0 }))
  await ask('closestPoint', collisions.closestPoint(up), collision.closestPoint(direct, up))
  await ask('rayCastParticles', collisions.rayCastParticles(up, down), collision.rayCastParticles(direct, up, down))
  await ask(
    'overlapParticles',
    collisions.overlapParticles(sphere(9), pose),
    collision.overlapParticles(direct, sphere(9), pose),
  )
  await ask('closestParticle', collisions.closestParticle(up), collision.closestParticle(direct, up))
  await ask('project', remote.project(), world.project())
  await same('project')
  expect(await remote.call('add', 1, 2)).toBe(3)
  const saved = world.snapshot()
  const kept = await remote.snapshot()
  called.add('snapshot')
  for (const k of [0, 1] as const) {
    set[k].remove()
    ball[k].remove()
    link[k].remove()
    crate[k].remove()
  }
  world.shrink()
  remote.shrink()
  world.step()
  remote.step()
  await same('body.remove', 'constraint.remove', 'collider.remove', 'particles.remove', 'shrink')
  world.restore(saved)
  await remote.restore(kept)
  await same('restore')
  expect([...CALLS.keys()].filter((call) => !called.has(call))).toEqual([])
  remote.dispose()
})
