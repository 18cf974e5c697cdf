/**
 * The bits of small random worlds: heaps, figures and sets of particles. A change of them is a change of what users get, to be made on
 * purpose: `npm run bits` writes bits.json anew.
 */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BIT_SCENES } from './support/bit-scenes.js'

const BITS = JSON.parse(readFileSync(new URL('bits.json', import.meta.url), 'utf8')) as Record<string, string>

test('every world has its bits', () => {
  expect(Object.keys(BITS)).toEqual(Object.keys(BIT_SCENES))
})

test.each(Object.keys(BIT_SCENES))('%s', (name) => {
  expect(BIT_SCENES[name]()).toBe(BITS[name])
})
