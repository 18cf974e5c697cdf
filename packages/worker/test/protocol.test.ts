/** What goes wrong is told where it belongs, what ends ends, and everything comes in order. */

import { EventEmitter } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { box, convexHull, plane, sphere } from '@tautline/collision'
import { distance } from '@tautline/constraints'
import { World } from '@tautline/core'
import { afterEach, expect, test, vi } from 'vitest'
import { serve } from '../src/host.js'
import { connect, type RemoteWorld } from '../src/index.js'
import { pair } from './support/pair.js'
import { turns } from './support/turns.js'

/** Turns of the event loop in which messages arrive, and a world that runs makes steps. */
const TURNS = 20

const open: RemoteWorld[] = []
function opened(...args: Parameters<typeof pair>): ReturnType<typeof pair> {
  const made = pair(...args)
  open.push(made.remote)
  return made
}
afterEach(() => {
  for (const remote of open.splice(0)) remote.dispose()
})

test('a posted call that throws is an event with its name, its handle, and the kind of error', async () => {
  const { remote, errors } = opened()
  const body = remote.addBody({ name: 'crate' })
  body.setVelocity([0, NaN, 0])
  body.setVelocity('fast' as never)
  remote.addBody({ mass: -1 })
  remote.add('hinge', { a: body, b: null, point: [0, 0, 0], axis: [0, 0, 0] })
  remote.add('glue', { a: body, b: null } as never)
  remote.configure({ substeps: 0 })
  await remote.flush()
  expect(errors.map(({ call, handle, error }) => [call, handle === body, error.constructor])).toEqual([
    ['body.setVelocity', true, RangeError],
    ['body.setVelocity', true, TypeError],
    ['addBody', false, RangeError],
    ['add', false, expect.any(Function)],
    ['add', false, RangeError],
    ['configure', false, RangeError],
  ])
  expect(errors[0].error.message).toBe('setVelocity: velocity[1] must be finite, got NaN')
  expect(errors[4].error.message).toContain('add: type must be one that the worker serves (')
  expect((await remote.bodies()).length).toBe(1)
})

test('a handle whose call threw is refused by name, and the world goes on', async () => {
  const { remote, errors } = opened()
  const bad = remote.addBody({ mass: -1 })
  bad.applyForce([0, 1, 0])
  remote.step()
  await remote.flush()
  expect(errors.map(({ call, error }) => [call, error instanceof RangeError])).toEqual([
    ['addBody', true],
    ['body.applyForce', true],
  ])
  await expect(bad.read()).rejects.toThrow(RangeError)
  remote.refresh()
  expect(bad.alive).toBe(false)
  expect(remote.steps).toBe(1)
})

test('a question that is wrong is rejected with the error that the function throws', async () => {
  const { remote } = opened()
  await expect(remote.collisions.rayCast([0, 0, 0], [0, 0, 0])).rejects.toThrow(RangeError)
  await expect(remote.collisions.rayCast([0, 0, 0], [0, 1, 0], { maxDist: 3 } as never)).rejects.toThrow(TypeError)
  await expect(remote.project({ tolerance: -1 })).rejects.toThrow('project: tolerance must be >= 0 and finite, got -1')
  await expect(remote.call('launch')).rejects.toThrow(
    'call: name must be one that setup returns in calls (none), got "launch"',
  )
  await expect(remote.restore({} as never)).rejects.toThrow(TypeError)
  const body = remote.addBody({})
  body.remove()
  await expect(body.read()).rejects.toThrow(RangeError)
})

