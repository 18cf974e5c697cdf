/** Rows 1.5 and 7.2: spins beyond a turn a substep, fast tops. */

import { World } from '@tautline/core'
import { hinge } from '@tautline/constraints'
import { randomNumbers } from '../../lib/random.js'
import { fastSpinScene, worstGain } from '../../scenes/fast-spins.js'
import { TOP, topScene } from '../../scenes/top.js'
import { figure, type ReportRow } from '../report.js'

const SPEEDS = [100, 200, 400, 1000]
const SECONDS = 3
/** Steps a second. */
const RATE = 60

/** Worst relative error of a spin over the run, at one substep. */
function worstSpin(speed: number, onHinge: boolean): number {
  const world = new World({ substeps: 1, gravity: [0, onHinge ? -9.81 : 0, 0] })
  const b = world.addBody({ position: [0, 0, 0], inertia: [0.1, 0.2, 0.1], angularVelocity: [0, speed, 0] })
  if (onHinge) world.add(hinge, { a: null, b, point: [0, 0, 0], axis: [0, 1, 0] })
  let worst = 0
  for (let step = 0; step < SECONDS * RATE; step++) {
    world.step()
    worst = Math.max(worst, Math.abs(b.angularVelocity[1] - speed) / speed)
  }
  return worst
}

/** Worst distance of the axis from steady precession [rad]. */
function worstTop(spin: number, tilt: number, substeps: number): number {
  const { world, error } = topScene({ ...TOP, spin, tilt }, { substeps })
  let worst = 0
  for (let step = 0; step < SECONDS * RATE; step++) {
    world.step()
    worst = Math.max(worst, error())
  }
  return worst
}

/** Scenes of row 1.5.1, of each solver, and for how long each runs [s]. */
const SCENES = 150
const SCENE_SECONDS = 2
const SEED = 4100
const GAIN = 0.01

/** Gains of random scenes, the worst first. */
function gains(solver: 'sweep' | 'direct'): { gain: number; name: string }[] {
  const list = Array.from({ length: SCENES }, (_, k) => {
    const signed = randomNumbers(7919 * (SEED + k))
    const scene = fastSpinScene(() => 0.5 + 0.5 * signed(), solver)
    return { gain: worstGain(scene, SCENE_SECONDS), name: scene.name }
  })
  return list.sort((a, b) => b.gain - a.gain)
}

const SPINS = [75, 100, 150]
const TILTS = [0.3, 0.8, 1.2]
const MOST = 0.02

export const spin: readonly ReportRow[] = [
  {
    id: '1.5',
    claim: 'Spins beyond half a turn a substep keep their sense (before: 200 rad/s read −177 after a step)',
    asked: 'ω right to 10⁻⁶ of itself, free and on a hinge through the centre',
    scene: `moments 0.1, 0.2, 0.1 kg m², ${SPEEDS.join(', ')} rad/s about the second, one substep, ${RATE} Hz, ${SECONDS} s, worst instant`,
    measure() {
      const free = SPEEDS.map((speed) => worstSpin(speed, false))
      const held = SPEEDS.map((speed) => worstSpin(speed, true))
      return {
        figures: `free ${free.map((e) => figure(e)).join(', ')}; on a hinge ${held.map((e) => figure(e)).join(', ')}`,
        holds: [...free, ...held].every((e) => e <= 1e-6),
      }
    },
  },
  {
    id: '1.5.1',
    claim:
      'Nothing gains from spin, at any rate, with the last guard off (before: 3 of 60 bodies on off-centre hinges at 200 rad/s, 485 times)',
    asked: `energy never above the start by more than ${100 * GAIN} % of m g L and kinetic energy`,
    scene: `chains of 1 to 5 boxes on balls, hinges off their centres and through them, and fixed joints, held and free, 0.1 to 20 rad a substep, 1 to 8 substeps, 30 to 144 Hz, ${SCENE_SECONDS} s, seeds ${SEED} to ${SEED + SCENES - 1}, swept and direct, energyGuard: false`,
    measure() {
      const found = { sweep: gains('sweep'), direct: gains('direct') }
      const all = [...found.sweep, ...found.direct]
      const tell = (list: typeof all): string =>
        `${list.filter(({ gain }) => !(gain <= GAIN)).length} of ${list.length} gain, worst ${figure(list[0].gain)} (${list[0].name}), mean ${figure(list.reduce((sum, { gain }) => sum + gain, 0) / list.length)}`
      return {
        figures: `swept: ${tell(found.sweep)}; direct: ${tell(found.direct)}`,
        holds: all.every(({ gain }) => gain <= GAIN),
      }
    },
  },
  {
    id: '7.2',
    claim: 'Fast tops precess steadily (before: 0.14 rad off in 1 s, 0.53 in 3 s; 0.10 at 32 substeps)',
    asked: `axis within ${MOST} rad of steady precession over ${SECONDS} s at 8 substeps`,
    scene: `disc of ${TOP.mass} kg, ${TOP.along} kg m² about its axis, ${TOP.arm} m from a ball socket; spins ${SPINS.join(', ')} rad/s × tilts ${TILTS.join(', ')} rad; worst instant against the exact solution, 100 rad/s and 1.2 rad beside it`,
    measure() {
      const worst = SPINS.flatMap((speed) => TILTS.map((tilt) => worstTop(speed, tilt, 8)))
      return {
        figures: `worst ${figure(Math.max(...worst))} rad of ${worst.map((e) => figure(e)).join(', ')}; 100 rad/s at 1.2 rad ${figure(worstTop(100, 1.2, 8))}, at 32 substeps ${figure(worstTop(100, 1.2, 32))}`,
        holds: worst.every((e) => e <= MOST),
      }
    },
  },
]
