/** Row 8: projection of poses onto their constraints. */

import fc from 'fast-check'
import type { Body, World } from '@tautline/core'
import { type PlanOptions, treePlans } from '../../lib/tree-plans.js'
import {
  deepPile,
  fourBarLinkage,
  freeRing,
  hungArch,
  knock,
  type PileShape,
  plannedTree,
  seeded,
} from '../../scenes/trees/index.js'
import { figure, type Measured, type ReportRow } from '../report.js'

/** Asked residuals of what is solved directly, and of the rest [m, rad]. */
const OF_TREES = 1e-8
const OF_REST = 1e-4
/** Asked of the centre of mass, as a share of the extent. */
const KEPT = 1e-12
const PASSES = 20
const SHARE = 0.95
/** Knocks of a body [m, rad]: two neighbours are up to twice that apart. */
const FAR = 0.25
const ANGLE = Math.PI / 6
const SEED = 1

interface Scene {
  world: World
  bodies: readonly Body[]
  /** Whether nothing holds it, so that its centre of mass has to stay. */
  isFree: boolean
}

interface Tally {
  scenes: number
  /** Scenes with no more residual than asked after at most `PASSES`. */
  met: number
  /** Residuals [m, rad] and passes, one of each a scene. */
  residuals: number[]
  passes: number[]
  /** Farthest that a centre of mass went, as a share of the extent. */
  moved: number
  /** Scenes in which a velocity or the time changed. */
  touched: number
}

function centreOf(bodies: readonly Body[]): number[] {
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0)
  return [0, 1, 2].map((k) => bodies.reduce((sum, body) => sum + body.mass * body.position[k], 0) / mass)
}

function extentOf(bodies: readonly Body[]): number {
  const sides = [0, 1, 2].map((k) => {
    const places = bodies.map(({ position }) => position[k])
    return Math.max(...places) - Math.min(...places)
  })
  return Math.max(Math.hypot(...sides), 1)
}

function motionOf({ world, bodies }: Scene): string {
  return JSON.stringify([world.time, bodies.map((body) => [...body.velocity, ...body.angularVelocity])])
}

/** Projects a scene with the default options. */
function projectScene(scene: Scene, asked: number, tally: Tally): void {
  const { world, bodies, isFree } = scene
  const [centre, extent, motion] = [centreOf(bodies), extentOf(bodies), motionOf(scene)]
  const { violation, passes } = world.project({ iterations: PASSES })
  tally.scenes++
  if (violation <= asked) tally.met++
  tally.residuals.push(violation)
  tally.passes.push(passes)
  if (motionOf(scene) !== motion) tally.touched++
  if (!isFree) return
  const now = centreOf(bodies)
  const moved = Math.hypot(...now.map((x, k) => x - centre[k])) / extent
  if (!(moved <= tally.moved)) tally.moved = moved
}

function projected(scenes: Iterable<Scene>, asked: number): Tally {
  const tally: Tally = { scenes: 0, met: 0, residuals: [], passes: [], moved: 0, touched: 0 }
  for (const scene of scenes) projectScene(scene, asked, tally)
  return tally
}

