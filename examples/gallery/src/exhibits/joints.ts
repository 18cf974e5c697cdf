import { jointZooScene, type ZooShape } from '../../../scenes/joint-zoo.js'
import type { Exhibit } from '../exhibit.js'
import { widest } from '../measures.js'
import { boxForm, type Form, type Part, solid, standing, writeCentre } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

function formOf(shape: ZooShape): { form: Form; turned?: readonly [number, number, number, number] } {
  switch (shape.kind) {
    case 'box':
      return { form: boxForm(shape.size) }
    case 'ball':
      return { form: { kind: 'sphere', radius: shape.radius } }
    case 'wheel':
      return {
        form: { kind: 'cylinder', radius: shape.radius, half: 0.5 * shape.width },
        turned: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      }
  }
}

/** Every joint with its limits and motors. */
export const joints: Exhibit = {
  id: 'joints',
  title: 'Joint zoo',
  blurb: 'Every joint, with its limits, its motor or its spring.',
  tries: ['Pull at anything.', 'Switch the motors off.', 'Raise the compliance: all joints are soft.'],
  text: [
    'Ball, cone, swing and twist, hinge, axle, universal, slider, fixed, rope, spring and orientation motor. Motors follow a wave; where limits are, they want a little more than these allow.',
  ],
  group: 'Joints',
  settings: [
    { kind: 'number', name: 'motors', label: 'Strength of motors', min: 0, max: 3, step: 0.05, value: 1 },
    ...standard({ substeps: 10 }),
  ],
  view: { centre: [0, 0.55, 0.1], radius: 3.7, half: [3.9, 2.5], turn: 0.12, tilt: 0.8, floor: 0 },
  pose: 70,
  build(values) {
    const scene = jointZooScene(worldOptions(values), numberOf(values, 'motors'))
    const parts: Part[] = scene.stations.flatMap(({ name, point, bodies }, k) => [
      { kind: 'label', text: name, at: [point[0], point[1] + 0.42, point[2]] },
      { kind: 'solid', form: { kind: 'sphere', radius: 0.09 }, tone: 'fixed', place: standing(point) },
      ...bodies.map(({ body, shape }, i) =>
        solid(body, formOf(shape).form, k % 2 === i % 2 ? 'body' : 'second', formOf(shape)),
      ),
    ])
    // The rope and the spring: from their hook to their ball.
    const lines = scene.stations.filter(({ bodies }) => bodies.some(({ shape }) => shape.kind === 'ball'))
    parts.push({
      kind: 'sticks',
      count: lines.length,
      radius: 0.015,
      tone: 'rope',
      write(out, alpha) {
        lines.forEach(({ point, bodies }, k) => {
          out.set(point, 6 * k)
          writeCentre(bodies[0].body, alpha, out, 6 * k + 3)
        })
      },
    })
    const rigid = scene.stations
      .flatMap((station) => station.joints)
      .filter(({ typeName }) => !['angularDrive', 'fixed'].includes(typeName))
    return liveWorld({
      world: scene.world,
      values,
      parts,
      beforeStep: (step) => scene.beforeStep(step),
      figures: () => ({ 'Largest error of rigid joints': { value: widest(rigid), unit: 'm or rad' } }),
    })
  },
}
