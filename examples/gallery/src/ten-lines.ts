import { rope } from '@tautline/assemblies'
import { solidSphere, World } from '@tautline/core'

const world = new World()
const to = [2, 3, 0]
const inertia = solidSphere(1000, 0.3)
const ball = world.addBody({ position: to, mass: 1000, inertia })
const line = rope(world, { from: [0, 3, 0], to, start: 'world', end: ball })
for (let step = 0; step < 300; step++) world.step()
console.log(line.stretch)
