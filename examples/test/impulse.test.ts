/** Rows of the impulse report that take a second or so: the rest of it is `npm run report -- impulse`. */

import { describe, expect, test } from 'vitest'
import { convergence } from '../reports/impulse/convergence.js'
import { equations } from '../reports/impulse/equations.js'
import { sources } from '../reports/impulse/sources.js'

const QUICK = /^(1\.1|1\.3|2\.2|2\.10\.\d|2\.11|2\.12|3\.(1|8|13|19|24|25))$/

describe('report rows', () => {
  const rows = [...equations, ...sources, ...convergence].filter(({ id }) => QUICK.test(id))
  test.each(rows)('$id $claim', async (row) => {
    const { figures, holds } = await row.measure()
    expect(holds, figures).toBe(true)
  })
})
