/**
 * Many rooms on a server: a world each, on the threads of a pool. A room is a task of piscina that lasts as long as the room; who opens it gets a
 * `RemoteWorld`, so its calls, poses and snapshots are messages. Threads are filled by how many rooms they have.
 */

import { MessageChannel } from 'node:worker_threads'
import { connect, type ConnectOptions, type RemoteWorld } from '@tautline/worker'
import { Piscina } from 'piscina'

/** What `Rooms` takes. */
export interface RoomsOptions {
  /** Threads of the pool. */
  threads: number
  /** Most rooms of a thread; further ones wait until one is closed. @defaultValue 64 */
  roomsPerThread?: number
}

/** A pool of rooms. */
export class Rooms {
  private readonly pool: Piscina
  private readonly rooms = new Set<RemoteWorld>()

  constructor({ threads, roomsPerThread = 64 }: RoomsOptions) {
    this.pool = new Piscina({
      filename: new URL('./thread.mjs', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: roomsPerThread,
    })
  }

  /** Rooms that are open. */
  get size(): number {
    return this.rooms.size
  }

  /** Opens a room: at once, or when a place is free. `scene` is what `toJSON` gave of another one, or of a world. */
  open(options: ConnectOptions = {}): RemoteWorld {
    const { port1, port2 } = new MessageChannel()
    const room = connect(port1, options)
    this.rooms.add(room)
    const ended = (reason?: Error): void => {
      this.rooms.delete(room)
      room.dispose(reason)
    }
    this.pool.run({ port: port2 }, { transferList: [port2] }).then(() => ended(), ended)
    return room
  }

  /** Closes all rooms, and ends the threads. */
  async close(): Promise<void> {
    for (const room of this.rooms) room.dispose()
    this.rooms.clear()
    await this.pool.destroy()
  }
}
