/** The bodies of a world: rows of columns, given out by handle. */

import { finite, finiteVector, knownFields, nonNegative, object, shown, unitQuaternion } from '../define/assert.js'
import {
  BODY_FIELDS,
  type BodyDef,
  type BodyType,
  IDENTITY,
  type Inertia,
  inertiaOf,
  kindOf,
  locksOf,
  massOf,
  PARTICLE,
  tagOf,
} from './body-definition.js'
import { AwakeBodies } from '../graph/awake-bodies.js'
import { Body } from './body.js'
import {
  ARRIVED,
  ASLEEP,
  BODY_STRIDES,
  type BodyColumn,
  type BodyColumns,
  DEAD,
  DISTURBED,
  RESET,
  DYNAMIC,
  HAS_TARGET,
  KINEMATIC,
  LOCK_ROTATION,
  LOCK_TRANSLATION,
  RESTS,
  SPHERICAL,
  STATIC,
  ROTATES,
  WORLD_BODY,
} from './body-columns.js'
import { refreshInertia } from './inertia.js'
import { Callbacks } from './callbacks.js'
import { Table } from './table.js'

/** A kinematic body whose position is set farther off than this [m] has not been led there. */
const JUMP = 0.2

/** Throws, as from `where`, what forbids a body to be `dynamic` or not, and to turn or not. */
export type OnChange = (where: string, row: number, dynamic: boolean, turns: boolean) => void

/** The table of bodies, its free rows and its rules. Use it through `World` and `Body`. */
export class Bodies {
  readonly table: Table<BodyColumn> = new Table(BODY_STRIDES)
  /** Counts changes that alter who is static: the sweep order depends on it. */
  version = 0
  /** Those that a step visits. */
  readonly awake: AwakeBodies = new AwakeBodies()
  /** What a user's functions may do within a step. */
  readonly callbacks: Callbacks = new Callbacks()
  private readonly handles: (Body | undefined)[] = []
  /** By row: the generation that it is given out with next. Never taken back, or a restore would bring stale handles to life. */
  private readonly nextGeneration: number[] = []
  /** No row below it is free. */
  private firstFree = 1
  private readonly onRemove: (row: number) => void
  private readonly onChange: OnChange

  /** `onRemove` runs before a row is given up, `onChange` before a body becomes of another type or gets other inertia. */
  constructor(onRemove: (row: number) => void, onChange: OnChange) {
    this.onRemove = onRemove
    this.onChange = onChange
    // A place for it from the start, so that the columns of all worlds are of one shape.
    this.columns.backing = undefined
    const row = this.table.push()
    const { kind, orientation, startOrientation } = this.columns
    kind[row] = STATIC
    orientation[4 * row + 3] = 1
    startOrientation[4 * row + 3] = 1
    this.awake.add(row)
  }

  get columns(): BodyColumns {
    return this.table.columns
  }

  /** Rows in use, free ones among them included. */
  get count(): number {
    return this.table.count
  }

