/** One pass over a limit, in closed form, and that the reference over `evaluate` takes the same. */

import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { slider } from '../../src/index.js'
import { LIMIT, limitDelta, writeLimit } from '../../src/parts/scalar.js'
import { sweeps } from './support.js'

/** Round-off of a few operations on numbers up to 10. */
const ROUND_OFF = 1e-13

/** The multiplier that brings φ − w λ₀ into the range, and 0 where it is in it. */
function exact(min: number, max: number, phi: number, w: number, old: number): number {
  const free = phi - w * old
  return free < min ? (min - free) / w : free > max ? (max - free) / w : 0
}

function fresh(min: number, max: number, phi: number, w: number, old: number): number {
  const column = new Float64Array(LIMIT)
  writeLimit(column, 0, { min, max })
  const lambda = Float64Array.of(old)
  limitDelta(column, 0, phi, 0, w, lambda, 0, 1, 0, 1 / 240)
  return lambda[0]
}

describe(`a limit (seed ${SEED})`, () => {
  test('one pass gives the multiplier of the bound that holds, wherever the last one came from', () => {
    const random = new Random(SEED)
    for (let k = 0; k < 2000; k++) {
      const from = random.between(-1, 1)
      const to = from + (random.chance(0.3) ? 0 : random.between(0, 1))
      // Limits that are open at both ends have no row.
      const [min, max] = random.chance(0.2) ? [-Infinity, to] : [from, random.chance(0.2) ? Infinity : to]
      const [phi, w, old] = [random.between(-3, 3), random.between(0.1, 2), random.between(-3, 3)]
      expect(Math.abs(fresh(min, max, phi, w, old) - exact(min, max, phi, w, old))).toBeLessThan(ROUND_OFF / w)
    }
  })

  test('a push at one end of a range is kept when the coordinate is found at the other end', () => {
    // Pushed up by 2 from -1.5: it is at 0.5 and may stay at 0 only.
    expect(fresh(0, 0.2, 0.5, 1, 2)).toBeCloseTo(1.5, 12)
    expect(fresh(-0.2, 0, -0.5, 1, -2)).toBeCloseTo(-1.5, 12)
  })

  test.each([0, 0.01])('a slider with a range of %d m takes the same pass as the reference', (width) => {
    const ends = [true, false].map((own) => {
      const world = new World({ gravity: [0, 0, 0] })
      const b = world.addBody({ mass: 2, inertia: 1 })
      const limits = { min: 0, max: width }
      const constraint = world.add(slider, { a: null, b, axis: [1, 0, 0], limits, solver: 'sweep' })
      world.refreshOrder()
      world.batches[0].rows.substep = 1 / 240
      // Pushed up by 2 kg × 0.3 m, and thrown past the range.
      b.setPosition([width + 0.2, 0, 0])
      constraint.batch.common.lambda[5] = 0.6
      sweeps(world, 1, own)
      return [b.position[0], constraint.multipliers[5]]
    })
    expect(ends[0][0]).toBeCloseTo(ends[1][0], 12)
    expect(ends[0][1]).toBeCloseTo(ends[1][1], 12)
    expect(ends[0][0]).toBeCloseTo(0, 12)
  })
})
