/** Rows 1.1 to 1.3: failed passes, limits and violated starts of joint trees. */

import { solidBox, World, type WorldOptions } from '@tautline/core'
import { hinge } from '@tautline/constraints'
import { quat, vec3 } from 'gl-matrix'
import {
  adultRagdoll,
  type Ragdoll,
  type ThrownChain,
  thrownChain,
  type ThrownScene,
} from '../../scenes/trees/index.js'
import { figure, type Measured, type ReportRow } from '../report.js'

/** Most that energy may rise above the start, as a share of m g L. */
const MOST_GAIN = 0.01
/** [m] */
const CLOSED = 1e-6
/** Speed that nothing made [m/s, rad/s]. */
const NO_SPEED = 1e-6
const SEEDS = 20
const ASKED = '≤ 1 % of m g L above the start in each; gaps ≤ 1e-6 m; nothing unsolved'
const NO_GAIN = '≤ 1 % of m g L above the start in each'

/** What a run showed, or the worst of runs and the sum of their counts. */
interface Run {
  seed: number
  /** Highest energy above the start, as a share of m g L. */
  gain: number
  gainSeed: number
  /** [m] */
  gap: number
  gapSeed: number
  passes: number
  solves: number
  unsolved: number
  halved: number
  guarded: number
}

type BeforeStep = (world: World, step: number) => void

/** Runs a scene and looks at it after every step. */
function runScene({ world, scale }: ThrownScene, seed: number, seconds: number, beforeStep?: BeforeStep): Run {
  const run: Run = {
    seed,
    gain: 0,
    gainSeed: seed,
    gap: 0,
    gapSeed: seed,
    passes: 0,
    solves: 0,
    unsolved: 0,
    halved: 0,
    guarded: 0,
  }
  const start = world.energy().total
  const steps = Math.round(seconds / world.settings.dt)
  for (let step = 0; step < steps; step++) {
    beforeStep?.(world, step)
    world.step()
    const gain = (world.energy().total - start) / scale
    // NaN has to show.
    if (!(gain <= run.gain)) run.gain = gain
    for (const { linear } of Object.values(world.residual())) {
      if (linear !== undefined && !(linear.max <= run.gap)) run.gap = linear.max
    }
    const { direct, guard } = world.report
    run.passes += direct.passes
    run.solves += direct.solves
    run.unsolved += direct.unsolved
    run.halved += direct.halved
    run.guarded += guard.components
  }
  return run
}

function worst(runs: readonly Run[]): Run {
  const all = { ...runs[0] }
  for (const run of runs.slice(1)) {
    if (!(run.gain <= all.gain)) [all.gain, all.gainSeed] = [run.gain, run.seed]
    if (!(run.gap <= all.gap)) [all.gap, all.gapSeed] = [run.gap, run.seed]
    all.passes += run.passes
    all.solves += run.solves
    all.unsolved += run.unsolved
    all.halved += run.halved
    all.guarded += run.guarded
  }
  return all
}

function tell({ gain, gainSeed, gap, gapSeed, passes, solves, unsolved, halved, guarded }: Run): string {
  const solved = `${figure(solves / Math.max(passes, 1))} solves each, ${unsolved} unsolved, ${halved} halved`
  return `gain ${figure(100 * gain)} % (seed ${gainSeed}), gap ${figure(gap)} m (seed ${gapSeed}), ${passes} passes: ${solved}, guard ${guarded}`
}

/** Chains of one kind over seeds. */
function overSeeds(chain: ThrownChain, seconds: number, seeds: number, beforeStep?: BeforeStep): Run {
  const runs = Array.from({ length: seeds }, (_, k) =>
    runScene(thrownChain({ ...chain, seed: k + 1 }), k + 1, seconds, beforeStep),
  )
  return worst(runs)
}

/** Settings of a row by name, judged by gain, and by gaps and passes where joints start satisfied. */
type Cases = Record<string, { chain: ThrownChain; seeds?: number; seconds: number; beforeStep?: BeforeStep }>

function judged(cases: Cases, gainAlone = false): Measured {
  const runs = Object.entries(cases).map(
    ([name, { chain, seeds = SEEDS, seconds, beforeStep }]) =>
      [name, overSeeds(chain, seconds, seeds, beforeStep)] as const,
  )
  return {
    figures: runs.map(([name, run]) => `${name}: ${tell(run)}`).join('; '),
    holds: runs.every(
      ([, { gain, gap, unsolved }]) => gain <= MOST_GAIN && (gainAlone || (gap <= CLOSED && unsolved === 0)),
    ),
  }
}

const AT_30: WorldOptions = { dt: 1 / 30 }
const substeps = (count: number): { options: WorldOptions } => ({ options: { substeps: count } })

