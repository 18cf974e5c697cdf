/**
 * What cloth, ropes and soft bodies have in common: a handle over bodies and constraints that were made together, go together, and are
 * saved together.
 */

import type { Body, Constraint, World } from '@tautline/core'
import { finiteVector, knownFields, oneOf, rotateVector, unitQuaternion } from '@tautline/core/kernel'
import type { quat, ReadonlyQuat, ReadonlyVec3, vec3 } from 'gl-matrix'

/** What an assembly consists of; replaced as a whole when it changes, so that snapshots may keep it. */
export interface AssemblyState {
  /** Bodies that it made. */
  readonly bodies: readonly Body[]
  /** Constraints that it made. */
  readonly constraints: readonly Constraint[]
}

/** How an assembly is printed. */
export interface AssemblyHandleJson {
  assembly: string
  bodies: number
  constraints: number
  name?: string
}

/** Numbers in place of handles, while a scene is written. */
export interface SceneWriter {
  /** Place of a body among those of the scene, −1 for the world. */
  body(body: Body | null): number
  /** Place of a constraint among those of the scene. */
  constraint(constraint: Constraint): number
}

/** Handles in place of numbers, while a scene is read. Throws a `RangeError` that says where, for numbers that are none. */
export interface SceneReader {
  readonly world: World
  body(where: string, index: unknown): Body
  constraint(where: string, index: unknown): Constraint
}

/** What keeps the assemblies of a world. */
export interface AssemblyOwner {
  has(assembly: Assembly): boolean
  drop(assembly: Assembly): void
}

/** Where {@link Assembly.teleport} moves to. */
export interface TeleportOptions {
  /** By how far [m]. @defaultValue [0, 0, 0] */
  translation?: ReadonlyVec3
  /** Rotation `[x, y, z, w]` about `about`, before the translation. @defaultValue [0, 0, 0, 1] */
  rotation?: ReadonlyQuat
  /** Point that the rotation leaves where it is [m]. @defaultValue [0, 0, 0] */
  about?: ReadonlyVec3
  /** What becomes of velocities: they `turn` along, are `keep`t as they are, or are set to `zero`. @defaultValue 'turn' */
  velocities?: 'turn' | 'keep' | 'zero'
}

const TELEPORT_FIELDS: readonly (keyof TeleportOptions)[] = ['translation', 'rotation', 'about', 'velocities']

/** Cloth, a rope, a soft body: made by a function of that name, removed by {@link remove}. */
export abstract class Assembly<State extends AssemblyState = AssemblyState> {
  /** `cloth`, `rope` and so on: what its JSON is read back by. */
  abstract readonly kind: string
  /** The world it is in. */
  readonly world: World
  /** As given in its definition. */
  readonly name: string | undefined
  /** Anything of yours: it stays with the handle, also through `restore`, and is no part of JSON. */
  userData: unknown = undefined
  /** What it consists of at present. */
  protected state: State
  private readonly owner: AssemblyOwner

  constructor(owner: AssemblyOwner, world: World, name: string | undefined, state: State) {
    this.owner = owner
    this.world = world
    this.name = name
    this.state = state
  }

  /** Before the first substep of a step of `dt` [s]. */
  beforeStep?(dt: number): void
  /** Before each substep of `h` [s]. */
  beforeSubstep?(h: number): void
  /** When the poses of the step of `dt` [s] are known. */
  afterStep?(dt: number): void
  /** A body of the world is about to be removed, whoever made it. */
  bodyRemoved?(row: number): void

  /** Whether it still exists. */
  get alive(): boolean {
    return this.owner.has(this)
  }

  /** The bodies that it made, in the order of its vertices, nodes or links. */
  get bodies(): readonly Body[] {
    return this.known().bodies
  }

  /** The constraints that it made. */
  get constraints(): readonly Constraint[] {
    return this.known().constraints
  }

  /** Whether all of its bodies sleep. */
  get asleep(): boolean {
    return this.known().bodies.every((body) => !body.alive || body.type !== 'dynamic' || body.asleep)
  }

  /** Wakes all of it. */
  wake(): void {
    for (const body of this.living()) body.wake()
  }

  /** Puts all of it to sleep at once. Next to something that is awake it wakes again at the next step. */
  sleep(): void {
    for (const body of this.living()) if (body.type === 'dynamic') body.sleep()
  }

