/**
 * A world that lives in a worker, as the page sees it. What changes it is posted and returns at once; what asks is a promise; poses are read from the
 * newest frame. All calls are made in the order in which the page makes them.
 */

import type { CollisionOptions } from '@tautline/collision'
import type {
  BodiesDef,
  BodyDef,
  ConstraintType,
  Energy,
  Momentum,
  ProjectOptions,
  ProjectReport,
  SceneJson,
  StepReport,
  TypeResidual,
  WorldOptions,
} from '@tautline/core'
import { finite, integer, knownFields, nonNegative, oneOf, shown } from '@tautline/core/kernel'
import { SharedReader, TransferReader } from '../frames/exchange.js'
import { canShare, platform } from '../platform.js'
import type { PortLike } from '../wire/port.js'
import { decode, HANDLE, type HandleData } from '../wire/values.js'
import { Connection } from './connection.js'
import { PageEncoder } from './encoder.js'
import {
  type ListenOptions,
  Listeners,
  type RemoteErrorEvent,
  type RemoteEventName,
  type RemoteEvents,
} from './events.js'
import { FrameView } from './frame-view.js'
import { HandleTable } from './handle-table.js'
import { type FirstPose, RemoteBody } from './remote-body.js'
import { RemoteCollisions } from './remote-collisions.js'
import type { RemoteHandle, RemoteOwner } from './remote-handle.js'
import { type Remote, RemoteCollider, RemoteConstraint, RemoteParticles, RemoteSnapshot } from './remote-handles.js'

/** What `connect` takes. Every field may be left out. */
export interface ConnectOptions {
  /** Options of the world. @defaultValue those of `new World()` */
  world?: WorldOptions
  /** Options of its collisions; `false` for a world without. @defaultValue those of `new Collisions(world)`; of a scene, what it has */
  collisions?: CollisionOptions | false
  /** What `world.toJSON()` gave, in place of `world`: the worker goes on from there. @defaultValue none: an empty world */
  scene?: SceneJson | string
  /**
   * How poses come: in shared memory, which a page has only where it is cross-origin isolated, or in buffers that are transferred.
   * @defaultValue 'auto': shared where that is possible
   */
  poses?: 'auto' | 'shared' | 'transferred'
  /** Whether velocities come with the poses. @defaultValue false */
  velocities?: boolean
}

const AT_ORIGIN = [0, 0, 0]
const UNTURNED = [0, 0, 0, 1]

/** A world in a worker; made by {@link connect}. */
export class RemoteWorld implements RemoteOwner {
  /** Resolved when the worker has made the world and run its own set-up; rejected with what that threw. Calls may be made before. */
  readonly ready: Promise<void>
  /** Its shapes and contacts. */
  readonly collisions: RemoteCollisions
  /** Whether poses come in shared memory. */
  readonly shared: boolean
  /** The newest frame that {@link refresh} has taken. */
  readonly frames: FrameView
  private readonly connection: Connection
  private readonly handles: HandleTable
  private readonly encoder: PageEncoder
  private readonly listeners: Listeners
  private isAdvancing = false
  private due = 0

