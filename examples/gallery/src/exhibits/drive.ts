import { cos, sin } from '@tautline/core/kernel'
import { drivenArm } from '../../../scenes/paper.js'
import type { Exhibit } from '../exhibit.js'
import { boxForm, type Part, solid, standing } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard } from '../standard.js'

/** How far the target swings [rad], and how fast [rad/s]. */
const SWING = 0.9
const PACE = 1.3

/** A motor that may pull only so much. */
export const drive: Exhibit = {
  id: 'drive',
  title: 'Drive with a torque limit',
  blurb: 'A motor lifts an arm after a moving target, as far as its torque reaches.',
  tries: ['Pull the arm away: the motor gives way at its limit, and comes back.', 'Set the limit below 4.9 N m.'],
  text: [
    'The arm weighs 2 kg: level, it asks for 4.9 N m. The motor follows the ghost as long as its limit allows; below 4.9 N m it cannot hold the arm level any more.',
  ],
  group: 'Joints',
  settings: [
    {
      kind: 'number',
      name: 'limit',
      label: 'Torque limit',
      unit: 'N m',
      min: 0,
      max: 20,
      step: 0.1,
      value: 6,
      live: true,
    },
    {
      kind: 'number',
      name: 'stiffness',
      label: 'Stiffness',
      unit: 'N m/rad',
      min: 1,
      max: 10_000,
      scale: 'log',
      value: 400,
      live: true,
    },
    {
      kind: 'number',
      name: 'damping',
      label: 'Damping',
      unit: 'N m s/rad',
      min: 0,
      max: 50,
      step: 0.5,
      value: 10,
      live: true,
    },
    ...standard({ substeps: 20, solver: null, compliance: null }),
  ],
  view: { centre: [0.1, 0, 0], radius: 0.7, turn: 0.35, tilt: 0.15 },
  pose: 60,
  build(values) {
    const { world, arm, drive: motor } = drivenArm(numberOf(values, 'stiffness'), numberOf(values, 'damping'), 1)
    let limit = numberOf(values, 'limit')
    let angle = 0
    const ghost: Part = {
      kind: 'solid',
      form: boxForm([0.5, 0.1, 0.1]),
      tone: 'ghost',
      place(out) {
        out.set([0.25 * cos(angle), 0.25 * sin(angle), 0, 0, 0, sin(0.5 * angle), cos(0.5 * angle)])
      },
    }
    return liveWorld({
      world,
      values,
      parts: [
        solid(arm, boxForm([0.5, 0.1, 0.1])),
        ghost,
        {
          kind: 'solid',
          form: { kind: 'cylinder', radius: 0.08, half: 0.09 },
          tone: 'fixed',
          place: standing([0, 0, 0], [Math.SQRT1_2, 0, 0, Math.SQRT1_2]),
        },
      ],
      configure(now) {
        limit = numberOf(now, 'limit')
        motor.set({ stiffness: numberOf(now, 'stiffness'), damping: numberOf(now, 'damping'), maxTorque: limit })
      },
      beforeStep(step) {
        angle = SWING * sin((PACE * step) / 60)
        motor.set({ target: [0, 0, sin(0.5 * angle), cos(0.5 * angle)] })
      },
      figures: () => ({ Torque: { value: motor.torque, unit: 'N m' }, Limit: { value: limit, unit: 'N m' } }),
      plots: [
        {
          title: 'Torque of the motor',
          unit: 'N m',
          curves: [
            { name: 'torque', value: () => motor.torque },
            { name: 'limit', value: () => limit },
          ],
        },
      ],
    })
  },
}
