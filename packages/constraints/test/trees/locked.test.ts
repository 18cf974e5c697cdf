/** Bodies of a tree with locked axes. */

import { type BodyDef, World } from '@tautline/core'
import { expect, test } from 'vitest'
import { ballSocket, hinge } from '../../src/index.js'
import { EXACT } from './support.js'

/** [m] The same rows over other unknowns: each substep is solved to 1e-9, and a pendulum forgets no error. */
const SAME = 1e-6
const ALL = [true, true, true] as const

/** Two arms of three links, hung on a body in the middle that `def` makes fast in one way or another. */
function arms(def: BodyDef): number[] {
  const world = new World({ ...EXACT, solver: 'direct' })
  const middle = world.addBody({ position: [0, 0, 0], inertia: 0.5, ...def })
  const links = [-1, 1].flatMap((side) => {
    let above = middle
    return [0, 1, 2].map((k) => {
      const body = world.addBody({ position: [side * (k + 0.5), 0, 0.1 * k], mass: 1 + k, inertia: [0.2, 0.3, 0.4] })
      const point = [side * k, 0, 0.1 * k] as const
      // A limit that is reached at the body in the middle, and one further out.
      if (side + k === 1)
        world.add(hinge, { a: above, b: body, point, axis: [0, 0, 1], limits: { min: -0.3, max: 0.3 } })
      else world.add(ballSocket, { a: above, b: body, point })
      above = body
      return body
    })
  })
  for (let k = 0; k < 30; k++) world.step()
  return links.flatMap(({ position }) => Array.from(position))
}

test('a parent whose axes are all locked holds its children as a static one does', () => {
  const held = arms({ type: 'static' })
  const locked = arms({ mass: 3, lockTranslation: ALL, lockRotation: ALL })
  expect(Math.max(...held.map((x, k) => Math.abs(x - locked[k])))).toBeLessThan(SAME)
})

test('a parent that may only slide and turn along one axis does no more', () => {
  const world = new World({ ...EXACT, solver: 'direct' })
  const parent = world.addBody({
    mass: 2,
    inertia: [0.3, 0.4, 0.5],
    lockTranslation: [false, true, true],
    lockRotation: [true, true, false],
  })
  let above = parent
  for (let k = 0; k < 3; k++) {
    const body = world.addBody({ position: [0.3 * k, -0.5 - k, 0.2 * k], inertia: 0.2 })
    world.add(ballSocket, { a: above, b: body, point: [0.3 * k, -k, 0.1 * k] })
    above = body
  }
  const start = world.momentum().linear[0]
  for (let k = 0; k < 60; k++) world.step()
  expect([parent.position[1], parent.position[2]]).toEqual([0, 0])
  expect([parent.orientation[0], parent.orientation[1]]).toEqual([0, 0])
  expect(Math.abs(parent.position[0])).toBeGreaterThan(SAME)
  // Nothing from outside pushes along x.
  expect(Math.abs(world.momentum().linear[0] - start)).toBeLessThan(SAME)
  expect(world.residual().ballSocket.linear?.max).toBeLessThan(SAME)
})
