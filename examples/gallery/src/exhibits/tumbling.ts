import { tumblingBody } from '../../../scenes/paper.js'
import type { Exhibit } from '../exhibit.js'
import { energyPlot } from '../measures.js'
import { boxForm, solid } from '../parts.js'
import { choiceOf, numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

type Gyroscopic = 'midpoint' | 'implicit' | 'explicit' | 'none'

/** Dzhanibekov's wing nut. */
export const tumbling: Exhibit = {
  id: 'tumble',
  title: 'Tumbling body',
  blurb: 'A body in free space that flips over and over: the tennis racket effect.',
  tries: ['Spin it faster.', 'Choose another way to treat the gyroscopic couple.'],
  text: [
    'Spun about its middle axis a body cannot hold it: it flips, half a turn at a time. Euler’s equations are solved by an implicit midpoint rule, which keeps energy and momentum.',
    'Other ways to treat the gyroscopic couple lose energy, or gain it, or never flip.',
  ],
  group: 'Joints',
  settings: [
    {
      kind: 'choice',
      name: 'gyroscopic',
      label: 'Gyroscopic couple',
      options: [
        ['midpoint', 'Implicit midpoint'],
        ['implicit', 'Implicit'],
        ['explicit', 'Explicit'],
        ['none', 'Left out'],
      ],
      value: 'midpoint',
    },
    { kind: 'number', name: 'spin', label: 'Spin', unit: 'rad/s', min: 1, max: 15, step: 0.5, value: 6 },
    ...standard({ substeps: 4, solver: null, gravity: null, compliance: null }),
  ],
  view: { centre: [0, 0, 0], radius: 1.15, turn: 0.5, tilt: 0.25 },
  pose: 100,
  build(values) {
    const { world, body } = tumblingBody({
      ...worldOptions(values),
      gyroscopic: choiceOf(values, 'gyroscopic') as Gyroscopic,
    })
    body.setAngularVelocity([0.01, numberOf(values, 'spin'), 0.01])
    const start = world.energy().total
    const momentum = (): number => Math.hypot(...world.momentum().angular)
    const spun = momentum()
    return liveWorld({
      world,
      values,
      parts: [
        solid(body, boxForm([1.5, 0.2, 0.2]), 'body'),
        solid(body, { kind: 'cylinder', radius: 0.1, half: 0.32 }, 'heavy', { at: [0, 0.4, 0] }),
        solid(body, { kind: 'sphere', radius: 0.15 }, 'second', { at: [0.75, 0, 0] }),
        solid(body, { kind: 'sphere', radius: 0.15 }, 'second', { at: [-0.75, 0, 0] }),
      ],
      figures: () => ({
        'Change of energy': { value: 100 * (world.energy().total / start - 1), unit: '%' },
        'Change of angular momentum': { value: 100 * (momentum() / spun - 1), unit: '%' },
      }),
      plots: [
        {
          title: 'Spin about the handle',
          unit: 'rad/s',
          curves: [{ name: 'about its middle axis', value: () => spinAbout(body) }],
        },
        energyPlot({ energy: world }),
      ],
    })
  },
}

function spinAbout(body: { orientation: ArrayLike<number>; angularVelocity: ArrayLike<number> }): number {
  const [x, y, z, w] = Array.from(body.orientation)
  const axis = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
  const spin = body.angularVelocity
  return axis[0] * spin[0] + axis[1] * spin[1] + axis[2] * spin[2]
}
