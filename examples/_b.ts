import { loadedHinge } from './scenes/paper.js'
import { World, solidBox } from '@tautline/core'
import { fixed, hinge, ballSocket } from '@tautline/constraints'
for (const it of [1,2,4,8,16]) { const { world } = loadedHinge(100); world.configure({ iterations: it }); let t = 0; for (let i = 0; i < 300; i++) { world.step(1/60); t = Math.max(t, world.residual().hinge.angular!.max) } console.log('leaf', it, t, world.residual()) }
// light arm hinged to the world, heavy body hinged to the arm
for (const it of [1,2,4]) { const world = new World({ substeps: 20, iterations: it }); const arm = world.addBody({ position: [0, -.5, 0], mass: 1, inertia: solidBox(1, [.1, 1, .1]) }); const load = world.addBody({ position: [0.5,-1,0.2], mass: 100, inertia: solidBox(100,[.5,.5,.5]) }); world.add(hinge, { b: arm, point: [0,0,0], axis: [0,0,1] }); world.add(hinge, { a: arm, b: load, point: [0,-1,0], axis: [0,0,1] }); let t = 0; for (let i = 0; i < 300; i++) { world.step(1/60); t = Math.max(t, world.residual().hinge.angular!.max) } console.log('pend', it, t) }
