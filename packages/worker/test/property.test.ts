/** Whatever is called, in whatever order: a world behind a port is, to the bit, what the same calls make of a world. */

import { box, Collisions, plane, rayCast, sphere, overlapPoint } from '@tautline/collision'
import { ballSocket, distance, fixed } from '@tautline/constraints'
import { type Body, type Constraint, World } from '@tautline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RemoteBody, RemoteConstraint } from '../src/index.js'
import { pair } from './support/pair.js'
import { runs } from '../../core/test/support/runs.js'

const RUNS = 40

const real = fc.double({ min: -3, max: 3, noNaN: true })
const vector = fc.tuple(real, real, real)
const nth = fc.nat({ max: 15 })

/** Calls as data. `on` counts through what is there, and begins anew. */
const calls = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('step' as const), count: fc.integer({ min: 1, max: 6 }) }) },
    fc.record({
      do: fc.constant('addBall' as const),
      at: vector,
      radius: fc.double({ min: 0.1, max: 0.6, noNaN: true }),
    }),
    fc.record({ do: fc.constant('addBox' as const), at: vector, velocity: vector }),
    fc.record({ do: fc.constant('addParticle' as const), at: vector }),
    fc.record({ do: fc.constant('addMany' as const), at: fc.array(real, { minLength: 6, maxLength: 6 }) }),
    fc.record({
      do: fc.constant('join' as const),
      a: nth,
      b: nth,
      type: fc.constantFrom('distance', 'ballSocket', 'fixed'),
    }),
    fc.record({
      do: fc.constantFrom(
        'setPosition',
        'setVelocity',
        'applyForce',
        'applyImpulse',
        'applyTorque',
        'setAngularVelocity',
      ),
      on: nth,
      value: vector,
    }),
    fc.record({ do: fc.constant('removeBody' as const), on: nth }),
    fc.record({ do: fc.constant('removeConstraint' as const), on: nth }),
    fc.record({ do: fc.constant('set' as const), on: nth, enabled: fc.boolean() }),
    fc.record({
      do: fc.constant('collider' as const),
      on: nth,
      radius: fc.double({ min: 0.1, max: 0.4, noNaN: true }),
    }),
    fc.record({ do: fc.constant('configure' as const), substeps: fc.integer({ min: 1, max: 6 }) }),
    // What is wrong changes nothing, on either side.
    fc.record({ do: fc.constant('wrong' as const), on: nth }),
    fc.record({ do: fc.constant('save' as const) }),
    fc.record({ do: fc.constant('back' as const) }),
  ),
  { minLength: 5, maxLength: 40 },
)

const TYPES = { distance, ballSocket, fixed } as const

