/** Springs and drives that bear what joints hang on them: where they come to rest, at defaults. */

import { type Body, solidBox, World } from '@tautline/core'
import { angularDrive, ballSocket, hinge, pointDrive, spring } from '@tautline/constraints'
import { describe, expect, test } from 'vitest'

/** A pass ends within 1e-9 m; at rest that is so much of the sag for links of 1 kg at 1/480 s: 1e-9 m/(g h²), with room for the swing that is left. */
const SETTLED = 1e-4

/** How far the chain stretches what holds it [m]. */
const SAG = 0.1

/** A chain of links of 0.5 m and 1 kg, and what holds it that far. */
function hung(count: number): { world: World; links: Body[]; stiffness: number; damping: number } {
  const world = new World()
  const links = Array.from({ length: count }, (_, k) =>
    world.addBody({ position: [0, -0.25 - 0.5 * k, 0], mass: 1, inertia: solidBox(1, [0.1, 0.5, 0.1]) }),
  )
  links.slice(1).forEach((b, k) => world.add(ballSocket, { a: links[k], b, point: [0, -0.5 * (k + 1), 0] }))
  const stiffness = (count * 9.81) / SAG
  return { world, links, stiffness, damping: 2 * Math.sqrt(stiffness * count) }
}

describe('what a spring bears comes to rest where forces balance', () => {
  test.each([1, 2, 5, 20])('a chain of %i links on a spring damped at its critical rate', (count) => {
    const { world, links, stiffness, damping } = hung(count)
    world.add(spring, { b: links[0], anchorA: [0, 1, 0], anchorB: [0, 0.25, 0], length: 1, stiffness, damping })
    for (let step = 0; step < 1200; step++) world.step()
    expect(Math.abs(-0.25 - links[0].position[1] - SAG)).toBeLessThan(SETTLED * SAG)
  })

  test.each([1, 2, 10, 20])('a chain of %i links on a point drive damped at its critical rate', (count) => {
    const { world, links, stiffness, damping } = hung(count)
    world.add(pointDrive, { bodies: [links[0]], point: [0, 0.25, 0], target: [0, 0, 0], stiffness, damping })
    for (let step = 0; step < 1200; step++) world.step()
    expect(Math.abs(-0.25 - links[0].position[1] - SAG)).toBeLessThan(SETTLED * SAG)
    expect(world.report.direct.loops).toEqual([])
  })

  test('an arm on a hinge that a drive of its own holds', () => {
    const world = new World()
    const arm = world.addBody({ position: [0.25, 0, 0], mass: 2, inertia: solidBox(2, [0.5, 0.1, 0.1]) })
    world.add(hinge, { b: arm, point: [0, 0, 0], axis: [0, 0, 1] })
    world.add(angularDrive, { b: arm, target: [0, 0, 0, 1], stiffness: 200, damping: 20 })
    for (let step = 0; step < 600; step++) world.step()
    const angle = Math.atan2(-arm.position[1], arm.position[0])
    expect(Math.abs((200 * angle) / (2 * 9.81 * 0.25 * Math.cos(angle)) - 1)).toBeLessThan(SETTLED)
  })
})
