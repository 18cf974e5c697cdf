/** Rooms of piles, stepped as fast as their threads can, with a snapshot as a message at the end. */

import type { SceneJson } from '@tautline/core'
import type { RemoteWorld } from '@tautline/worker'
import { mixedPile } from '../scenes/contacts/index.js'
import { Rooms } from './rooms.js'

/** What is to be served. */
export interface RoomsTask {
  rooms: number
  steps: number
  /** Steps of each before the clock starts: code of a new thread is compiled in its first second. @defaultValue 0 */
  warmUp?: number
  /** Mixed bodies of a room. */
  size: number
  threads: number
}

/** What came of it. */
export interface RoomsResult {
  /** Of all rooms together. */
  stepsPerSecond: number
  /** By room. */
  hashes: string[]
  /** The first room, as it is saved or sent to a client that joins. */
  snapshot: SceneJson
}

/** The scene of a room, by its number. */
export function sceneOf(room: number, size: number): SceneJson {
  return mixedPile(size, {}, 5 + room).world.toJSON()
}

/** Steps that are posted at once: a room hears its players between them. */
const AT_ONCE = 10

/** Steps a room so many times. */
async function advance(room: RemoteWorld, steps: number): Promise<void> {
  for (let done = 0; done < steps; done += AT_ONCE) {
    for (let k = done; k < Math.min(done + AT_ONCE, steps); k++) room.step()
    await room.flush()
  }
}

/** Opens the rooms, steps them all, and closes them. */
export async function measureRooms({ rooms, steps, warmUp = 0, size, threads }: RoomsTask): Promise<RoomsResult> {
  const pool = new Rooms({ threads })
  try {
    const opened = Array.from({ length: rooms }, (_, room) => pool.open({ scene: sceneOf(room, size) }))
    await Promise.all(opened.map((room) => room.ready))
    await Promise.all(opened.map((room) => advance(room, warmUp)))
    const began = performance.now()
    await Promise.all(opened.map((room) => advance(room, steps)))
    const seconds = (performance.now() - began) / 1e3
    const hashes = await Promise.all(opened.map((room) => room.hash()))
    return { stepsPerSecond: (rooms * steps) / seconds, hashes, snapshot: await opened[0].toJSON() }
  } finally {
    await pool.close()
  }
}
