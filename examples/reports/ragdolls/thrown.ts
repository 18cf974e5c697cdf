/** Row 3.3: drives that are thrown from one random pose to the next. */

import { type RagdollAsset, ragdoll, ragdollAsset, type Ragdoll, restPose } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'
import { adultFigure, type Figure, gapOf, mocapFigure, random, randomTree, randomTurn } from './figures.js'

const SCENES = 16
const SECONDS = 1
const GRAVITY = 9.81
/** What may be above the energy given: of the step's own order, as a share of it [1]. */
const ROUND = 1e-3

interface Scene {
  /** Largest energy beyond what was given, as a share of it. */
  readonly over: number
  /** The fastest part, as a share of the speed that all that was given would have it at. */
  readonly speed: number
  readonly fastest: number
  readonly gained: number
  readonly gap: number
}

/**
 * The most that drives put in over a step of `dt` in which their targets turn at π/dt, beyond what their springs store [J]: by a damper d at
 * the rate r no more than ¼ d r² dt, and as the spring's target moves k r Δc dt, Δc at most half a turn.
 */
function workOfRates(doll: Ragdoll, dt: number): number {
  return doll.asset.parts.reduce((sum, { name, joint }) => {
    if (joint === undefined) return sum
    const { strength, damping } = doll.weights(name)
    const omega = 2 * Math.PI * strength
    const rate = Math.PI / dt
    return sum + joint.inertia * dt * (0.5 * damping * omega * rate * rate + omega * omega * rate * Math.PI)
  }, 0)
}

function assetOf(seed: number): RagdollAsset {
  const from = (it: Figure): RagdollAsset => ragdollAsset((it as Extract<Figure, { source: unknown }>).source)
  if (seed % 8 === 0) return from(adultFigure())
  if (seed % 8 === 1) return from(mocapFigure())
  return ragdollAsset(randomTree(seed))
}

function throwAround(seed: number): Scene {
  const next = random(seed)
  for (let k = 0; k < 5; k++) next()
  const [hz, hasRates] = [30 + Math.floor(115 * next()), next() < 0.5]
  const world = new World({ substeps: 1 + (seed % 8), energyLedger: true })
  const collisions = new Collisions(world)
  if (next() < 0.7) collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const doll = ragdoll(world, assetOf(seed), { position: [0, 1, 0] })
  const least = Math.min(...doll.bodies.map(({ mass }) => mass))
  // Counted from as deep as it falls.
  const depth = GRAVITY * doll.mass * (0.5 * GRAVITY * SECONDS * SECONDS + 3)
  const pose = restPose(doll.asset.skeleton)
  let [left, given, over, speed, fastest, gap] = [0, world.energy().total + depth, 0, 0, 0, 0]
  let put = given
  for (let k = 0; k < SECONDS * hz; k++) {
    if (left-- <= 0) {
      left = Math.floor(next() * 0.5 * hz)
      for (let b = 0; b < doll.asset.skeleton.names.length; b++) pose.rotations.set(randomTurn(next), 4 * b)
      const before = world.energy().total
      doll.driveTo(pose, { strength: 20 + 20 * next(), ...(hasRates ? {} : { dt: 0 }) })
      const now = world.energy().total
      const rates = hasRates ? workOfRates(doll, 1 / hz) : 0
      given = depth + Math.max(before, now) + rates
      put += Math.max(0, now - before) + rates
    }
    world.step(1 / hz)
    over = Math.max(over, (world.energy().total + depth - given) / given)
    const v = Math.max(...doll.bodies.map(({ velocity }) => Math.hypot(velocity[0], velocity[1], velocity[2])))
    fastest = Math.max(fastest, v)
    speed = Math.max(speed, v / Math.sqrt((2 * given) / least))
    gap = Math.max(gap, gapOf(doll))
  }
  return { over, speed, fastest, gap, gained: (world.energy().ledger?.gained ?? NaN) / put }
}

function thrown(): Measured {
  const file = mocapFigure()
  if ('missing' in file) return skipped(file.missing)
  const scenes = Array.from({ length: SCENES }, (_, seed) => throwAround(seed))
  const worst = (of: (scene: Scene) => number): number => Math.max(...scenes.map(of))
  const [over, speed, gained, gap] = [
    worst((scene) => scene.over),
    worst((scene) => scene.speed),
    worst((scene) => scene.gained),
    worst((scene) => scene.gap),
  ]
  return {
    figures: `energy at most ${figure(100 * over)} % above what was given; fastest part ${figure(worst((scene) => scene.fastest))} m/s, ${figure(100 * speed)} % of what all of it would give the lightest; by the ledger ${figure(100 * gained)} % of all that was put in came from nothing; gaps ${figure(gap)} m`,
    holds: over <= ROUND && speed <= 1 && gap <= 1e-6,
  }
}

export const thrownRows: readonly ReportRow[] = [
  {
    id: '3.3',
    claim: 'Drives thrown from one random pose to the next run away with nothing, contacts on',
    asked: `energy ≤ what springs of drives were given at the last switch, and their dampers (within ${100 * ROUND} %), gaps ≤ 1e-6 m`,
    scene: `${SCENES} scenes: adult with unbounded couples, CMU 01_01 with an adult’s, random trees; 20 to 40 Hz, thrown after 0 to 0.5 s, with and without rates; 1 to 8 substeps, 30 to 144 Hz, 70 % with a plane; ${SECONDS} s`,
    measure: thrown,
  },
]
