/**
 * Properties of worlds, for `fc.property`: each takes a function that makes a world, as often as it likes, and throws where the property
 * does not hold. What makes a world from a scene is `() => scene.world()`; your game's own set-up is as good.
 */

import { collisionsFromJSON } from '@tautline/collision'
import type { World } from '@tautline/core'
import { type Constraint, fromJSON } from '@tautline/core'
import { gradient, type StageReader } from '@tautline/core/kernel'
import { atMost, same } from './conformance/check.js'
import { farthest, length, measured, movedPoint, moveAll, nudge, poses, rotationsOnce } from './conformance/substep.js'
import type { Quat, Vec3 } from './numbers.js'
import type { AnyConstraintType } from './spec.js'

/** Makes a world anew, in the same state each time. */
export type MakeWorld = () => World

/** For how long a world is watched. */
export interface Watch {
  /** Steps to run. @defaultValue 30 */
  steps?: number
  /** What the game does before each step: forces, edits. Called with the number of the step. @defaultValue nothing */
  act?: (world: World, step: number) => void
}

function play(world: World, { steps = 30, act }: Watch, each?: (step: number) => void): void {
  for (let step = 0; step < steps; step++) {
    act?.(world, step)
    world.step()
    each?.(step)
  }
}

/** The same world, made twice and run in turns, has the same hash after every step. */
export function replays(make: MakeWorld, watch: Watch = {}): void {
  const hashes: string[] = []
  const first = make()
  play(first, watch, () => hashes.push(first.hash()))
  const [second, third] = [make(), make()]
  for (let step = 0; step < hashes.length; step++) {
    for (const world of [second, third]) {
      watch.act?.(world, step)
      world.step()
      same(world.hash(), hashes[step], `hash ${step + 1} steps into a replay`)
    }
  }
}

/** A snapshot goes on with the same bits. */
export function restores(make: MakeWorld, watch: Watch = {}): void {
  const world = make()
  const snapshot = world.snapshot()
  const hashes: string[] = []
  play(world, watch, () => hashes.push(world.hash()))
  world.restore(snapshot)
  play(world, watch, (step) => same(world.hash(), hashes[step], `hash ${step + 1} steps after a snapshot`))
}

/** How a world is read back from JSON. */
export interface ReloadOptions extends Watch {
  /** Types that no constraint of the world is of yet. @defaultValue none */
  types?: readonly AnyConstraintType[]
  /** What reads the JSON of stages, by name. @defaultValue that of collisions */
  stages?: Record<string, StageReader>
}

/** JSON goes on with the same bits. */
export function reloads(make: MakeWorld, options: ReloadOptions = {}): void {
  const world = make()
  const own = world.batches.filter(({ type }) => type.traits?.transient !== true).map(({ type }) => type)
  const types = [...new Set([...own, ...(options.types ?? [])])]
  const stages = options.stages ?? { collisions: collisionsFromJSON }
  const again = fromJSON(JSON.stringify(world), types as never, stages)
  same(again.hash(), world.hash(), 'hash of a world from JSON')
  for (let step = 0; step < (options.steps ?? 30); step++) {
    for (const each of [world, again]) {
      options.act?.(each, step)
      each.step()
    }
    same(again.hash(), world.hash(), `hash ${step + 1} steps after JSON`)
  }
}

/** Nothing becomes NaN or infinite, and no body is frozen for it. */
export function staysFinite(make: MakeWorld, watch: Watch = {}): void {
  const world = make()
  play(world, watch, (step) => {
    const { nonFinite } = world.report
    same(nonFinite.map(({ label }) => label).join(), '', `non-finite bodies after ${step + 1} steps`)
    const motion = world.bodies.all().flatMap((body) => [...body.velocity, ...body.angularVelocity])
    same([...poses({ world }), ...motion].every(Number.isFinite), true, `finiteness after ${step + 1} steps`)
  })
}

/** What momentum may change by, as a share of the momenta that are added up. */
export interface MomentumOptions extends Watch {
  /** Of linear momentum. @defaultValue 1e-9 */
  linear?: number
  /**
   * Of angular momentum: rows of the present pose keep it to the order of the substep only, unless `jacobians: 'start'`.
   * @defaultValue Infinity
   */
  angular?: number
}

/** Momentum stays: for worlds without gravity in which all bodies are dynamic, and nothing is joined to the world. */
export function keepsMomentum(
  make: MakeWorld,
  { linear = 1e-9, angular = Infinity, ...watch }: MomentumOptions = {},
): void {
  const world = make()
  const before = world.momentum()
  play(world, watch, (step) => {
    const now = world.momentum()
    let size = 1e-6
    for (const { mass, velocity, position } of world.bodies.all()) {
      size += mass * length([...velocity]) * (1 + length([...position]))
    }
    const off = (a: readonly number[], b: readonly number[]): number => length(a.map((x, k) => x - b[k]))
    atMost(off(now.linear, before.linear), linear * size, `change of linear momentum [kg m/s] after ${step + 1} steps`)
    atMost(
      off(now.angular, before.angular),
      angular * size,
      `change of angular momentum [kg m²/s] after ${step + 1} steps`,
    )
  })
}

/** What energy may be gained. */
export interface PassiveOptions extends Watch {
  /** Share of what there was. @defaultValue 0.01 */
  gain?: number
  /** What may be gained besides [J]. @defaultValue 1e-6 */
  floor?: number
}

