/** Rows 1.9 and 7: what removed bodies and constraints leave, and what removing and adding anew takes. */

import { type Body, type Constraint, World } from '@tautline/core'
import { distance } from '@tautline/constraints'
import { figure, median, type Measured, type ReportRow } from '../report.js'

const GRID = 150
const MANY = 40_000

/** A grid of particles, and a function that adds the same 40 000 constraints to it each time. */
function grid(): { world: World; nodes: Body[]; fill: () => Constraint[] } {
  const world = new World()
  const nodes = Array.from({ length: GRID * GRID }, (_, k) =>
    world.addParticle({ position: [k % GRID, 0, Math.floor(k / GRID)] }),
  )
  const fill = (): Constraint[] => {
    const made: Constraint[] = []
    for (let k = 0; made.length < MANY; k++) {
      const a = nodes[k]
      if (k % GRID < GRID - 1) made.push(world.add(distance, { a, b: nodes[k + 1] }) as unknown as Constraint)
      if (k + GRID < nodes.length) made.push(world.add(distance, { a, b: nodes[k + GRID] }) as unknown as Constraint)
    }
    return made
  }
  return { world, nodes, fill }
}

function timed(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function measureRemoval(): Measured {
  const { world, nodes, fill } = grid()
  fill()
  // The first removal notes which body has which constraints.
  const first = timed(() => nodes[0].remove())
  const times = nodes.slice(1, 1001).map((node) => 1000 * timed(() => node.remove()))
  return {
    figures: `median ${figure(median(times))} µs of 1000, the first of a world ${figure(first)} ms; ${world.constraints().length} constraints left`,
    holds: median(times) <= 20,
  }
}

function measureAgain(): Measured {
  const { fill } = grid()
  let made: Constraint[] = []
  const firsts: number[] = []
  const again: number[] = []
  // A warm-up of the code, in a world of its own.
  grid().fill()
  firsts.push(timed(() => (made = fill())))
  for (let k = 0; k < 3; k++) {
    for (const one of made) one.remove()
    again.push(timed(() => (made = fill())))
  }
  const ratio = median(again) / firsts[0]
  return {
    figures: `${figure(median(again))} ms after ${figure(firsts[0])} ms the first time, ratio ${figure(ratio)}`,
    holds: ratio <= 1.2,
  }
}

function measureShrink(): Measured {
  const { world, nodes, fill } = grid()
  const made = fill()
  const room = (): number =>
    world.bodies.table.capacity * world.bodies.table.width +
    world.batches.reduce((sum, { table }) => sum + table.capacity * table.width, 0)
  const full = room()
  for (const one of made.slice(100)) one.remove()
  for (const node of nodes.slice(200)) node.remove()
  const before = world.hash()
  world.shrink()
  const share = room() / full
  return {
    figures: `${figure(100 * share)} % of the room left with 0.9 % of the bodies and 0.25 % of the constraints, the hash ${world.hash() === before ? 'the same' : 'another'}`,
    holds: share < 0.02 && world.hash() === before,
  }
}

export const room: readonly ReportRow[] = [
  {
    id: '1.9',
    claim: 'World.shrink gives back what removed bodies and constraints leave',
    asked: 'Room in proportion to what is there (< 2 %), and the state as it was',
    scene: `${GRID * GRID} particles and ${MANY} constraints, all but 200 and 100 removed`,
    measure: measureShrink,
  },
  {
    id: '7.1',
    claim: `Removing a body of a world of ${MANY} constraints`,
    asked: '<= 20 µs (median)',
    scene: `${GRID * GRID} particles, ${MANY} distances; 1000 bodies removed one after another`,
    measure: measureRemoval,
  },
  {
    id: '7.2',
    claim: `Adding ${MANY} constraints anew, after all were removed`,
    asked: 'As fast as the first time (ratio <= 1.2)',
    scene: 'the same grid; median of three times over the first, one process',
    measure: measureAgain,
  },
]
