import { World, sweepRows } from '@tautline/core'
import { swingTwist } from '@tautline/constraints'
for (const [min, max] of [[0.001, 0.001], [0.1,0.1], [0.001, 0.002], [0.001, 0.1]]) {
const world = new World({ gravity: [0, 0, 0], substeps: 1 })
const body0 = world.addBody({ position: [0, 0, 0], orientation: [0, 0, 0.4784110275675422, 0.8781360308641073], mass: 1, inertia: 1/24 })
const body1 = world.addBody({ position: [1, 0.5, 0.3], orientation: [0, 0, 0, 1], mass: 1, inertia: 1/24 })
const constraint0 = world.add(swingTwist, { a: body0, b: body1, point: [0, 0, 0], swing: { y: { min, max } } })
const e = [constraint0.error]
for (const n of [1, 9, 90]) { for (let step = 0; step < n; step++) world.step(); e.push(constraint0.error) }
console.log(min, max, e.join(' '))
}
