/** Rows 2.6 and 2.7: what Beočanin's cache and slop are for. */

import { ImpulseSolver } from '@tautline/impulse-compat'
import { type ContactScene, stack } from '../../scenes/contacts/index.js'
import { figure, type ReportRow } from '../report.js'

const FRAME = 1 / 60
/** Asked: share of iterations that warm start saves. */
const SAVED = 0.5
const BOXES = 10
/** Let come to rest [s], and then watched for steps. */
const SETTLING = 5
const WATCHED = 60
/** No impulse changes a velocity by more [m/s]. */
const TOLERANCES = [1e-3, 1e-4] as const
/** More than any step needs. */
const ENOUGH = 20_000

/** Iterations a step, in the mean, and the worst residual that is left [m/s], from the state the scene is in. */
function effort(scene: ContactScene, tolerance: number, warmStart: number): { iterations: number; residual: number } {
  const solver = new ImpulseSolver(scene.world, { iterations: ENOUGH, tolerance, warmStart, trace: true })
  let [iterations, residual] = [0, 0]
  for (let step = 0; step < WATCHED; step++) {
    solver.step(FRAME)
    iterations += solver.report.iterations / WATCHED
    residual = Math.max(residual, solver.report.trace[solver.report.trace.length - 1])
  }
  return { iterations, residual }
}

const iterations: ReportRow = {
  id: '2.6',
  claim: 'Beočanin: iterations that warm start saves on a stack at rest, at equal residual',
  asked: '>= 50 %',
  scene: `${BOXES} boxes, both from one state at rest, ${WATCHED} steps of 60 Hz, split push, slop 5 mm, until no impulse changes a velocity by more than ${TOLERANCES.join(', ')} m/s`,
  measure() {
    const scene = stack(BOXES)
    const settling = new ImpulseSolver(scene.world, { iterations: 20 })
    for (let step = 1; step <= SETTLING / FRAME; step++) settling.step(FRAME)
    const rest = scene.world.snapshot()
    const found = TOLERANCES.map((tolerance) => {
      const [cold, warm] = [0, 1].map((warmStart) => {
        scene.world.restore(rest)
        return effort(scene, tolerance, warmStart)
      })
      const saved = 1 - warm.iterations / cold.iterations
      const tell = (e: typeof cold): string => `${figure(e.iterations)} (residual ${figure(e.residual, 2)} m/s)`
      return { saved, text: `${tolerance}: cold ${tell(cold)}, warm ${tell(warm)}, ${figure(100 * saved)} % saved` }
    })
    return { figures: found.map(({ text }) => text).join('; '), holds: found.every(({ saved }) => saved >= SAVED) }
  },
}

/** Watched at rest [s]. */
const REST = 10

/** At rest: rms speed of the centres [m/s], share of the contacts' points that touch, and how many change that in a second. */
function liveliness(slop: number, warmStart: number): { rms: number; touching: number; flips: number } {
  const scene = stack(3)
  const solver = new ImpulseSolver(scene.world, { slop, warmStart })
  for (let step = 1; step <= SETTLING / FRAME; step++) solver.step(FRAME)
  const steps = Math.round(REST / FRAME)
  let [squares, touching, points, flips] = [0, 0, 0, 0]
  let before: number[] = []
  for (let step = 0; step < steps; step++) {
    solver.step(FRAME)
    for (const { velocity: v } of scene.bodies)
      squares += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / scene.bodies.length
    const now = scene.collisions.events.map((event) => event.points.filter(({ separation }) => separation <= 0).length)
    for (const event of scene.collisions.events) points += event.points.length
    now.forEach((count, k) => {
      touching += count
      if (before.length === now.length) flips += Math.abs(count - before[k])
    })
    before = now
  }
  return { rms: Math.sqrt(squares / steps), touching: touching / points, flips: flips / REST }
}

const jiggle: ReportRow = {
  id: '2.7',
  claim: 'Beočanin: without cache a stack jiggles; without slop contacts die and come back',
  asked: 'with slop: rms speed warm below cold; warm: fewer points a second that part or meet with slop than without',
  scene: '3 boxes, split push, 10 iterations, 60 Hz, slop 5 mm and 0, cold and warm, 10 s after 5 s',
  measure() {
    const found = [0.005, 0].flatMap((slop) => [0, 1].map((warm) => ({ slop, warm, ...liveliness(slop, warm) })))
    const told = found.map(
      ({ slop, warm, rms, touching, flips }) =>
        `slop ${1e3 * slop} mm ${warm === 1 ? 'warm' : 'cold'}: ${figure(1e3 * rms, 2)} mm/s, ${figure(100 * touching)} % of points touch, ${figure(flips)} changes/s`,
    )
    const [cold, warm, , warmTight] = found
    return { figures: told.join('; '), holds: warm.rms < cold.rms && warm.flips < warmTight.flips }
  },
}

export const warmStart: readonly ReportRow[] = [iterations, jiggle]
