/**
 * How many bytes a step allocates for each row that is assembled, by case, as JSON: run by `allocation.test.ts` in a process of its own, natively. With
 * --expose-gc, and with a young generation so large that nothing is collected while it is measured.
 */

import { solidBox, World } from '@tautline/core'
import { ballSocket, hinge } from '../../src/index.js'
import { chain, particles } from './support.js'

const collect = (globalThis as { gc?: () => void }).gc
if (collect === undefined) throw new Error('run with --expose-gc')

/** Until everything is compiled and buffers have grown; then what is measured. */
const WARM_UP = 6000
const STEPS = 100
/** The least of so many: the compiler works beside, and leaves its own. */
const ROUNDS = 5

/** Bytes a step, whatever it holds: the compiler's own, and what reading the heap's size costs. */
const STEP = 4000

const LINKS = 30

function hinges(): World {
  const world = new World({ substeps: 1 })
  const inertia = solidBox(1, [0.5, 0.1, 0.1])
  let above = null
  for (let k = 0; k < LINKS; k++) {
    const b = world.addBody({ position: [0.5 * k + 0.25, 0, 0], inertia })
    const axis: [number, number, number] = k % 2 === 0 ? [0, 0, 1] : [0, 1, 0]
    world.add(hinge, { a: above, b, point: [0.5 * k, 0, 0], axis, limits: { min: -0.5, max: 0.5 }, frictionTorque: 1 })
    above = b
  }
  return world
}

function rods(): World {
  const world = new World({ substeps: 1, solver: 'direct' })
  particles(world, LINKS)
  return world
}

function free(): World {
  const { world, bodies } = chain({ links: LINKS, fixed: false, options: { gravity: [0, 0, 0] } })
  const b = world.addBody({ position: [7, 1, 0], inertia: solidBox(5, [1, 1, 1]), mass: 5 })
  world.add(ballSocket, { a: bodies[10], b, point: [6, 0.5, 0] })
  bodies[0].setVelocity([0, 1, 2])
  return world
}

const CASES: Record<string, World> = {
  boxes: chain({ links: LINKS }).world,
  heavy: chain({ links: LINKS, mass: (k) => (k === LINKS - 1 ? 1e4 : 1) }).world,
  rods: rods(),
  hinges: hinges(),
  free: free(),
}

/** Rows that a step assembles, in the mean of the next ones: all of them, once a solve and once before the first. */
function assembled(world: World): number {
  const rows = world.constraints().reduce((sum, { multipliers }) => sum + multipliers.length, 0)
  let times = 0
  for (let k = 0; k < STEPS; k++) {
    world.step(1 / 60)
    const { solves, passes } = world.report.direct
    times += solves + passes
  }
  return (rows * times) / STEPS
}

const bytes: Record<string, number> = {}
for (const [name, world] of Object.entries(CASES)) {
  for (let k = 0; k < WARM_UP; k++) world.step(1 / 60)
  bytes[name] = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    collect()
    const before = process.memoryUsage().heapUsed
    for (let k = 0; k < STEPS; k++) world.step(1 / 60)
    const used = process.memoryUsage().heapUsed - before
    bytes[name] = Math.min(bytes[name], Math.max(0, used / STEPS - STEP))
  }
  bytes[name] /= assembled(world)
}
console.log(JSON.stringify(bytes))
