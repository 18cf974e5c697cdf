/** Rows 1.8, 6 and 7.1: stacks without sleep, the touching cradle, boxes that bounce with friction. */

import { ImpulseSolver } from '@tautline/impulse-compat'
import { cradleOnThreads } from '../../scenes/cradle.js'
import {
  ballRow,
  type ContactScene,
  positionsOf,
  run,
  sidewaysDrift,
  sink,
  towerOf,
  type TowerParameters,
} from '../../scenes/contacts/index.js'
import { randomNumbers } from '../../lib/random.js'
import { figure, figures, type ReportRow } from '../report.js'

/** Asked of what stands: speed at the end [m/s], and for how long it stands [s]. */
const STILL = 1e-3
const STANDS = 120
/** For so long speeds are watched at the end [s]. */
const WATCHED = 1
/** A stack has fallen when something of it is half a box lower [m]. */
const FALLEN = 0.5
/** Asked of the cradle: how far a speed may be off, as a share of the first. */
const SHARE = 0.02

const KINDS: readonly { name: string; given: Partial<TowerParameters> }[] = [
  { name: 'aligned', given: {} },
  { name: '1 mm off', given: { offset: 1e-3 } },
  { name: '5 mm off', given: { offset: 5e-3 } },
  { name: 'yawed 0.1 rad', given: { yaw: 0.1 } },
]

interface Stood {
  fell: number
  speed: number
  drift: number
}

/** Fastest of the points of a scene's boxes in the last second, by |v| + |ω| times half the diagonal of a box of 1 m [m/s]. */
function watch(scene: ContactScene, seconds: number): Stood {
  const starts = positionsOf(scene.bodies)
  const reach = Math.sqrt(0.75)
  let [fell, speed] = [Infinity, 0]
  run(scene, seconds, (time) => {
    if (time > seconds - WATCHED) {
      for (const { velocity, angularVelocity } of scene.bodies) {
        speed = Math.max(speed, Math.hypot(...velocity) + reach * Math.hypot(...angularVelocity))
      }
    }
    if (sink(scene.bodies, starts) < FALLEN) return true
    fell = time
    return false
  })
  return { fell, speed, drift: sidewaysDrift(scene.bodies, starts) }
}

function tell(name: string, { fell, speed, drift }: Stood): string {
  if (fell < Infinity) return `${name}: fell at ${figure(fell)} s`
  return `${name}: ${figure(1e3 * speed, 2)} mm/s, drift ${figure(1e3 * drift, 2)} mm`
}

const isStanding = ({ fell, speed }: Stood): boolean => fell === Infinity && speed < STILL

const BOXES = 'boxes of 1 m and 100 kg, ν = 0.6, default settings (8 substeps of 1 sweep, 60 Hz), no sleep'

function stacksRow(id: string, counts: readonly number[], seconds: number, slow: boolean): ReportRow {
  return {
    id,
    claim: `Stacks of ${counts.join(', ')} stand still without sleep${slow ? '' : ` (sample: ${seconds} s)`}`,
    asked: `standing after ${STANDS} s, slower than 1 mm/s`,
    scene: `${BOXES}; offsets and yaws uniform within their bounds, seed 1; before: 30 lean from 45 s on, 1 mm off they are down in 30 s`,
    slow,
    measure() {
      const found = counts.flatMap((count) =>
        KINDS.map(({ name, given }) => ({
          name: `${count} ${name}`,
          stood: watch(towerOf({ count, ...given, random: randomNumbers(1) }), seconds),
        })),
      )
      return {
        figures: found.map(({ name, stood }) => tell(name, stood)).join('; '),
        holds: found.every(({ stood }) => isStanding(stood)),
      }
    },
  }
}

const leaning: ReportRow = {
  id: '1.8.1',
  claim: 'Thirty boxes, 1 mm off, stand',
  asked: 'standing, slower than 1 mm/s',
  scene: `40 s; ${BOXES}; seeds 1 and 2; before: down in 30 s`,
  measure() {
    const found = [1, 2].map((seed) => watch(towerOf({ count: 30, offset: 1e-3, random: randomNumbers(seed) }), 40))
    return { figures: found.map((stood, k) => tell(`seed ${k + 1}`, stood)).join('; '), holds: found.every(isStanding) }
  },
}

