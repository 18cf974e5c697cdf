/** Kernels give the bits of TypeScript on the small random worlds of the packages: every constraint type, trees, nets, heaps, assemblies. */

import { simd } from '@tautline/simd'
import { describe, test } from 'vitest'
import { SMALL_WORLDS as assemblies } from '../../assemblies/test/support/small-worlds.js'
import { SMALL_WORLDS as collision } from '../../collision/test/support/small-worlds.js'
import { SMALL_WORLDS as constraints } from '../../constraints/test/support/small-worlds.js'
import { sample } from '../../core/test/support/runs.js'
import { expectSame } from './support/same.js'

const kernels = simd()
/** One in so many is run by `npm test`: prime to the number of variants of a kind, so that every kind is met. */
const SHARE = 7

describe.each(Object.entries({ constraints, collision, assemblies }))('small worlds of %s', (_, worlds) => {
  test.for(sample(Object.entries(worlds), SHARE))('%s', ([, make]) => {
    const { world, steps, dt } = make()
    const other = make().world
    other.kernels = kernels.open()
    expectSame(world, other, steps, dt)
  })
})
