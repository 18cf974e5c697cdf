import { LOADED_BRIDGE, loadedBridge } from '../../../scenes/loaded-bridge.js'
import type { Exhibit } from '../exhibit.js'
import { choosePlot, widest } from '../measures.js'
import { collidersOf } from '../collider-parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, massRatio, standard, worldOptions } from '../standard.js'

/** Planks on hinges between two banks, and boxes that fall on them. */
export const bridge: Exhibit = {
  id: 'bridge',
  title: 'Bridge',
  blurb: 'Planks on hinges between two banks catch boxes many times their mass.',
  tries: [
    'Make the boxes heavier.',
    'Throw a box off.',
    'Choose Gauss–Seidel, and look at the gap in the worst hinge.',
  ],
  text: [
    'The bridge is a chain held at both ends: a loop. Loops are swept unless the direct solver is asked for, as here: it takes the joint that closes the loop along with all others, and the hinges hold.',
  ],
  group: 'Joints',
  settings: [
    { ...massRatio(LOADED_BRIDGE.ratio, 1000), label: 'Mass ratio of boxes' },
    {
      kind: 'number',
      name: 'slope',
      label: 'Slope at the banks',
      unit: 'rad',
      min: 0,
      max: 0.8,
      step: 0.05,
      value: LOADED_BRIDGE.slope,
    },
    ...standard({ substeps: 6, solver: 'direct' }),
  ],
  view: { centre: [9.7, -0.6, 0], radius: 11, half: [13.4, 5], turn: 0.4, tilt: 0.15 },
  pose: 90,
  build(values) {
    const [ratio, slope] = [numberOf(values, 'ratio'), numberOf(values, 'slope')]
    const { world, joints, boxes } = loadedBridge({ ratio, slope }, worldOptions(values))
    return liveWorld({
      world,
      values,
      parts: collidersOf(world, (body) => (boxes.includes(body) ? 'heavy' : body.index % 2 === 0 ? 'body' : 'second')),
      figures: () => ({ 'Widest gap in a hinge': { value: 1000 * widest(joints), unit: 'mm' } }),
      plots: [choosePlot('Widest gap in a hinge', 'm', { gap: joints })],
    })
  },
}