  /** Made by {@link connect}. */
  constructor(port: PortLike, options: ConnectOptions) {
    const where = 'connect'
    knownFields(where, options, ['world', 'collisions', 'scene', 'poses', 'velocities'])
    const { world, collisions, scene, poses = 'auto', velocities = false } = options
    if (world !== undefined && scene !== undefined) {
      throw new TypeError(`${where}: give one of world and scene, got both`)
    }
    oneOf(`${where}: poses`, poses, ['auto', 'shared', 'transferred'])
    if (typeof velocities !== 'boolean') {
      throw new TypeError(`${where}: velocities must be a boolean, got ${shown(velocities)}`)
    }
    if (poses === 'shared' && !canShare()) {
      throw new RangeError(
        `${where}: poses must be transferred where a page is not cross-origin isolated, got 'shared'`,
      )
    }
    this.shared = poses !== 'transferred' && canShare()
    const sharedFrames = new SharedReader()
    const sentFrames = new TransferReader((buffer) => this.connection.giveBack(buffer))
    this.frames = new FrameView(this.shared ? sharedFrames : sentFrames)
    this.handles = new HandleTable(
      (data) => this.handleFrom(data),
      (id, heard) => this.connection.tell('release', id, [heard]),
    )
    this.encoder = new PageEncoder(this, (name, args) => this.connection.tell(name, 0, args))
    const [request] = this.encoder.arguments(where, [
      { world: world ?? {}, collisions, scene, shared: this.shared, velocities },
    ])
    this.connection = new Connection(port, request as never, {
      decode: (value) => this.decode(value),
      event: (kind, data) => void this.listeners.emit(kind as RemoteEventName, data as object),
      error: (call, on, error) =>
        this.tellError({ call, handle: this.handles.find(on) as RemoteHandle | undefined, error }),
      failure: (error) => this.tellError({ call: 'worker', handle: undefined, error }),
      room: (buffer) => sharedFrames.enter(buffer),
      frame: (buffer) => sentFrames.enter(buffer),
    })
    this.ready = this.connection.ready
    this.collisions = new RemoteCollisions(this)
    this.listeners = new Listeners((subscriptions) => this.connection.tell('subscribe', 0, [subscriptions]))
  }

  /** Whether it can be called: not after `dispose`, nor when the worker has failed. */
  get alive(): boolean {
    return this.connection.isOpen
  }

  /** Simulated time of the newest frame [s]. */
  get time(): number {
    return this.frames.time
  }

  /** Steps made until the newest frame. */
  get steps(): number {
    return this.frames.steps
  }

  /** How far the moment is past the last step of the newest frame, as a share of a step in [0, 1]: for drawing between two. */
  get alpha(): number {
    return this.frames.alpha
  }

  /** Takes the newest poses that the worker has written, once before a page draws; says whether they are newer. Never waits. */
  refresh(): boolean {
    return this.frames.take()
  }

  /** Adds a body: see `World.addBody`. */
  addBody(def: BodyDef): RemoteBody {
    return this.makeBody('addBody', def, def?.inertia === undefined)
  }

  /** Adds a particle: see `World.addParticle`. */
  addParticle(def: Omit<BodyDef, 'inertia' | 'orientation' | 'angularVelocity'>): RemoteBody {
    return this.makeBody('addParticle', def, true)
  }

  /** Adds many bodies or particles from typed arrays: see `World.addBodies`. Throws `TypeError`/`RangeError` for a count that is none. */
  addBodies(def: BodiesDef): RemoteBody[] {
    const count = integer('addBodies: count', def?.count, 0)
    const first = this.handles.reserve(count)
    const since = this.send('addBodies', 0, first, [def])
    const { positions, orientations, inertia } = def
    return Array.from({ length: count }, (_, k) =>
      this.keep(
        new RemoteBody(
          this,
          first + k,
          {
            name: undefined,
            isParticle: inertia === undefined,
            position: part(positions, 3, k) ?? AT_ORIGIN,
            orientation: part(orientations, 4, k) ?? UNTURNED,
          },
          since,
        ),
      ),
    )
  }

  /** Adds a constraint of a type that the worker serves: by its name, or the type itself. See `World.add`. */
  add<Def extends object, Resolved extends Def = Def>(
    type: ConstraintType<Def, string, Resolved> | string,
    def: Remote<Def>,
  ): RemoteConstraint<Def> {
    const name = typeof type === 'string' ? type : type?.name
    if (typeof name !== 'string') throw new TypeError(`add: type must be a type or its name, got ${shown(type)}`)
    return this.make('add', (id) => new RemoteConstraint<Def>(this, id, name), name, def)
  }

  /** Changes options while the world runs: see `World.configure`. */
  configure(options: WorldOptions): void {
    this.post('configure', null, options)
  }

  /** Has the world make one step of `dt` [s]. @defaultValue the world's `dt` */
  step(dt?: number): void {
    if (dt === undefined) this.post('step', null)
    else this.post('step', null, dt)
  }

