import { describe, expect, it } from 'vitest'
import { countAt } from '../budget.js'

const SAMPLES = [
  { count: 10, time: 1 },
  { count: 20, time: 2 },
  { count: 40, time: 8 },
]

describe('countAt', () => {
  it('interpolates between the samples around a time', () => {
    expect(countAt(SAMPLES, 2)).toBe(20)
    expect(countAt(SAMPLES, 4)).toBe(28)
  })

  it('goes by proportion below the least sample', () => {
    expect(countAt(SAMPLES, 0.5)).toBe(5)
    expect(countAt([{ count: 1, time: 3 }], 2)).toBe(0)
  })

  it('gives the largest sample if all are within the time', () => {
    expect(countAt(SAMPLES, 10)).toBe(40)
  })
})
