/** A world on the worker's side: makes what is called, gathers what happened, and sends both with the poses. */

import {
  Collisions,
  collisionsFromJSON,
  particleEvents,
  type Shape,
  shapeFromJSON,
  type ShapeJson,
} from '@tautline/collision'
import { fromJSON, World } from '@tautline/core'
import { type AnyType, finite, knownFields, shown } from '@tautline/core/kernel'
import { SharedWriter, TransferWriter } from '../frames/exchange.js'
import { errorToData } from '../wire/errors.js'
import type { Call, OpenRequest, Result, Subscriptions, ToPage } from '../wire/messages.js'
import type { OpenPort } from '../wire/port.js'
import { decode, encode, HANDLE } from '../wire/values.js'
import { type Callable, CALLS } from './calls.js'
import { FrameSource } from './frame-source.js'
import { type Handle, Handles } from './handles.js'
import { Loop, type Looped } from './loop.js'
import type { OwnCalls, ServeOptions, SetUp } from './serve-options.js'

const WORD = { begin: 'enter', persist: 'stay', end: 'leave' } as const

/** One world, its port, and what goes between them. */
export class HostedWorld implements Callable, Looped {
  readonly world: World
  readonly loop: Loop = new Loop(this)
  private readonly port: OpenPort
  private readonly handles = new Handles()
  private readonly shapes = new Map<number, Shape>()
  private readonly types: ReadonlyMap<string, AnyType>
  private readonly transfers: TransferWriter | undefined
  private readonly frames: FrameSource
  private subscriptions: Subscriptions = {}
  private own: SetUp = {}
  private results: Result[] = []
  private batch = 0
  /** Whether there is something to see that no frame has shown. */
  private isChanged = true

  constructor(port: OpenPort, request: OpenRequest, options: ServeOptions) {
    this.port = port
    const { types = [], stages = {}, kernels } = options
    this.types = new Map(types.map((type) => [type.name, type]))
    const { scene, collisions } = request
    if (scene !== undefined)
      this.world = fromJSON(scene, types, { collisions: collisionsFromJSON, ...stages }, {}, kernels)
    else this.world = new World({ ...request.world, ...(kernels !== undefined && { kernels }) })
    if (collisions !== false && (collisions !== undefined || scene === undefined))
      new Collisions(this.world, collisions)
    const post = (message: ToPage, transfer?: ArrayBuffer[]): void => port.post(message, transfer)
    this.transfers = request.shared ? undefined : new TransferWriter((buffer) => post(['frame', buffer], [buffer]))
    const writer = this.transfers ?? new SharedWriter((buffer) => post(['room', buffer]))
    this.frames = new FrameSource(this.world, this.handles, writer, request.velocities)
  }

  /** The collisions of the world. Throws a `RangeError` where it has none. */
  get collisions(): Collisions {
    const collisions = Collisions.of(this.world)
    if (collisions === undefined) throw new RangeError('collisions: world must have them, got one made without')
    return collisions
  }

  /** Runs the user's own set-up. */
  async setUp({ setup }: ServeOptions): Promise<void> {
    if (setup === undefined) return
    const { world } = this
    const collisions = (): Collisions => this.collisions
    const own = await setup({
      world,
      get collisions() {
        return collisions()
      },
      emit: (name, data) => {
        if (typeof name !== 'string') throw new TypeError(`emit: name must be a text, got ${shown(name)}`)
        this.event('message', { name, data })
      },
    })
    if (own === undefined) return
    knownFields('setup: what it returns', own, ['calls', 'beforeStep', 'afterStep'])
    this.own = own
  }

  /** A type by the name that the page has given. */
  typeOf(name: string): AnyType {
    const type = this.types.get(name)
    if (type !== undefined) return type
    const known = [...this.types.keys()].join(', ') || 'none'
    throw new RangeError(`add: type must be one that the worker serves (${known}), got ${shown(name)}`)
  }

  /** A call of the user's own. */
  callOwn(name: string, args: unknown[]): unknown {
    const calls: OwnCalls = this.own.calls ?? {}
    if (!Object.prototype.hasOwnProperty.call(calls, name)) {
      const known = Object.keys(calls).join(', ') || 'none'
      throw new RangeError(`call: name must be one that setup returns in calls (${known}), got ${shown(name)}`)
    }
    return calls[name](...(args as never[]))
  }

  subscribe(subscriptions: Subscriptions): void {
    this.subscriptions = subscriptions
  }

  /** Makes a step, and notes what happened in it. */
  step(dt?: number): void {
    const { world, own } = this
    own.beforeStep?.()
    if (dt === undefined) world.step()
    else world.step(dt)
    this.isChanged = true
    own.afterStep?.()
    this.noteEvents()
  }

