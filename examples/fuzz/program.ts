/** Programs: a scene, what is done to it, and where it is saved. Made of what `@tautline/fast-check` has. */

import {
  BUILT_IN,
  type ConstraintSpec,
  type Operation,
  operations,
  real,
  Scene,
  type SceneDef,
  scenes,
  some,
} from '@tautline/fast-check'
import type { BodyDef, WorldOptions } from '@tautline/core'
import fc, { type Arbitrary } from 'fast-check'
import { type BadCall, badCalls } from './bad-calls.js'
import { brittle, lost } from './custom-types.js'
import { EXTREME } from './random.js'

export type Move = Operation | BadCall

/** A scene and what is done to it. */
export interface Program {
  def: SceneDef
  /** The same without extreme numbers: what takes the place of a part that is refused. */
  clean: SceneDef
  moves: readonly Move[]
  /** Before which of them it is saved. */
  mark: number
  isPoisoned: boolean
}

/** Puts an extreme number in the place of one. */
interface Poison {
  at: number
  value: number
}

const SOLVERS: Arbitrary<WorldOptions> = some<WorldOptions>({
  jacobians: fc.constantFrom('fresh' as const, 'frozen' as const, 'start' as const),
  solver: fc.constantFrom('auto' as const, 'direct' as const, 'sweep' as const),
  order: fc.constantFrom('outward' as const, 'given' as const, 'alternating' as const),
  gyroscopic: fc.constantFrom('midpoint' as const, 'implicit' as const, 'explicit' as const, 'none' as const),
  warmStart: fc.constantFrom(0, 0.25, 0.5),
  substeps: fc.constantFrom(8, 1, 4),
  iterations: fc.constantFrom(1, 3),
  tolerance: fc.constantFrom(0, 0, 1e-6),
  maxIterations: fc.constant(3),
  effectiveInertia: fc.boolean(),
  energyGuard: fc.boolean(),
  energyLedger: fc.boolean(),
  repairSpeed: fc.constantFrom(1000, 1),
}) as Arbitrary<WorldOptions>

/** A constraint of any type on bodies by number, which count anew after the last. */
function joins(): Arbitrary<(bodies: number) => ConstraintSpec> {
  const ends = fc.array(fc.nat({ max: 31 }), { minLength: 5, maxLength: 5 })
  const ours = BUILT_IN.map(({ type, fields, options }) =>
    fc.tuple(fields, ends, fc.boolean()).map(([rest, at, isWorld]) => (bodies: number): ConstraintSpec => {
      const ids = at.slice(0, options.places?.length ?? 2).map((k) => k % bodies)
      if (options.pair !== true) return { type, joins: { bodies: ids }, fields: rest }
      // Some definitions say themselves that an end is the world.
      const { a, b, ...fields } = rest as { a?: null; b?: null }
      return { type, joins: { a: a === null || isWorld ? null : ids[0], b: b === null ? null : ids[1] }, fields }
    }),
  )
  const users = [brittle, lost].map((type) =>
    ends.map((at) => (bodies: number): ConstraintSpec => {
      return { type, joins: { bodies: at.slice(0, 2).map((k) => k % bodies) }, fields: {} }
    }),
  )
  return fc.oneof(...ours, ...users)
}

function moves(): Arbitrary<((bodies: number) => Move)[]> {
  const known = operations({ maxLength: 3, maxSteps: 6 }).map((list) => list.map((one) => (): Move => one))
  const more: Arbitrary<(bodies: number) => Move>[] = [
    joins().map((make) => (bodies: number): Move => ({ do: 'add', constraint: make(bodies) })),
    fc
      .tuple(
        fc.nat({ max: 31 }),
        some({ compliance: real(0, 0.01), relaxation: real(0.1, 1, 1), enabled: fc.boolean() }),
      )
      .map(([constraint, changes]) => (): Move => ({ do: 'set', constraint, changes })),
    SOLVERS.map(({ jacobians: _, ...options }) => (): Move => ({ do: 'configure', options })),
    badCalls().map((bad) => (): Move => bad),
    badCalls().map((bad) => (): Move => bad),
  ]
  const one = fc.oneof({ arbitrary: known, weight: 4 }, ...more.map((each) => each.map((move) => [move])))
  return fc.array(one, { maxLength: 10 }).map((lists) => lists.flat())
}

/** Numbers of a part of a scene that may be anything: its own copy, with some of them extreme. */
class Poisoner {
  private count = 0
  private readonly values: ReadonlyMap<number, number>

  constructor(values: ReadonlyMap<number, number>) {
    this.values = values
  }

