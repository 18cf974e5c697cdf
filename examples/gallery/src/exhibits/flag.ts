import { cloth } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { sin } from '@tautline/core/kernel'
import { grid } from '../../../lib/grid.js'
import { randomNumbers } from '../../../lib/random.js'
import { clothPart } from '../cloth-part.js'
import type { Exhibit } from '../exhibit.js'
import { type Part, standing } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, SEED, standard, worldOptions } from '../standard.js'

const [ACROSS, DOWN] = [36, 25]
/** [m] */
const [WIDTH, HEIGHT, TOP] = [2, 1.3, 3.2]
/** Wind at the start, and by how much it grows in a second, until it blows as set [m/s, m/s²]. */
const [BREEZE, GROWTH] = [6, 6]
/** Share by which the strength differs from thread to thread. */
const UNEVEN = 0.45
/** Rows between two ties to the pole. */
const TIES = 2

/** A flag in wind that grows until it tears. */
export const flag: Exhibit = {
  id: 'flag',
  title: 'Flag that tears',
  blurb: 'A flag on a pole, in gusts that grow: threads part where they bear too much, and rags fly off.',
  tries: [
    'Raise the wind to a storm, and see it tear.',
    'Pull at it: what is held tears as well.',
    'Make it stronger.',
  ],
  text: [
    'Threads that bear more than their strength part at one end, the hem and the tips of tears first. Pieces that come off are still one cloth, with its mass and momentum; the picture follows the tears.',
  ],
  group: 'Cloth and rope',
  settings: [
    { kind: 'number', name: 'wind', label: 'Storm', unit: 'm/s', min: 0, max: 50, step: 1, value: 34, live: true },
    {
      kind: 'number',
      name: 'strength',
      label: 'Strength',
      unit: 'N/m',
      min: 20,
      max: 20_000,
      scale: 'log',
      value: 105,
    },
    SEED,
    ...standard({ substeps: 4, solver: null, compliance: null }),
  ],
  view: { centre: [0.15, 2.35, 0], radius: 1.6, half: [1.4, 1.2], turn: -0.25, tilt: 0.02 },
  pose: 330,
  build(values) {
    const world = new World(worldOptions(values))
    const random = randomNumbers(numberOf(values, 'seed'))
    const strength = numberOf(values, 'strength')
    // The pull grows towards the pole, and so does the strength, a little less.
    const threads = Float64Array.from(
      { length: ACROSS * DOWN },
      (_, v) => strength * (1.7 - (1.4 * (v % ACROSS)) / ACROSS) * (1 + UNEVEN * random()),
    )
    // What hangs on the pole is hemmed.
    for (let j = 0; j < DOWN; j++) for (let i = 0; i < 2; i++) threads[ACROSS * j + i] = 10 * strength
    const ties = Array.from({ length: Math.ceil(DOWN / TIES) }, (_, k) => ACROSS * TIES * k)
    const flown = cloth(world, {
      ...grid(ACROSS, DOWN, (u, v) => [WIDTH * u - 1, TOP - HEIGHT * v, 0.06 * u * sin(9 * u + 2 * v)]),
      pins: ties,
      density: 0.12,
      drag: 1.1,
      lift: 0.6,
      gust: 0.5,
      strength: threads,
    })
    let [storm, tears] = [0, 0]
    const pole: Part = {
      kind: 'solid',
      form: { kind: 'capsule', radius: 0.035, half: 2 },
      tone: 'fixed',
      place: standing([-1.04, TOP - 1.9, 0]),
    }
    const knob: Part = {
      kind: 'solid',
      form: { kind: 'sphere', radius: 0.07 },
      tone: 'second',
      place: standing([-1.04, TOP + 0.15, 0]),
    }
    return liveWorld({
      world,
      values,
      parts: [clothPart(flown, 'body', 'cloth', 'goal'), pole, knob],
      beforeStep(step) {
        tears += flown.torn.length
        const time = step * world.settings.dt
        const speed = Math.min(storm, BREEZE + GROWTH * time)
        // It turns a little, to and fro.
        flown.wind = [speed, 0.02 * speed, 0.3 * speed * sin(2.3 * time)]
      },
      configure(now) {
        storm = numberOf(now, 'wind')
      },
      figures: () => ({
        Wind: { value: flown.wind[0], unit: 'm/s' },
        'Threads torn': { value: tears, unit: '' },
        'Largest pull': { value: flown.measure().tension.max, unit: 'N/m' },
      }),
    })
  },
}