  /** Advances by the time of a frame as `world.advance` does; notes what happened in every step. Returns how many were made. */
  advance(frameTime: number): number {
    const { clock, settings } = this.world
    finite('advance: frameTime', frameTime)
    if (frameTime < 0) throw new RangeError(`advance: frameTime must be >= 0, got ${frameTime}`)
    clock.accumulator += frameTime
    this.isChanged = true
    let made = 0
    for (; clock.accumulator >= settings.dt && made < settings.maxSteps; made++) {
      clock.accumulator -= settings.dt
      this.step()
    }
    if (clock.accumulator >= settings.dt) clock.accumulator = 0
    return made
  }

  /** Makes the calls of a message, in order, and sends what became of them. */
  async make(batch: number, calls: readonly Call[]): Promise<void> {
    let isDue = false
    for (const call of calls) {
      const [name, , , reply] = call
      if (name === 'flush' || name === 'advance') isDue = true
      try {
        const value = this.makeOne(call)
        if (reply === 0) continue
        const awaited = isPromise(value) ? await value : value
        this.results.push(['reply', reply, this.encode(name, awaited)])
      } catch (error) {
        if (reply === 0) this.fail(name, call[1], error)
        else this.results.push(['reject', reply, errorToData(error)])
      }
    }
    this.batch = batch
    this.isChanged = true
    this.deliver(isDue)
  }

  /** Tells of a call without a reply that threw. */
  fail(name: string, on: number, error: unknown): void {
    this.results.push(['error', name, on, errorToData(error)])
  }

  /** Sends the poses, then what became of calls and what happened. */
  deliver(isDue: boolean): void {
    if (this.isChanged || isDue) this.frames.publish(this.batch, this.loop.timeScale, isDue)
    this.isChanged = false
    if (this.results.length === 0) return
    const { results } = this
    this.results = []
    this.port.post(['results', results] satisfies ToPage)
  }

  /** Takes the memory of a frame back. */
  takeBack(buffer: ArrayBuffer): void {
    this.transfers?.takeBack(buffer)
    this.frames.catchUp(this.batch, this.loop.timeScale)
  }

  /** Ends what runs. */
  close(): void {
    this.loop.stop()
  }

  private makeOne([name, on, makes, , args]: Call): unknown {
    if (name === 'shape') return void this.shapes.set(args[0] as number, shapeFromJSON(args[1] as ShapeJson))
    if (name === 'releaseShape') return void this.shapes.delete(args[0] as number)
    if (name === 'release') return this.handles.release(on, args[0] as number)
    const call = CALLS.get(name)
    if (call === undefined) throw new RangeError(`${name}: must be a call that is served`)
    const given = decode(
      args,
      (data) => this.handles.get(name, data[HANDLE]),
      (id) => this.shapes.get(id),
    ) as readonly never[]
    const value = call(this, on === 0 ? undefined : this.handles.get(name, on), given)
    if (makes !== 0) {
      const made = (Array.isArray(value) ? value : [value]) as Handle[]
      made.forEach((handle, k) => this.handles.set(makes + k, handle))
    }
    return value
  }

  private noteEvents(): void {
    const { world, subscriptions } = this
    const { contact, persist, trigger, particle, broken, step } = subscriptions
    const { steps } = world.clock
    const collisions = contact || trigger || particle ? Collisions.of(world) : undefined
    if (collisions !== undefined && contact) {
      for (const event of collisions.events) {
        if (persist || event.type !== 'persist') this.event('contact', { ...event, step: steps })
      }
    }
    if (collisions !== undefined && trigger) {
      for (const { type, a, b } of collisions.sensorEvents) {
        // Either may be a sensor: who listens for one picks it out.
        if (a.sensor) this.event('trigger', { type: WORD[type], sensor: a, other: b, step: steps })
        if (b.sensor) this.event('trigger', { type: WORD[type], sensor: b, other: a, step: steps })
      }
    }
    if (collisions !== undefined && particle) {
      for (const event of particleEvents(collisions)) {
        if (persist || event.type !== 'persist') this.event('particle', { ...event, step: steps })
      }
    }
    if (broken && world.overloaded.length > 0) {
      for (const constraint of world.report.broken) this.event('broken', { constraint, step: steps })
    }
    if (step) this.event('step', { step: steps, time: world.time })
  }

  private event(kind: string, data: object): void {
    this.results.push(['event', kind, this.encode(kind, data)])
  }

  private encode(where: string, value: unknown): unknown {
    return encode(where, value, (special) => this.handles.encode(special))
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as Promise<unknown> | null | undefined)?.then === 'function'
}