const failedPasses: readonly ReportRow[] = [
  {
    id: '1.1.1',
    claim: 'A thrown chain with a heavy end does not part (before: gap 0.8 m after 3 s, 10¹⁰ m after 10 s)',
    asked: ASKED,
    scene:
      'straight, 5 capsules of 0.5 m and 1 kg, the last 10⁵ kg, thrown as one rigid body with ω = (0.376, 0.564, 1.881) rad/s; one substep, 60 Hz, 10 s',
    measure() {
      const chain = { links: 5, last: 1e5, thrown: [0.376, 0.564, 1.881] as const }
      return judged({ thrown: { chain, seeds: 1, seconds: 10 } })
    },
  },
  {
    id: '1.1.2',
    claim: 'An upright chain with a heavy end falls and does not part (before: 16 m)',
    asked: ASKED,
    scene:
      'upright, 20 capsules of 0.5 m and 1 kg, the last 10⁵ kg; bent by up to 0.01 rad at each joint, 5 seeds, and thrown with 0.01, 0, 0.02 rad/s; one substep, 60 Hz, 5 s',
    measure() {
      const chain = { links: 20, last: 1e5, upright: true }
      return judged({
        bent: { chain: { ...chain, bend: 0.01 }, seeds: 5, seconds: 5 },
        thrown: { chain: { ...chain, thrown: [0.01, 0, 0.02] }, seeds: 1, seconds: 5 },
      })
    },
  },
  {
    id: '1.1.3',
    claim: 'Masses in any order do no harm (before: 2 m from rest, 72 m with other seeds)',
    asked: ASKED,
    scene: `10 links on ball joints in any direction, masses 10⁰ to 10⁶ kg in random order, from rest and with spins to 20 rad/s about each axis; seeds 1 to ${SEEDS}, one substep, 60 Hz, 5 s`,
    measure() {
      const chain = { links: 10, decades: 6, bend: Infinity }
      return judged({
        'from rest': { chain, seconds: 5 },
        spinning: { chain: { ...chain, spin: 20 }, seconds: 5 },
      })
    },
  },
  {
    id: '1.1.4',
    claim: 'Hinges and balls mixed at 30 Hz do not part (before: 1.25 m)',
    asked: ASKED,
    scene: `10 links on hinges and ball joints in random order, in any direction, masses 1 kg and 10⁰ to 10³ kg, let go at rest and with spins to 5 rad/s about each axis (what hinges do not allow of it is an impact in the first step); seeds 1 to ${SEEDS}, one substep, 30 Hz, 5 s`,
    measure() {
      const chain: ThrownChain = { links: 10, kinds: ['ball', 'hinge'], bend: Infinity, options: AT_30 }
      return judged({
        'equal masses': { chain, seconds: 5 },
        '10⁰ to 10³ kg': { chain: { ...chain, decades: 3 }, seconds: 5 },
        '10⁰ to 10³ kg, spinning': { chain: { ...chain, decades: 3, spin: 5 }, seconds: 5 },
      })
    },
  },
]

const SHAPES = ['pyramid', 'cone'] as const
/** Most turn from link to link about each axis [rad]: within the limits. */
const BEND = 0.45

/** A setting for both shapes of the swing's limit. */
function bothShapes(name: string, chain: ThrownChain, seconds: number, seeds = SEEDS): Cases {
  return Object.fromEntries(
    SHAPES.map((shape) => [`${shape}, ${name}`, { chain: { ...chain, kinds: [shape] }, seconds, seeds }]),
  )
}

const limits: readonly ReportRow[] = [
  {
    id: '1.2.1',
    claim: 'Limits that are struck give no energy (before: −15.5 J became 326 J, 493 rad/s)',
    asked: ASKED,
    scene: `6 equal links on swing–twist joints, swing ±0.8, twist ±0.5 rad, bent by up to ${BEND} rad about each axis, let go at rest; seeds 1 to ${SEEDS}, 60 Hz, 5 s`,
    measure: () =>
      judged({
        ...bothShapes('8 substeps', { links: 6, bend: BEND, ...substeps(8) }, 5),
        ...bothShapes('1 substep', { links: 6, bend: BEND }, 5),
      }),
  },
  {
    id: '1.2.2',
    claim: 'The same of long chains (before: 2070 J of 20 links)',
    asked: ASKED,
    scene: `20 equal links, else as 1.2.1; seeds 1 to ${SEEDS}, one substep, 60 Hz, 3 s`,
    measure: () => judged(bothShapes('1 substep', { links: 20, bend: BEND }, 3)),
  },
  {
    id: '1.2.3',
    claim: 'Chains with limits do not part (before: 63 to 77 mm)',
    asked: ASKED,
    scene: `10 links, masses 10⁰ to 10¹ kg, spins to 2 rad/s about each axis, else as 1.2.1; seeds 1 to ${SEEDS}, 60 Hz, 3 s`,
    measure: () =>
      judged({
        ...bothShapes('8 substeps', { links: 10, decades: 1, spin: 2, bend: 0.3, ...substeps(8) }, 3),
        ...bothShapes('1 substep', { links: 10, decades: 1, spin: 2, bend: 0.3 }, 3),
      }),
  },
  {
    id: '1.2.4',
    claim:
      'The set of active limits is found at any step (before: 26, 34 and 28 passes fell back at 16, 32 and 64 substeps)',
    asked: ASKED,
    scene: `as 1.2.1 at 16, 32 and 64 substeps; seeds 1 to 5, 2 s`,
    measure: () =>
      judged(
        Object.assign(
          {},
          ...[16, 32, 64].map((count) =>
            bothShapes(`${count} substeps`, { links: 6, bend: BEND, ...substeps(count) }, 2, 5),
          ),
        ) as Cases,
      ),
  },
]

