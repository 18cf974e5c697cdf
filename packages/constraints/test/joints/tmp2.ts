import { World } from '@tautline/core'
import * as L from '../../src/hinge.js'
import * as Fi from '../../src/hinge-first.js'
for (const [name, { hinge, angleOf }] of [['point last', L], ['point first', Fi]] as const) for (const substeps of [8, 20]) {
  {
    const world = new World({ substeps })
    const rod = world.addBody({ mass: 1, inertia: [0.001, 1 / 12, 1 / 12], position: [0.5, 0, 0] })
    const j = world.add(hinge, { a: null, b: rod, point: [0, 0, 0], axis: [0, 0, 1], drive: { stiffness: 40, damping: 8, positionTarget: 0.3 } })
    let gap = 0
    for (let k = 0; k < 600; k++) { world.step(); gap = Math.max(gap, world.residual().hinge.linear!.max) }
    const a = angleOf(j)
    console.log(name, substeps, 'drive sag/exact-1', ((40 * (0.3 - a)) / (0.5 * 9.81 * Math.cos(a)) - 1).toExponential(1), 'gap worst', gap.toExponential(1), 'end', world.residual().hinge.linear!.max.toExponential(1))
  }
  {
    const world = new World({ substeps })
    const rod = world.addBody({ mass: 1, inertia: [0.001, 1 / 12, 1 / 12], position: [0.5, 0, 0] })
    const j = world.add(hinge, { a: null, b: rod, point: [0, 0, 0], axis: [0, 0, 1], limits: { min: -0.5, max: 1 } })
    let gap = 0, worst = 0
    for (let k = 0; k < 600; k++) { world.step(); gap = Math.max(gap, world.residual().hinge.linear!.max); worst = Math.min(worst, angleOf(j)+0.5) }
    console.log(name, substeps, 'limit worst', worst.toExponential(1), 'end', (angleOf(j)+0.5).toExponential(1), 'gap worst', gap.toExponential(1), 'end', world.residual().hinge.linear!.max.toExponential(1))
  }
  for (const def of [{}, { limits: { min: -0.2, max: 0.2 } }, { frictionTorque: 1 }, { drive: { stiffness: 20, damping: 2 } }]) {
    const world = new World({ substeps })
    let last = null as any
    for (let k = 0; k < 10; k++) {
      const b = world.addBody({ mass: 1, inertia: [0.001, 0.25 / 12, 0.25 / 12], position: [0.5 * k + 0.25, 0, 0] })
      world.add(hinge, { a: last, b, point: [0.5 * k, 0, 0], axis: [0, 0, 1], ...def }); last = b
    }
    let gap = 0, ang = 0
    for (let k = 0; k < 300; k++) { world.step(); const r = world.residual().hinge; gap = Math.max(gap, r.linear!.max); ang = Math.max(ang, r.angular!.max) }
    const r = world.residual().hinge
    console.log(name, substeps, 'chain', JSON.stringify(def), 'gap worst', gap.toExponential(1), 'end', r.linear!.max.toExponential(1), 'angle worst', ang.toExponential(1), 'end', r.angular!.max.toExponential(1))
  }
}
