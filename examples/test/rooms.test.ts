/** Rooms on a pool of threads do what they do on one. */

import type { World } from '@tautline/core'
import { expect, test } from 'vitest'
import { measureRooms } from '../rooms/measure.js'
import { Rooms } from '../rooms/rooms.js'
import { mixedPile } from '../scenes/contacts/index.js'

const SIZE = 6
const STEPS = 45

function alone(room: number): World {
  const { world } = mixedPile(SIZE, {}, 5 + room)
  for (let step = 0; step < STEPS; step++) world.step()
  return world
}

test('rooms on two threads have the bits of rooms on this one, and a snapshot goes on in another room', async () => {
  const { hashes, snapshot } = await measureRooms({ rooms: 3, steps: STEPS, size: SIZE, threads: 2 })
  const worlds = [0, 1, 2].map(alone)
  expect(hashes).toEqual(worlds.map((world) => world.hash()))
  const pool = new Rooms({ threads: 1 })
  const room = pool.open({ scene: snapshot })
  room.step()
  worlds[0].step()
  expect(await room.hash()).toBe(worlds[0].hash())
  expect(pool.size).toBe(1)
  room.dispose()
  while (pool.size > 0) await new Promise((resolve) => setImmediate(resolve))
  await pool.close()
})

test('a room that waits for a place opens when another one closes', { tags: ['thorough'] }, async () => {
  const pool = new Rooms({ threads: 1, roomsPerThread: 1 })
  const first = pool.open()
  await first.ready
  const second = pool.open()
  second.addBody({ name: 'late' })
  first.dispose()
  expect((await second.find('late'))?.name).toBe('late')
  await pool.close()
})
