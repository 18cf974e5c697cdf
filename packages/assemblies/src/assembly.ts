/**
 * What cloth, ropes and soft bodies have in common: a handle over bodies and constraints that were made together, go together, and are
 * saved together.
 */

import type { Body, Constraint, LeanWorld } from '@tautline/core'
import {
  finiteVector,
  knownFields,
  nonNegative,
  object,
  oneOf,
  rotateVector,
  unitQuaternion,
} from '@tautline/core/kernel'
import type { quat, ReadonlyQuat, ReadonlyVec3, vec3 } from 'gl-matrix'
import { levelAt, type LodDef, type LodField, type LodPlan, type MadeContacts, planLod } from './parts/lod.js'
import type { SceneWriter } from './scene.js'
import { writeLod } from './parts/lod-json.js'
import {
  beginLod,
  enterLevel,
  holdOrRelease,
  leadStill,
  type LodParts,
  type LodState,
  resumeBending,
} from './parts/lod-state.js'

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
  readonly world: LeanWorld
  /** As given in its definition. */
  readonly name: string | undefined
  /** Anything of yours: it stays with the handle, also through `restore`, and is no part of JSON. */
  userData: unknown = undefined
  /** What it consists of at present. */
  protected state: State
  /** Its level of detail, where it has levels. */
  private lod: LodState | undefined
  /** What of levels its kind has. */
  protected readonly lodFields: readonly LodField[] = []
  private readonly owner: AssemblyOwner

  constructor(owner: AssemblyOwner, world: LeanWorld, name: string | undefined, state: State) {
    this.owner = owner
    this.world = world
    this.name = name
    this.state = state
  }

  /** Sets targets of its kinematic bodies for a step of `dt` [s], before contacts are found. */
  lead?(dt: number): void
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
    knownFields(where, object(`${where}: options`, options), TELEPORT_FIELDS)
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

  /**
   * Gives it levels of detail by distance, or takes them away: `cape.setLod({ levels: [{ distance: 10, selfCollision: false }, { distance: 40, simulate: false }] })`.
   * It begins at full detail; {@link updateLod} moves it on. Throws, and changes nothing, when a value is wrong.
   */
  setLod(def: LodDef | undefined): void {
    const where = `${this.label}: setLod`
    this.world.bodies.callbacks.refuse(where)
    const parts = this.lodParts()
    if (this.lodFields.length === 0) throw new TypeError(`${where}: must be of particles or links, got ${this.kind}`)
    const plan = def === undefined ? undefined : planLod(where, this.world, def, this.lodFields, this.madeContacts())
    const full = this.lod === undefined ? undefined : enterLevel(this.lod, 0, parts)
    const { returning = false, credit = 0 } = full ?? {}
    // Rows that still wait to come back do so without levels too.
    const left =
      full !== undefined && returning ? { levels: [full.plan.levels[0]], hysteresis: 0, frame: undefined } : undefined
    const next = plan ?? left
    this.lod = next === undefined ? undefined : { ...beginLod(next), returning, credit }
  }

  /** Its levels, the first as it was made; nothing where it has none. */
  get lodPlan(): LodPlan | undefined {
    return this.lod?.plan
  }

  /** At which level it is: 0 as it was made, 1 the first of those given. */
  get lodLevel(): number {
    return this.lod?.level ?? 0
  }

  /** Whether it moves by itself; not where its level has it hold its pose. */
  get simulated(): boolean {
    return this.lod === undefined || this.lod.still.length === 0
  }

  /** Tells how far it is from who looks [m], or where that is, before each step: it goes to the level of that distance. */
  updateLod(from: number | ReadonlyVec3): void {
    const where = `${this.label}: updateLod`
    const at = `${where}: from`
    this.world.bodies.callbacks.refuse(where)
    const state = this.lod
    this.known()
    const distance = typeof from === 'number' ? nonNegative(at, from) : this.distanceTo(finiteVector(at, from, 3))
    if (state === undefined) return
    const level = levelAt(state.plan, state.level, distance)
    if (level !== state.level) this.lod = enterLevel(state, level, this.lodParts())
    else if (state.plan.levels[level].simulate !== this.simulated) {
      this.lod = holdOrRelease(state, this.lodParts(), state.plan.levels[level])
    }
  }

  /** Has its new particles and rows be as its level says. */
  protected refreshLod(): void {
    if (this.lod !== undefined && (this.lod.level > 0 || this.lod.returning)) {
      this.lod = enterLevel(this.lod, this.lod.level, this.lodParts())
    }
  }

  /** Gives it the levels of another, of which its bodies were a part. */
  protected inheritLod(other: Assembly): void {
    const { lod } = other
    if (lod === undefined) return
    const own = new Set(this.state.bodies)
    other.lod = { ...lod, still: lod.still.filter(({ body }) => !own.has(body)) }
    this.lod = { ...lod, credit: 0, still: lod.still.filter(({ body }) => own.has(body)) }
    this.refreshLod()
  }

  /** Leads what holds still, before a step of `dt` [s]. */
  leadLod(dt: number): void {
    if (this.lod !== undefined) leadStill(this.lod, this.lodFrame(), dt)
  }

  /** Goes on with what a change of level could not do at once, after a step. */
  resumeLod(): void {
    const { lod, world } = this
    if (lod?.returning !== true || !this.simulated || world.clock.steps % RESUME_EVERY !== 0) return
    this.lod = resumeBending(lod, this.lodParts())
  }

  /** Its rows against bending. */
  protected bendRows(): readonly (Constraint | undefined)[] {
    return []
  }

  /** How it was made to touch. */
  protected madeContacts(): MadeContacts {
    return UNTOUCHED
  }

  /** What it rides on by itself. */
  protected lodFrame(): Body | undefined {
    return undefined
  }

  /** Bodies of it that are led by other means. */
  protected ledBodies(): readonly (Body | undefined)[] {
    return []
  }

  /** Whether it is held in place by something that does not go along with its frame. */
  protected isAnchored(): boolean {
    return false
  }

  private lodParts(): LodParts {
    const led = new Set<Body>()
    for (const body of this.ledBodies()) if (body !== undefined) led.add(body)
    return {
      world: this.world,
      bodies: this.known().bodies,
      bend: this.bendRows(),
      frame: this.lodFrame(),
      led,
      isAnchored: this.isAnchored(),
    }
  }

  /** From the middle of its bodies [m]. */
  private distanceTo(point: ArrayLike<number>): number {
    const { position } = this.world.bodies.columns
    let [x, y, z, count] = [0, 0, 0, 0]
    for (const body of this.known().bodies) {
      if (!body.alive) continue
      x += position[4 * body.index]
      y += position[4 * body.index + 1]
      z += position[4 * body.index + 2]
      count++
    }
    const n = Math.max(count, 1)
    const [dx, dy, dz] = [x / n - point[0], y / n - point[1], z / n - point[2]]
    return Math.sqrt(dx * dx + dy * dy + dz * dz)
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
    return { state: this.state, lod: this.lod } satisfies SavedParts
  }

  /** Back to what was saved; the world's tables are back already. */
  restore(saved: unknown): void {
    const { state, lod } = saved as SavedParts
    this.state = state as State
    this.lod = lod
  }

  /** The whole of it as plain data, for the JSON of a scene: what its kind reads back. */
  abstract write(scene: SceneWriter): object

  /** Its levels of detail as plain data; nothing where it has none. */
  writeLod(scene: SceneWriter): object | undefined {
    return this.lod === undefined ? undefined : writeLod(scene, this.lodFields, this.lod)
  }

  /** Takes over what a reader made of {@link writeLod}'s data. */
  takeLod(read: (fields: readonly LodField[], made: MadeContacts) => LodState): void {
    this.lod = read(this.lodFields, this.madeContacts())
  }

  /** Ends it when the last of its bodies is gone. */
  protected vanish(): void {
    this.owner.drop(this)
  }

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

/** What a snapshot holds of an assembly. */
interface SavedParts {
  readonly state: unknown
  readonly lod: LodState | undefined
}

/** Steps between two looks at rows that wait to come back: each time some do, rows are put in order anew. */
const RESUME_EVERY = 8

/** Of what touches nothing by itself. */
const UNTOUCHED: MadeContacts = { selfCollision: false, surfaceContacts: false }

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
