/** One constraint on a few bodies, disturbed: the data that shrinks, and the world that it makes. */

import { type Body, type BodyDef, type Constraint, type World, type WorldOptions } from '@tautline/core'
import { rotate } from '@tautline/core/kernel'
import fc, { type Arbitrary } from 'fast-check'
import { cuboidMoments, edges } from '../bodies.js'
import { type Quat, real, record, rotation, type Vec3, vector } from '../numbers.js'
import { Scene } from '../scene.js'
import type { AnyConstraintType, Operation } from '../spec.js'
import type { ConformanceOptions, Fields } from './options.js'

/** A body, and how it is disturbed, in shares of how far. */
interface Slot {
  fate: 'dynamic' | 'world' | 'static' | 'kinematic'
  isParticle: boolean
  offset: Vec3
  orientation: Quat
  mass: number
  size: Vec3
  /** After the constraint was made. */
  move: Vec3
  turn: Vec3
  /** From the start of the substep to its middle. */
  startMove: Vec3
  startTurn: Vec3
  velocity: Vec3
  spin: Vec3
  push: Vec3
}

/** What a check is tried on. */
export interface Trial {
  slots: Slot[]
  /** The slot that is dynamic in any case. */
  mover: number
  fields: Fields
  /** Where the whole is moved to. */
  whole: { rotation: Quat; shift: Vec3 }
  /** A body is turned by this, for degenerate poses. */
  half: Vec3
}

/** A type with what the suite knows of it. */
export interface Subject {
  type: AnyConstraintType
  options: ConformanceOptions
  places: readonly Readonly<Vec3>[]
}

/** How a trial is set up. */
export interface Setting {
  /** How far each body is moved and turned after the constraint was made [m, rad]. @defaultValue 0.3 */
  far?: number
  /** Whether all bodies are dynamic, and none is the world. @defaultValue false */
  free?: boolean
  /** Whether there may be particles. @defaultValue true */
  particles?: boolean
  options?: WorldOptions
  change?: ((fields: Fields) => Fields) | undefined
  /** Where the body of a slot is put, and how it is turned, in place of `far`. */
  at?: (slot: number) => { position: Vec3; orientation: Quat }
  /** Edits after that. */
  operations?: readonly Operation[]
}

/** A trial in a world. */
export interface Live {
  scene: Scene
  world: World
  /** A body a slot; `null` is the world. */
  bodies: (Body | null)[]
  constraint: Constraint
  fields: Fields
  trial: Trial
}

/** Bodies on a zigzag, no three in a line and no four in a plane. */
export function zigzag(count: number): Vec3[] {
  return Array.from({ length: count }, (_, k) => [k, 0.3 * (k % 2), 0.2 * (((k * k) % 3) - 1)])
}

/** Trials of a type. */
export function trials({ places, options }: Subject, fields: Arbitrary<Fields>): Arbitrary<Trial> {
  const mayBeParticle = options.particles !== false
  const slot: Arbitrary<Slot> = record({
    fate: fc.constantFrom<Slot['fate'][]>(...FATES),
    isParticle: mayBeParticle ? fc.nat({ max: 9 }).map((k) => k > 6) : fc.constant(false),
    offset: vector(0.1),
    orientation: rotation(),
    mass: real(0.2, 5, 1),
    size: edges(),
    move: vector(),
    turn: vector(),
    startMove: vector(),
    startTurn: vector(),
    velocity: vector(),
    spin: vector(),
    push: vector(),
  })
  return record({
    slots: fc.array(slot, { minLength: places.length, maxLength: places.length }),
    mover: options.pair === true ? fc.nat({ max: 1 }) : fc.constant(0),
    fields,
    whole: record({ rotation: rotation(), shift: vector(5) }),
    half: vector(),
  })
}

/** Seven in ten are dynamic; the first is what it shrinks to. */
const FATES = [
  ...Array.from({ length: 14 }, () => 'dynamic' as const),
  ...(['world', 'world', 'world', 'static', 'static', 'kinematic'] as const),
]

/** The world of a trial, its bodies moved after the constraint was made. */
export function live(subject: Subject, trial: Trial, setting: Setting = {}): Live {
  const { far = 0.3, free = false, particles = true, options = {}, change, at, operations: later = [] } = setting
  const fields = change === undefined ? trial.fields : change(trial.fields)
  const isWorld = trial.slots.map((slot, k) => !free && joinsWorld(subject, trial, slot, k))
  const defs: BodyDef[] = []
  const operations: Operation[] = []
  const joined = trial.slots.map((slot, k): number | null => {
    if (isWorld[k]) return null
    const isParticle = slot.isParticle && particles
    const def = bodyOf(slot, subject.places[k], isParticle)
    const index = defs.length
    const keeps = free || slot.fate === 'dynamic' || slot.fate === 'world' || k === moverOf(subject, trial)
    defs.push(keeps ? def : { ...def, type: slot.fate as 'static' | 'kinematic' })
    const { position, orientation } = at?.(k) ?? {
      position: plus(def.position as Vec3, slot.move, far),
      orientation: rotated(slot.orientation, slot.turn, far),
    }
    operations.push({ do: 'setPosition', body: index, value: position })
    if (!isParticle) operations.push({ do: 'setOrientation', body: index, value: orientation })
    return index
  })
  const { a: _a, b: _b, ...rest } = fields
  const joins =
    subject.options.pair === true ? { a: joined[0], b: joined[1] } : { bodies: joined.map((index) => index as number) }
  const scene = new Scene({
    options: { gravity: [0, 0, 0], substeps: 1, ...options },
    bodies: defs,
    constraints: [{ type: subject.type, joins, fields: rest }],
    operations: far === 0 && at === undefined ? later : [...operations, ...later],
  })
  const { world, bodies, constraints } = scene.run()
  const slots = joined.map((index) => (index === null ? null : bodies[index]))
  return { scene, world, bodies: slots, constraint: constraints[0], fields: rest, trial }
}

function moverOf({ options }: Subject, { mover, fields }: Trial): number {
  if (options.pair !== true) return 0
  if (fields.a === null) return 1
  if (fields.b === null || options.world?.[0] === false) return 0
  if (options.world?.[1] === false) return 1
  return mover
}

function joinsWorld(subject: Subject, trial: Trial, slot: Slot, k: number): boolean {
  const { pair, world } = subject.options
  if (pair !== true) return false
  if (trial.fields['ab'[k]] === null) return true
  return slot.fate === 'world' && k !== moverOf(subject, trial) && world?.[k] !== false
}

function bodyOf({ offset, orientation, mass, size }: Slot, place: Readonly<Vec3>, isParticle: boolean): BodyDef {
  const position = plus(place, offset, 1)
  return isParticle ? { position, mass } : { position, orientation, mass, inertia: cuboidMoments(mass, size) }
}

function plus(x: Readonly<Vec3>, d: Readonly<Vec3>, share: number): Vec3 {
  return [x[0] + share * d[0], x[1] + share * d[1], x[2] + share * d[2]]
}

/** q ← exp(share θ/2) q. */
export function rotated(q: Readonly<Quat>, theta: Readonly<Vec3>, share: number): Quat {
  const result = Float64Array.from(q)
  rotate(result, 0, share * theta[0], share * theta[1], share * theta[2])
  return [result[0], result[1], result[2], result[3]]
}