const trembling: ReportRow = {
  id: '1.8.2',
  claim: 'Eight boxes yawed against each other come to rest',
  asked: 'slower than 1 mm/s',
  scene: `yaws within 0.1 rad, seeds 1 to 8, 10 s; ${BOXES}; before: 1–3 cm/s for ever`,
  measure() {
    const found = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) =>
      watch(towerOf({ count: 8, yaw: 0.1, random: randomNumbers(seed) }), 10),
    )
    const speeds = found.map(({ speed }) => 1e3 * speed)
    return {
      figures: `worst ${figure(Math.max(...speeds), 2)} mm/s, each ${figures(speeds, 2)}`,
      holds: found.every(isStanding),
    }
  },
}

const otherSchool: ReportRow = {
  id: '1.8.3',
  claim: 'Ten boxes by impulses at their defaults stand',
  asked: 'standing, slower than 1 mm/s',
  scene: `20 s; boxes of 1 m and 100 kg, ν = 0.6, 60 Hz, no sleep; offsets 0 and within 1 mm, seed 1; before: 82 mm off, 0.18 m/s`,
  measure() {
    const found = [0, 1e-3].map((offset) => {
      const scene = towerOf({ count: 10, offset, random: randomNumbers(1) })
      const solver = new ImpulseSolver(scene.world)
      const starts = positionsOf(scene.bodies)
      let speed = 0
      for (let step = 1; step <= 1200; step++) {
        solver.step(1 / 60)
        if (step <= 1140) continue
        for (const { velocity } of scene.bodies) speed = Math.max(speed, Math.hypot(...velocity))
      }
      const fell = sink(scene.bodies, starts) < FALLEN ? Infinity : 20
      return { fell, speed, drift: sidewaysDrift(scene.bodies, starts) }
    })
    return {
      figures: found.map((stood, k) => tell(k === 0 ? 'aligned' : '1 mm off', stood)).join('; '),
      holds: found.every(isStanding),
    }
  },
}

/** Speeds in a row of free balls after all blows, as shares of the first speed. */
function rowSpeeds(speeds: readonly number[], gap: number, substeps: number): number[] {
  const scene = ballRow(speeds, gap, 1, { substeps })
  run(scene, 0.3)
  return scene.bodies.map((body) => body.velocity[0])
}

/** Speeds on threads in the step after the blow, as shares of that before it. */
function threadSpeeds(drawn: number, substeps: number): number[] {
  const { world, balls } = cradleOnThreads({ gap: 0, drawn }, { substeps })
  let before = 0
  for (let step = 0; step < 120; step++) {
    world.step(1 / 60)
    const speed = balls[0].velocity[0]
    if (before > 1 && speed < 0.5 * before) return balls.map((ball) => ball.velocity[0] / before)
    before = speed
  }
  return balls.map(() => NaN)
}

const off = (found: readonly number[], wanted: readonly number[]): number =>
  Math.max(...found.map((speed, k) => Math.abs(speed - wanted[k])))

const cradle: ReportRow = {
  id: '7.1',
  claim: 'Cradle of five that touch: 0, 0, 0, 0, 1',
  asked: `within ${SHARE}`,
  scene:
    'e = 1; balls of 0.1 m and 1 kg in a row without gravity, one, two, or one from each side coming in, and on threads with one or two drawn aside by 0.7 rad, where gravity takes up to 0.01 within the step; 1, 2, 4, 8, 20 substeps, 60 Hz; before: −0.11, 0.02, 0.12, 0.37, 0.60',
  measure() {
    const all = [1, 2, 4, 8, 20]
    const one = rowSpeeds([1, 0, 0, 0, 0], 0, 8)
    const free = Math.max(
      ...all.flatMap((substeps) =>
        [0, 1e-4, 1e-3].flatMap((gap) => [
          off(rowSpeeds([1, 0, 0, 0, 0], gap, substeps), [0, 0, 0, 0, 1]),
          off(rowSpeeds([1, 0, 0, 0, -1], gap, substeps), [-1, 0, 0, 0, 1]),
        ]),
      ),
    )
    const hung = threadSpeeds(1, 8)
    const threads = Math.max(
      ...all.flatMap((substeps) => [
        off(threadSpeeds(1, substeps), [0, 0, 0, 0, 1]),
        off(threadSpeeds(2, substeps), [0, 0, 0, 1, 1]),
      ]),
    )
    return {
      figures: `8 substeps, free ${figures(one)}; on threads ${figures(hung)}; worst of all off by ${figure(free)} free, ${figure(threads)} on threads`,
      holds: free <= SHARE && threads <= SHARE,
    }
  },
}

export const stacks: readonly ReportRow[] = [
  leaning,
  trembling,
  otherSchool,
  stacksRow('6', [10, 20, 30], STANDS, true),
  stacksRow('6.1', [30], 10, false),
  cradle,
]
