/** Rows on cloth and ropes over random bodies. */

import { cloth, rope } from '@tautline/assemblies'
import { box, capsule, Collisions, cylinder, sphere, type Shape } from '@tautline/collision'
import { type Body, solidSphere, World } from '@tautline/core'
import { grid } from '../../lib/grid.js'
import { randomNumbers } from '../../lib/random.js'
import { figure, type Measured, type ReportRow } from '../report.js'

const SEED = 1

/** A random number from `from` to `to`, uniform in its logarithm. */
function between(random: () => number, from: number, to: number): number {
  return from * (to / from) ** (0.5 * (random() + 1))
}

/** Vertices a side of a sheet of 1 m, and the side of its quads [m]. */
const SIDE = 15
const CELL = 1 / (SIDE - 1)
const CORNERS = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1]
const EDGES = Array.from({ length: SIDE * SIDE }, (_, v) => v).filter(
  (v) => v % SIDE === 0 || v % SIDE === SIDE - 1 || v < SIDE || v >= SIDE * (SIDE - 1),
)
const SHOTS = 120
/** Half the width of bodies [m], their speed [m/s], and their mass by the cube of half their width [kg/m³]. */
const SIZES = [0.015, 0.12] as const
const SPEEDS = [10, 100] as const
const DENSITIES = [500, 4000] as const
/** Where a body is beyond the sheet: more than the sheet, of threads that do not stretch, gives way by [m]. */
const BEYOND = 0.6
/** Distance from the sheet at the start [m], and the most that a direction differs from its normal [-]. */
const [AHEAD, SLANT] = [0.3, 0.2]

function shapeOf(random: () => number, size: number): Shape {
  const kind = Math.floor(1.5 * (random() + 1))
  if (kind === 0) return sphere(size)
  if (kind === 1) return capsule(0.6 * size, size)
  return box([size, between(random, 0.5, 1.5) * size, between(random, 0.5, 1.5) * size])
}

/** Random bodies shot at a sheet: how many are beyond it half a second later, of those wider than its quads and of the others. */
function shots(): Measured {
  const random = randomNumbers(SEED)
  const count = { wide: 0, narrow: 0 }
  const passed = { wide: 0, narrow: 0 }
  for (let k = 0; k < SHOTS; k++) {
    const size = between(random, ...SIZES)
    const speed = between(random, ...SPEEDS)
    const mass = between(random, ...DENSITIES) * size ** 3
    const shape = shapeOf(random, size)
    const [x, z] = [0.5 + 0.3 * random(), 0.5 + 0.3 * random()]
    const [dx, dz] = [SLANT * random(), SLANT * random()]
    const spin = [random(), random(), random(), random()]
    const length = Math.hypot(...spin)
    const along = speed / Math.hypot(dx, 1, dz)
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    cloth(world, { ...grid(SIDE, SIDE, (u, v) => [u, 0, v]), pins: random() < 0 ? EDGES : CORNERS })
    const ball = collisions.addBody({
      shape,
      mass,
      position: [x - AHEAD * dx, -AHEAD, z - AHEAD * dz],
      orientation: [spin[0] / length, spin[1] / length, spin[2] / length, spin[3] / length],
      velocity: [along * dx, along, along * dz],
    })
    for (let step = 0; step < 30; step++) world.step()
    const width = size > CELL ? 'wide' : 'narrow'
    count[width]++
    if (ball.position[1] > BEYOND) passed[width]++
  }
  return {
    figures: `${passed.wide} of ${count.wide} wider than a quad, ${passed.narrow} of ${count.narrow} others passed`,
    holds: passed.wide + passed.narrow === 0,
  }
}

const DRUMS = 24
/** Radius of drums and of ropes as a share of it, load [kg], and the ratio of the two loads as a share of what friction holds. */
const RADII = [0.05, 0.5] as const
const ROPE_SHARE = [0.03, 0.15] as const
const LOADS = [1, 300] as const
const HELD_SHARE = 0.8
const FRICTION = 0.3
/** How far loads may go until chords lie on the drum, as a share of its radius, and how deep a rope may be in it, as a share of its own. */
const [SLIP, SUNK] = [0.25, 0.1]
/** Segments of the half turn. */
const TURN = 16

