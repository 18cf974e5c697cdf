/**
 * A user's constraint from its error function alone.
 *
 *   c(X) = error(bodies, params), one scalar; its gradient is given, or taken by central differences
 *   ∂c/∂x ≈ (c(x + ε) − c(x − ε)) / 2ε, ∂c/∂θ likewise with q ← exp(±ε/2) q, good to about 1e-10.
 *
 * A gradient by differences keeps momentum to that accuracy only; give `gradient` where round-off is wanted. For the same
 * bits on every engine an error function must itself use only + − × ÷ √ and the functions exported by this package.
 */

import { callable, integer, knownFields, oneOf, shown } from './assert.js'
import type { Batch } from '../state/batch.js'
import { WORLD_BODY } from '../state/body-columns.js'
import type { BodyColumns } from '../state/body-columns.js'
import type { ManyDef } from './common.js'
import type { ConstraintType } from './contract.js'
import { rotateVector, rotate } from '../math/rotation.js'
import type { Rows, Unit } from './rows.js'

/** Step of the central differences [m, rad]: near ε^(1/3) of a double, where truncation meets round-off. */
const DIFFERENCE = 6e-6

/** Most bodies that one constraint joins: each has columns of its own in every row. */
const MOST_BODIES = 1024

/** A body as an error function sees it. Do not keep it: it is overwritten. */
export class CustomBody {
  /** Centre of mass [m]. */
  readonly position: Float64Array = new Float64Array(3)
  /** Unit quaternion `[x, y, z, w]`. */
  readonly orientation: Float64Array = new Float64Array(4)
  private readonly scratch = new Float64Array(3)

  /** A body-space point in world space [m]. */
  point(local: ArrayLike<number>): [number, number, number] {
    const [x, y, z] = this.direction(local)
    return [this.position[0] + x, this.position[1] + y, this.position[2] + z]
  }

  /** A body-space direction in world space. */
  direction(local: ArrayLike<number>): [number, number, number] {
    rotateVector(this.orientation, 0, local[0], local[1], local[2], this.scratch, 0)
    return [this.scratch[0], this.scratch[1], this.scratch[2]]
  }
}

/** Where a `gradient` function writes: for body `b` of the definition. Calls add up. */
export interface GradientOut {
  /** ∂c/∂x. */
  linear(b: number, x: number, y: number, z: number): void
  /** ∂c/∂θ, world frame. */
  angular(b: number, x: number, y: number, z: number): void
}

/** What {@link custom} takes. */
export interface CustomOptions<Params> {
  /** Unique among the types of a world. */
  name: string
  /** How many bodies it joins. */
  bodies: number
  /**
   * The error c(X) that is to be 0, or to be bounded from one side. Where it throws while a constraint is made, that comes out. In a step
   * the row is skipped and named in `world.report.skipped`, as one that is not finite, and the error comes out of that step when it is done.
   */
  error(bodies: readonly CustomBody[], params: Params): number
  /** Its gradient, where differences are not good or fast enough. @defaultValue central differences */
  gradient?(bodies: readonly CustomBody[], params: Params, out: GradientOut): void
  /** `equal` holds c = 0, `atLeast` c ≥ 0, `atMost` c ≤ 0. @defaultValue 'equal' */
  holds?: 'equal' | 'atLeast' | 'atMost'
  /** Unit of the error, for read-outs. @defaultValue 'm' */
  unit?: Unit
}

/** Definition of a custom constraint. */
export interface CustomDef<Params = undefined> extends ManyDef {
  /** Handed to `error` and `gradient`: plain data, so that a scene can be saved. @defaultValue none */
  params?: Params
}

