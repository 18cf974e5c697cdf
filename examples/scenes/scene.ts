/** What a scene is: a world, how to run it, what to draw, and what to measure. */

import type { Body, World } from '@tautline/core'
import type { Embedding } from '../lib/embed.js'

/** A shape to draw, in the space of its body; without a body it stands still. */
export type Shape =
  | { readonly kind: 'sphere'; readonly body: Body; readonly radius: number }
  | {
      readonly kind: 'capsule'
      readonly body: Body
      readonly from: readonly [number, number, number]
      readonly to: readonly [number, number, number]
      readonly radius: number
    }
  /** The plane y = `height`. */
  | { readonly kind: 'ground'; readonly height: number }

/** A surface that moves. */
export interface Surface {
  readonly triangles: ArrayLike<number>
  /** How many vertices. */
  readonly count: number
  /** The vertices in order; with an embedding, what they are tied to. */
  readonly nodes: readonly Body[]
  readonly embedding?: Embedding
  /** Writes x, y, z of each vertex [m]. */
  write(out: Float64Array): void
}

/** What there is to see. */
export interface Picture {
  readonly shapes: readonly Shape[]
  /** Lines between centres of bodies. */
  readonly lines: readonly (readonly [Body, Body])[]
  readonly surface?: Surface
}

/** A number that a scene reports beside those that all scenes have. */
export interface Figure {
  readonly value: number
  readonly unit: string
}

/** What a scene says of its present state. */
export interface Measures {
  /** Largest relative lengthening of what ought to keep its length. */
  readonly stretch: number
  readonly figures: Readonly<Record<string, Figure>>
}

/** A scene that is ready to run: `beforeStep(i)`, then `world.step(dt)`, `steps` times. */
export interface Scene<Parameters extends object = object> {
  readonly name: string
  /** All of them, also those that were left out: plain data that makes the same scene again. */
  readonly parameters: Readonly<Parameters>
  readonly world: World
  /** [s] */
  readonly dt: number
  readonly steps: number
  readonly picture: Picture
  /** From this step on nothing puts energy in: where the energy balance starts. @defaultValue 0 */
  readonly freeFrom?: number
  beforeStep?(step: number): void
  measure(): Measures
}

/** A world's clockwork, which all scenes let one set. */
export interface Timing {
  /** [s] */
  dt: number
  substeps: number
  /** Sweeps a substep. */
  iterations: number
  /** Simulated time [s]. */
  seconds: number
}

/**
 * Parameters over defaults. Names that a scene does not have, and numbers that are not finite, are errors; numbers of the
 * names in `positive` have to be above 0.
 */
export function withDefaults<P extends object>(
  where: string,
  defaults: P,
  given: Partial<P>,
  positive: readonly (keyof P & string)[],
): P {
  for (const [name, value] of Object.entries(given)) {
    if (!(name in defaults)) {
      throw new TypeError(`${where}: parameters must be ${Object.keys(defaults).join(', ')}, got ${name}`)
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new RangeError(`${where}: ${name} must be finite, got ${value}`)
    }
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  const merged = { ...defaults, ...Object.fromEntries(entries) } as P
  for (const name of positive) {
    if (!((merged[name] as number) > 0))
      throw new RangeError(`${where}: ${name} must be > 0, got ${String(merged[name])}`)
  }
  return merged
}

/** Steps in `seconds`, at least one. */
export function stepsIn({ seconds, dt }: Timing): number {
  return Math.max(1, Math.round(seconds / dt))
}

/** Length between the centres of two bodies [m]. */
export function distanceBetween(world: World, a: Body, b: Body): number {
  const { position } = world.bodies.columns
  const x = position[4 * a.index] - position[4 * b.index]
  const y = position[4 * a.index + 1] - position[4 * b.index + 1]
  const z = position[4 * a.index + 2] - position[4 * b.index + 2]
  return Math.sqrt(x * x + y * y + z * z)
}

/** Positions of bodies, x, y, z each, into `out`. */
export function writePositions(world: World, bodies: readonly Body[], out: Float64Array): void {
  const { position } = world.bodies.columns
  for (let i = 0; i < bodies.length; i++) {
    const o = 4 * bodies[i].index
    out[3 * i] = position[o]
    out[3 * i + 1] = position[o + 1]
    out[3 * i + 2] = position[o + 2]
  }
}
