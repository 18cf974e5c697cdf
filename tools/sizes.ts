// What pages may weigh: one list for `npm run size`, for reports and for the docs.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Bytes of a kB. */
export const kB = 1000
/** How much a known overweight may grow before it counts as news [kB]: gzip differs a little between versions of Node. */
export const TOLERANCE = 0.5

/** A page, and what it may weigh. */
export interface Page {
  /** Row of the report `change`, for the budgets of issue 43. */
  readonly row?: string
  readonly name: string
  /** Most that it may weigh, minified and gzipped [kB]. */
  readonly budget: number
  readonly code: string
}

/** A page that is over its budget, as it is known. */
export interface Overweight {
  readonly page: string
  readonly kB: number
  readonly issue: number
}

const LEAN = `export { LeanWorld } from '@tautline/core';`
const TREES = `export { LeanWorld, jointTrees } from '@tautline/core';`
const WORLD = `export { World } from '@tautline/core';`

/** Pages of issue 43: budgets that are wanted, not what there is. */
export const BUDGETS: readonly (Page & { readonly row: string })[] = [
  {
    row: '5.1',
    name: 'a lean world with swept distance',
    budget: 36,
    code: `${LEAN} export { distance } from '@tautline/constraints'`,
  },
  {
    row: '5.2',
    name: 'a lean world with ball sockets, solved as trees',
    budget: 60,
    code: `${TREES} export { ballSocket } from '@tautline/constraints'`,
  },
  {
    row: '5.3',
    name: 'a lean world with collisions of box, sphere and plane',
    budget: 80,
    code: `${LEAN} export { box, LeanCollisions, plane, sphere } from '@tautline/collision'`,
  },
  {
    row: '5.4',
    name: 'a lean world with all of the collisions',
    budget: 130,
    code: `${LEAN} export * from '@tautline/collision'`,
  },
  {
    row: '5.5',
    name: 'a lean world with every constraint type',
    budget: 100,
    code: `${LEAN} export * from '@tautline/constraints'`,
  },
  {
    row: '5.6',
    name: 'cloth in a lean world, without collisions',
    budget: 95,
    code: `${LEAN} export { cloth } from '@tautline/assemblies'`,
  },
  {
    row: '5.7',
    name: 'cloth and rope in a lean world, with collisions of particles and four shapes',
    budget: 140,
    code: `${LEAN} export { cloth, rope } from '@tautline/assemblies';
      export { box, capsule, LeanCollisions, particles, plane, sphere } from '@tautline/collision'`,
  },
]

/** Other pages: round budgets near what they are. */
export const OTHER_PAGES: readonly Page[] = [
  { name: 'a complete world by itself', budget: 80, code: WORLD },
  {
    name: 'a complete world with complete collisions of box, sphere and plane',
    budget: 175,
    code: `${WORLD} export { box, Collisions, plane, sphere } from '@tautline/collision'`,
  },
  {
    name: 'the impulse solver by itself: with a lean world',
    budget: 45,
    code: `${LEAN} export { ImpulseSolver } from '@tautline/impulse-compat'`,
  },
  {
    name: 'an IK rig by itself: bones, joints, poses',
    budget: 6,
    code: `export { Pose, Rig, WorldPose } from '@tautline/ik'`,
  },
  {
    name: 'an IK solver by itself, with every kind of goal',
    budget: 29,
    code: `import { AimGoal, CentreGoal, IkSolver, OrientationGoal, PinGoal, PoleGoal, Pose, PositionGoal, Rig } from '@tautline/ik'
      export { AimGoal, CentreGoal, IkSolver, OrientationGoal, PinGoal, PoleGoal, Pose, PositionGoal, Rig }`,
  },
  {
    name: 'a hull by itself: predicates, volume, and how it meets other shapes',
    budget: 27,
    code: `export { convexHull } from '@tautline/collision'`,
  },
  {
    name: 'bindings to three.js, without it, with a lean world: bodies, instances, fixed step',
    budget: 38,
    code: `${LEAN} export { Bindings, FixedStep } from '@tautline/three'`,
  },
  {
    name: 'all of the binding to three.js, without it, with a lean world',
    budget: 60,
    code: `${LEAN} export * from '@tautline/three'`,
  },
  {
    name: 'a page with a world in a worker: without a world of its own',
    budget: 11,
    code: `export { connect } from '@tautline/worker'`,
  },
  {
    name: 'a worker that serves a world with collisions, and no types',
    budget: 220,
    code: `export { serve } from '@tautline/worker/host'`,
  },
  { name: 'kernels by themselves, without a world', budget: 31, code: `export { simd } from '@tautline/simd'` },
]

/** Pages that are known to be over their budgets. */
export function knownOverweights(): readonly Overweight[] {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, 'known-overweights.json'), 'utf8')) as Overweight[]
}
