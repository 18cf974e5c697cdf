import { type Body, type Stage, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { type ElasticReport } from '../../src/index.js'
import { addBlock, block } from '../support/blocks.js'

const SIZE = 0.05
const STIFF = { youngsModulus: 2e6, poissonRatio: 0.3 }
const cube = block(2, 2, 2)
/** Where a corner of the free cube and the end of the held one are moved to in each substep, without speed [m]. */
const PUSH = 0.2 * SIZE
/** What may be stored that nothing paid for [J]: half of the speed that two steps of free fall give, of 1 kg, and not of what is free of gravity, 1 mm/s. */
const SLACK = 1e-6
/** Round-off of a centre of mass [m]. */
const ROUND_OFF = 1e-15

/** Moves a body in each substep, as what takes overlap out does. */
function pusher(world: World, body: Body): Stage {
  return {
    name: 'pusher',
    beforeSubstep() {
      world.bodies.columns.position[4 * body.index] += PUSH
    },
  }
}

function pushed(isHeld: boolean, energyGuard = true): { world: World; bodies: Body[] } {
  const world = new World({ gravity: [0, 0, 0], energyGuard })
  const bodies = addBlock(world, cube, SIZE, 1000, STIFF, ([x]) => isHeld && x === 0)
  world.use(pusher(world, bodies[bodies.length - 1]))
  return { world, bodies }
}

describe('what soft bodies that are solved as a whole store without a cause', () => {
  test.each([false, true])('is taken back, held: %s', (isHeld) => {
    const { world } = pushed(isHeld)
    for (let k = 0; k < 30; k++) {
      world.step()
      expect(world.report.solvers.elastic as ElasticReport).toMatchObject({ pieces: 1, swept: 0 })
      expect(world.energy().total).toBeLessThan(SLACK)
    }
    const other = pushed(isHeld, false)
    for (let k = 0; k < 30; k++) other.world.step()
    expect(other.world.energy().total).toBeGreaterThan(1e3 * SLACK)
  })

  test('goes without a speed, and leaves the centre of mass where it is', () => {
    const [one, other] = [pushed(false), pushed(false, false)]
    one.world.step()
    other.world.step()
    const centre = ({ world, bodies }: typeof one): number[] => {
      const mass = bodies.reduce((sum, { mass: m }) => sum + m, 0)
      expect(world.momentum().linear.every((p) => Math.abs(p) < 1e-12)).toBe(true)
      return [0, 1, 2].map((k) => bodies.reduce((sum, { mass: m, position }) => sum + m * position[k], 0) / mass)
    }
    const [a, b] = [centre(one), centre(other)]
    for (let k = 0; k < 3; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(ROUND_OFF)
  })
})
