/**
 * Runs a program and looks at what was promised: steps do not throw and do not take long, nothing public is NaN, what is refused
 * changes nothing, and a replay, a snapshot and JSON go on with the same bits.
 */

import { Collisions, collisionsFromJSON } from '@tautline/collision'
import { type Body, type Constraint, fromJSON, type World, type WorldOptions } from '@tautline/core'
import { perform, type Running, type Scene } from '@tautline/fast-check'
import { ready } from './bad-calls.js'
import { isUsers } from './custom-types.js'
import { Failure, type FailureKind, isRefusal } from './failure.js'
import { admitted, type Move, type Program } from './program.js'
import { type Places, reloadScript, restoreScript, script } from './script.js'
import { used, within } from './within.js'

/** What was done. */
export interface Tally {
  scenes: number
  poisoned: number
  steps: number
  edits: number
  bad: number
  /** Of the wrong calls: those that were taken, as when what was left out has a default. */
  taken: number
  refused: number
  skipped: number
  frozen: number
  /** Both of these in scenes without extreme numbers. */
  saneSkipped: number
  saneFrozen: number
  snapshots: number
  reloads: number
}

export function newTally(): Tally {
  return {
    scenes: 0,
    poisoned: 0,
    steps: 0,
    edits: 0,
    bad: 0,
    taken: 0,
    refused: 0,
    skipped: 0,
    frozen: 0,
    saneSkipped: 0,
    saneFrozen: 0,
    snapshots: 0,
    reloads: 0,
  }
}

/** A step that takes longer fails [ms]. */
const SLOW = 2000

/** And a move, of six steps at most, is ended by then, on a machine that does other things as well [ms]. */
const MOVE_LIMIT = 10 * SLOW

/** A run of a program: the world, and what its failures say. */
class Run {
  readonly running: Running
  private readonly scene: Scene
  private readonly tally: Tally

  constructor(scene: Scene, tally: Tally, running: Running = scene.build()) {
    this.scene = scene
    this.tally = tally
    this.running = running
  }

  fail(kind: FailureKind, message: string): never {
    throw new Failure(kind, message, script(this.scene, this.running.lines))
  }

  /** Does a move; one that is refused leaves the world as it was, and no statement. */
  do(move: Move): void {
    within(MOVE_LIMIT, () => {
      this.doNow(move)
    })
  }

  private doNow(move: Move): void {
    if (move.do === 'step') {
      this.step(move.count)
      return
    }
    const { running, tally } = this
    const before = JSON.stringify(running.world)
    const count = running.lines.length
    if (move.do === 'bad') tally.bad++
    else tally.edits++
    try {
      this.call(move)
    } catch (error) {
      // What a user's function throws comes out of a step that was taken.
      if (isUsers(error) && !isRefusal(error)) return
      if (!isRefusal(error)) this.internal(error)
      tally.refused++
      running.lines.length = count
      if (JSON.stringify(running.world) !== before) {
        this.fail('changed by a refused call', `${String(error)} changed the world`)
      }
    }
  }

  private call(move: Exclude<Move, { do: 'step' }>): void {
    const { running } = this
    if (move.do !== 'bad') {
      perform(running, move)
      return
    }
    const call = ready(running, move)
    if (call === undefined) return
    running.lines.push(call.line)
    ;(call.target as Record<string, (...values: unknown[]) => unknown>)[call.name](...call.values)
    this.tally.taken++
  }

  private internal(error: unknown): never {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return this.fail('internal error', text)
  }

  private step(count: number): void {
    const { running, tally } = this
    const from = running.lines.length
    for (let k = 1; k <= count; k++) {
      const start = used()
      const line = `for (let step = 0; step < ${k}; step++) world.step()`
      running.lines[from] = line
      try {
        running.world.step()
      } catch (error) {
        // A step tells what a user's function threw when it is done.
        if (!isUsers(error)) this.fail('throw from a step', String(error))
      }
      tally.steps++
      const took = used() - start
      if (took > SLOW) this.fail('slow step', `a step took longer than ${SLOW} ms`)
      this.look()
    }
  }

  /** What is public, and must be a number. */
  look(): void {
    const { world } = this.running
    const { columns, count } = world.bodies
    for (const [name, stride] of COLUMNS) {
      const column = columns[name]
      for (let k = 0; k < stride * count; k++)
        if (!(Math.abs(column[k]) < Infinity)) this.fail('NaN', `${name} is ${column[k]}`)
    }
    for (const constraint of world.constraints()) {
      for (const x of constraint.multipliers) {
        if (!(Math.abs(x) < Infinity)) this.fail('NaN', `a multiplier of a ${constraint.typeName} is ${x}`)
      }
      for (const name of ['force', 'torque'] as const) {
        if (Number.isNaN(constraint[name])) this.fail('NaN', `${name} of a ${constraint.typeName} is NaN`)
      }
    }
    for (const event of Collisions.of(world)?.events ?? []) {
      if (![...event.normal, ...event.point, event.impulse].every(Number.isFinite)) {
        this.fail('NaN', `a contact that ${event.type}s is not finite`)
      }
    }
  }
}