  /** Adds a body; throws, and adds nothing, when a field is wrong. */
  add(def: BodyDef): Body {
    this.callbacks.refuse('addBody')
    object('addBody: definition', def)
    const where = typeof def.name === 'string' ? `addBody "${def.name}"` : 'addBody'
    if (def.name !== undefined && typeof def.name !== 'string') {
      throw new TypeError(`addBody: name must be a text, got ${shown(def.name)}`)
    }
    refuseShape(where, def)
    knownFields(where, def, BODY_FIELDS)
    const kind = kindOf(where, def)
    const mass = massOf(`${where}: mass`, def.mass ?? (kind === DYNAMIC ? 1 : Infinity))
    const inertia = def.inertia === undefined ? PARTICLE : inertiaOf(`${where}: inertia`, def.inertia)
    const position = finiteVector(`${where}: position`, def.position ?? [0, 0, 0], 3)
    const orientation = unitQuaternion(`${where}: orientation`, def.orientation ?? IDENTITY)
    const velocity = finiteVector(`${where}: velocity`, def.velocity ?? [0, 0, 0], 3)
    const angularVelocity = finiteVector(`${where}: angularVelocity`, def.angularVelocity ?? [0, 0, 0], 3)
    const gravityScale = finite(`${where}: gravityScale`, def.gravityScale ?? 1)
    const linearDamping = nonNegative(`${where}: linearDamping`, def.linearDamping ?? 0)
    const angularDamping = nonNegative(`${where}: angularDamping`, def.angularDamping ?? 0)
    const locks = locksOf(`${where}: lockTranslation`, def.lockTranslation) * LOCK_TRANSLATION
    const turnLocks = locksOf(`${where}: lockRotation`, def.lockRotation) * LOCK_ROTATION

    const row = this.takeRow()
    const c = this.columns
    c.kind[row] = kind
    c.flags[row] = locks + turnLocks
    c.position.set(position, 4 * row)
    c.orientation.set(orientation, 4 * row)
    c.velocity.set(velocity, 3 * row)
    c.angularVelocity.set(angularVelocity, 3 * row)
    c.gravityScale[row] = gravityScale
    c.linearDamping[row] = linearDamping
    c.angularDamping[row] = angularDamping
    this.writeMass(row, mass, inertia)
    this.startHere(row)
    return this.giveOut(row, def.name)
  }

  /** Gives the row up; handles to it go stale. */
  remove(body: Body): void {
    this.assertAlive('remove', body)
    if (this.callbacks.defer(() => this.isAlive(body) && this.remove(body))) return
    const row = body.index
    this.onRemove(row)
    this.columns.kind[row] = DEAD
    this.columns.position[4 * row + 3] = 0
    this.awake.add(row)
    this.columns.generation[row] = this.nextGeneration[row]
    this.handles[row] = undefined
    this.firstFree = Math.min(this.firstFree, row)
    this.version++
  }

  isAlive(body: Body): boolean {
    const { index } = body
    return (
      body.bodies === this &&
      index < this.count &&
      this.columns.kind[index] !== DEAD &&
      this.columns.generation[index] === body.generation
    )
  }

  /** Throws a `RangeError` that names the handle when it is of another world or stale. */
  assertAlive(where: string, body: Body): void {
    if (!(body instanceof Body)) throw new TypeError(`${where} must be a body, got ${shown(body)}`)
    if (body.bodies !== this) {
      throw new RangeError(
        `${where}: ${body.label} of generation ${body.generation} must be of this world, got another's`,
      )
    }
    if (!this.isAlive(body)) {
      const now = this.columns.generation[body.index]
      throw new RangeError(
        `${where}: ${body.label} of generation ${body.generation} must exist, got a removed one (the row is at generation ${now})`,
      )
    }
  }

  /** The handle of a row; `undefined` for a free row and for the world itself. */
  handle(row: number): Body | undefined {
    return this.handles[row]
  }

  /** All bodies, by row. */
  all(): Body[] {
    return this.handles.filter((body) => body !== undefined)
  }

  setPosition(row: number, position: ArrayLike<number>): void {
    const c = this.columns
    let squared = 0
    for (let i = 0; i < 3; i++) {
      const d = position[i] - c.position[4 * row + i]
      squared += d * d
    }
    // A body that is led by hand, a little each frame, pulls what it holds along; one that jumps does not.
    const isLed = c.kind[row] === KINEMATIC && squared < JUMP * JUMP
    for (let i = 0; i < 3; i++) c.position[4 * row + i] = position[i]
    this.thaw(row)
    if (!isLed) this.disturb(row)
  }

  setOrientation(row: number, where: string, orientation: ArrayLike<number>): void {
    this.columns.orientation.set(unitQuaternion(where, orientation), 4 * row)
    this.thaw(row)
    if (this.columns.kind[row] !== KINEMATIC) this.disturb(row)
  }

