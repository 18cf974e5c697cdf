/** Rows 2 and 5: random chains, trees and ragdolls, and solvers that are switched in mid-run. */

import { ImpulseSolver } from '@tautline/impulse-compat'
import type { Solver, World } from '@tautline/core'
import { ALL_SCENES, type NamedScene } from '../../scenes/attack/everywhere.js'
import { Draw, scenePlan } from '../../scenes/attack/plan.js'
import { anySettings, MOST_GAIN as MOST_OF_ALL, settingsGain } from '../../scenes/any-settings.js'
import { attack, type AttackResult, CLOSED, describe } from '../../scenes/attack/run.js'
import { figure, type Measured, type ReportRow } from '../report.js'

/** How much is run. */
interface Sample {
  count: number
  seconds: number
}

const SAMPLE: Sample = { count: 60, seconds: 2 }
const ALL: Sample = { count: 2000, seconds: 5 }

/** Most that energy may rise above the start, as a share of m g L. */
const MOST_GAIN = 0.01
/** Most that the 99th percentile of a step's time may be of its median. */
const MOST_STEP = 5
/** Times are disturbed by whatever else runs: a scene that is above is run so often, and its best time counts. */
const REPEATS = 3

const results = new Map<Sample, AttackResult[]>()

function run(sample: Sample): AttackResult[] {
  let found = results.get(sample)
  if (found === undefined) {
    found = Array.from({ length: sample.count }, (_, seed) => attack(seed, sample.seconds))
    results.set(sample, found)
  }
  return found
}

/** NaN is worse than anything. */
function worst(found: readonly AttackResult[], measure: (result: AttackResult) => number): AttackResult {
  const key = (result: AttackResult): number => (Number.isNaN(measure(result)) ? Infinity : measure(result))
  return found.reduce((most, result) => (key(result) > key(most) ? result : most))
}

function sum(found: readonly AttackResult[], measure: (result: AttackResult) => number): number {
  return found.reduce((all, result) => all + measure(result), 0)
}

function which({ seed }: AttackResult): string {
  return `seed ${seed}: ${describe(scenePlan(seed))}`
}

function gain(sample: Sample): Measured {
  const found = run(sample)
  const above = found.filter((result) => !(result.gain <= MOST_GAIN))
  const most = worst(found, (result) => result.gain)
  const guarded = found.filter((result) => result.guarded > 0)
  const satisfied = guarded.filter(({ seed }) => scenePlan(seed).start === 'satisfied').length
  const figures = [
    `${above.length} of ${found.length} scenes above; most ${figure(100 * most.gain)} % (${which(most)})`,
    `the guard acted ${sum(found, (result) => result.guarded)} times, in ${guarded.length} scenes, ${satisfied} of which start satisfied`,
  ]
  return { figures: figures.join('; '), holds: above.length === 0 }
}

function gaps(sample: Sample): Measured {
  const exact = run(sample).filter(({ isExact }) => isExact)
  const above = exact.filter((result) => !(result.gap <= CLOSED))
  const most = worst(exact, (result) => result.gap)
  return {
    figures: `${above.length} of ${exact.length} scenes above; widest ${figure(most.gap)} m (${which(most)})`,
    holds: above.length === 0,
  }
}

function silence(sample: Sample): Measured {
  const found = run(sample)
  const silent = sum(found, (result) => result.silent)
  const failed = `${sum(found, (r) => r.unsolved)} unsolved and ${sum(found, (r) => r.halved)} halved`
  const solves = figure(sum(found, (r) => r.solves) / sum(found, (r) => r.passes))
  const figures = `${silent} steps; of ${sum(found, (r) => r.passes)} passes (${solves} solves each) ${failed}, all reported`
  return { figures, holds: silent === 0 }
}