test('what cannot go to a worker is refused where it is called', async () => {
  const { remote } = opened()
  const other = opened().remote
  const theirs = other.addBody({})
  expect(() => remote.add(distance, { a: theirs, b: null, length: 1 })).toThrow(RangeError)
  expect(() => remote.addBody({ name: (() => 1) as never })).toThrow(/addBody: name must be data.*got a function/)
  expect(() => remote.addBody(new World() as never)).toThrow(/object of class World/)
  await expect(
    remote.collisions.rayCast([0, 0, 0], [0, 1, 0], { filter: { predicate: () => true } } as never),
  ).rejects.toThrow(TypeError)
  expect(() => remote.addBodies({ count: 1.5, positions: [] })).toThrow(RangeError)
  expect(() => remote.advance(-1)).toThrow(RangeError)
  expect(() => remote.on('crash' as never, () => undefined)).toThrow(RangeError)
  expect(() => remote.on('step', 3 as never)).toThrow(TypeError)
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  await expect(remote.call('any', circle)).rejects.toThrow(TypeError)
  const { getVelocity } = remote.addBody({})
  await remote.flush()
  remote.refresh()
  expect(() => getVelocity.call(remote.addBody({}), [0, 0, 0])).toThrow(RangeError)
})

test('wrong options and ports are refused at once', () => {
  const { port1, port2 } = new MessageChannel()
  const port = port1
  expect(() => connect({} as never)).toThrow(TypeError)
  expect(() => connect(port, { pose: 'shared' } as never)).toThrow(TypeError)
  expect(() => connect(port, { poses: 'quick' as never })).toThrow(RangeError)
  expect(() => connect(port, { velocities: 1 as never })).toThrow(TypeError)
  expect(() => connect(port, { world: {}, scene: new World().toJSON() })).toThrow(TypeError)
  expect(() => serve({ type: [] } as never)).toThrow(TypeError)
  expect(() => serve()).toThrow('serve: must run in a worker, or be given a port')
  port1.close()
  port2.close()
})

test('a world that cannot be made, and a set-up that throws, reject what waits', async () => {
  const first = opened({ world: { substeps: -1 } })
  await expect(first.remote.ready).rejects.toThrow(RangeError)
  expect(first.remote.alive).toBe(false)
  expect(() => first.remote.addBody({})).toThrow(RangeError)
  const second = opened(
    {},
    {
      setup() {
        throw new TypeError('no ramp')
      },
    },
  )
  const hash = second.remote.hash()
  await expect(second.remote.ready).rejects.toThrow('no ramp')
  await expect(hash).rejects.toThrow(TypeError)
  expect(second.errors).toEqual([])
})

test('after dispose nothing is made, and what was promised is rejected', async () => {
  const { remote, world } = opened()
  await remote.ready
  const body = remote.addBody({})
  const hash = remote.hash()
  remote.dispose()
  remote.dispose()
  await expect(hash).rejects.toThrow('disposed')
  expect(() => body.setPosition([0, 0, 0])).toThrow(RangeError)
  expect(() => remote.step()).toThrow(RangeError)
  await expect(remote.energy()).rejects.toThrow(RangeError)
  expect(remote.alive).toBe(false)
  expect(world().clock.steps).toBe(0)
})

test('a world that runs by itself stops when it is disposed of', async () => {
  let time = performance.now()
  // A step is due whenever somebody looks at the clock.
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (time += 25))
  const { remote, world } = opened()
  remote.start()
  await new Promise((resolve) => remote.on('step', resolve))
  remote.dispose()
  await turns(TURNS)
  const { steps } = world().clock
  await turns(TURNS)
  now.mockRestore()
  expect(world().clock.steps).toBe(steps)
})

test('a worker that fails rejects what was promised, and is an event', async () => {
  class Failing extends EventEmitter {
    postMessage(message: unknown[]): void {
      if (message[0] === 'open') this.emit('message', ['opened', (message[1] as { session: number }).session])
    }
  }
  const worker = new Failing()
  const remote = connect(worker)
  const heard = vi.fn()
  remote.on('error', heard)
  const hash = remote.hash()
  queueMicrotask(() => worker.emit('error', new RangeError('out of memory')))
  await expect(hash).rejects.toThrow('out of memory')
  expect(heard.mock.calls.map(([{ call, error }]) => [call, error.message])).toEqual([['worker', 'out of memory']])
  expect(remote.alive).toBe(false)
})

