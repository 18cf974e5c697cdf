/** Scenes of the attack (report `passive`, row 2) that once parted, were silent about it, or gained by a repair; each to just after it. */

import { describe, expect, test } from 'vitest'
import { attack, CLOSED } from '../scenes/attack/run.js'

/** Share of m g L that a scene may gain: what row 2 asks. */
const MOST_GAIN = 0.01

describe('joints that hold', () => {
  test.each([
    ['a chain of impacts moved one body of a joint after its last pass: 1.7 m', 616, 0.5],
    ['the same, of a shin: 7 cm', 1443, 1.2],
    ['a push below 1e-7 rad on a lever of 9 m', 556, 2.1],
    ['a later pass that no projection made up for: 21 cm', 733, 1.2],
    ['the same: 5 cm', 401, 2.2],
    ['parts of a substep that ran out: the rest was flown without joints, 230 m', 1316, 1.5],
  ] as const)('%s (seed %i)', (_what, seed, seconds) => {
    const { gap, silent, gain } = attack(seed, seconds)
    expect(gap).toBeLessThanOrEqual(CLOSED)
    expect(silent).toBe(0)
    expect(gain).toBeLessThanOrEqual(MOST_GAIN)
  })
})

describe('repairs that give nothing', () => {
  test.each([
    ['turned under its spin, a thrown chain had more of it: 11 %', 228],
    ['the same: 1.6 %', 531],
    ['a repair of two goes kept what the first had lifted: 2.4 %', 746],
    ['the same, of a spinning chain: 1.8 %', 1901],
    ['a way down that was longer than the repair: 1.5 %', 581],
    ['a repair of two goes: 1.4 %', 701],
  ])('%s (seed %i)', (_what, seed) => {
    expect(attack(seed, 0.1).gain).toBeLessThanOrEqual(MOST_GAIN)
  })
})
