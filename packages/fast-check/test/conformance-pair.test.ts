import type { ConstraintType, PairDef } from '@tautline/core'
import { assertConformance, conformance, real, record } from '../src/index.js'
import { describe, expect, test } from 'vitest'

/** A height between two bodies whose gradient has the wrong sign, and which does not say how many it joins. */
const wrong: ConstraintType<PairDef & { height: number }, 'height'> = {
  name: 'wrong',
  order: 0,
  multipliers: 1,
  columns: { height: 1 },
  resolve: (def) => ({ ...def }),
  write({ columns }, row, { height }) {
    columns.height[row] = height
  },
  evaluate({ position }, { ids, columns }, row, out) {
    out.group('scalar', 'position', 'm')
    out.row(0, position[4 * ids[2 * row] + 1] - position[4 * ids[2 * row + 1] + 1] - columns.height[row])
    out.linear(0, 0, -1, 0)
    out.linear(1, 0, 1, 0)
  },
}
const fields = record({ height: real(0, 1, 0) })

describe('conformance of a pair that leaves arity out', () => {
  test('is tried on two bodies', () => {
    const run = (): void => assertConformance(wrong, fields, { pair: true, worldFrame: true, runs: 5, seed: 1 })
    expect(run).toThrow(/gradient/)
    expect(run).toThrow(/const body1 = /)
    expect(run).not.toThrow(/const body2 = /)
  })

  test('has no more places', () => {
    const places = [0, 1, 2].map((k) => [k, 0, 0] as const)
    expect(() => conformance(wrong, fields, { pair: true, places: places as never })).toThrow(
      /^conformance: places must be 2 with pair, got 3 for wrong/,
    )
  })
})