test('calls wait for a worker that begins to serve later, and for its set-up', async () => {
  const { port1, port2 } = new MessageChannel()
  const remote = connect(port1)
  open.push(remote)
  const ball = remote.addBody({ position: [1, 2, 3] })
  const names: string[] = []
  await turns(TURNS)
  serve({
    port: port2,
    async setup({ world }) {
      names.push('setup')
      await turns(TURNS)
      world.addBody({ name: 'own' })
    },
  })
  await remote.flush()
  names.push('flush')
  expect(names).toEqual(['setup', 'flush'])
  remote.refresh()
  expect(ball.position).toEqual([1, 2, 3])
  expect((await remote.bodies()).map(({ name }) => name)).toEqual(['own', undefined])
  expect((await remote.find('own'))?.name).toBe('own')
  expect(await remote.find('other')).toBe(null)
})

test('a second page is refused', async () => {
  const worker = new EventEmitter()
  const host = new EventEmitter()
  const link = (to: EventEmitter) => (message: unknown) =>
    void setImmediate(() => to.emit('message', structuredClone(message)))
  const page = Object.assign(worker, { postMessage: link(host) })
  serve({ port: Object.assign(host, { postMessage: link(worker) }) })
  const first = connect(page)
  const second = connect(page)
  await first.ready
  await expect(second.ready).rejects.toThrow('one world')
  first.dispose()
})

test('replies and events come in the order in which things happened', async () => {
  const { remote } = opened()
  const order: string[] = []
  remote.on('step', ({ step }) => order.push(`step ${step}`))
  remote.step()
  const first = remote.hash().then(() => order.push('hash'))
  remote.step()
  const second = remote.energy().then(() => order.push('energy'))
  remote.addBody({ mass: -1 })
  remote.on('error', () => order.push('error'))
  remote.step()
  await Promise.all([first, second, remote.flush()])
  // Promises settle a microtask after their message; among themselves, events and replies keep their order.
  expect(order.filter((name) => name.startsWith('step'))).toEqual(['step 1', 'step 2', 'step 3'])
  expect(order.indexOf('hash')).toBeLessThan(order.indexOf('energy'))
})

test('calls of one task go over in one message', async () => {
  const { port1, port2 } = new MessageChannel()
  let messages = 0
  const counted = new Proxy(port1, {
    get(target, name) {
      if (name === 'postMessage') {
        return (message: [string], transfer: never) => {
          if (message[0] === 'calls') messages++
          target.postMessage(message, transfer)
        }
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  serve({ port: port2 })
  const remote = connect(counted)
  open.push(remote)
  await remote.ready
  for (let k = 0; k < 1000; k++) remote.addBody({ position: [k, 0, 0] })
  await remote.flush()
  expect(messages).toBe(1)
  expect((await remote.bodies()).length).toBe(1000)
})

test('a shape goes over once, and all kinds go', async () => {
  const { remote, world, errors } = opened()
  const rock = convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1])
  for (let k = 0; k < 3; k++) remote.collisions.addBody({ shape: rock, origin: [3 * k, 0, 0] })
  remote.collisions.addCollider(null, { shape: plane([0, 1, 0], -5) })
  await remote.flush()
  expect(errors).toEqual([])
  const json = world().toJSON() as unknown as { stages: { collisions: { shapes: unknown[] } } }
  expect(json.stages.collisions.shapes.length).toBe(2)
  expect(await remote.collisions.overlapShape(sphere(0.2), { position: [0.2, 0.2, 0.2] })).toHaveLength(1)
  expect(await remote.collisions.shapeCast(box([0.1, 0.1, 0.1]), { position: [0, 5, 0] }, [0, -20, 0])).not.toBe(null)
})

test('times of frames add up while the worker is busy', async () => {
  const { remote } = opened()
  const world = new World()
  const body = remote.addBody({ velocity: [1, 0, 0] })
  world.addBody({ velocity: [1, 0, 0] })
  for (let frame = 0; frame < 8; frame++) remote.advance(0.01)
  for (let frame = 0; frame < 8; frame++) world.advance(0.01)
  while (remote.steps < world.clock.steps) {
    await remote.flush()
    remote.refresh()
  }
  expect(await remote.hash()).toBe(world.hash())
  expect(remote.alpha).toBeCloseTo(world.alpha, 9)
  const position: [number, number, number] = [0, 0, 0]
  body.interpolate(position)
  expect(position[0]).toBeCloseTo(0.08 - 1 / 60, 9)
})