/** NaN counts as the worst. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.map((value) => (Number.isNaN(value) ? Infinity : value)).sort((r, s) => r - s)
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)]
}

function tell({ scenes, met, residuals, passes, moved, touched }: Tally): string {
  const [half, most, worst] = [0.5, SHARE, 1].map((share) => figure(quantile(residuals, share)))
  const [usual, slow] = [0.5, SHARE].map((share) => quantile(passes, share))
  return `${met} of ${scenes} met; residual median ${half}, 95 % ${most}, worst ${worst}; passes median ${usual}, 95 % ${slow}; centre of mass ${figure(moved)}; ${touched} with another velocity or time`
}

function judged(cases: Record<string, Iterable<Scene>>, asked: number): Measured {
  const tallies = Object.entries(cases).map(([name, scenes]) => [name, projected(scenes, asked)] as const)
  return {
    figures: tallies.map(([name, tally]) => `${name}: ${tell(tally)}`).join('; '),
    holds: tallies.every(
      ([, { scenes, met, moved, touched }]) => met >= SHARE * scenes && moved <= KEPT && touched === 0,
    ),
  }
}

const asked = (residual: number): string =>
  `residual ≤ ${residual} m or rad within ${PASSES} passes in 95 % of scenes; centre of mass of free ones unmoved to ${KEPT} of the extent; velocities and time the same to the bit`

function* knockedTrees(count: number, plan: PlanOptions): Generator<Scene> {
  const plans = fc.sample(treePlans({ violated: false, ...plan }), { numRuns: count, seed: SEED })
  for (const [k, tree] of plans.entries()) {
    const { world, bodies } = plannedTree(tree, { solver: 'auto' })
    knock(bodies, FAR, ANGLE, seeded(k))
    yield { world, bodies, isFree: !tree.hangs }
  }
}

const LOOPS = 60

function* rings(decades: number): Generator<Scene> {
  for (let seed = 0; seed < LOOPS; seed++) {
    const random = seeded(seed)
    const { world, bodies } = freeRing(4 + (seed % 9), decades, random)
    knock(bodies, FAR, ANGLE, random)
    yield { world, bodies, isFree: true }
  }
}

function* linkages(): Generator<Scene> {
  for (let seed = 0; seed < LOOPS; seed++) {
    const random = seeded(seed)
    const { world, bodies } = fourBarLinkage(random)
    knock(bodies, FAR, ANGLE, random)
    yield { world, bodies, isFree: false }
  }
}

function* arches(): Generator<Scene> {
  for (let seed = 0; seed < LOOPS; seed++) {
    const { world, bodies } = hungArch(4 + (seed % 9))
    knock(bodies, FAR, ANGLE, seeded(seed))
    yield { world, bodies, isFree: false }
  }
}

const PILES = 15
/** Side that a shape has in a pile, as a share of its diameter. */
const ROOM = 0.8

function* piles(kinds: readonly PileShape[], hasFloor: boolean): Generator<Scene> {
  for (let seed = 0; seed < PILES; seed++) {
    const { world, bodies } = deepPile(20, ROOM, kinds, hasFloor, seeded(seed))
    yield { world, bodies, isFree: !hasFloor }
  }
}

const KNOCKED = `each body knocked by up to ${FAR} m and 30° in any direction, so that neighbours are up to ${2 * FAR} m and 60° off (and their lever arms)`

function treesRow(id: string, trees: number, slow: boolean): ReportRow {
  return {
    id,
    claim: 'Random joint trees are put together (before: no such function)',
    asked: asked(OF_TREES),
    scene: `the random trees of row 4.1 of joint-trees, fast-check seed ${SEED}, ${trees} each: 3 to 64 bodies, nine joint types, half with limits; ${KNOCKED}; default options`,
    ...(slow && { slow }),
    measure: () =>
      judged(
        {
          'masses to 10⁶': knockedTrees(trees, {}),
          'masses to 10, limits 0.05 rad or m away at least': knockedTrees(trees, { decades: 1, room: 0.05 }),
        },
        OF_TREES,
      ),
  }
}

export const project: readonly ReportRow[] = [
  treesRow('8.1', 50, false),
  treesRow('8.2', 500, true),
  {
    id: '8.3',
    claim: 'Loops are closed (before: no such function)',
    asked: asked(OF_REST),
    scene: `${LOOPS} each: free rings of 4 to 12 bars of 0.5 m on ball joints (1 kg, and 1 to 10³ kg), four-bar linkages on hinges, chains of 4 to 12 bars between two points; ${KNOCKED}`,
    measure: () =>
      judged(
        { rings: rings(0), 'rings to 10³ kg': rings(3), linkages: linkages(), 'between two points': arches() },
        OF_REST,
      ),
  },
  {
    id: '8.4',
    claim: 'Heaps in deep overlap are pushed apart (before: no such function)',
    asked: asked(OF_REST),
    scene: `${PILES} each: 20 shapes 0.5 m across in random places and orientations of a cube with ${ROOM} of a diameter for each along each side, the lowest halfway in the floor or all floating freely`,
    measure: () => {
      const cases: Record<string, Iterable<Scene>> = {}
      for (const [name, kinds] of [
        ['spheres', ['sphere']],
        ['boxes', ['box']],
        ['capsules', ['capsule']],
        ['mixed', ['box', 'sphere', 'capsule']],
      ] as const) {
        cases[`${name}, floor`] = piles(kinds, true)
        cases[`${name}, free`] = piles(kinds, false)
      }
      return judged(cases, OF_REST)
    },
  },
]