/** Energy is not made: for worlds without motors, and without an `act` that works. */
export function isPassive(make: MakeWorld, { gain = 0.01, floor = 1e-6, ...watch }: PassiveOptions = {}): void {
  const world = make()
  const start = world.energy()
  play(world, watch, (step) => {
    const { total } = world.energy()
    // Potential energy has no zero: what counts is how much could have become kinetic.
    const scale = start.kinetic + start.elastic + Math.abs(start.potential)
    atMost(total - start.total, gain * scale + floor, `energy gained [J] after ${step + 1} steps`)
  })
}

/** Largest errors that are let be. */
export interface ResidualOptions extends Watch {
  /** Of lengths [m]. @defaultValue 0.01 */
  linear?: number
  /** Of angles [rad]. @defaultValue 0.01 */
  angular?: number
}

/** Constraints are met after every step. */
export function staysMet(make: MakeWorld, { linear = 0.01, angular = 0.01, ...watch }: ResidualOptions = {}): void {
  const world = make()
  play(world, watch, (step) => {
    for (const [name, residual] of Object.entries(world.residual())) {
      atMost(residual.linear?.max ?? 0, linear, `residual of ${name} [m] after ${step + 1} steps`)
      atMost(residual.angular?.max ?? 0, angular, `residual of ${name} [rad] after ${step + 1} steps`)
    }
  })
}

/** Multipliers of one-sided rows and of motors stay within their bounds. */
export function keepsLimits(make: MakeWorld, watch: Watch = {}): void {
  const world = make()
  play(world, watch, (step) => {
    const h = world.clock.substepLength
    for (const constraint of world.constraints()) {
      if (!constraint.enabled) continue
      const lambda = constraint.multipliers
      for (const { kind, law, lower, upper, width, rows } of gradient(constraint)) {
        if (kind !== 'scalar' || law === 'implicitForce' || width < Infinity) continue
        const force = lambda[rows[0].multiplier] / (h * h)
        const slack = 1e-6 * (1 + Math.abs(force))
        const what = `force of ${constraint.typeName} [N or N m] after ${step + 1} steps`
        atMost(force, upper + slack, `${what}, by its upper bound,`)
        atMost(-force, -lower + slack, `negative ${what}, by its lower bound,`)
      }
    }
  })
}

/** Where a world is moved to, and how far off its motion may be. */
export interface FrameOptions extends Watch {
  /** How the world is turned, [x, y, z, w]. @defaultValue [0.5, 0.5, 0.5, 0.5] */
  rotation?: Quat
  /** How far it is moved [m]. @defaultValue [3, -2, 1] */
  shift?: Vec3
  /** Of positions [m], and of quaternions. @defaultValue 1e-6 */
  tolerance?: number
  /** Steps to run. @defaultValue 10 */
  steps?: number
}

/** A world that is turned and moved as a whole, gravity as well, does the same: where nothing is joined to the world. */
export function isFrameInvariant(make: MakeWorld, options: FrameOptions = {}): void {
  const { rotation = [0.5, 0.5, 0.5, 0.5], shift = [3, -2, 1], tolerance = 1e-6, steps = 10, ...watch } = options
  const [here, there] = [make(), make()]
  for (const world of [here, there]) {
    // Poses that are set are edits, in both.
    if (world === there) moveAll({ world }, rotation, shift)
    else moveAll({ world }, [0, 0, 0, 1], [0, 0, 0])
  }
  const turned = (v: ArrayLike<number>): Vec3 => movedPoint(rotation, [0, 0, 0], v, 0)
  there.configure({ gravity: turned(there.settings.gravity) })
  here.configure({ gravity: here.settings.gravity as unknown as Vec3 })
  for (const body of there.bodies.all()) {
    body.setVelocity(turned(body.velocity))
    if (!body.isParticle) body.setAngularVelocity(turned(body.angularVelocity))
  }
  for (const world of [here, there]) play(world, { steps, ...watch })
  moveAll({ world: here }, rotation, shift)
  const off = farthest(rotationsOnce({ world: here }), rotationsOnce({ world: there }))
  atMost(off, tolerance, 'poses of a world that is turned less those of one that is turned afterwards')
}

/** Step of central differences [m, rad]. */
const STEP = 6e-6
/** Vectors shorter than this have no direction to take a gradient of [m, rad]. */
const SHORT = 0.02

/**
 * The gradient of one constraint is that of central differences at the present pose, within `tolerance` of its length or of 1; at a kink
 * it may be any between its two slopes.
 */
export function gradientMatches<Def extends object>(handle: Constraint<Def>, tolerance: number = 1e-6): void {
  const constraint = handle as unknown as Constraint
  const before = measured({ constraint })
  handle.bodies.forEach((body, b) => {
    if (body === null) return
    for (let axis = 0; axis < (body.isParticle ? 3 : 6); axis++) {
      const at = (by: number): number[] => {
        const { position, orientation } = handle.world.bodies.columns
        const kept = [position.slice(), orientation.slice()]
        nudge(handle.world, body, axis, by)
        const errors = measured({ constraint }).map(({ error }) => error)
        position.set(kept[0])
        orientation.set(kept[1])
        return errors
      }
      const [up, down] = [at(STEP), at(-STEP)]
      before.forEach(({ law, size, error, gradient: g }, k) => {
        if (law === 'implicitForce' || (size > 1 && error < SHORT) || up[k] === undefined || down[k] === undefined)
          return
        const [ahead, behind] = [(up[k] - error) / STEP, (error - down[k]) / STEP]
        const off = Math.abs(0.5 * (ahead + behind) - g[6 * b + axis])
        const bound = tolerance * Math.max(1, length(g)) + 0.5 * Math.abs(ahead - behind)
        atMost(off, bound, `gradient less differences, group ${k}, body ${b}, axis ${axis},`)
      })
    }
  })
}