  /** Puts a dynamic body to sleep: it loses its velocity and stands still until something wakes it. */
  putToSleep(row: number): void {
    const { flags, kind, velocity, angularVelocity } = this.columns
    if (kind[row] !== DYNAMIC || (flags[row] & RESTS) !== 0) return
    flags[row] |= ASLEEP
    for (let k = 3 * row; k < 3 * row + 3; k++) velocity[k] = angularVelocity[k] = 0
    this.effective(row)
  }

  /** Has what is violated about a body repaired without speed: its pose did not come from a motion. */
  disturb(row: number): void {
    if (row === WORLD_BODY) return
    this.columns.flags[row] |= DISTURBED | RESET
    this.awake.add(row)
  }

  /** Wakes a body and starts its time of rest anew. What it touches follows at the next step. */
  wake(row: number): void {
    const { flags, kind, stillTime } = this.columns
    if (kind[row] === DYNAMIC) stillTime[row] = 0
    if ((flags[row] & ASLEEP) === 0) return
    flags[row] &= ~ASLEEP
    this.effective(row)
  }

  /** Wakes many; a body may be among them more than once. */
  wakeAll(rows: Int32Array): void {
    const { flags, kind, stillTime } = this.columns
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k]
      if (kind[row] === DYNAMIC) stillTime[row] = 0
      if ((flags[row] & ASLEEP) !== 0) this.wake(row)
    }
  }

  setVelocity(row: number, velocity: ArrayLike<number>): void {
    this.wake(row)
    this.forgetArrival(row)
    this.columns.velocity.set(velocity, 3 * row)
  }

  setAngularVelocity(row: number, velocity: ArrayLike<number>): void {
    this.wake(row)
    this.forgetArrival(row)
    this.columns.angularVelocity.set(velocity, 3 * row)
  }

  setTarget(row: number, position: ArrayLike<number>, orientation: ArrayLike<number> | undefined): void {
    const c = this.columns
    const q =
      orientation === undefined
        ? c.orientation.slice(4 * row, 4 * row + 4)
        : unitQuaternion('setTarget: orientation', orientation)
    c.targetPosition.set(position, 3 * row)
    c.targetOrientation.set(q, 4 * row)
    c.flags[row] |= HAS_TARGET
  }

  /** Changes what moves a body: see `Body.type`. */
  setType(row: number, label: string, type: BodyType): void {
    this.callbacks.refuse(`${label}: type`)
    const { kind, flags, velocity, angularVelocity, inverseMass, stillTime } = this.columns
    const tag = tagOf(label, type)
    if (tag === kind[row]) return
    if (tag === DYNAMIC && inverseMass[row] === 0) {
      throw new RangeError(`${label}: type must not be dynamic without a finite mass, which setMass gives, got ${type}`)
    }
    this.onChange(`${label}: type`, row, tag === DYNAMIC, (flags[row] & ROTATES) !== 0)
    this.forgetArrival(row)
    kind[row] = tag
    flags[row] &= ~(RESTS | HAS_TARGET)
    stillTime[row] = 0
    if (tag === STATIC) for (let k = 3 * row; k < 3 * row + 3; k++) velocity[k] = angularVelocity[k] = 0
    this.effective(row)
  }

  setMass(row: number, where: string, mass: number, inertia: BodyDef['inertia']): void {
    const checked = massOf(`${where}: mass`, mass)
    const parsed = inertia === undefined ? PARTICLE : inertiaOf(`${where}: inertia`, inertia)
    const { kind } = this.columns
    const tag = kind[row] === KINEMATIC ? KINEMATIC : checked === Infinity ? STATIC : DYNAMIC
    this.onChange(where, row, tag === DYNAMIC, parsed.turns)
    kind[row] = tag
    this.writeMass(row, checked, parsed)
    this.wake(row)
  }

  /** A copy of the handles, for a snapshot. */
  handlesByRow(): (Body | undefined)[] {
    return this.handles.slice()
  }

  /** Takes the handles of a snapshot, after the table was overwritten by it. */
  refreshHandles(handles: readonly (Body | undefined)[]): void {
    this.handles.length = handles.length
    for (let row = 0; row < handles.length; row++) this.handles[row] = handles[row]
    this.firstFree = 1
    this.awake.reset(this.count)
    this.version++
  }

  /** Velocities left over from a reached target end when one is set: the other must not go on with it. */
  private forgetArrival(row: number): void {
    const { flags, velocity, angularVelocity } = this.columns
    if ((flags[row] & ARRIVED) === 0) return
    flags[row] &= ~ARRIVED
    velocity.fill(0, 3 * row, 3 * row + 3)
    angularVelocity.fill(0, 3 * row, 3 * row + 3)
  }

  /** A row of zeros: the lowest free one, or a new one. */
  takeRow(): number {
    const free = this.findFree()
    if (free < 0) return this.table.push()
    this.clearRow(free)
    return free
  }

  /** The lowest free row, which is about to be taken, or −1. */
  private findFree(): number {
    const { kind } = this.columns
    let row = this.firstFree
    while (row < this.count && kind[row] !== DEAD) row++
    this.firstFree = row + 1
    return row < this.count ? row : -1
  }

  private clearRow(row: number): void {
    const last = this.table.push()
    this.table.copyRow(last, row)
    this.table.count--
  }

  /** Makes the handle of a row that was taken and written. */
  giveOut(row: number, name: string | undefined): Body {
    const generation = this.nextGeneration[row] ?? 0
    this.nextGeneration[row] = generation + 1
    this.columns.generation[row] = generation
    const body = new Body(this, row, generation, name)
    this.handles[row] = body
    this.awake.add(row)
    this.version++
    return body
  }

  /** Writes mass and inertia of a row. */
  writeMass(row: number, mass: number, inertia: Inertia): void {
    const c = this.columns
    c.inverseMass[row] = 1 / mass
    const { moments, frame } = inertia
    const ix = (c.principalInertia[3 * row] = moments[0])
    const iy = (c.principalInertia[3 * row + 1] = moments[1])
    const iz = (c.principalInertia[3 * row + 2] = moments[2])
    for (let k = 0; k < 4; k++) c.inertiaFrame[4 * row + k] = frame[k]
    let flags = c.flags[row] & ~(ROTATES | SPHERICAL)
    if (inertia.turns) flags |= ROTATES
    if (inertia.turns && ix === iy && iy === iz) flags |= SPHERICAL
    c.flags[row] = flags
    this.effective(row)
  }

  /** Brings effective inverse mass and world inverse inertia up to date. */
  private effective(row: number): void {
    const c = this.columns
    const moves = c.kind[row] === DYNAMIC && (c.flags[row] & RESTS) === 0
    c.position[4 * row + 3] = moves ? c.inverseMass[row] : 0
    refreshInertia(c, row)
    this.awake.add(row)
    this.version++
  }

  /** Frees a frozen or sleeping body, and makes the present pose the start of the substep. */
  private thaw(row: number): void {
    this.columns.flags[row] &= ~RESTS
    this.columns.stillTime[row] = 0
    this.effective(row)
    this.startHere(row)
  }

  /** Makes the present pose the start of the substep and of the step. */
  private startHere(row: number): void {
    const c = this.columns
    for (let k = 4 * row; k < 4 * row + 4; k++) {
      c.startPosition[k] = c.position[k]
      c.startOrientation[k] = c.previousOrientation[k] = c.orientation[k]
    }
    for (let k = 0; k < 3; k++) c.previousPosition[3 * row + k] = c.position[4 * row + k]
  }
}

/** Refuses the fields of a body with a shape: collisions make those. */
function refuseShape(where: string, def: object): void {
  for (const field of ['shape', 'density', 'origin']) {
    if (field in def) {
      throw new TypeError(
        `${where}: ${field} must be given to addBody of collisions (\`collisions.addBody\`), got it here`,
      )
    }
  }
}
