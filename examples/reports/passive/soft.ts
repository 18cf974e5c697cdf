/** Joints that give way, at default settings: between two bodies, in chains and in loops. */

import { BUILT_IN, type BuiltIn } from '@tautline/fast-check'
import { type Body, World } from '@tautline/core'
import fc from 'fast-check'
import { realMoments } from '../../lib/moments.js'
import { randomNumbers } from '../../lib/random.js'
import { figure, type ReportRow } from '../report.js'

/** Share of the energy at the start that a scene may gain. */
const GAIN = 0.01
/** A scene starts from where rigid rows and limits are met to this [m, rad]. */
const MET = 1e-4
const SECONDS = 3
const SEED = 5

type Vec3 = [number, number, number]

/** Which of the bodies joints join; of `ground` the first is static. */
const LAYOUTS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  pair: [[0, 1]],
  ground: [[0, 1]],
  chain: [
    [0, 1],
    [1, 2],
  ],
  loop: [
    [0, 1],
    [1, 3],
    [3, 2],
    [2, 0],
  ],
}

/** Joint types whose bodies turn, drives of an angle and springs among them. */
const JOINTS = BUILT_IN.filter(({ type, options }) => type.joint !== undefined && options.particles === false)

/** Joints whose drives hold a position with what force it takes, also those that are a drive: others bring energy. */
function holding(fields: Record<string, unknown>): Record<string, unknown> {
  if ('velocityTarget' in fields) return holdingDrive(fields)
  const drives = Object.entries(fields).filter(([name]) => name.startsWith('drive'))
  const held = drives.map(([name, drive]) => [name, holdingDrive(drive as Record<string, unknown>)])
  return { ...fields, ...Object.fromEntries(held) }
}

function holdingDrive(drive: Record<string, unknown>): Record<string, unknown> {
  const { velocityTarget: _rate, maxForce: _force, maxTorque: _torque, ...rest } = drive
  return { ...rest, mode: 'force' }
}

interface Outcome {
  /** Share of the energy at the start, or nothing where no start was found. */
  gain: number | undefined
  guarded: number
  unsolved: number
}

function run({ type }: BuiltIn, fields: Record<string, unknown>, layout: string, seed: number): Outcome {
  const random = randomNumbers(seed)
  for (let k = 0; k < 5; k++) random()
  const pick = (list: readonly number[]): number => list[Math.floor(list.length * (0.5 + 0.5 * random()))]
  const world = new World({ gravity: [0, 0, 0], substeps: pick([1, 2, 4, 8]) })
  const dt = 1 / pick([30, 60, 144])
  const pairs = LAYOUTS[layout]
  const bodies: Body[] = []
  for (let k = 0; k <= Math.max(...pairs.flat()); k++) {
    const mass = 10 ** random()
    const inertia = realMoments([0, 0, 0].map(() => mass * (0.12 + 0.07 * random())) as Vec3)
    const position: Vec3 = [(k % 2) + 0.1 * random(), (k >> 1) + 0.3 * random(), 0.3 * random()]
    bodies.push(world.addBody({ position, mass, inertia, type: layout === 'ground' && k === 0 ? 'static' : 'dynamic' }))
  }
  for (const [a, b] of pairs) world.add(type, { ...holding(fields), a: bodies[a], b: bodies[b] })
  world.project()
  if (world.constraints().some(({ error }) => error > MET)) return { gain: undefined, guarded: 0, unsolved: 0 }
  for (const body of bodies) {
    if (body.type !== 'dynamic') continue
    body.setVelocity([0, 0, 0].map(() => 3 * random()) as Vec3)
    body.setAngularVelocity([0, 0, 0].map(() => 5 * random()) as Vec3)
  }
  const start = world.energy()
  const outcome = { gain: 0, guarded: 0, unsolved: 0 }
  for (let step = 0; step * dt < SECONDS; step++) {
    world.step(dt)
    const gain = (world.energy().total - start.total) / (start.kinetic + start.elastic)
    outcome.gain = Math.max(outcome.gain, gain)
    if (world.report.guard.components > 0) outcome.guarded++
    outcome.unsolved += world.report.direct.unsolved
  }
  return outcome
}

/** Every joint type in some layouts. */
function row(id: string, layouts: readonly string[], runs: number, slow: boolean): ReportRow {
  return {
    id,
    claim:
      'Joints that give way gain nothing when thrown: soft points, angles and limits, springs that drive, friction',
    asked: `no scene gains more than ${100 * GAIN} % of its energy; those guarded and unsolved are counted`,
    scene: `${JOINTS.length} joint types, ${runs} scenes each in ${layouts.join(', ')}, definitions of @tautline/fast-check (seed ${SEED}), masses 0.1 to 10, up to 3 m/s and 5 rad/s an axis, 1 to 8 substeps at 30 to 144 Hz, ${SECONDS} s, defaults, seeds from 0; only what starts met to ${MET}`,
    ...(slow && { slow }),
    measure() {
      const gains: number[] = []
      let guarded = 0
      let unsolved = 0
      for (const joint of JOINTS) {
        const all = fc.sample(joint.fields, { seed: SEED, numRuns: runs })
        for (const layout of layouts) {
          all.forEach((fields, seed) => {
            const outcome = run(joint, fields, layout, 7919 * seed + 13)
            if (outcome.gain === undefined) return
            gains.push(outcome.gain)
            guarded += outcome.guarded
            unsolved += outcome.unsolved
          })
        }
      }
      const high = gains.filter((gain) => !(gain <= GAIN)).length
      return {
        figures: `${high} of ${gains.length} scenes gain more; the most ${figure(100 * Math.max(...gains))} %; guarded in ${guarded} steps, ${unsolved} passes unsolved`,
        holds: high === 0 && gains.length > 0,
      }
    },
  }
}

export const soft: readonly ReportRow[] = [
  row('2.9', ['pair', 'chain'], 12, false),
  row('2.9.full', Object.keys(LAYOUTS), 100, true),
]
