/** A rod between two points of two bodies, right, and with a fault planted: what `conformance` has to find. */

import { type ConstraintType, custom, type CustomBody, type CustomOptions } from '@tautline/core'
import { type CustomDef, sweepRows } from '@tautline/core/kernel'
import { decades, real, record, vector } from '@tautline/fast-check'

type Vec = readonly [number, number, number]

/** Anchors in body space, and the length [m]. */
export interface RodParams {
  p: Vec
  q: Vec
  length: number
}

type Rod = ConstraintType<CustomDef<RodParams>>

/** Random definitions of a rod. */
export const rods = record({
  params: record({ p: vector(0.5), q: vector(0.5), length: real(0.3, 2, 1) }),
  compliance: decades(1e-5, 1e-3),
})

const SHORT = 1e-9

function cross(a: Vec, b: Vec): [number, number, number] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function minus(a: Vec, b: ArrayLike<number>): [number, number, number] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function length([x, y, z]: Vec): number {
  return Math.sqrt(x * x + y * y + z * z)
}

/** From the second body's point to the first's. */
function between([a, b]: readonly CustomBody[], { p, q }: RodParams): [number, number, number] {
  return minus(a.point(p), b.point(q))
}

/** The unit vector along it; where it has none, nothing pushes. */
function along(bodies: readonly CustomBody[], params: RodParams): [number, number, number] {
  const d = between(bodies, params)
  const l = length(d)
  return l > SHORT ? [d[0] / l, d[1] / l, d[2] / l] : [0, 0, 0]
}

const RIGHT: CustomOptions<RodParams> = {
  name: 'rod',
  bodies: 2,
  error: (bodies, params) => length(between(bodies, params)) - params.length,
  gradient(bodies, params, out) {
    const n = along(bodies, params)
    out.linear(0, ...n)
    out.linear(1, -n[0], -n[1], -n[2])
    out.angular(0, ...cross(bodies[0].direction(params.p), n))
    out.angular(1, ...cross(n, bodies[1].direction(params.q)))
  },
}

const rod = (changes: Partial<CustomOptions<RodParams>> = {}): Rod => custom({ ...RIGHT, ...changes })

/** Without a fault: every check must pass. */
export const soundRod: Rod = rod()

/** A rod whose `evaluate` is followed by something. */
function afterwards(change: (out: Parameters<Rod['evaluate']>[3]) => void): Rod {
  return {
    ...soundRod,
    evaluate(bodies, batch, row, out) {
      soundRod.evaluate(bodies, batch, row, out)
      change(out)
    },
  }
}

function forgetful(): Rod {
  let last = 0
  return rod({
    error(bodies, params) {
      const c = RIGHT.error(bodies, params)
      const smooth = c + 0.01 * (c - last)
      last = c
      return smooth
    },
  })
}

/** Faults by name. */
export const PLANTED: Readonly<Record<string, () => Rod>> = {
  'wrong sign of a gradient': () =>
    rod({
      gradient(bodies, params, out) {
        RIGHT.gradient?.(bodies, params, {
          linear: (b, x, y, z) => out.linear(b, -x, -y, -z),
          angular: (b, x, y, z) => out.angular(b, -x, -y, -z),
        })
      },
    }),
  'missing angular part': () =>
    rod({
      gradient: (bodies, params, out) =>
        RIGHT.gradient?.(bodies, params, { linear: out.linear.bind(out), angular() {} }),
    }),
  'gradient in body space': () =>
    rod({
      gradient(bodies, params, out) {
        const n = along(bodies, params)
        out.linear(0, ...n)
        out.linear(1, -n[0], -n[1], -n[2])
        out.angular(0, ...cross(params.p, n))
        out.angular(1, ...cross(n, params.q))
      },
    }),
  'pair that is not symmetric': () =>
    rod({
      error: ([a, b], { p, q, length: wanted }) => {
        const [x, y, z] = minus(
          a.point(p),
          b.point(q).map((value) => 0.9 * value),
        )
        return length([x, y, z]) - wanted
      },
      gradient: undefined as never,
    }),
  'state outside the columns': forgetful,
  'NaN at coincidence': () =>
    rod({
      gradient(bodies, params, out) {
        const d = between(bodies, params)
        const n = d.map((x) => x / length(d)) as [number, number, number]
        out.linear(0, ...n)
        out.linear(1, -n[0], -n[1], -n[2])
        out.angular(0, ...cross(bodies[0].direction(params.p), n))
        out.angular(1, ...cross(n, bodies[1].direction(params.q)))
      },
    }),
  'error in centimetres': () =>
    rod({
      error: (bodies, params) => 100 * RIGHT.error(bodies, params),
      gradient(bodies, params, out) {
        RIGHT.gradient?.(bodies, params, {
          linear: (b, x, y, z) => out.linear(b, 100 * x, 100 * y, 100 * z),
          angular: (b, x, y, z) => out.angular(b, 100 * x, 100 * y, 100 * z),
        })
      },
    }),
  'multiplier that makes energy': () => afterwards(({ groups }) => (groups[0].rayleigh = -20 * groups[0].compliance)),
  'definition that does not survive JSON': () => ({
    ...soundRod,
    resolve(def, context) {
      const full = soundRod.resolve(def, context)
      const lengths = new Map([['length', full.params?.length ?? 0]])
      return { ...full, params: { ...(full.params as RodParams), lengths } }
    },
  }),
  'dependence on the world frame': () =>
    rod({
      error(bodies, params) {
        const d = between(bodies, params)
        return length([d[0], 1.1 * d[1], d[2]]) - params.length
      },
      gradient: undefined as never,
    }),
  'sweep that is not its evaluate': () => ({
    ...soundRod,
    loop: {
      ...soundRod.loop,
      sweep(bodies, batch, from, to, h) {
        // Once too often: what was corrected is corrected again by half of it.
        const before = bodies.position.slice()
        sweepRows(bodies, batch, from, to, h, false)
        for (let k = 0; k < before.length; k++)
          if (k % 4 < 3) bodies.position[k] += 0.5 * (bodies.position[k] - before[k])
      },
    },
  }),
  'length that is read from the pose of each change': () => ({
    ...soundRod,
    columns: { rest: 1 },
    write(batch, row) {
      batch.columns.rest[row] = presentLength(batch.definition(batch.common.slot[row]) as CustomDef<RodParams>)
    },
  }),
}

/** Distance of the centres of a rod's bodies [m]. */
function presentLength({ bodies: [a, b] }: CustomDef<RodParams>): number {
  return length(minus(a.position as [number, number, number], b.position))
}
