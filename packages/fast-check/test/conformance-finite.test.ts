import { custom } from '@tautline/core'
import { expect, test } from 'vitest'
import { conformance, type ConformanceError, real, record } from '../src/index.js'

/** Holds a body at a distance from the y axis; its gradient divides by that distance. */
const pole = custom<{ radius: number }>({
  name: 'pole',
  bodies: 1,
  error: ([{ position }], { radius }) => Math.hypot(position[0], position[2]) - radius,
  gradient([{ position }], _, out) {
    const r = Math.hypot(position[0], position[2])
    out.linear(0, position[0] / r, 0, position[2] / r)
  },
})

test('a row that is not finite is named with its pose, what to do, and a script of that pose', () => {
  const fields = record({ params: record({ radius: real(0.5, 1.5, 1) }) })
  const [check] = conformance(pole as never, fields, { worldFrame: true, runs: 10, seed: 1 }).filter(
    ({ name }) => name === 'finite',
  )
  let failure: ConformanceError | undefined
  try {
    check.run()
  } catch (error) {
    failure = error as ConformanceError
  }
  expect(failure?.message).toMatch(/with body 0 at 0,-?[\d.]+,0, where the gradient of row 0 is NaN\. Guard roots/)
  expect(failure?.message).toContain("skip: { finite: 'the reason' }")
  expect(failure?.script).toMatch(/body0\.setPosition\(\[0, -?[\d.]+, 0\]\)/)
})
