import { pendulumWave, phaseErrors } from '../../../scenes/impulse/pendulum-wave.js'
import type { Exhibit } from '../exhibit.js'
import { type Part, solid, writeCentre } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** Pendulums that part and meet again. */
export const wave: Exhibit = {
  id: 'wave',
  title: 'Pendulum wave',
  blurb: 'Pendulums drift apart into waves and meet again after half a minute.',
  tries: [
    'Swing it wider.',
    'Pull one pendulum out of line.',
    'Take few substeps: all are late, and the waves flatten.',
  ],
  text: [
    'Every pendulum makes one swing more than its neighbour in the common period, by lengths from a closed form. Phases are an honest test: an error of the step shows as a pendulum out of line.',
  ],
  group: 'Joints',
  settings: [
    { kind: 'number', name: 'count', label: 'Pendulums', min: 5, max: 40, step: 1, value: 22 },
    {
      kind: 'number',
      name: 'amplitude',
      label: 'Amplitude',
      unit: 'rad',
      min: 0.05,
      max: 0.6,
      step: 0.05,
      value: 0.35,
    },
    ...standard({ substeps: 20 }),
  ],
  view: { centre: [0, -0.45, 1.1], radius: 1.3, turn: 0.95, tilt: 0.2 },
  pose: 190,
  build(values) {
    const count = numberOf(values, 'count')
    // Lengths are those for the earth, whatever gravity is then.
    const scene = pendulumWave(
      { ...worldOptions(values), gravity: [0, -9.81, 0] },
      {
        count,
        period: 30,
        slowest: 15,
        amplitude: numberOf(values, 'amplitude'),
      },
    )
    const { radius } = scene.parameters
    const threads: Part = {
      kind: 'sticks',
      count,
      radius: 0.005,
      tone: 'rope',
      write(out, alpha) {
        scene.pendulums.forEach(({ ball, hook }, k) => {
          out.set(hook, 6 * k)
          writeCentre(ball, alpha, out, 6 * k + 3)
        })
      },
    }
    const length = 2.5 * radius * (count - 1)
    const rail: Part = {
      kind: 'solid',
      form: { kind: 'box', half: [0.03, 0.03, 0.5 * length + 0.06] },
      tone: 'fixed',
      place: (out) => out.set([0, 0, 0.5 * length, 0, 0, 0, 1]),
    }
    return liveWorld({
      world: scene.world,
      values,
      parts: [
        ...scene.bodies.map((body, k) => solid(body, { kind: 'sphere', radius }, k % 2 === 0 ? 'body' : 'second')),
        threads,
        rail,
      ],
      figures: () => ({
        'Worst phase': {
          value: phaseErrors(scene).reduce((most, error) => Math.max(most, Math.abs(error)), 0),
          unit: 'turns off',
        },
      }),
    })
  },
}