  /**
   * Has the world advance by the time of a frame [s], as `World.advance` does. While the worker is at it, times add up to one further call, so that
   * a slow worker slows down and calls do not pile up. Throws `TypeError`/`RangeError` for a time that is none.
   */
  advance(frameTime: number): void {
    nonNegative('advance: frameTime', finite('advance: frameTime', frameTime))
    this.due += frameTime
    if (!this.isAdvancing) this.sendAdvance()
  }

  /** Has the world run by itself, in steps of its `dt` by the clock, until `stop`. */
  start(options: { /** Simulated seconds a second. @defaultValue 1 */ timeScale?: number } = {}): void {
    knownFields('start', options, ['timeScale'])
    this.post('start', null, options.timeScale ?? 1)
  }

  /** Has it run by itself no more. */
  stop(): void {
    this.post('stop', null)
  }

  /** Resolved when all calls made before have been made on the world, and the newest frame shows them. */
  async flush(): Promise<void> {
    await this.ask('flush', null)
  }

  /** Moves bodies onto all rigid constraints: see `World.project`. */
  project(options: ProjectOptions = {}): Promise<ProjectReport> {
    return this.ask('project', null, options)
  }

  /** Gives back the memory that removed bodies and constraints leave. */
  shrink(): void {
    this.post('shrink', null)
  }

  /** What the last step has to say. */
  report(): Promise<Remote<StepReport>> {
    return this.ask('report', null)
  }

  /** Largest and rms error by constraint type [m, rad]. */
  residual(): Promise<Record<string, TypeResidual>> {
    return this.ask('residual', null)
  }

  /** Kinetic, gravitational and elastic energy [J]. */
  energy(): Promise<Energy> {
    return this.ask('energy', null)
  }

  /** Linear [kg m/s] and angular momentum about the origin [kg m²/s]. */
  momentum(): Promise<Momentum> {
    return this.ask('momentum', null)
  }

  /** 16 hexadecimal digits that depend on every bit of the state. */
  hash(): Promise<string> {
    return this.ask('hash', null)
  }

  /** The whole scene as plain data. */
  toJSON(): Promise<SceneJson> {
    return this.ask('toJSON', null)
  }

  /** A copy of the state, which stays in the worker. */
  snapshot(): Promise<RemoteSnapshot> {
    return this.ask('snapshot', null)
  }

  /** Goes back to a snapshot of this world. Rejected with a `TypeError` or `RangeError` for what is none. */
  restore(snapshot: RemoteSnapshot): Promise<void> {
    if (!(snapshot instanceof RemoteSnapshot)) {
      return Promise.reject(new TypeError(`restore: snapshot must be one of this remote world, got ${shown(snapshot)}`))
    }
    return this.ask('restore', snapshot)
  }

  /** All bodies, also those that the worker's own code has added. */
  bodies(): Promise<RemoteBody[]> {
    return this.ask('bodies', null)
  }

  /** All constraints, oldest first. */
  constraints(): Promise<RemoteConstraint[]> {
    return this.ask('constraints', null)
  }

  /** All constraints that are broken, oldest first. */
  brokenConstraints(): Promise<RemoteConstraint[]> {
    return this.ask('brokenConstraints', null)
  }

  /** The first body of a name; `null` if there is none. */
  find(name: string): Promise<RemoteBody | null> {
    return this.ask('find', null, name)
  }

  /**
   * Calls what the worker's own code has returned from `setup` under a name: assemblies, characters, whatever is code. Arguments and result are data,
   * with handles in it.
   */
  call<Result = unknown>(name: string, ...args: unknown[]): Promise<Result> {
    return this.ask('call', null, name, ...args)
  }

  /**
   * Listens to what happens in the worker; returns what ends that. Events come in the order in which they happened, after the poses of their
   * step. Throws a `TypeError` or `RangeError` for what is no event, or no function.
   */
  on<Name extends RemoteEventName>(
    name: Name,
    listener: (event: RemoteEvents[Name]) => void,
    options: ListenOptions = {},
  ): () => void {
    knownFields('on: options', options, ['persist'])
    return this.listeners.add(name, listener as (event: never) => void, options.persist ?? false)
  }