const COLUMNS = [
  ['position', 4],
  ['orientation', 4],
  ['velocity', 3],
  ['angularVelocity', 3],
  ['inverseInertia', 9],
] as const

/** What is being done, for when it does not come back. */
export interface Trace {
  script(): string
}

/** Runs a program; throws {@link Failure} for the first promise that it breaks. */
export function runProgram(program: Program, tally: Tally, trace?: Trace): void {
  tally.scenes++
  if (program.isPoisoned) tally.poisoned++
  const { moves } = program
  const scene = admitted(program, (error) => {
    tally.refused++
    if (!isRefusal(error) && !isUsers(error))
      throw new Failure('internal error', String(error), script(program.def, []))
  })
  const mark = moves.length === 0 ? 0 : program.mark % moves.length
  const first = new Run(scene, tally)
  const { running } = first
  const { world } = running
  if (trace !== undefined) trace.script = () => script(scene, running.lines)
  first.look()
  const hashes: string[] = []
  for (let k = 0; k < mark; k++) {
    first.do(moves[k])
    hashes.push(world.hash())
  }
  const before = running.lines.slice()
  const text = JSON.stringify(world)
  const places = placesOf(running)
  const hash = world.hash()
  const saved = orFail(
    () => copyOf(world, places, text, moves),
    (error) => new Failure('JSON', `not read: ${String(error)}`, reloadScript(scene, places, before, [])),
  )
  if (saved.world.hash() !== hash) {
    throw new Failure('JSON', 'the hash differs as it is read', reloadScript(scene, places, before, []))
  }
  const snapshot = world.snapshot()
  // Options are no state: who changes them changes them back.
  const settings = optionsOf(world)
  const made = running.constraints.length
  for (let k = mark; k < moves.length; k++) {
    first.do(moves[k])
    hashes.push(world.hash())
  }
  note(world, program.isPoisoned, tally)
  const after = running.lines.slice(before.length)

  const quiet = newTally()
  world.configure(settings)
  world.restore(snapshot)
  running.constraints.length = made
  const again = new Run(scene, quiet, running)
  compare(
    again,
    moves,
    mark,
    hashes,
    (k) => new Failure('snapshot', differs(k - mark, moves[k]), restoreScript(scene, settings, before, after)),
  )
  tally.snapshots++
  compare(
    new Run(scene, quiet, saved),
    moves,
    mark,
    hashes,
    (k) => new Failure('JSON', differs(k - mark, moves[k]), reloadScript(scene, places, before, after)),
  )
  tally.reloads++
  compare(
    new Run(scene, quiet),
    moves,
    0,
    hashes,
    (k) => new Failure('replay', differs(k, moves[k]), script(scene, [...before, ...after])),
  )
}

function orFail<T>(act: () => T, failure: (error: unknown) => Failure): T {
  try {
    return act()
  } catch (error) {
    throw failure(error)
  }
}

function optionsOf({ settings }: World): WorldOptions {
  const { gravity, ...options } = settings
  return { ...options, gravity: [gravity[0], gravity[1], gravity[2]] }
}

function differs(k: number, move: Move): string {
  return `the hash differs ${k + 1} moves on, after ${move.do}`
}

function compare(
  run: Run,
  moves: readonly Move[],
  from: number,
  hashes: readonly string[],
  failure: (k: number) => Failure,
): void {
  for (let k = from; k < moves.length; k++) {
    run.do(moves[k])
    if (run.running.world.hash() !== hashes[k]) throw failure(k)
  }
}

function note(world: World, isPoisoned: boolean, tally: Tally): void {
  const { skipped, nonFinite } = world.report
  tally.skipped += skipped.length
  tally.frozen += nonFinite.length
  if (isPoisoned) return
  tally.saneSkipped += skipped.filter(({ typeName }) => !['lost', 'brittle'].includes(typeName)).length
  tally.saneFrozen += nonFinite.length
}

const GONE = { alive: false }

/** The world of a text, with handles in the places of those that they stand for. */
function copyOf(world: World, places: Places, text: string, moves: readonly Move[]): Running {
  const types = new Set(world.batches.filter(({ type }) => type.traits?.transient !== true).map(({ type }) => type))
  for (const move of moves) if (move.do === 'add') types.add(move.constraint.type as never)
  const copy = fromJSON(text, [...types], { collisions: collisionsFromJSON })
  const [all, joints] = [copy.bodies.all(), copy.constraints()]
  return {
    world: copy,
    bodies: places.bodies.map((k) => (k < 0 ? (GONE as Body) : all[k])),
    constraints: places.constraints.map((k) => (k < 0 ? (GONE as Constraint) : joints[k])),
    lines: [],
  }
}

/** Where handles stand among all that there are. */
function placesOf({ world, bodies, constraints }: Running): Places {
  const rows = world.bodies.all().map(({ index }) => index)
  const joints = world.constraints()
  return {
    bodies: bodies.map((body) => (body.alive ? rows.indexOf(body.index) : -1)),
    constraints: constraints.map((handle) =>
      handle.alive ? joints.findIndex(({ batch, slot }) => batch === handle.batch && slot === handle.slot) : -1,
    ),
  }
}
