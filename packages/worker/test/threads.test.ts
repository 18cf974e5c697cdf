/** In a thread of its own, as in a page's worker: the same bits, poses by both ways, and its end. */

import { box, Collisions, plane } from '@tautline/collision'
import { ballSocket } from '@tautline/constraints'
import { World } from '@tautline/core'
import { expect, test } from 'vitest'
import { connect, type RemoteBody } from '../src/index.js'
import { threadOf } from './support/threads.js'
import { until } from './support/turns.js'

const ready = import.meta.resolve('@tautline/worker/worker')
const own = new URL('./support/own-worker.ts', import.meta.url).href

test.each(['shared', 'transferred'] as const)(
  'a pile in a thread is the pile on this one (poses %s)',
  async (poses) => {
    const thread = threadOf(ready)
    const remote = connect(thread, { poses })
    const world = new World()
    const collisions = new Collisions(world)
    const ground = { shape: plane([0, 1, 0], 0) }
    const shape = box([0.4, 0.2, 0.3])
    collisions.addCollider(null, ground)
    remote.collisions.addCollider(null, ground)
    const remotes: RemoteBody[] = []
    for (let k = 0; k < 12; k++) {
      const def = { shape, origin: [0.3 * (k % 3), 1 + 0.5 * k, 0.1 * k] as [number, number, number] }
      collisions.addBody(def)
      remotes.push(remote.collisions.addBody(def))
    }
    const bodies = world.bodies.all()
    world.add(ballSocket, { a: bodies[0], b: bodies[1], point: [0.1, 1.2, 0] })
    remote.add('ballSocket', { a: remotes[0], b: remotes[1], point: [0.1, 1.2, 0] })
    for (let step = 0; step < 100; step++) {
      world.step()
      remote.step()
    }
    expect(await remote.hash()).toBe(world.hash())
    await remote.flush()
    remote.refresh()
    remotes.forEach((body, k) => expect(body.position).toEqual(bodies[k].position))
    remote.start()
    const before = remote.steps
    await until(() => {
      remote.refresh()
      return remote.steps > before
    })
    expect(remote.alpha).toBeGreaterThanOrEqual(0)
    expect(remote.alpha).toBeLessThanOrEqual(1)
    remote.dispose()
    await new Promise((resolve) => thread.once('exit', resolve))
  },
)

test('a module of one own serves, and its failure is told', async () => {
  const thread = threadOf(own)
  const remote = connect(thread)
  expect(await remote.call('add', 2, 3)).toBe(5)
  expect((await remote.find('own'))?.name).toBe('own')
  const failed = new Promise((resolve) => remote.on('error', resolve))
  const never = remote
    .call('crash')
    .then(() => remote.call('add', 1, 1))
    .then(() => new Promise(() => undefined))
  never.catch(() => undefined)
  expect(await failed).toMatchObject({ call: 'worker', error: { message: 'worker fell over' } })
  expect(remote.alive).toBe(false)
})
