/** Rows of the impulse report that take a second or so: the rest of it is `npm run report -- impulse`. */

import { describe, expect, test } from 'vitest'
import { convergence } from '../reports/impulse/convergence.js'
import { equations } from '../reports/impulse/equations.js'
import { sources } from '../reports/impulse/sources.js'
import { ImpulseSolver } from '@tautline/impulse-compat'
import { softBodyScene } from '../scenes/index.js'

const QUICK = /^(1\.1|1\.3|2\.2|2\.10\.\d|2\.11|2\.12|3\.(1|8|13|19|24|25))$/

describe('report rows', () => {
  const rows = [...equations, ...sources, ...convergence].filter(({ id }) => QUICK.test(id))
  test.each(rows)('$id $claim', async (row) => {
    const { figures, holds } = await row.measure()
    expect(holds, figures).toBe(true)
  })
})

/** Ten iterations leave springs and rigid volumes of a net far from balanced, and its energy at some five times the start's. */
const UNBALANCED = 10

test('a net of rigid volumes is not thrown by its own first guess', () => {
  const { world } = softBodyScene()
  const solver = new ImpulseSolver(world)
  const start = world.energy().total
  for (let step = 0; step < 40; step++) {
    solver.step()
    expect(world.energy().total).toBeLessThan(UNBALANCED * start)
  }
})
