/** Springs and drives that bear what joints hang on them: where they come to rest, at defaults. */

import { solidBox, World } from '@tautline/core'
import { angularDrive, ballSocket, hinge, spring } from '@tautline/constraints'
import { describe, expect, test } from 'vitest'

/** A pass ends within 1e-9 m; at rest that is so much of the sag for links of 1 kg at 1/480 s: 1e-9 m/(g h²), with room for the swing that is left. */
const SETTLED = 1e-4

describe('what a spring bears comes to rest where forces balance', () => {
  test.each([1, 2, 5, 20])('a chain of %i links on a spring damped at its critical rate', (count) => {
    const world = new World()
    const links = Array.from({ length: count }, (_, k) =>
      world.addBody({ position: [0, -0.25 - 0.5 * k, 0], mass: 1, inertia: solidBox(1, [0.1, 0.5, 0.1]) }),
    )
    links.slice(1).forEach((b, k) => world.add(ballSocket, { a: links[k], b, point: [0, -0.5 * (k + 1), 0] }))
    const sag = 0.1
    const stiffness = (count * 9.81) / sag
    const damping = 2 * Math.sqrt(stiffness * count)
    world.add(spring, { b: links[0], anchorA: [0, 1, 0], anchorB: [0, 0.25, 0], length: 1, stiffness, damping })
    for (let step = 0; step < 1200; step++) world.step()
    expect(Math.abs(-0.25 - links[0].position[1] - sag)).toBeLessThan(SETTLED * sag)
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
