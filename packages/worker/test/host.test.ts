/** What the worker's own code adds, and what it tells. */

import { box, Collisions, plane, sphere } from '@tautline/collision'
import { distance } from '@tautline/constraints'
import { type Body, custom, type Kernels, World } from '@tautline/core'
import { afterEach, expect, test, vi } from 'vitest'
import type { RemoteBody, RemoteWorld } from '../src/index.js'
import { pair } from './support/pair.js'
import { turns } from './support/turns.js'

/** Turns of the event loop in which a world that is still running makes steps. */
const TURNS = 20

const open: RemoteWorld[] = []
function opened(...args: Parameters<typeof pair>): ReturnType<typeof pair> {
  const made = pair(...args)
  open.push(made.remote)
  return made
}
afterEach(() => {
  for (const remote of open.splice(0)) remote.dispose()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A type of a user's own: two bodies at one height. */
const level = custom({ name: 'level', bodies: 2, error: ([a, b]) => a.position[1] - b.position[1] - 1 })

test('types of one own are served by name', async () => {
  const { remote, errors } = opened({ collisions: false }, { types: [level] })
  const [a, b] = remote.addBodies({ count: 2, positions: [0, 1, 0, 2, 0, 0], velocities: [0, 0, 0, 0, 1, 0] })
  remote.add(level, { bodies: [a, b] })
  for (let step = 0; step < 30; step++) remote.step()
  await remote.flush()
  remote.refresh()
  expect(errors).toEqual([])
  expect(a.position[1] - b.position[1]).toBeCloseTo(1, 6)
})

test('what setup makes is there, its calls are called, with handles both ways', async () => {
  const seen: Body[] = []
  const order: string[] = []
  const { remote } = opened(
    {},
    {
      setup({ world, collisions, emit }) {
        const floor = world.addBody({ name: 'floor', type: 'static' })
        collisions.addCollider(floor, { shape: box([5, 0.5, 5]) })
        return {
          calls: {
            tower(count: number, on: Body) {
              seen.push(on)
              return Array.from({ length: count }, (_, k) =>
                collisions.addBody({ shape: box([0.5, 0.5, 0.5]), origin: [0, 1 + k, 0] }),
              )
            },
            async later(x: number) {
              await Promise.resolve()
              return { twice: 2 * x, world: null }
            },
            leak: () => world,
          },
          beforeStep: () => void order.push('before'),
          afterStep() {
            order.push('after')
            emit('height', { floor, steps: world.clock.steps })
          },
        }
      },
    },
  )
  const floor = await remote.find('floor')
  expect(floor).not.toBe(null)
  const boxes = await remote.call<RemoteBody[]>('tower', 3, floor)
  expect(seen.map(({ name }) => name)).toEqual(['floor'])
  expect(boxes).toHaveLength(3)
  expect(await remote.bodies()).toEqual([floor, ...boxes])
  expect(await remote.call('later', 4)).toEqual({ twice: 8, world: null })
  await expect(remote.call('leak')).rejects.toThrow('class World')
  await expect(remote.call('toString')).rejects.toThrow(RangeError)
  const messages: unknown[] = []
  remote.on('message', (message) => messages.push(message))
  remote.step()
  await remote.flush()
  expect(order).toEqual(['before', 'after'])
  expect(messages).toEqual([{ name: 'height', data: { floor, steps: 1 } }])
  remote.refresh()
  boxes[2].setPosition([9, 9, 9])
  await remote.flush()
  remote.refresh()
  expect(boxes[2].position).toEqual([9, 9, 9])
})

test('a world without collisions says so', async () => {
  const { remote, errors } = opened({ collisions: false })
  remote.collisions.addBody({ shape: sphere(1) })
  await expect(remote.collisions.rayCast([0, 0, 0], [0, 1, 0])).rejects.toThrow('collisions: world must have them')
  expect(errors[0].error).toBeInstanceOf(RangeError)
  const other = opened({ collisions: false }, { setup: ({ collisions }) => void collisions })
  await expect(other.remote.ready).rejects.toThrow(RangeError)
})

test('contacts, triggers and broken constraints are told, each once', async () => {
  const { remote } = opened()
  const ground = remote.collisions.addCollider(null, { shape: plane([0, 1, 0], 0), name: 'ground' })
  const gate = remote.collisions.addCollider(null, { shape: box([5, 0.2, 5]), position: [0, 2, 0], sensor: true })
  const ball = remote.collisions.addBody({ shape: sphere(0.3), origin: [0, 4, 0] })
  const thread = remote.add(distance, {
    a: null,
    b: remote.addBody({ position: [20, 1, 0], mass: 5 }),
    anchorA: [20, 2, 0],
    length: 1,
    breakForce: 10,
  } as never)
  const told: unknown[] = []
  remote.on('contact', ({ type, a, b }) => told.push([type, [a, b].includes(ground)]))
  remote.on('broken', ({ constraint }) => told.push(['broken', constraint === thread]))
  const end = remote.collisions.onTrigger(gate, {
    enter: (other, sensor) => told.push(['enter', other !== gate, sensor === gate]),
    leave: () => told.push(['leave']),
  })
  for (let step = 0; step < 90; step++) remote.step()
  await remote.flush()
  expect(told).toContainEqual(['broken', true])
  expect(told.filter((event) => (event as string[])[0] === 'enter')).toEqual([['enter', true, true]])
  expect(told.filter((event) => (event as string[])[0] === 'leave')).toEqual([['leave']])
  expect(told.filter((event) => (event as unknown[])[1] === true && (event as string[])[0] === 'begin')).toHaveLength(1)
  end()
  const [collider] = await remote.collisions.collidersOf(ball)
  expect((await collider.read()).body).toBe(ball)
  expect(await remote.collisions.overlapping(ground)).toEqual([collider])
  const persisting: string[] = []
  remote.on('contact', ({ type }) => persisting.push(type), { persist: true })
  remote.step()
  await remote.flush()
  expect(persisting).toContain('persist')
  expect((await remote.report()).broken).toEqual([])
  expect(await remote.brokenConstraints()).toEqual([thread])
})

test('a scene goes on bit for bit where it was', async () => {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  for (let k = 0; k < 4; k++) collisions.addBody({ shape: box([0.5, 0.4, 0.3]), origin: [0.1 * k, 1 + k, 0] })
  for (let step = 0; step < 40; step++) world.step()
  const { remote } = opened({ scene: world.toJSON() })
  expect(await remote.hash()).toBe(world.hash())
  for (let step = 0; step < 40; step++) {
    world.step()
    remote.step()
  }
  expect(await remote.hash()).toBe(world.hash())
  expect(await remote.bodies()).toHaveLength(4)
})

test('a world runs by itself at the speed that is asked, and hears calls between steps', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { remote, world } = opened()
  const body = remote.addBody({ velocity: [1, 0, 0], gravityScale: 0 })
  await remote.flush()
  remote.start({ timeScale: 2 })
  await remote.flush()
  for (let time = 0; time < 400; time += 5) {
    vi.advanceTimersByTime(5)
    await turns(1)
  }
  remote.stop()
  await remote.flush()
  const { steps } = world().clock
  // Timers wait whole milliseconds, so the last step may be under way.
  expect(Math.abs(steps - 2 * 0.4 * 60)).toBeLessThanOrEqual(1)
  remote.refresh()
  expect(body.position[0]).toBeCloseTo(steps / 60, 9)
  expect(remote.steps).toBe(steps)
})

test('a world that is slower than the clock stops when it is told, between two steps', async () => {
  let time = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const { remote, world } = opened({}, { setup: () => ({ beforeStep: () => void (time += 25) }) })
  remote.start()
  await remote.flush()
  time += 25
  let heard = 0
  await new Promise<void>((resolve) => remote.on('step', () => ++heard === 3 && resolve()))
  remote.stop()
  // In the same message: what it answers is of the moment when it stopped.
  const { steps } = await remote.ask<{ steps: number }>('time', null)
  await turns(TURNS)
  expect(world().clock.steps).toBe(steps)
})

test('an own hook that throws stops the loop and is told', async () => {
  const { remote, errors } = opened(
    {},
    {
      setup: () => ({
        beforeStep() {
          throw new RangeError('no wind')
        },
      }),
    },
  )
  remote.start()
  await new Promise((resolve) => remote.on('error', resolve))
  expect(errors.map(({ call, error }) => [call, error.message])).toEqual([['start', 'no wind']])
})

test('kernels are given to the world that is made, and to that of a scene', async () => {
  let settled = 0
  const kernels: Kernels = {
    open: () => ({
      settle: () => {
        settled++
        return false
      },
      predict: (_bodies, from) => from,
      velocities: (_bodies, from) => from,
      isBounded: () => undefined,
    }),
  }
  const world = new World()
  world.addParticle({ position: [0, 1, 0] })
  for (const request of [{}, { scene: JSON.stringify(world) }]) {
    settled = 0
    const { remote, errors } = opened(request, { kernels })
    for (let step = 0; step < 3; step++) remote.step()
    await remote.flush()
    expect(errors).toEqual([])
    expect(settled).toBe(3)
  }
})
