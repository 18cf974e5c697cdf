/** Row 13.3: a heavy ball that strikes a sail, or lies on it, and what that costs. */

import { cloth, type ClothDef } from '@tautline/assemblies'
import { Collisions, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { figure, type Measured, type ReportRow } from '../report.js'
import { level } from './meshes.js'

/** Vertices a side, and its width [m]. */
const N = 12
const WIDTH = 1.5
const RADIUS = 0.3
const MASS = 30
const SPEED = 15
const SUBSTEPS = 8
/** Where what has not passed is [m]: cotton gives way by about as much as the energy of the ball stretches it. */
const DEEPEST = 1.3
/** Share of its energy that a shot may gain. */
const GAIN = 0.01
/** Shots from places across the sail, in threads that do not stretch and in cotton. */
const PLACES = [-0.3, -0.15, 0, 0.15, 0.3]
const KINDS: readonly Partial<ClothDef>[] = [{}, { material: 'cotton' }, { material: 'cotton', surfaceContacts: true }]
/** Steps whose time is taken, and how often: the least counts, as other programs only ever add. */
const TIMED = 60
const TURNS = 5

const EDGES = Array.from({ length: N * N }, (_, v) => v).filter(
  (v) => v % N === 0 || v % N === N - 1 || v < N || v >= N * (N - 1),
)

interface Sail {
  readonly world: World
  readonly ball: Body
}

/** A sail in y = 0, held at its edges, and a ball below that gravity, upwards, or its speed drives into it. */
function sail(fields: Partial<ClothDef>, mass: number, speed: number, aside: number, gravity: number): Sail {
  const world = new World({ gravity: [0, gravity, 0], substeps: SUBSTEPS })
  const collisions = new Collisions(world, { sleeping: false })
  const made = cloth(world, { ...level(N, N, WIDTH), pins: EDGES, ...fields })
  const [x, , z] = made.centre
  const ball = collisions.addBody({
    shape: sphere(RADIUS),
    mass,
    position: [x + aside + 0.02, -RADIUS - 0.1, z + 0.03],
    velocity: [0, speed, 0],
  })
  return { world, ball }
}

/** Whether a shot goes through, and the share of its energy that is there beyond what there was. */
function shoot(fields: Partial<ClothDef>, aside: number): { passed: boolean; gain: number } {
  const { world, ball } = sail(fields, MASS, SPEED, aside, 0)
  const before = 0.5 * MASS * SPEED * SPEED
  let passed = false
  let gain = -Infinity
  for (let k = 0; k < 30; k++) {
    world.step()
    if (ball.position[1] > DEEPEST) passed = true
    gain = Math.max(gain, world.energy().kinetic / before - 1)
  }
  return { passed, gain }
}

/** Processor time of a step [ms] with a ball of a mass lying in the sail, and how deep it lies [m]. */
function lying(mass: number): { time: number; depth: number } {
  const { world, ball } = sail({ material: 'cotton' }, mass, 0, 0, 9.81)
  for (let k = 0; k < 120; k++) world.step()
  let time = Infinity
  for (let turn = 0; turn < TURNS; turn++) {
    const start = process.cpuUsage()
    for (let k = 0; k < TIMED; k++) world.step()
    const { user, system } = process.cpuUsage(start)
    time = Math.min(time, (user + system) / 1000 / TIMED)
  }
  return { time, depth: ball.position[1] + RADIUS }
}

function measure(): Measured {
  const shots = KINDS.flatMap((fields) => PLACES.map((aside) => shoot(fields, aside)))
  const through = shots.filter(({ passed }) => passed).length
  const gain = Math.max(...shots.map((shot) => shot.gain))
  const [light, heavy] = [lying(0.3), lying(MASS)]
  return {
    figures: `${through} of ${shots.length} shots pass, the most gain ${figure(100 * gain)} %; at rest ${MASS} kg lies ${figure(heavy.depth)} m deep, a step takes ${figure(heavy.time)} ms, ${figure(heavy.time / light.time)} times that of a ball of 0.3 kg`,
    holds: through === 0 && gain <= GAIN && heavy.depth < 0.5,
  }
}

export const balls: readonly ReportRow[] = [
  {
    id: '13.3',
    claim: 'A heavy ball does not go through a sail, and gains nothing by it',
    asked: `0 pass, none gains more than ${100 * GAIN} %, at rest it lies less than 0.5 m deep; what it costs is told`,
    scene: `${N} × ${N} vertices of ${WIDTH} m held at all edges, rigid threads, cotton, and cotton whose surface touches, a ball of ${MASS} kg and ${RADIUS} m at ${SPEED} m/s at ${PLACES.length} places; lying on cotton for 2 s; ${SUBSTEPS} substeps, otherwise defaults`,
    measure,
  },
]
