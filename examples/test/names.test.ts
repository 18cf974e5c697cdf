/** Public names: those of the field, each with what it is. */

import { expect, it } from 'vitest'
import { nameFaults } from '../reports/house/names.js'

it('exports no word of our own, and nothing without TSDoc and units', { tags: ['thorough'] }, () => {
  const { ours, mute, unitless, count } = nameFaults()
  expect({ ours, mute, unitless }).toEqual({ ours: [], mute: [], unitless: [] })
  expect(count).toBeGreaterThan(300)
})