/** Makes a constraint type from an error function. Add it like any other: `world.add(type, { bodies: [a, b] })`. */
export function custom<Params = undefined>(options: CustomOptions<Params>): ConstraintType<CustomDef<Params>> {
  knownFields('custom: options', options, ['name', 'bodies', 'error', 'gradient', 'holds', 'unit'])
  const { name, bodies: arity, error, gradient, holds = 'equal', unit = 'm' } = options
  if (typeof name !== 'string' || name === '') throw new TypeError(`custom: name must be a text, got ${shown(name)}`)
  integer('custom: bodies', arity, 1, MOST_BODIES)
  callable('custom: error', error)
  if (gradient !== undefined) callable('custom: gradient', gradient)
  oneOf('custom: holds', holds, ['equal', 'atLeast', 'atMost'])
  oneOf('custom: unit', unit, ['m', 'rad', 'm3', '1'])
  const views = Array.from({ length: arity }, () => new CustomBody())
  return {
    name,
    order: 2,
    traits: {
      opaque: true,
      rotatesWithFrame: gradient !== undefined,
      isCurved: true,
    },
    arity,
    multipliers: 1,
    columns: {},
    fields: ['bodies', 'params'],
    resolve(def, { bodies, exists }) {
      if (exists === true) return def
      load(
        bodies,
        def.bodies.map((body) => body.index),
        views,
      )
      const c = atPresent(name, def.params, () => error(views, def.params as Params))
      if (!Number.isFinite(c)) {
        throw new RangeError(
          `${name}: error must be finite at the present pose, got ${c} with params ${shown(def.params)}`,
        )
      }
      return def
    },
    write() {},
    evaluate(bodies, batch, row, out) {
      const params = paramsOf<Params>(batch, row)
      load(bodies, batch.common.body.subarray(arity * row, arity * (row + 1)), views)
      const group = out.group('scalar', 'position', unit)
      group.compliance = batch.common.compliance[row]
      group.rayleigh = batch.common.rayleigh[row]
      if (holds === 'atLeast') group.lower = 0
      if (holds === 'atMost') group.upper = 0
      out.row(0, NaN)
      try {
        out.c[out.count - 1] = error(views, params)
        if (gradient !== undefined) gradient(views, params, out)
        else differentiate(views, (): number => error(views, params), out)
      } catch (thrown) {
        if (out.strict) throw thrown
        // No number: the row is skipped and named, and the step tells why when it is done.
        if (out.thrown.length === 0) out.thrown.push(thrown)
        out.linear(0, NaN, NaN, NaN)
      }
    },
  }
}

/** What an error function gives where its constraint is added; what it throws there is told with the name of the type. */
function atPresent(name: string, params: unknown, error: () => number): number {
  try {
    return error()
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(
      `${name}: error must be a number at the present pose, got an error with params ${shown(params)}: ${said}`,
      {
        cause,
      },
    )
  }
}

function paramsOf<Params>(batch: Batch, row: number): Params {
  return (batch.definition(batch.common.slot[row]) as CustomDef<Params>).params as Params
}

function load(bodies: BodyColumns, ids: ArrayLike<number>, views: readonly CustomBody[]): void {
  views.forEach((view, b) => {
    const o = 4 * (ids[b] ?? WORLD_BODY)
    view.position.set(bodies.position.subarray(o, o + 3))
    view.orientation.set(bodies.orientation.subarray(o, o + 4))
  })
}

function differentiate(views: readonly CustomBody[], error: () => number, out: Rows): void {
  const g = new Float64Array(6)
  const kept = new Float64Array(4)
  views.forEach((view, b) => {
    for (let axis = 0; axis < 3; axis++) {
      const x = view.position[axis]
      view.position[axis] = x + DIFFERENCE
      const up = error()
      view.position[axis] = x - DIFFERENCE
      g[axis] = (up - error()) / (2 * DIFFERENCE)
      view.position[axis] = x
    }
    kept.set(view.orientation)
    for (let axis = 0; axis < 3; axis++) {
      const e = [0, 0, 0]
      e[axis] = DIFFERENCE
      rotate(view.orientation, 0, e[0], e[1], e[2])
      const up = error()
      view.orientation.set(kept)
      rotate(view.orientation, 0, -e[0], -e[1], -e[2])
      g[3 + axis] = (up - error()) / (2 * DIFFERENCE)
      view.orientation.set(kept)
    }
    out.linear(b, g[0], g[1], g[2])
    out.angular(b, g[3], g[4], g[5])
  })
}