test.each(['shared', 'transferred'] as const)(
  'random calls over a port give the bits of a world (poses %s)',
  async (poses) => {
    await fc.assert(
      fc.asyncProperty(calls, async (list) => {
        const { remote, errors } = pair({ poses })
        const world = new World()
        const collisions = new Collisions(world)
        const ground = { shape: plane([0, 1, 0], -2) }
        collisions.addCollider(null, ground)
        remote.collisions.addCollider(null, ground)
        const bodies: [Body, RemoteBody][] = []
        const constraints: [Constraint, RemoteConstraint][] = []
        const alive = <T extends { alive: boolean }, R>(pairs: [T, R][], k: number): [T, R] | undefined => {
          const there = pairs.filter(([one]) => one.alive)
          return there[k % there.length]
        }
        let saved:
          | { snapshot: ReturnType<World['snapshot']>; remote: Promise<Awaited<ReturnType<typeof remote.snapshot>>> }
          | undefined
        let wrong = 0
        const both = (def: Parameters<typeof collisions.addBody>[0]): void => {
          bodies.push([collisions.addBody(def), remote.collisions.addBody(def)])
        }
        for (const call of list) {
          switch (call.do) {
            case 'step':
              for (let k = 0; k < call.count; k++) {
                world.step()
                remote.step()
              }
              break
            case 'addBall':
              both({ shape: sphere(call.radius), origin: call.at })
              break
            case 'addBox':
              both({ shape: box([0.3, 0.2, 0.4]), origin: call.at, velocity: call.velocity, mass: 2 })
              break
            case 'addParticle': {
              const def = { position: call.at, mass: 0.5 }
              bodies.push([world.addParticle(def), remote.addParticle(def)])
              break
            }
            case 'addMany': {
              const def = { count: 2, positions: Float64Array.from(call.at), inertia: [1, 1, 1] }
              const remotes = remote.addBodies(def)
              // What was given is the caller's again at once.
              const own = { ...def, positions: def.positions.slice() }
              def.positions.fill(NaN)
              world.addBodies(own).forEach((body, k) => bodies.push([body, remotes[k]]))
              break
            }
            case 'join': {
              const [a, b] = [alive(bodies, call.a), alive(bodies, call.b)]
              if (a === undefined || b === undefined || a === b) break
              const type = TYPES[call.type as keyof typeof TYPES] as typeof distance
              // A joint of a particle to a rotating body may be refused: then on both sides.
              try {
                const constraint = world.add(type, { a: a[0], b: b[0] })
                constraints.push([
                  constraint as unknown as Constraint,
                  remote.add(type, { a: a[1], b: b[1] }) as unknown as RemoteConstraint,
                ])
              } catch {
                remote.add(type, { a: a[1], b: b[1] })
                wrong++
              }
              break
            }
            case 'removeBody': {
              const found = alive(bodies, call.on)
              found?.[0].remove()
              found?.[1].remove()
              break
            }
            case 'removeConstraint': {
              const found = alive(constraints, call.on)
              found?.[0].remove()
              found?.[1].remove()
              break
            }
            case 'set': {
              const found = alive(constraints, call.on)
              if (found === undefined) break
              found[0].enabled = call.enabled
              found[1].setEnabled(call.enabled)
              break
            }
            case 'collider': {
              const found = alive(bodies, call.on)
              if (found === undefined) break
              const def = { shape: sphere(call.radius), friction: 0.3 }
              collisions.addCollider(found[0], def)
              remote.collisions.addCollider(found[1], def)
              break
            }
            case 'configure':
              world.configure({ substeps: call.substeps })
              remote.configure({ substeps: call.substeps })
              break
            case 'wrong': {
              const found = alive(bodies, call.on)
              if (found === undefined) break
              expect(() => found[0].setVelocity([0, NaN, 0])).toThrow(RangeError)
              found[1].setVelocity([0, NaN, 0])
              wrong++
              break
            }
            case 'save':
              saved = { snapshot: world.snapshot(), remote: remote.snapshot() }
              break
            case 'back':
              if (saved === undefined) break
              world.restore(saved.snapshot)
              await remote.restore(await saved.remote)
              break
            case 'setPosition':
            case 'setVelocity':
            case 'setAngularVelocity':
            case 'applyForce':
            case 'applyImpulse':
            case 'applyTorque': {
              const found = alive(bodies, call.on)
              if (found === undefined) break
              found[0][call.do](call.value)
              found[1][call.do](call.value)
            }
          }
        }
        expect(await remote.hash()).toBe(world.hash())
        expect(errors.length).toBe(wrong)
        expect(await remote.energy()).toEqual(world.energy())
        const direct = rayCast(collisions, [0, 9, 0], [0, -1, 0])
        const hit = await remote.collisions.rayCast([0, 9, 0], [0, -1, 0])
        expect([hit?.distance, hit?.point, hit?.normal]).toEqual([direct?.distance, direct?.point, direct?.normal])
        const found = bodies.find(([body]) => body === direct?.body)
        if (found !== undefined) expect(hit?.body).toBe(found[1])
        const inside = await remote.collisions.overlapPoint([0, 0, 0])
        expect(inside.length).toBe(overlapPoint(collisions, [0, 0, 0]).length)
        await remote.flush()
        remote.refresh()
        for (const [body, handle] of bodies) {
          expect(handle.alive).toBe(body.alive)
          if (!body.alive) continue
          expect(handle.position).toEqual(body.position)
          expect(handle.orientation).toEqual(body.orientation)
        }
        remote.dispose()
      }),
      { numRuns: runs(RUNS) },
    )
  },
)
