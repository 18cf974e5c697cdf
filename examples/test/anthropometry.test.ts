import { expect, test } from 'vitest'
import { adult } from '../data/adult.js'

const [STATURE, MASS] = [1.75, 75]

/** Segments of the table are measured along different lines: put on top of each other they come out this much taller. */
const TALLER = 0.03

test('the parts weigh what the person weighs', () => {
  const sum = adult(STATURE, MASS).parts.reduce((total, { mass }) => total + mass, 0)
  expect(sum).toBeCloseTo(MASS, 9)
})

test('the person is as tall as asked for, but for what the table leaves open', () => {
  const { position, from } = adult(STATURE, MASS).parts.find(({ name }) => name === 'head')!
  expect(Math.abs((position[1] + from[1]) / STATURE - 1)).toBeLessThan(TALLER)
})

test('moments of inertia belong to a body: none exceeds the sum of the others', () => {
  for (const { inertia } of adult(STATURE, MASS).parts) {
    const [x, y, z] = inertia
    for (const [a, b, c] of [
      [x, y, z],
      [y, z, x],
      [z, x, y],
    ])
      expect(a).toBeLessThan(b + c)
  }
})

test('the seated pose, and the T-pose, are within the ranges', () => {
  for (const { name, ranges, seated } of adult(STATURE, MASS).joints) {
    for (const axis of ['y', 'z', 'x'] as const) {
      const { min, max } = ranges[axis]
      expect(min, `${name} ${axis}`).toBeLessThanOrEqual(Math.min(0, seated[axis]))
      expect(max, `${name} ${axis}`).toBeGreaterThanOrEqual(Math.max(0, seated[axis]))
    }
  }
})
