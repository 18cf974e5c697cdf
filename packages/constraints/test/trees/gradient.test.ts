import { type ConstraintType, solidBox, World } from '@tautline/core'
import { type Batch, rotate } from '@tautline/core/kernel'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { axle, ballSocket, fixed, hinge, slider } from '../../src/index.js'

/** Step of the differences [m, rad], and what that and rounding leave of first derivatives of order 1. */
const STEP = 1e-5
const SAME = 1e-8
const SEEDS = 20

type Fields = Record<string, unknown>

const JOINTS: readonly (readonly [string, object, (random: Random) => Fields])[] = [
  ['ballSocket', ballSocket, (random) => ({ anchorA: random.vector(), anchorB: random.vector() })],
  ['hinge', hinge, (random) => ({ point: random.vector(), axis: random.direction() })],
  ['fixed', fixed, (random) => ({ point: random.vector() })],
  ['slider', slider, (random) => ({ anchorA: random.vector(), axis: random.direction() })],
  ['axle', axle, (random) => ({ axis: random.direction() })],
]

/** A soft joint whose bodies have been moved by half a metre and turned by up to one radian each since it was made. */
function violated(type: object, def: (random: Random) => Fields, random: Random): { world: World; batch: Batch } {
  const world = new World({ solver: 'sweep' })
  const inertia = solidBox(1, [1, 1, 1])
  const a = world.addBody({ position: [0, 0, 0], orientation: random.rotation(), inertia })
  const b = world.addBody({ position: [1, 0.4, 0.2], orientation: random.rotation(), inertia })
  const angular = type === hinge || type === fixed || type === slider ? { angularCompliance: 1e-3 } : {}
  const { batch } = world.add(type as ConstraintType<Fields>, { a, b, compliance: 1e-3, ...angular, ...def(random) })
  world.refreshOrder()
  for (const body of [a, b]) {
    move(world, body.index, [...random.vector(0.5), ...random.vector(1)], 1)
  }
  return { world, batch: batch as Batch }
}

function move({ bodies: { columns: c } }: World, i: number, by: readonly number[], share: number): void {
  for (let k = 0; k < 3; k++) c.position[4 * i + k] += share * by[k]
  rotate(c.orientation, 4 * i, share * by[3], share * by[4], share * by[5])
}

function evaluate(world: World, batch: Batch): Float64Array {
  batch.rows.clear()
  batch.type.evaluate(world.bodies.columns, batch, 0, batch.rows)
  return batch.rows.c.slice(0, batch.rows.count)
}

describe(`gradients of springs that are stretched (seed ${SEED})`, () => {
  test.each(JOINTS)('%s: as differences are', (_, type, def) => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const { world, batch } = violated(type, def, new Random(SEED + seed))
      batch.rows.exactSprings = true
      const { columns: c } = world.bodies
      const kept = [c.position.slice(), c.orientation.slice()]
      const difference = (coordinate: number): Float64Array[] =>
        [STEP, -STEP].map((step) => {
          const by = Array.from({ length: 6 }, (_, k) => (k === coordinate % 6 ? 1 : 0))
          move(world, batch.ids[Math.floor(coordinate / 6)], by, step)
          const errors = evaluate(world, batch)
          c.position.set(kept[0])
          c.orientation.set(kept[1])
          return errors
        })
      const differences = Array.from({ length: 12 }, (_, k) => difference(k))
      evaluate(world, batch)
      for (let row = 0; row < batch.rows.count; row++) {
        differences.forEach(([more, less], k) => {
          expect(batch.rows.J[12 * row + k]).toBeCloseTo((more[row] - less[row]) / (2 * STEP), -Math.log10(2 * SAME))
        })
      }
    }
  })
})