function times(sample: Sample): Measured {
  const ratios = run(sample).map((result) => {
    let best = result.p99 / result.median
    for (let k = 1; k < REPEATS && !(best <= MOST_STEP); k++) {
      const again = attack(result.seed, sample.seconds)
      best = Math.min(best, again.p99 / again.median)
    }
    return { result, best }
  })
  const above = ratios.filter(({ best }) => !(best <= MOST_STEP))
  const most = ratios.reduce((r, s) => (s.best > r.best ? s : r))
  const middle = ratios.map(({ best }) => best).sort((r, s) => r - s)[ratios.length >> 1]
  return {
    figures: `${above.length} of ${ratios.length} scenes above; median ${figure(middle)}, worst ${figure(most.best)} (${which(most.result)})`,
    holds: above.length === 0,
  }
}

function rows(sample: Sample, first: number, slow: boolean): ReportRow[] {
  const scene = `seeds 0 to ${sample.count - 1}, ${sample.seconds} s each: chains, trees and ragdolls of 3 to 24 links, all joint types, with and without limits, masses 10^0 to 10^6, spins to 50 rad/s, half start violated by up to 30° and 0.3 m, 1, 2, 4 or 8 substeps at 30, 60 or 144 Hz, free, hung, or falling on a plane, a box or a mesh`
  const claims: readonly (readonly [string, string, (sample: Sample) => Measured])[] = [
    ['Random joint scenes gain no energy', '≤ 1 % of m g L above the start in each', gain],
    ['What starts satisfied and is solved directly does not part', '≤ 1e-6 m', gaps],
    ['No pass fails in silence', '0 steps with a gap that no pass was reported for', silence],
    [
      'A step takes no longer than a few others',
      'p99 ≤ 5 × median of the steps in which something is awake, in each scene, the best of three runs',
      times,
    ],
  ]
  return claims.map(([claim, asked, measure], k) => ({
    id: `2.${first + k}`,
    claim: slow ? `${claim}, all of them` : `${claim}, a sample`,
    asked,
    scene,
    ...(slow && { slow }),
    measure: () => measure(sample),
  }))
}

/** Random settings, each on the joints and on the net of its seed. */
function settingsRow(id: string, { count, seconds }: Sample, slow: boolean): ReportRow {
  return {
    id,
    claim: `At any settings of the world nothing gains${slow ? ', all of them' : ', a sample'}`,
    asked: `kinetic and potential energy ≤ that of the start + ${100 * MOST_OF_ALL} % of m g L and of the kinetic energy then, in each`,
    scene: `seeds 0 to ${count - 1}, ${seconds} s: the joints of row 2.1 and the nets of row 3.1, each with 1 to 5 iterations, relaxation 0.1 to 1.9, a warm start to 0.5, jacobians, order, gyroscopic, effectiveInertia, regularization, solver (of nets not direct) and tolerance at random`,
    ...(slow && { slow }),
    measure() {
      const gains = Array.from({ length: count }, (_, seed) => settingsGain(seed, seconds))
      const above = gains.filter((share) => !(share <= MOST_OF_ALL)).length
      const key = (seed: number): number => (Number.isNaN(gains[seed]) ? Infinity : gains[seed])
      const worst = gains.reduce((most, _, seed) => (key(seed) > key(most) ? seed : most), 0)
      return {
        figures: `${above} of ${count} above; most ${figure(100 * gains[worst])} % (seed ${worst}: ${JSON.stringify(anySettings(worst))})`,
        holds: above === 0,
      }
    },
  }
}

/** What a run of a scene showed [J]. */
interface Rise {
  /** Highest energy above the start. */
  rise: number
  guarded: number
}

type Step = (world: World, solver: ImpulseSolver, step: number) => void

function riseOf({ make }: NamedScene, seconds: number, advance: Step): Rise {
  const scene = make({})
  const { world } = scene
  const solver = new ImpulseSolver(world)
  const start = world.energy().total
  const found: Rise = { rise: 0, guarded: 0 }
  const steps = Math.round(seconds / world.settings.dt)
  for (let step = 0; step < steps; step++) {
    scene.beforeStep?.()
    advance(world, solver, step)
    const rise = world.energy().total - start
    if (!(rise <= found.rise)) found.rise = rise
    found.guarded += world.report.guard.components
  }
  return found
}

