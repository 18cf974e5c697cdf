import { box, Collisions } from '@tautline/collision'
import { bridge as bridgeScene } from '../../../scenes/impulse/chains.js'
import type { Exhibit } from '../exhibit.js'
import { choosePlot, widest } from '../measures.js'
import { collidersOf } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, massRatio, standard, worldOptions } from '../standard.js'

const PLANKS = 24
/** Of a plank [kg], and half its size [m]. */
const MASS = 5
const PLANK = [0.5, 0.125, 0.5] as const
/** Planks do not meet each other. */
const GROUP = -1

/** Planks on hinges between two banks, and boxes that fall on them. */
export const bridge: Exhibit = {
  id: 'bridge',
  title: 'Bridge',
  blurb: 'Planks on hinges between two banks carry boxes many times their mass.',
  text: [
    'The bridge is a chain held at both ends: a loop. Loops are swept unless the direct solver is asked for: then it takes the joint that closes the loop along with all others, and the hinges hold.',
    'Make the boxes heavier, choose the solver, and look at the gap in the worst hinge.',
  ],
  group: 'Joints',
  settings: [{ ...massRatio(20, 10_000), label: 'Mass ratio of boxes' }, ...standard({ substeps: 10 })],
  view: { centre: [12, -0.4, 0], radius: 12.5, half: [17, 6], turn: 0.4, tilt: 0.15 },
  pose: 90,
  build(values) {
    const ratio = numberOf(values, 'ratio')
    const scene = bridgeScene(PLANKS, worldOptions(values))
    const { world, bodies } = scene
    const collisions = new Collisions(world, { sleeping: {} })
    for (const plank of bodies) collisions.addCollider(plank, { shape: box(PLANK), friction: 0.7, group: GROUP })
    for (const x of [-1.5, PLANKS + 1.5]) {
      collisions.addCollider(null, { shape: box([1.5, 0.6, 1.2]), position: [x, -0.475, 0], friction: 0.7 })
    }
    const boxes = [6.2, 9.6, 12.3, 15.4, 18.1].map((x, k) =>
      collisions.addBody({
        shape: box([0.45, 0.45, 0.45]),
        mass: MASS * ratio,
        position: [x, 1.6 + 0.7 * k, 0],
        friction: 0.7,
      }),
    )
    return liveWorld({
      world,
      values,
      parts: collidersOf(world, (body) => (boxes.includes(body) ? 'heavy' : body.index % 2 === 0 ? 'body' : 'second')),
      figures: () => ({ 'Widest gap in a hinge': { value: 1000 * widest(scene.joints), unit: 'mm' } }),
      plots: [choosePlot('Widest gap in a hinge', 'm', { gap: scene.joints })],
    })
  },
}
