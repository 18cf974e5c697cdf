/**
 * How many bytes a step allocates, by case, as JSON: run by `allocation.test.ts` in a process of its own, natively. With
 * --expose-gc, and with a young generation so large that nothing is collected while it is measured.
 */

import { type BodyDef, World, type WorldOptions } from '../../src/index.js'
import { link, rowLink } from './link.js'

const collect = (globalThis as { gc?: () => void }).gc
if (collect === undefined) throw new Error('run with --expose-gc')

/** Until everything is compiled and buffers have grown; then what is measured. */
const WARM_UP = 5000
const STEPS = 100
/** The least of so many: the compiler works beside, and leaves its own. */
const ROUNDS = 5

const BODIES = 30
const TUMBLING: BodyDef = { inertia: [1, 2, 2.5], angularVelocity: [1, 2, 3] }

function chain(options: WorldOptions, type: typeof link | undefined, def: BodyDef = {}): World {
  const world = new World(options)
  let above = world.addBody({ type: 'static' })
  world.addBody({ type: 'kinematic', velocity: [0.1, 0, 0], inertia: 1 })
  for (let k = 1; k <= BODIES; k++) {
    const body = world.addBody({ position: [k / 10, 0, 0], linearDamping: 1, ...def })
    if (type !== undefined)
      world.add(type, { a: above, b: body, compliance: 1e-6, breakForce: type === rowLink ? 1e9 : Infinity })
    above = body
  }
  return world
}

const CASES: Record<string, World> = {
  particles: chain({}, undefined),
  loop: chain({}, link),
  alternating: chain({ iterations: 2, order: 'alternating' }, link),
  tumbling: chain({}, undefined, TUMBLING),
  effective: chain({ effectiveInertia: true }, undefined, TUMBLING),
  rows: chain({}, rowLink),
  tolerance: chain({ tolerance: 1e-9, maxIterations: 2 }, rowLink),
  frozen: chain({ jacobians: 'frozen', warmStart: 0.1 }, rowLink),
}

const bytes: Record<string, number> = {}
for (const [name, world] of Object.entries(CASES)) {
  for (let k = 0; k < WARM_UP; k++) world.step()
  bytes[name] = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    collect()
    const before = process.memoryUsage().heapUsed
    for (let k = 0; k < STEPS; k++) world.step()
    bytes[name] = Math.min(bytes[name], (process.memoryUsage().heapUsed - before) / STEPS)
  }
}
console.log(JSON.stringify(bytes))