interface Drum {
  readonly drum: number
  readonly radius: number
  readonly masses: readonly [number, number]
}

function randomDrum(random: () => number): Drum {
  const drum = between(random, ...RADII)
  const radius = between(random, ...ROPE_SHARE) * drum
  const mass = between(random, ...LOADS)
  // Euler and Eytelwein: a rope round half a drum holds e^(μ π).
  const ratio = Math.exp(HELD_SHARE * FRICTION * Math.PI * random())
  return { drum, radius, masses: [mass, mass * ratio] }
}

/** How far the loads of a rope over a drum slip in two seconds, as a share of the radius of the drum; how deep it is in it and how deep it says that it is, as shares of its own. */
function overDrum({ drum, radius, masses }: Drum): { slip: number; sunk: number; told: number } {
  const world = new World()
  const collisions = new Collisions(world)
  const orientation = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const
  collisions.addCollider(null, { shape: cylinder(drum, 0.5), orientation, friction: FRICTION })
  const r = drum + radius
  const arc = Array.from({ length: TURN + 1 }, (_, k) => {
    const a = Math.PI * (1 - k / TURN)
    return [r * Math.cos(a), r * Math.sin(a), 0]
  })
  const size = 0.5 * drum
  const down = 2 * drum
  const loads = masses.map((mass, k) =>
    world.addBody({ position: [k === 0 ? -r : r, -down - size, 0], mass, inertia: solidSphere(mass, size) }),
  ) as [Body, Body]
  const line = rope(world, {
    points: [[-r, -down, 0], ...arc, [r, -down, 0]].flat(),
    radius,
    friction: FRICTION,
    start: { body: loads[0], point: [-r, -down, 0] },
    end: { body: loads[1], point: [r, -down, 0] },
  })
  let [sunk, told] = [0, 0]
  for (let k = 0; k < 120; k++) {
    world.step()
    told = Math.max(told, line.depth / radius)
    for (const { position } of line.nodes)
      sunk = Math.max(sunk, (drum + radius - Math.hypot(position[0], position[1])) / radius)
  }
  return { slip: Math.max(...loads.map(({ position }) => Math.abs(position[1] + down + size))) / drum, sunk, told }
}

/** Random ropes over random drums: how many neither slip nor sink in, and how many others say why. */
function drums(): Measured {
  const random = randomNumbers(SEED)
  let [held, named] = [0, 0]
  let worst = { slip: 0, sunk: 0 }
  for (let k = 0; k < DRUMS; k++) {
    const { slip, sunk, told } = overDrum(randomDrum(random))
    if (slip < SLIP && sunk < SUNK) held++
    else if (told > 1) named++
    worst = { slip: Math.max(worst.slip, slip), sunk: Math.max(worst.sunk, sunk) }
  }
  return {
    figures: `${held} of ${DRUMS} hold, ${named} told; worst slip ${figure(worst.slip)} drum radii, worst depth of a node ${figure(worst.sunk)} rope radii`,
    holds: held + named === DRUMS,
  }
}

export const randomCaseRows: readonly ReportRow[] = [
  {
    id: '15.1',
    claim: `${DRUMS} ropes with default segments over random drums of ${RADII.join(' to ')} m, ${ROPE_SHARE.join(' to ')} drum radii thick, with ${LOADS.join(' to ')} kg and up to e^(${HELD_SHARE} μπ) times that`,
    asked: `all hold for 2 s by a friction of ${FRICTION}: slip below ${SLIP} drum radii, at most ${SUNK} rope radii in the drum; or \`depth\` tells that the rope is in it by more than its radius`,
    scene: `cylinder, loads with inertia, seed ${SEED}`,
    measure: drums,
  },
  {
    id: '16.1',
    claim: `${SHOTS} random spheres, capsules and boxes of ${SIZES.map((size) => 100 * size).join(' to ')} cm at ${SPEEDS.join(' to ')} m/s that pass a sheet held at its edges or corners`,
    asked: 'none',
    scene: `${SIDE} × ${SIDE} vertices, 1 m, ${DENSITIES.join(' to ')} kg/m³ of the cube of half the width, seed ${SEED}`,
    measure: shots,
  },
]
