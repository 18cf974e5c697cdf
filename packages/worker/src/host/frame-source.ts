/** Writes what the page is to see of a world into frames. */

import type { World } from '@tautline/core'
import { ASLEEP, DEAD, DYNAMIC, FROZEN, ROTATES } from '@tautline/core/kernel'
import type { FrameWriter } from '../frames/exchange.js'
import {
  ACCUMULATOR,
  BATCH,
  FLAGS,
  frameLength,
  HEADER,
  ID,
  IS_DYNAMIC,
  IS_FROZEN,
  IS_PARTICLE,
  LAYOUT,
  NUMBER,
  ORIENTATION,
  POSES,
  POSES_AND_VELOCITIES,
  POSITION,
  PREVIOUS_ORIENTATION,
  PREVIOUS_POSITION,
  ROWS,
  SLEEPS,
  STEP_LENGTH,
  STEPS,
  STRIDE,
  TIME,
  TIME_SCALE,
  VELOCITY,
  WRITTEN,
} from '../frames/layout.js'
import { clock } from '../platform.js'
import type { Handles } from './handles.js'

/** Frames of one world. */
export class FrameSource {
  private readonly world: World
  private readonly handles: Handles
  private readonly writer: FrameWriter
  private readonly stride: number
  /** By row: generation and number of the body that the last frame had there. */
  private generations: Float64Array = new Float64Array(0)
  private ids: Float64Array = new Float64Array(0)
  private layout = 0
  private number = 0
  /** Whether a frame could not be written, for none had come back. */
  private isBehind = false

  constructor(world: World, handles: Handles, writer: FrameWriter, velocities: boolean) {
    this.world = world
    this.handles = handles
    this.writer = writer
    this.stride = velocities ? POSES_AND_VELOCITIES : POSES
  }

  /** Writes a frame and hands it over; without memory for one it is written later, unless it is `due`. */
  publish(batch: number, timeScale: number, due: boolean): void {
    const { world, stride, writer } = this
    const { bodies, clock: time, settings } = world
    const frame = writer.open(frameLength(bodies.count, stride), due)
    this.isBehind = frame === undefined
    if (frame === undefined) return
    this.lookUp()
    frame[LAYOUT] = this.layout
    frame[ROWS] = bodies.count
    frame[STRIDE] = stride
    frame[BATCH] = batch
    frame[STEPS] = time.steps
    frame[TIME] = time.time
    frame[STEP_LENGTH] = settings.dt
    frame[ACCUMULATOR] = time.accumulator
    frame[WRITTEN] = clock()
    frame[TIME_SCALE] = timeScale
    frame[NUMBER] = ++this.number
    this.writeRecords(frame)
    writer.publish()
  }

  /** Writes the frame that could not be written, now that memory has come back. */
  catchUp(batch: number, timeScale: number): void {
    if (this.isBehind) this.publish(batch, timeScale, false)
  }

  private writeRecords(frame: Float64Array): void {
    const { ids, stride } = this
    const { columns, count } = this.world.bodies
    const { position, orientation, previousPosition, previousOrientation } = columns
    const { velocity, angularVelocity, flags, kind } = columns
    for (let i = 0; i < count; i++) {
      const o = HEADER + stride * i
      frame[o + ID] = ids[i]
      if (ids[i] === 0) continue
      frame[o + FLAGS] =
        ((flags[i] & ASLEEP) !== 0 ? SLEEPS : 0) |
        ((flags[i] & FROZEN) !== 0 ? IS_FROZEN : 0) |
        ((flags[i] & ROTATES) === 0 ? IS_PARTICLE : 0) |
        (kind[i] === DYNAMIC ? IS_DYNAMIC : 0)
      for (let k = 0; k < 3; k++) frame[o + PREVIOUS_POSITION + k] = previousPosition[3 * i + k]
      for (let k = 0; k < 4; k++) frame[o + PREVIOUS_ORIENTATION + k] = previousOrientation[4 * i + k]
      for (let k = 0; k < 3; k++) frame[o + POSITION + k] = position[4 * i + k]
      for (let k = 0; k < 4; k++) frame[o + ORIENTATION + k] = orientation[4 * i + k]
      if (stride === POSES) continue
      for (let k = 0; k < 3; k++) {
        frame[o + VELOCITY + k] = velocity[3 * i + k]
        frame[o + VELOCITY + 3 + k] = angularVelocity[3 * i + k]
      }
    }
  }

  /** Finds the number of what is in each row, where that is not what was in it before. Row 0 is the world. */
  private lookUp(): void {
    const { handles, world } = this
    const { columns, count } = world.bodies
    const { kind, generation } = columns
    if (this.ids.length < count) {
      this.ids = grow(this.ids, count)
      this.generations = grow(this.generations, count).fill(-1, this.generations.length)
    }
    let changed = false
    for (let i = 1; i < count; i++) {
      const now = kind[i] === DEAD ? -1 : generation[i]
      const body = now === this.generations[i] ? undefined : world.bodies.handle(i)
      if (now === this.generations[i] && this.isNumbered(i)) continue
      this.generations[i] = now
      const found = now < 0 ? undefined : (body ?? world.bodies.handle(i))
      this.ids[i] = found === undefined ? 0 : handles.idOf(found)
      changed = true
    }
    if (changed) this.layout++
  }

  /** Whether the number of a row is still its body's: the page may have let it go. */
  private isNumbered(i: number): boolean {
    return this.ids[i] === 0 || this.handles.has(this.ids[i])
  }
}

function grow(list: Float64Array, count: number): Float64Array {
  const larger = new Float64Array(2 * count)
  larger.set(list)
  return larger
}