  /**
   * Ends the worker, or closes the port, that it was connected to. What was promised is rejected with the reason, and calls throw it from now on.
   * @defaultValue reason = a `RangeError` that says so
   */
  dispose(reason: Error = new RangeError('remote world: must not be disposed of, got one that is')): void {
    this.connection.close(reason)
  }

  /** Posts a call: for handles. Returns the number of the message that it is in. */
  post(name: string, on: RemoteHandle | null, ...args: unknown[]): number {
    return this.send(name, on?.id ?? 0, 0, args)
  }

  /** Posts a call and promises its result: for handles. */
  async ask<Result>(name: string, on: RemoteHandle | null, ...args: unknown[]): Promise<Result> {
    const given = this.encoder.arguments(name, args)
    return (await this.connection.ask(name, on?.id ?? 0, 0, given)) as Result
  }

  /** Posts a call that makes a handle: for parts of the remote world. */
  make<Made extends RemoteHandle>(name: string, handle: (id: number) => Made, ...args: unknown[]): Made {
    const id = this.handles.reserve(1)
    this.send(name, 0, id, args)
    return this.keep(handle(id))
  }

  /** Posts a call that makes a body: for parts of the remote world. */
  makeBody(name: string, def: BodyDef & { origin?: ArrayLike<number> }, isParticle: boolean): RemoteBody {
    const first: FirstPose = {
      name: def?.name,
      isParticle,
      position: Float64Array.from(def?.position ?? def?.origin ?? AT_ORIGIN),
      orientation: Float64Array.from(def?.orientation ?? UNTURNED),
    }
    return this.make(name, (id) => new RemoteBody(this, id, first, this.connection.batch), def)
  }

  private send(name: string, on: number, makes: number, args: readonly unknown[]): number {
    this.connection.post(name, on, makes, this.encoder.arguments(name, args))
    return this.connection.batch
  }

  private sendAdvance(): void {
    const time = this.due
    this.due = 0
    this.isAdvancing = true
    const then = (): void => {
      this.isAdvancing = false
      if (this.due > 0 && this.alive) this.sendAdvance()
    }
    this.ask('advance', null, time).then(then, (error: Error) => {
      then()
      if (this.alive) this.tellError({ call: 'advance', handle: undefined, error })
    })
  }

  private keep<Made extends RemoteHandle>(handle: Made): Made {
    this.handles.add(handle)
    return handle
  }

  private decode(value: unknown): unknown {
    return decode(value, (data) => this.handles.named(data))
  }

  /** A handle that the worker names first. */
  private handleFrom(data: HandleData): RemoteHandle {
    const { [HANDLE]: id, kind, name, particle = false } = data
    switch (kind) {
      case 'body':
        return new RemoteBody(this, id, { name, isParticle: particle, position: AT_ORIGIN, orientation: UNTURNED }, 0)
      case 'constraint':
        return new RemoteConstraint(this, id, name ?? '')
      case 'collider':
        return new RemoteCollider(this, id)
      case 'particles':
        return new RemoteParticles(this, id)
      case 'snapshot':
        return new RemoteSnapshot(this, id)
    }
  }

  private tellError(event: RemoteErrorEvent): void {
    if (this.listeners.emit('error', event)) return
    platform.queueMicrotask(() => {
      throw event.error
    })
  }
}

/** Numbers of the `k`-th body, if there are any. */
function part(numbers: ArrayLike<number> | undefined, stride: number, k: number): Float64Array | undefined {
  if (numbers === undefined || !(numbers.length >= stride * (k + 1))) return undefined
  return Float64Array.from({ length: stride }, (_, n) => numbers[stride * k + n])
}

/**
 * Connects to a worker that serves a world, or will: `connect(new Worker(…))`. Returns at once; calls may be made at once. Throws
 * `TypeError`/`RangeError` for what is no worker or port, and for options that are wrong.
 */
export function connect(port: PortLike, options: ConnectOptions = {}): RemoteWorld {
  return new RemoteWorld(port, options)
}