  get seen(): number {
    return this.count
  }

  copy<T>(value: T): T {
    if (typeof value === 'number') return (this.values.get(this.count++) ?? value) as T
    if (Array.isArray(value)) return value.map((entry: unknown) => this.copy(entry)) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([field, entry]) => [field, this.copy(entry)])) as T
  }

  move(move: Move): Move {
    if (move.do === 'add') return { ...move, constraint: this.constraint(move.constraint) }
    if (move.do === 'set') return { ...move, changes: this.copy(move.changes) }
    return 'value' in move ? ({ ...move, value: this.copy(move.value) } as Move) : move
  }

  constraint(spec: ConstraintSpec): ConstraintSpec {
    return { ...spec, fields: this.copy(spec.fields) }
  }

  all(def: SceneDef, list: readonly Move[]): { def: SceneDef; moves: Move[] } {
    const bodies = def.bodies.map((body) => this.copy<BodyDef>(body))
    const constraints = def.constraints.map((spec) => this.constraint(spec))
    return { def: { ...def, bodies, constraints }, moves: list.map((move) => this.move(move)) }
  }
}

/** Most constraints of a scene that may be solved directly: loops of a whole cloth take some hundred milliseconds a step. */
const MOST_DIRECT = 12

/** Options with which a step of the scene is a matter of milliseconds. */
function affordable(options: WorldOptions, { constraints }: SceneDef): WorldOptions {
  return constraints.length > MOST_DIRECT && options.solver === 'direct' ? { ...options, solver: 'auto' } : options
}

/** Any program; shrinks to few bodies, no constraints beside those of the scene, nothing extreme, and no moves. */
export function programs(): Arbitrary<Program> {
  const poison: Arbitrary<Poison> = fc.record({
    at: fc.nat({ max: 0xffff }),
    value: fc.constantFrom<number[]>(...EXTREME),
  })
  const none = fc.constant<Poison[]>([])
  return fc
    .record({
      scene: scenes({ size: 5, speed: 5, operations: fc.constant([]) }),
      options: fc.oneof(fc.constant<WorldOptions>({}), SOLVERS),
      more: fc.array(joins(), { maxLength: 4 }),
      shapes: fc.boolean(),
      moves: moves(),
      mark: fc.nat({ max: 12 }),
      poison: fc.oneof({ arbitrary: none, weight: 2 }, fc.array(poison, { maxLength: 5 })),
    })
    .map(({ scene, options, more, shapes, moves: makers, mark, poison: list }) => {
      const count = scene.def.bodies.length
      const colliders =
        shapes && scene.def.colliders.length === 0
          ? scene.def.bodies.map((_, body) => ({ body, shape: ['sphere', 0.05] as const, fields: {} }))
          : scene.def.colliders
      const clean = scene.with({
        options: { ...scene.def.options, ...affordable(options, scene.def) },
        constraints: [...scene.def.constraints, ...more.map((make) => make(count))],
        colliders,
      }).def
      const done = makers
        .map((make) => make(count))
        .map((move) => (move.do === 'configure' ? { ...move, options: affordable(move.options, scene.def) } : move))
      const counter = new Poisoner(new Map())
      counter.all(clean, done)
      const values = new Map(list.map(({ at, value }) => [at % Math.max(1, counter.seen), value]))
      const spoilt = new Poisoner(values).all(clean, done)
      return { ...spoilt, clean, mark, isPoisoned: list.length > 0 }
    })
}

/** The scene that is left when what is refused is left out; `refused` is told of each error. */
export function admitted({ def, clean }: Program, refused: (error: unknown) => void): Scene {
  const empty: SceneDef = { ...clean, bodies: [], constraints: [], colliders: [], operations: [] }
  const running = new Scene(empty).build()
  const bodies = def.bodies.map((body, k) => {
    try {
      running.bodies.push(running.world.addBody(body))
      return body
    } catch (error) {
      refused(error)
      running.bodies.push(running.world.addBody(clean.bodies[k]))
      return clean.bodies[k]
    }
  })
  const constraints = def.constraints.filter((spec) => {
    try {
      add(running, spec)
      return true
    } catch (error) {
      refused(error)
      return false
    }
  })
  return new Scene({ ...def, bodies, constraints, operations: [] })
}

function add({ world, bodies }: ReturnType<Scene['build']>, { type, joins: on, fields }: ConstraintSpec): void {
  const at = (k: number | null): unknown => (k === null ? null : bodies[k])
  const named = 'bodies' in on ? { bodies: on.bodies.map(at) } : { a: at(on.a), b: at(on.b) }
  world.add(type, { ...fields, ...named })
}
