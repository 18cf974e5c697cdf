/**
 * Scenes of docs/troubleshooting.md, a symptom each: what goes wrong is on the left, or in front, and beside it is what it should be. They are texts of
 * the playground, which run to the moment of the picture and then stand still.
 */

const FREEZE = `
world.step = () => world.report
`

/** Texts by name. */
export const SYMPTOMS: Readonly<Record<string, string>> = {
  // One rope was made before the collisions, the other after: the first falls through the bar.
  'falls-through': `
import { rope } from '@tautline/assemblies'
import { capsule, Collisions } from '@tautline/collision'
import { World } from '@tautline/core'
export const world = new World()
const lay = (x) => rope(world, { from: [x, 1.1, -1], to: [x, 1.1, 1], radius: 0.04, segments: 24, mass: 1, friction: 0.6 })
lay(-0.5)
const collisions = new Collisions(world)
collisions.addCollider(null, { shape: capsule(0.12, 1), position: [0, 0.8, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] })
lay(0.5)
for (let k = 0; k < 36; k++) world.step()`,
  // The same chain and load; one is swept.
  stretches: `
import { ballSocket } from '@tautline/constraints'
import { solidBox, World } from '@tautline/core'
export const world = new World()
const hang = (x, solver) => {
  let above = null
  for (let k = 0; k < 12; k++) {
    const size = k < 11 ? [0.06, 0.24, 0.06] : [0.5, 0.5, 0.5]
    const mass = k < 11 ? 0.5 : 500
    const y = k < 11 ? -0.125 - 0.25 * k : -3
    const link = world.addBody({ position: [x, y, 0], mass, inertia: solidBox(mass, size) })
    world.add(ballSocket, { a: above, b: link, point: [x, -0.25 * k, 0], solver })
    above = link
  }
}
hang(-0.7, 'sweep')
hang(0.7, 'auto')
for (let k = 0; k < 120; k++) world.step()`,
  // Boxes on one slope: the friction of the first is below it.
  slides: `
import { box, Collisions } from '@tautline/collision'
import { World } from '@tautline/core'
export const world = new World()
const collisions = new Collisions(world)
const tilt = [0, 0, Math.sin(0.15), Math.cos(0.15)]
collisions.addCollider(null, { shape: box([2.2, 0.1, 1.1]), orientation: tilt, friction: 0.5 })
const [c, s] = [Math.cos(0.3), Math.sin(0.3)]
for (const [z, friction] of [[0.5, 0.1], [-0.5, 0.6]]) {
  collisions.addBody({ shape: box([0.25, 0.2, 0.25]), density: 300, friction, orientation: tilt, position: [1.3 * c - 0.31 * s, 1.3 * s + 0.31 * c, z] })
}
for (let k = 0; k < 95; k++) world.step()`,
  // Two balls and a wall: one is put a metre on by setPosition a frame, the other flies.
  tunnels: `
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
export const world = new World()
const collisions = new Collisions(world)
collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: 1 })
for (const z of [-0.8, 0.8]) collisions.addCollider(null, { shape: box([0.05, 0.35, 0.35]), position: [0, 0.35, z] })
const ballAt = (z) => collisions.addBody({ shape: sphere(0.25), density: 300, position: [-8, 0.25, z], friction: 1, angularDamping: 20 })
const [put, flies] = [ballAt(0.8), ballAt(-0.8)]
flies.setVelocity([60, 0, 0])
for (let k = 1; k <= 60; k++) {
  if (k <= 9) put.setPosition([-8 + k, 0.25, 0.8])
  world.step()
}`,
  // The same crate on ropes of 60 and of 8 particles.
  slow: `
import { rope } from '@tautline/assemblies'
import { solidBox, World } from '@tautline/core'
export const world = new World()
for (const [x, segments] of [[-0.7, 60], [0.7, 8]]) {
  const crate = world.addBody({ position: [x, 0, 1.4], mass: 40, inertia: solidBox(40, [0.5, 0.5, 0.5]) })
  rope(world, { from: [x, 2, 0], to: [x, 0.25, 1.4], segments, mass: 1, start: 'world', end: { body: crate, point: [x, 0.25, 1.4] } })
}
for (let k = 0; k < 100; k++) world.step()`,
  // Two chains of four, one of them begun a millionth of a metre a second faster.
  differs: `
import { ballSocket } from '@tautline/constraints'
import { solidBox, World } from '@tautline/core'
export const world = new World()
const swing = (x, speed) => {
  let inner = null
  for (let k = 0; k < 4; k++) {
    const link = world.addBody({ position: [x, 0.2 + 0.4 * k, 0], velocity: [speed, 0, 0], mass: 1, inertia: solidBox(1, [0.08, 0.4, 0.08]) })
    world.add(ballSocket, { a: inner, b: link, point: [x, 0.4 * k, 0] })
    inner = link
  }
}
swing(-1.2, 2)
swing(1.2, 2 + 1e-6)
for (let k = 0; k < 600; k++) world.step()`,
}

/** The text of a symptom, to be run. */
export function textOf(name: string): string {
  return SYMPTOMS[name] + FREEZE
}
