/** Chains that hang from the world: particles on rods, and boxes on joints of several kinds. The chain of boxes alone is `heavyChain`. */

import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { ballSocket, distance, hinge, universal } from '@tautline/constraints'
import { randomNumbers } from '../../lib/random.js'
import type { JointScene } from '../impulse/index.js'

/** One visit a step: what the direct solution is for. */
export const ONE_SUBSTEP: WorldOptions = { dt: 1 / 60, substeps: 1, iterations: 1, jointTolerance: 1e-9 }

/** Links of a chain, and the length of each [m]. */
const LINKS = 20
const LENGTH = 0.5

/** Twenty particles of 1 kg on rods of 0.5 m, the last `ratio` times as heavy, let go from the horizontal. Particles have to ask. */
export function particleChain(ratio: number, options: WorldOptions = {}): JointScene {
  const world = new World({ ...ONE_SUBSTEP, solver: 'direct', ...options })
  const joints: Constraint[] = []
  const bodies: Body[] = []
  for (let k = 0; k < LINKS; k++) {
    const b = world.addBody({ position: [(k + 1) * LENGTH, 0, 0], mass: k === LINKS - 1 ? ratio : 1 })
    joints.push(world.add(distance, { a: bodies[k - 1] ?? null, b, length: LENGTH }) as Constraint)
    bodies.push(b)
  }
  return { world, bodies, joints }
}

/** Kinds of joint of a mixed chain, one after the other along it. */
export const MIXED_KINDS = ['hinge', 'universal', 'ball'] as const
export type MixedKind = (typeof MIXED_KINDS)[number]

/**
 * Twenty boxes of 0.25 to 0.75 m and 0.5 to 2 kg, the last of `ratio` kg, on joints of mixed kinds whose axes point anywhere
 * across the chain; let go from the horizontal.
 */
export function mixedChain(
  ratio: number,
  kinds: readonly MixedKind[] = MIXED_KINDS,
  seed: number = 7,
  options: WorldOptions = {},
): JointScene {
  const world = new World({ ...ONE_SUBSTEP, ...options })
  const random = randomNumbers(seed)
  const joints: Constraint[] = []
  const bodies: Body[] = []
  let x = 0
  for (let k = 0; k < LINKS; k++) {
    const length = LENGTH * (1 + 0.5 * random())
    const mass = k === LINKS - 1 ? ratio : 1.25 + 0.75 * random()
    const inertia = solidBox(mass, [length, 0.1, 0.1])
    const b = world.addBody({ position: [x + 0.5 * length, 0, 0], mass, inertia })
    joints.push(join(world, kinds[k % kinds.length], bodies[k - 1] ?? null, b, x, random))
    bodies.push(b)
    x += length
  }
  return { world, bodies, joints }
}

function join(world: World, kind: MixedKind, a: Body | null, b: Body, x: number, random: () => number): Constraint {
  const point = [x, 0, 0] as const
  const [y, z] = [random(), random()]
  const length = Math.sqrt(y * y + z * z)
  const axis = [0, y / length, z / length] as const
  if (kind === 'ball') return world.add(ballSocket, { a, b, point }) as Constraint
  if (kind === 'hinge') return world.add(hinge, { a, b, point, axis }) as Constraint
  return world.add(universal, { a, b, point, axisA: axis, axisB: [0, -axis[2], axis[1]] }) as Constraint
}

/** Counts of the direct solution over a run, and the worst gap at the end of any step [m]. */
export interface TreeRun {
  gap: number
  /** Newton's solves a visit, mean and most of one step. */
  solves: number
  most: number
  unsolved: number
  halved: number
}

/** Runs a scene and looks at every joint after every step. */
export function runTrees({ world, joints }: JointScene, seconds: number): TreeRun {
  const run: TreeRun = { gap: 0, solves: 0, most: 0, unsolved: 0, halved: 0 }
  const steps = Math.round(seconds / world.settings.dt)
  let passes = 0
  for (let step = 0; step < steps; step++) {
    world.step()
    const { direct } = world.report
    run.solves += direct.solves
    passes += direct.passes
    run.most = Math.max(run.most, direct.solves)
    run.unsolved += direct.unsolved
    run.halved += direct.halved
    // NaN has to show.
    for (const { error } of joints) run.gap = error <= run.gap ? run.gap : error
  }
  run.solves /= passes
  return run
}
