import { describe, expect, test } from 'vitest'
import { Sharpness } from '../gallery/src/viewer/sharpness.js'

/** Of a display [ms]. */
const REFRESH = 1000 / 60

/** A device: a frame comes with the refresh after all is done that takes time [ms], drawing by its pixels. */
function watch(
  { rest, draw, refresh = REFRESH }: { rest: number; draw: number; refresh?: number },
  seconds: number,
  sharpness = new Sharpness(),
): { ratios: number[]; sharpness: Sharpness; changes: number } {
  const ratios: number[] = []
  let [now, changes] = [0, 0]
  while (now < 1000 * seconds) {
    now += refresh * Math.ceil((rest + draw * sharpness.ratio ** 2) / refresh)
    if (sharpness.note(now)) changes++
    ratios.push(sharpness.ratio)
  }
  return { ratios, sharpness, changes }
}

describe('the sharpness of a picture', () => {
  test('stays where frames come in time', () => {
    expect(watch({ rest: 3, draw: 8 }, 20).changes).toBe(0)
  })

  test('goes down where drawing takes too long, within a second and a half', () => {
    const { ratios } = watch({ rest: 2, draw: 40 }, 1.5)
    expect(ratios.at(-1)).toBeLessThanOrEqual(0.63)
  })

  test('comes back where there is room again', () => {
    const { sharpness } = watch({ rest: 2, draw: 40 }, 3)
    expect(watch({ rest: 2, draw: 5 }, 60, sharpness).ratios.at(-1)).toBe(1)
  })

  test('seldom changes where two levels are too sharp and too little by turns', () => {
    const first = watch({ rest: 2, draw: 27 }, 60)
    expect(watch({ rest: 2, draw: 27 }, 60, first.sharpness).changes).toBeLessThanOrEqual(6)
  })

  test('is given back where it is not drawing that takes the time, and on displays that are slower', () => {
    for (const device of [
      { rest: 45, draw: 1 },
      { rest: 2, draw: 4, refresh: 1000 / 30 },
    ]) {
      const { ratios } = watch(device, 60)
      const sharp = ratios.filter((ratio) => ratio === 1).length / ratios.length
      expect(sharp).toBeGreaterThan(0.85)
      expect(ratios.at(-1)).toBe(1)
    }
  })

  test('does not mind a pause, nor one late frame', () => {
    const sharpness = new Sharpness()
    let now = 0
    for (let k = 0; k < 2000; k++) {
      now += k % 500 === 3 ? 10_000 : k % 40 === 7 ? 2 * REFRESH : REFRESH
      expect(sharpness.note(now)).toBe(false)
    }
  })
})