/** Fastest body [m/s] or [rad/s]. */
function speedOf(world: World): number {
  const speeds = world.bodies
    .all()
    .flatMap(({ velocity, angularVelocity }) => [Math.hypot(...velocity), Math.hypot(...angularVelocity)])
  return speeds.reduce((most, speed) => (speed <= most ? most : speed), 0)
}

/** Two boxes on a hinge, `off` beyond its range [rad], without gravity; or one on the world. */
function hingeBeyond(off: number, isFree: boolean, solver: 'auto' | 'direct', count: number): World {
  const world = new World({ gravity: [0, 0, 0], substeps: count, solver })
  const body = (x: number) => world.addBody({ position: [x, 0, 0], inertia: solidBox(1, [0.5, 0.1, 0.1]) })
  const a = isFree ? body(-0.25) : null
  const b = body(0.25)
  const limits = off > 0 ? { min: -1, max: -off } : { min: -off, max: 1 }
  world.add(hinge, { a, b, point: [0, 0, 0], axis: [0, 0, 1], limits })
  return world
}

/** How far beyond its range each joint of the ragdoll is put [rad], and about which axes of its frame. */
const BEYOND = (28 * Math.PI) / 180

/** Poses the adult with its swing about y or z beyond a limit, joint by joint from the pelvis outward. */
function poseBeyond({ joints }: Ragdoll, axis: 'y' | 'z', end: 'min' | 'max'): void {
  for (const { constraint } of joints) {
    const { a, b, anchorA, anchorB, frameA, frameB, swing } = constraint.def
    const limit = swing?.[axis]?.[end]
    if (!a || !b || limit === undefined) continue
    const angle = limit + (end === 'max' ? BEYOND : -BEYOND)
    const turn = quat.setAxisAngle(quat.create(), axis === 'y' ? [0, 1, 0] : [0, 0, 1], angle)
    const orientation = quat.multiply(quat.create(), a.orientation as quat, frameA as quat)
    quat.multiply(orientation, orientation, turn)
    quat.multiply(orientation, orientation, quat.conjugate(quat.create(), frameB as quat))
    const lever = vec3.transformQuat(vec3.create(), anchorB as vec3, orientation)
    const position = vec3.subtract(vec3.create(), a.toWorld(anchorA as vec3) as vec3, lever)
    b.setOrientation(orientation)
    b.setPosition(position)
  }
}

/** Worst error of a ragdoll's joints, limits included [m, rad]. */
function worstError({ joints }: Ragdoll): number {
  return joints.reduce((most, { constraint: { error } }) => (error <= most ? most : error), 0)
}

/** A run of the adult put beyond its limits, and its joints' worst errors before and after [m, rad]. */
function ragdollBeyond(axis: 'y' | 'z', end: 'min' | 'max', count: number): Run & { off: number; left: number } {
  const ragdoll = adultRagdoll({ gravity: [0, 0, 0], substeps: count })
  poseBeyond(ragdoll, axis, end)
  // 75 kg and 1.75 m.
  const joints = ragdoll.joints.map(({ constraint }) => constraint as never)
  const off = worstError(ragdoll)
  const run = runScene({ world: ragdoll.world, bodies: ragdoll.bodies, joints, scale: 75 * 9.81 * 1.75 }, count, 2)
  return { ...run, off, left: worstError(ragdoll) }
}

/** Steps between two switches of the solver. */
const TURN = 10

const byTurns: BeforeStep = (world, step) => {
  if (step % TURN === 0) world.configure({ solver: (step / TURN) % 2 === 0 ? 'direct' : 'sweep' })
}

