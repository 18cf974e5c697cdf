import { cradleOnThreads } from '../../../scenes/cradle.js'
import type { Exhibit } from '../exhibit.js'
import { energyPlot } from '../measures.js'
import { collidersOf } from '../collider-parts.js'
import { type Part, writeCentre } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** Newton's cradle. */
export const cradle: Exhibit = {
  id: 'cradle',
  title: 'Newton’s cradle',
  blurb: 'Steel balls on threads: as many leave as arrive.',
  tries: [
    'Pull two balls aside and let go.',
    'Make the balls less elastic.',
    'Take fewer substeps, and compare the plot.',
  ],
  text: [
    'Each ball hangs on two threads. One in, one out; two in, two out. The balls hang a millimetre apart, so that blows come one after the other.',
    'Fewer substeps lose energy in the impacts.',
  ],
  group: 'Stacks and contacts',
  settings: [
    { kind: 'number', name: 'drawn', label: 'Balls drawn aside', min: 1, max: 4, step: 1, value: 2 },
    {
      kind: 'number',
      name: 'restitution',
      label: 'Restitution',
      min: 0,
      max: 1,
      step: 0.01,
      value: 1,
    },
    ...standard({ substeps: 40 }),
  ],
  view: { centre: [0, -0.55, 0], radius: 0.95, half: [1.3, 0.78], turn: 0.35, tilt: 0.12 },
  pose: 8,
  build(values) {
    const scene = cradleOnThreads(
      { drawn: numberOf(values, 'drawn'), restitution: numberOf(values, 'restitution') },
      worldOptions(values),
    )
    const { world, balls, hooks } = scene
    const threads: Part = {
      kind: 'sticks',
      count: 2 * balls.length,
      radius: 0.006,
      tone: 'rope',
      write(out, alpha) {
        balls.forEach((ball, k) => {
          hooks[k].forEach((hook, side) => {
            out.set(hook, 12 * k + 6 * side)
            writeCentre(ball, alpha, out, 12 * k + 6 * side + 3)
          })
        })
      },
    }
    const { spread } = scene.parameters
    const rails = [-spread, spread].map((z): Part => ({
      kind: 'solid',
      form: { kind: 'capsule', radius: 0.02, half: 0.62 },
      tone: 'fixed',
      place: (out) => out.set([0, 0, z, 0, 0, Math.SQRT1_2, Math.SQRT1_2]),
    }))
    return liveWorld({
      world,
      values,
      parts: [...collidersOf(world, () => 'body'), threads, ...rails],
      figures: () => ({ Energy: { value: world.energy().total, unit: 'J' } }),
      plots: [energyPlot({ energy: world })],
    })
  },
}