  /** Mass of what moves of it [kg]. */
  get mass(): number {
    let sum = 0
    for (const body of this.living()) if (body.type === 'dynamic') sum += body.mass
    return sum
  }

  /** Centre of mass of what moves of it [m]; of its bodies where nothing does. */
  get centre(): vec3 {
    const sum: vec3 = [0, 0, 0]
    const plain: vec3 = [0, 0, 0]
    let mass = 0
    let count = 0
    const x: vec3 = [0, 0, 0]
    for (const body of this.living()) {
      body.getPosition(x)
      const m = body.type === 'dynamic' ? body.mass : 0
      for (let k = 0; k < 3; k++) {
        sum[k] += m * x[k]
        plain[k] += x[k]
      }
      mass += m
      count++
    }
    for (let k = 0; k < 3; k++) sum[k] = mass > 0 ? sum[k] / mass : plain[k] / Math.max(count, 1)
    return sum
  }

  /** Moves all of it at once, as one rigid thing. */
  teleport(options: TeleportOptions): void {
    const where = `${this.label}: teleport`
    this.world.bodies.callbacks.refuse(where)
    knownFields(where, options, TELEPORT_FIELDS)
    const { velocities = 'turn' } = options
    const translation = finiteVector(`${where}: translation`, options.translation ?? [0, 0, 0], 3)
    const about = finiteVector(`${where}: about`, options.about ?? [0, 0, 0], 3)
    const rotation = unitQuaternion(`${where}: rotation`, options.rotation ?? [0, 0, 0, 1])
    oneOf(`${where}: velocities`, velocities, ['turn', 'keep', 'zero'])
    const turned = (v: ArrayLike<number>): vec3 => {
      rotateVector(rotation as unknown as Float64Array, 0, v[0], v[1], v[2], SCRATCH, 0)
      return [SCRATCH[0], SCRATCH[1], SCRATCH[2]]
    }
    for (const body of this.living()) {
      const x = body.position
      const arm = turned([x[0] - about[0], x[1] - about[1], x[2] - about[2]])
      body.setPosition([0, 1, 2].map((k) => about[k] + arm[k] + translation[k]) as vec3)
      if (!body.isParticle) body.setOrientation(product(rotation, body.orientation))
      if (velocities === 'keep') continue
      body.setVelocity(velocities === 'zero' ? [0, 0, 0] : turned(body.velocity))
      if (!body.isParticle) body.setAngularVelocity(velocities === 'zero' ? [0, 0, 0] : turned(body.angularVelocity))
    }
  }

  /** Removes it: its constraints, then its bodies with all that hangs on them. */
  remove(): void {
    const { bodies, constraints } = this.known()
    if (this.world.bodies.callbacks.defer(() => this.alive && this.remove())) return
    this.owner.drop(this)
    for (const constraint of constraints) if (constraint.alive) constraint.remove()
    for (const body of bodies) if (body.alive) body.remove()
  }

  /** Which it is, in JSON. */
  toJSON(): AssemblyHandleJson {
    const { kind, name, state } = this
    const short = { assembly: kind, bodies: state.bodies.length, constraints: state.constraints.length }
    return name === undefined ? short : { ...short, name }
  }

  /** How messages name it. */
  get label(): string {
    return this.name === undefined ? this.kind : `${this.kind} "${this.name}"`
  }

  /** What a snapshot keeps of it; it must not change afterwards. */
  save(): unknown {
    return this.state
  }

  /** Back to what was saved; the world's tables are back already. */
  restore(saved: unknown): void {
    this.state = saved as State
  }

  /** The whole of it as plain data, for the JSON of a scene: what its kind reads back. */
  abstract write(scene: SceneWriter): object

  /** What it consists of; throws when it was removed. */
  protected known(): State {
    if (!this.alive) throw new RangeError(`${this.label}: must exist, got a removed one`)
    return this.state
  }

  /** Those of its bodies that nobody has removed by hand. */
  protected living(): Body[] {
    return this.known().bodies.filter((body) => body.alive)
  }
}

const SCRATCH = /* @__PURE__ */ new Float64Array(3)

/** Hamilton product p q. */
function product(p: ReadonlyQuat, q: ReadonlyQuat): quat {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] + p[1] * q[3] + p[2] * q[0] - p[0] * q[2],
    p[3] * q[2] + p[2] * q[3] + p[0] * q[1] - p[1] * q[0],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ]
}