/** Most height energy that the projection of a start puts in, as a share of m g L. */
function liftOf(chain: ThrownChain): number {
  const { world, scale } = thrownChain(chain)
  const start = world.energy().total
  world.project()
  return (world.energy().total - start) / scale
}

/** Cases whose starts are violated, by gain alone, and what of it is height. */
function withLift(cases: Cases): Measured {
  const { figures, holds } = judged(cases, true)
  const lifts = Object.entries(cases).map(([name, { chain, seeds = SEEDS }]) => {
    const lift = Math.max(...Array.from({ length: seeds }, (_, k) => liftOf({ ...chain, seed: k + 1 })))
    return `${name} ${figure(100 * lift)} %`
  })
  return { figures: `${figures}; lifted by the projection alone: ${lifts.join(', ')}`, holds }
}

const violatedStarts: readonly ReportRow[] = [
  {
    id: '1.3.1',
    claim: 'A hinge beyond its range gets back without speed (before: 144 rad/s)',
    asked: '≤ 1e-6 rad/s and m/s after one step',
    scene:
      'boxes of 1 kg, 0.3 rad beyond either end of the range; on the world and free, 1 and 8 substeps, solved directly and by the sweep; no gravity',
    measure() {
      const parts: string[] = []
      let holds = true
      for (const solver of ['auto', 'direct'] as const) {
        for (const count of [1, 8]) {
          let speed = 0
          for (const off of [0.3, -0.3]) {
            for (const isFree of [false, true]) {
              const world = hingeBeyond(off, isFree, solver, count)
              world.step()
              speed = Math.max(speed, speedOf(world))
            }
          }
          holds &&= speed <= NO_SPEED
          parts.push(`${solver}, ${count} substeps: ${figure(speed)}`)
        }
      }
      return { figures: parts.join('; '), holds }
    },
  },
  {
    id: '1.3.2',
    claim: 'A ragdoll 28° beyond its limits gets back without energy (before: +382 J)',
    asked: NO_GAIN,
    scene:
      'adult of 75 kg and 1.75 m, every joint with a limit of that swing 28° beyond it (about y or z, its lower or upper end), at rest, no gravity; 1 and 8 substeps, 60 Hz, 2 s',
    measure() {
      const parts: string[] = []
      let holds = true
      for (const count of [1, 8]) {
        for (const axis of ['y', 'z'] as const) {
          for (const end of ['min', 'max'] as const) {
            const { gain, unsolved, halved, guarded, off, left } = ragdollBeyond(axis, end, count)
            holds &&= gain <= MOST_GAIN
            parts.push(
              `${axis} ${end}, ${count} substeps: ${figure(100 * gain)} %, worst joint ${figure(off)} rad off at the start, ${figure(left)} at the end, ${unsolved} unsolved, ${halved} halved, guard ${guarded}`,
            )
          }
        }
      }
      return { figures: parts.join('; '), holds }
    },
  },
  {
    id: '1.3.3',
    claim: 'The solver can change in mid-run (before: 9·10⁵ J, with hinges 10¹⁴ J)',
    asked: NO_GAIN,
    scene: `12 links of 1 kg in any direction, on ball joints, and on balls and hinges mixed, let go at rest; direct and sweep by turns of ${TURN} steps; seeds 1 to ${SEEDS}, 1 and 8 substeps, 60 Hz, 5 s`,
    measure() {
      const cases: Cases = {}
      for (const [name, kinds] of [
        ['balls', ['ball']],
        ['mixed', ['ball', 'hinge']],
      ] as const) {
        for (const count of [1, 8]) {
          const chain = { links: 12, kinds, bend: Infinity, ...substeps(count) }
          cases[`${name}, ${count} substeps`] = { chain, seconds: 5, beforeStep: byTurns }
        }
      }
      return judged(cases, true)
    },
  },
  {
    id: '1.3.4',
    claim: 'Links that are off their joints get back without energy (before: 490 to 680 times that of the start)',
    asked: NO_GAIN,
    scene: `10 links in any direction, each up to 0.3 m off along each axis, let go at rest, masses 1 kg and 10⁰ to 10³ kg in random order; seeds 1 to ${SEEDS}, one substep, 60 Hz, 3 s; the start is as set, so that links which are lifted onto their joints show as gain: the most that this comes to stands beside it`,
    measure() {
      const chain = { links: 10, bend: Infinity, off: 0.3 }
      return withLift({
        'equal masses': { chain, seconds: 3 },
        '10⁰ to 10³ kg': { chain: { ...chain, decades: 3 }, seconds: 3 },
        'limits, equal masses': { chain: { ...chain, kinds: ['cone'], bend: BEND }, seconds: 3 },
      })
    },
  },
]

export const trees: readonly ReportRow[] = [...failedPasses, ...limits, ...violatedStarts]
