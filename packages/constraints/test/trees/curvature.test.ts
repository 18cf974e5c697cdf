import { type Body, type ConstraintType, solidBox, World } from '@tautline/core'
import { type Batch, Curvature, rotate } from '@tautline/core/kernel'
import { quat } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { axle, ballSocket, distance, fixed, hinge, slider, swingTwist, universal } from '../../src/index.js'

/** Step of the differences [m, rad]: their error is of the order of its square, that of rounding 1e-16 over its square. */
const STEP = 1e-3
/** Of second derivatives of order 1. */
const SAME = 2e-5

type Fields = Record<string, unknown>

type Entry = readonly [string, object, (random: Random, a: Body, b: Body) => Fields]

/** A range whose ends are far, and whose middle, where a row changes ends, is not 0. */
const WIDE = { min: -2.5, max: 3 }
/** Farthest that b's frame is turned from a's [rad]: differences are of the fourth order, and grow towards half a turn. */
const TURNED = 1.5

/** Frames of a swing–twist joint that stand a random turn apart. */
function framesApart(random: Random, a: Body, b: Body): Fields {
  const at = random.rotation() as quat
  const turn = quat.setAxisAngle(quat.create(), random.direction(), random.between(0, TURNED))
  const frameOn = ({ orientation: [x, y, z, w] }: Body, frame: quat): number[] => [
    ...quat.normalize(quat.create(), quat.multiply(quat.create(), [-x, -y, -z, w], frame)),
  ]
  return { frameA: frameOn(a, at), frameB: frameOn(b, quat.multiply(quat.create(), at, turn)) }
}

const JOINTS: readonly Entry[] = [
  ['ballSocket', ballSocket, (random) => ({ point: random.vector() })],
  ['hinge', hinge, (random) => ({ point: random.vector(), axis: random.direction() })],
  ['fixed', fixed, (random) => ({ point: random.vector() })],
  ['universal', universal, (random) => ({ point: random.vector(), axisA: random.direction() })],
  ['swingTwist', swingTwist, (random) => ({ point: random.vector(), axis: random.direction() })],
  [
    'hinge with limits and a drive',
    hinge,
    (random) => ({
      point: random.vector(),
      axis: random.direction(),
      limits: WIDE,
      drive: { stiffness: 1, positionTarget: 0.3 },
    }),
  ],
  [
    'swingTwist with limits',
    swingTwist,
    (random, a, b) => ({
      point: random.vector(),
      ...framesApart(random, a, b),
      swing: { y: WIDE, z: WIDE },
      twist: WIDE,
    }),
  ],
  ['distance', distance, (random) => ({ anchorA: random.vector(0.3), anchorB: random.vector(0.3) })],
  ['slider', slider, (random) => ({ anchorA: random.vector(), axis: random.direction() })],
  ['axle', axle, (random) => ({ axis: random.direction() })],
]

/** A joint that is satisfied, between two bodies at random poses, with random multipliers. */
function scene(type: object, def: Entry[2], seed: number) {
  const random = new Random(seed)
  const world = new World({ solver: 'sweep' })
  const inertia = solidBox(1, [1, 1, 1])
  const a = world.addBody({ position: [0, 0, 0], orientation: random.rotation(), inertia })
  const b = world.addBody({ position: [1, 0.4, 0.2], orientation: random.rotation(), inertia })
  const { batch } = world.add(type as ConstraintType<Fields>, { a, b, ...def(random, a, b) })
  world.refreshOrder()
  batch.common.lambda.set(Array.from({ length: batch.type.multipliers }, () => random.between(-1, 1)))
  return { world, batch: batch as Batch, rows: [a.index, b.index] }
}

/** −Σ λ c with both bodies moved and turned by twelve numbers. */
function potential({ world, batch, rows }: ReturnType<typeof scene>, by: readonly number[]): number {
  const c = world.bodies.columns
  const [position, orientation] = [c.position.slice(), c.orientation.slice()]
  rows.forEach((i, s) => {
    for (let k = 0; k < 3; k++) c.position[4 * i + k] += by[6 * s + k]
    rotate(c.orientation, 4 * i, by[6 * s + 3], by[6 * s + 4], by[6 * s + 5])
  })
  const out = batch.rows
  out.clear()
  batch.type.evaluate(c, batch, 0, out)
  let sum = 0
  for (let k = 0; k < out.count; k++) sum -= batch.common.lambda[out.multiplier[k]] * out.c[k]
  c.position.set(position)
  c.orientation.set(orientation)
  return sum
}

/** Second difference along coordinates r and s. */
function difference(of: ReturnType<typeof scene>, r: number, s: number): number {
  const at = (p: number, q: number): number => {
    const by = new Array<number>(12).fill(0)
    by[r] += p
    by[s] += q
    return potential(of, by)
  }
  return (at(STEP, STEP) - at(STEP, -STEP) - at(-STEP, STEP) + at(-STEP, -STEP)) / (4 * STEP * STEP)
}

/** Entry (r, s) of what a type wrote, s <= r. */
function entry({ a, b, ba, turnA, turnB }: Curvature, r: number, s: number): number {
  if (r < 6) return a[6 * r + s] + turned(turnA, r, s)
  return s >= 6 ? b[6 * (r - 6) + s - 6] + turned(turnB, r - 6, s - 6) : ba[6 * (r - 6) + s]
}

/** The same of a rotation's triangle: xx, yx, yy, zx, zy, zz. */
function turned(triangle: Float64Array, r: number, s: number): number {
  return r < 3 || s < 3 ? 0 : triangle[[0, 1, 3][r - 3] + s - 3]
}

describe(`geometric stiffness is −Σ λ ∂²c/∂X² (seed ${SEED})`, () => {
  test.each(JOINTS)('%s', (_, type, def) => {
    for (let k = 0; k < 10; k++) {
      const of = scene(type, def, SEED + k)
      const out = new Curvature()
      potential(of, new Array<number>(12).fill(0))
      of.batch.type.joint?.curvature?.(of.world.bodies.columns, of.batch, 0, out)
      for (let r = 0; r < 12; r++) {
        for (let s = 0; s <= r; s++) {
          expect(Math.abs(entry(out, r, s) - difference(of, r, s)), `${r}, ${s}`).toBeLessThan(SAME)
        }
      }
    }
  })

  test('what is safe between two bodies has nothing between them', () => {
    const of = scene(hinge, (random) => ({ point: random.vector(), axis: random.direction() }), SEED)
    const out = new Curvature()
    out.safe = true
    potential(of, new Array<number>(12).fill(0))
    of.batch.type.joint?.curvature?.(of.world.bodies.columns, of.batch, 0, out)
    expect(out.coupled).toBe(false)
  })
})