/** m g L of a scene's dynamic bodies [J]. */
function scaleOf({ make }: NamedScene): number {
  const { world } = make({})
  const moving = world.bodies.all().filter(({ type }) => type === 'dynamic')
  const mass = moving.reduce((all, body) => all + body.mass, 0)
  const sides = [0, 1, 2].map((axis) => {
    const places = moving.map(({ position }) => position[axis])
    return places.reduce((r, s) => Math.max(r, s), -Infinity) - places.reduce((r, s) => Math.min(r, s), Infinity)
  })
  return 9.81 * mass * Math.max(Math.hypot(...sides), 1)
}

const SOLVERS: readonly Solver[] = ['sweep', 'direct', 'auto']
/** Steps between switches, at most. */
const LONGEST = 20

/** Which solver steps next: by turns of random length, the world's own three and the velocity-level one. */
function switching(seed: number): Step {
  const draw = new Draw(seed)
  let left = 0
  let byImpulses = false
  return (world, solver) => {
    if (left === 0) {
      left = draw.integer(1, LONGEST)
      byImpulses = draw.chance(0.25)
      if (!byImpulses) world.configure({ solver: draw.of(SOLVERS) })
    }
    left--
    if (byImpulses) solver.step()
    else world.step()
  }
}

function switched(scenes: readonly NamedScene[], seconds: number): Measured {
  const worse: string[] = []
  let guarded = 0
  scenes.forEach((scene, k) => {
    const alone = SOLVERS.map((solver) =>
      riseOf(scene, seconds, (world, _, step) => {
        if (step === 0) world.configure({ solver })
        world.step()
      }),
    )
    alone.push(riseOf(scene, seconds, (_, solver) => solver.step()))
    const all = riseOf(scene, seconds, switching(k))
    guarded += all.guarded
    const scale = scaleOf(scene)
    const beyond = all.rise - Math.max(...alone.map(({ rise }) => rise))
    if (!(beyond <= MOST_GAIN * scale)) worse.push(`${scene.name} by ${figure((100 * beyond) / scale)} % of m g L`)
  })
  const figures = `${worse.length} of ${scenes.length} scenes gain more${worse.length > 0 ? `: ${worse.join(', ')}` : ''}; the guard acted ${guarded} times`
  return { figures, holds: worse.length === 0 }
}

/** Scenes that take no longer than a second or so for each second of theirs. */
function smallScenes(): NamedScene[] {
  return ALL_SCENES.filter(({ make }) => make({}).world.bodies.count <= 30)
}

const SWITCH_ROWS: readonly ReportRow[] = [
  {
    id: '5.1',
    claim: 'Solvers that are switched at random gain nothing beyond what each alone does, in small scenes',
    asked: '≤ 1 % of m g L beyond the most of sweep, direct, auto and impulses alone',
    scene:
      'scenes of at most 30 bodies, 1 s each; turns of 1 to 20 steps; before: 9e5 J in a chain of 12 balls by turns of 10 steps, 1e14 J with hinges',
    measure: () => switched(smallScenes(), 1),
  },
  {
    id: '5.2',
    claim:
      'Solvers that are switched at random gain nothing beyond what each alone does, in all scenes of the examples',
    asked: '≤ 1 % of m g L beyond the most of sweep, direct, auto and impulses alone',
    scene: `${ALL_SCENES.length} scenes, those of the comparison among them, 3 s each; turns of 1 to 20 steps`,
    slow: true,
    measure: () => switched(ALL_SCENES, 3),
  },
]

export const scenes: readonly ReportRow[] = [
  ...rows(SAMPLE, 1, false),
  ...rows(ALL, 5, true),
  settingsRow('2.10', { count: 30, seconds: 1 }, false),
  settingsRow('2.10.full', { count: 500, seconds: 2 }, true),
  ...SWITCH_ROWS,
]
