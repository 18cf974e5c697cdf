/** The kernels of one world: its memory, what lives there, and the loops that run on it. */

import {
  ADVANCED,
  ANY_TRANSLATION_LOCK,
  type Batch,
  type BodyColumns,
  DYNAMIC,
  RESTS,
  ROTATES,
  type WorldKernels,
  type WorldView,
} from '@tautline/core/kernel'
import { isometricBends, lineBends } from './loops/bends.js'
import { lengths } from './loops/lengths.js'
import { lines } from './loops/lines.js'
import { manifolds } from './loops/manifolds.js'
import { particlePairs } from './loops/particle-pairs.js'
import { points } from './loops/points.js'
import { dihedralBends, elements, tetraVolumes } from './loops/tetrahedra.js'
import type { Kernel, Resident } from './resident.js'
import { ALIGNMENT, Room } from './room.js'

/** By name of the type. */
const KERNELS: Readonly<Record<string, Kernel>> = {
  distance: lengths,
  lineDistance: lines,
  lineBend: lineBends,
  isometricBend: isometricBends,
  dihedralBend: dihedralBends,
  tetraVolume: tetraVolumes,
  neoHookean: elements,
  particleContact: points,
  particlePairContact: particlePairs,
  manifold: manifolds,
}

/** Flags of a body that the kernels of particles leave to the step. */
const BOUND = ROTATES | RESTS | ADVANCED | ANY_TRANSLATION_LOCK

/** Kernels on a memory of their own. */
export class SimdWorld implements WorldKernels {
  private readonly room = new Room()
  /** By batch; undefined where there is no kernel for it. */
  private readonly residents = new Map<Batch, Resident | undefined>()
  /** There was no memory to be had: the loops of TypeScript run from then on. */
  private isGivenUp = false

  settle(world: WorldView): boolean {
    if (this.isGivenUp) return false
    const { batches, bodies } = world
    let bytes = bodies.table.bytes
    let away = bodies.table.buffer === this.room.buffer ? 0 : bytes
    for (const batch of batches) {
      const resident = this.residentOf(batch)
      if (resident === undefined) continue
      const table = batch.table.bytes
      const rest = resident.bytes(bodies.columns)
      bytes += table + rest
      if (batch.table.buffer !== this.room.buffer) away += table + ALIGNMENT
      if (!resident.isHome(bodies.columns)) away += rest
    }
    if (away === 0 && !this.room.isWasteful(bytes)) return false
    if ((!this.room.fits(away) || this.room.isWasteful(bytes)) && !this.room.renew(bytes)) {
      this.isGivenUp = true
      return false
    }
    this.moveIn(world)
    return true
  }

  private residentOf(batch: Batch): Resident | undefined {
    if (this.residents.has(batch)) return this.residents.get(batch)
    const resident = KERNELS[batch.type.name]?.(batch, this.room)
    this.residents.set(batch, resident)
    if (resident !== undefined) batch.loops = resident.loops
    return resident
  }

  private moveIn({ bodies, batches }: WorldView): void {
    const { room } = this
    if (bodies.table.buffer !== room.buffer) bodies.table.place(room.buffer, room.take(bodies.table.bytes))
    for (const batch of batches) {
      const resident = this.residents.get(batch)
      if (resident === undefined) continue
      if (batch.table.buffer !== room.buffer) batch.table.place(room.buffer, room.take(batch.table.bytes))
      if (!resident.isHome(bodies.columns)) resident.moveIn(bodies.columns)
    }
  }

  isBounded(column: Float64Array, from: number, to: number): boolean | undefined {
    if (column.buffer !== this.room.buffer) return undefined
    // A boolean of the module is 0 or 1.
    return this.room.exports?.isBounded(column.byteOffset, from, to) === 1
  }

  predict(bodies: BodyColumns, from: number, to: number, h: number, fall: Float64Array): number {
    const { buffer, exports } = this.room
    if (exports === undefined || bodies.position.buffer !== buffer) return from
    return exports.predict(
      bodies.position.byteOffset,
      bodies.startPosition.byteOffset,
      bodies.orientation.byteOffset,
      bodies.velocity.byteOffset,
      bodies.force.byteOffset,
      bodies.kind.byteOffset,
      bodies.flags.byteOffset,
      bodies.gravityScale.byteOffset,
      bodies.linearDamping.byteOffset,
      bodies.inverseMass.byteOffset,
      from,
      to,
      DYNAMIC,
      BOUND,
      h,
      fall[0],
      fall[1],
      fall[2],
    )
  }

  velocities(bodies: BodyColumns, from: number, to: number, h: number): number {
    const { buffer, exports } = this.room
    if (exports === undefined || bodies.position.buffer !== buffer) return from
    return exports.velocities(
      bodies.position.byteOffset,
      bodies.startPosition.byteOffset,
      bodies.orientation.byteOffset,
      bodies.velocity.byteOffset,
      bodies.kind.byteOffset,
      bodies.flags.byteOffset,
      from,
      to,
      DYNAMIC,
      BOUND & ~ANY_TRANSLATION_LOCK,
      h,
    )
  }
}
