/** A world on the page whose bodies stand where the worker's stand. */

import { sphere } from '@tautline/collision'
import type { Body } from '@tautline/core'
import { expect, test } from 'vitest'
import { WorldMirror } from '../src/mirror.js'
import { pair } from './support/pair.js'

test('bodies of the mirror have the bits of the world, at the ends of a step and between', async () => {
  const { remote, world } = pair()
  const ball = remote.collisions.addBody({
    shape: sphere(0.3),
    origin: [0, 2, 0],
    angularVelocity: [0, 1, 2],
    name: 'ball',
  })
  const grain = remote.addParticle({ position: [1, 2, 3], velocity: [0, 0, 1] })
  const mirror = new WorldMirror(remote)
  const shown = mirror.body(ball)
  const [again, dust] = mirror.bodies([ball, grain])
  expect(again).toBe(shown)
  expect(shown.name).toBe('ball')
  expect(shown.position).toEqual([0, 2, 0])
  expect([shown.isParticle, dust.isParticle]).toEqual([false, true])
  remote.step()
  remote.step()
  await remote.flush()
  mirror.update()
  const [real, realDust] = world().bodies.all() as [Body, Body]
  for (const [mirrored, body] of [
    [shown, real],
    [dust, realDust],
  ]) {
    expect(mirrored.position).toEqual(body.position)
    expect(mirrored.orientation).toEqual(body.orientation)
    const [at, there] = [
      [0, 0, 0],
      [0, 0, 0],
    ] as [[number, number, number], [number, number, number]]
    mirror.world.interpolate(mirrored, at)
    world().interpolate(body, there)
    expect(at).toEqual(there)
  }
  ball.sleep()
  await remote.flush()
  mirror.update()
  expect(shown.asleep).toBe(true)
  ball.remove()
  mirror.update()
  expect([shown.alive, dust.alive]).toEqual([false, true])
  remote.dispose()
})

test('a mirror is of one remote world', async () => {
  const [one, other] = [pair().remote, pair().remote]
  const mirror = new WorldMirror(one)
  expect(() => mirror.body(other.addBody({}))).toThrow(RangeError)
  expect(() => mirror.body({} as never)).toThrow(TypeError)
  expect(() => new WorldMirror({} as never)).toThrow(TypeError)
  one.dispose()
  other.dispose()
})
