/** Rows on cloth, ropes and soft bodies. */

import { cloth, clothAsset, rope, softBodyAsset } from '@tautline/assemblies'
import { box, capsule, Collisions, cylinder, plane, sphere } from '@tautline/collision'
import { type Body, solidSphere, World } from '@tautline/core'
import { BoxGeometry, type BufferGeometry, PlaneGeometry, SphereGeometry } from 'three'
import { grid } from '../../lib/grid.js'
import { figure, figures, type Measured, type ReportRow } from '../report.js'

/** Vertices a side of a sheet of 1 m. */
const SIDE = 15
/** Vertices that hold the sheet. */
const HELD: readonly (readonly number[])[] = [
  Array.from({ length: SIDE * SIDE }, (_, v) => v).filter(
    (v) => v % SIDE === 0 || v % SIDE === SIDE - 1 || v < SIDE || v >= SIDE * (SIDE - 1),
  ),
  [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1],
]
/** Mass [kg], radius [m] and speed [m/s]. */
const BALLS = [
  [0.05, 0.03, 20],
  [0.05, 0.03, 60],
  [0.5, 0.1, 60],
] as const
/** Where balls strike the sheet, which is 1 m wide [m]. */
const STRUCK = [
  [0.52, 0.53],
  [0.5, 0.5],
  [0.47, 0.61],
  [0.3, 0.7],
  [0.535, 0.535],
] as const

/** How many balls are beyond the sheet half a second later. */
function smallBalls(): Measured {
  let shots = 0
  const passed = BALLS.map(([mass, radius, speed]) => {
    let count = 0
    for (const pins of HELD) {
      for (const [x, z] of STRUCK) {
        const world = new World({ gravity: [0, 0, 0] })
        const collisions = new Collisions(world)
        cloth(world, { ...grid(SIDE, SIDE, (u, v) => [u, 0, v]), pins })
        const position = [x, -radius - 0.15, z] as const
        const ball = collisions.addBody({ shape: sphere(radius), mass, position, velocity: [0, speed, 0] })
        for (let k = 0; k < 30; k++) world.step()
        shots++
        if (ball.position[1] > 0) count++
      }
    }
    return count
  })
  return {
    figures: `${passed.join(', ')} of ${shots / BALLS.length} passed`,
    holds: passed.every((count) => count === 0),
  }
}

/** Vertices of a cape across and down. */
const [ACROSS, DOWN] = [13, 19]
/** Stretch that goes unnoticed [-], and a pin that is off its place by more is told [m]. */
const [UNNOTICED, TOLD] = [0.05, 0.01]

type Static = Parameters<Collisions['addCollider']>[1]

/** A wall at a gap from a figure of 0.3 m [m]. */
function wall(gap: number): Static {
  return { shape: box([0.5, 2, 3]), position: [0.8 + gap, 2, 0] }
}

/** Radius of a post [m]. */
const POST = 0.1

/** A post at a distance from the axis of the figure [m]. */
function post(away: number): Static {
  return { shape: capsule(POST, 2), position: [away, 1, 0] }
}

/** A figure with a cape turns once round beside something: the most stretch, and where it was more than goes unnoticed, how far pins were off their places. */
function capeBeside(things: readonly Static[], contacts: readonly ('auto' | true)[] = ['auto']): Measured {
  let untold = 0
  const cases = things.flatMap((thing) => contacts.map((surfaceContacts) => ({ thing, surfaceContacts })))
  const most = cases.map(({ thing, surfaceContacts }) => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    collisions.addCollider(null, thing)
    const figureBody = collisions.addBody({ shape: capsule(0.3, 0.6), type: 'kinematic', position: [0, 0.92, 0] })
    const mesh = grid(ACROSS, DOWN, (u, v) => [0.7 * u - 0.35, 1.5 - 1.1 * v, -0.34])
    const pins = [{ vertices: [0, 3, 6, 9, 12], body: figureBody }]
    const cape = cloth(world, { ...mesh, pins, drag: 1.2, surfaceContacts })
    let worst = 0
    for (let k = 0; k < 360; k++) {
      const a = Math.min(Math.PI * 2, Math.max(0, (k - 60) / 30))
      figureBody.setTarget([0, 0.92, 0], [0, Math.sin(a / 2), 0, Math.cos(a / 2)])
      world.step()
      const { stretch, pinOffset, caughtOn } = cape.measure()
      worst = Math.max(worst, stretch.max)
      if (stretch.max > UNNOTICED && pinOffset < TOLD && caughtOn.length === 0) untold++
    }
    return worst
  })
  return {
    figures: `stretch at most ${figures(most.map((stretch) => 100 * stretch))} %, ${untold} steps not told`,
    holds: untold === 0,
  }
}

/** How far a balloon may be from where it was [m]. */
const STILL = 1e-3

/** How far the middle of a closed cloth of 0.3 m gets in empty space within five seconds. */
function balloonDrift(): Measured {
  const geometry = new SphereGeometry(0.3, 20, 14)
  const positions = Array.from(geometry.getAttribute('position').array)
  const indices = Array.from(geometry.getIndex()?.array ?? [])
  const drifts = [0, 1].map((drag) => {
    const world = new World({ gravity: [0, 0, 0] })
    const balloon = cloth(world, { positions, indices, pressure: 500, drag })
    const [x, y, z] = balloon.centre
    for (let k = 0; k < 300; k++) world.step()
    const [px, py, pz] = balloon.centre
    return Math.hypot(px - x, py - y, pz - z)
  })
  return {
    figures: `${figures(drifts.map((drift) => 1e3 * drift))} mm with a drag of 0 and 1`,
    holds: drifts.every((drift) => drift < STILL),
  }
}

/** Growth of a rope [m/s], and how far its length may be off [m]. */
const [GROWTH, REACHED] = [2, 1e-9]

/** How far the length of a rope is from 3 m two seconds after it was set, where the rope was reeled before. */
function lengthAfterReel(): Measured {
  const off = [1, -0.5, 0.01, 8].map((rate) => {
    const world = new World()
    const line = rope(world, { from: [0, 0, 0], to: [0, -2, 0], start: 'world', growthRate: GROWTH })
    line.reel(rate)
    for (let k = 0; k < 12; k++) world.step()
    line.reel(0)
    for (let k = 0; k < 60; k++) world.step()
    line.length = 3
    for (let k = 0; k < 120; k++) world.step()
    return Math.abs(line.length - 3)
  })
  return {
    figures: `at most ${figure(Math.max(...off))} m off after reel(1), reel(−0.5), reel(0.01) and reel(8)`,
    holds: off.every((one) => one < REACHED),
  }
}

/** Radius of a drum and of the rope over it [m], and its loads [kg]. */
const OVER_DRUMS = [
  [0.1, 0.01, 10, 10],
  [0.1, 0.01, 75, 75],
  [0.3, 0.02, 300, 300],
  [0.1, 0.01, 10, 22],
] as const
/** How far loads may slip, and a rope be in its drum [m]. */
const [SLIP, SUNK] = [0.05, 2e-3]

/** How far the loads of ropes over drums slip in two seconds, and how deep the ropes are in the drums. */
function overDrums(): Measured {
  let sunk = 0
  const slips = OVER_DRUMS.map(([drum, radius, ...masses]) => {
    const world = new World()
    const collisions = new Collisions(world)
    const orientation = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const
    collisions.addCollider(null, { shape: cylinder(drum, 0.5), orientation, friction: 0.3 })
    const r = drum + radius
    const down = 0.5 * (2 - Math.PI * r)
    const arc = Array.from({ length: 17 }, (_, k) => {
      const a = Math.PI * (1 - k / 16)
      return [r * Math.cos(a), r * Math.sin(a), 0]
    })
    const loads = masses.map((mass, k) =>
      world.addBody({ position: [k === 0 ? -r : r, -down - 0.2, 0], mass, inertia: solidSphere(mass, 0.1) }),
    ) as [Body, Body]
    const line = rope(world, {
      points: [[-r, -down, 0], ...arc, [r, -down, 0]].flat(),
      radius,
      friction: 0.3,
      start: { body: loads[0], point: [-r, -down, 0] },
      end: { body: loads[1], point: [r, -down, 0] },
    })
    for (let k = 0; k < 120; k++) world.step()
    for (const { position } of line.nodes) sunk = Math.max(sunk, drum - Math.hypot(position[0], position[1]))
    return Math.max(...loads.map(({ position }) => Math.abs(position[1] + down + 0.2)))
  })
  return {
    figures: `slip ${figures(slips.map((slip) => 1e3 * slip))} mm, at most ${figure(1e3 * sunk)} mm in the drum`,
    holds: slips.every((slip) => slip < SLIP) && sunk < SUNK,
  }
}

/** How far corners that were one vertex are apart, at most along an axis [m]. */
const TORN_BY = [1e-6, 3e-6, 1e-5] as const
/** Step of the sequence by which corners are moved: the golden ratio, so that no two are moved alike. */
const GOLDEN = 0.6180339887498949

/** Triangles without common vertices, each corner moved by up to `apart` [m] along each axis. */
function soupOf(geometry: BufferGeometry, apart: number): number[] {
  return Array.from(
    geometry.toNonIndexed().getAttribute('position').array,
    (x, k) => x + apart * (((k * GOLDEN) % 1) - 0.5),
  )
}

/** Pieces that meshes fall into whose corners are a little apart: of cloth, and of a soft body. */
function loosePieces(): Measured {
  const parts = TORN_BY.flatMap((apart) => [
    clothAsset({ positions: soupOf(new PlaneGeometry(0.6, 0.6, 12, 12), apart) }).report.parts,
    softBodyAsset({ positions: soupOf(new BoxGeometry(0.4, 0.4, 0.4, 4, 4, 4), apart) }).report.parts,
  ])
  return { figures: `${parts.join(', ')} pieces`, holds: parts.every((count) => count === 1) }
}

export const clothCaseRows: readonly ReportRow[] = [
  {
    id: '15',
    claim: `Ropes of 2 m with default segments over drums: ${OVER_DRUMS.map(([drum, radius, a, b]) => `${radius} m over ${drum} m with ${a} and ${b} kg`).join(', ')}`,
    asked: `held by a friction of 0.3 for 2 s: slip below ${1e3 * SLIP} mm, at most ${1e3 * SUNK} mm in the drum`,
    scene: 'cylinder, loads with inertia',
    measure: overDrums,
  },
  {
    id: '16',
    claim: `Balls of ${BALLS.map(([m, r, v]) => `${m} kg, ${100 * r} cm at ${v} m/s`).join('; ')} that pass a sheet held at its edges or corners`,
    asked: 'none',
    scene: `${SIDE} × ${SIDE} vertices, 1 m, ${STRUCK.length} places`,
    measure: smallBalls,
  },
  ...(
    [
      ['17', [0.5, 0.08]],
      ['17.1', [0.02]],
    ] as const
  ).map(([id, gaps]) => ({
    id,
    claim: `A figure with a cape of 2 cm turns once round, ${gaps.map((gap) => `${100 * gap} cm`).join(' and ')} from a wall that its shoulders reach`,
    asked: `pins stop at the wall: stretch below ${100 * UNNOTICED} %, or told by \`pinOffset\` or \`caughtOn\``,
    scene: `${ACROSS} × ${DOWN} vertices, 5 pins, drag 1.2`,
    measure: () => capeBeside(gaps.map(wall)),
  })),
  ...(
    [
      ['17.2', 0.55, 'brushes'],
      ['17.3', 0.45, 'hooks on'],
    ] as const
  ).map(([id, away, how]) => ({
    id,
    claim: `The same beside a post of ${100 * POST} cm that the cape ${how}: its corners come by at 49 cm from the axis, the post is at ${Math.round(100 * away)} cm`,
    asked: `stretch below ${100 * UNNOTICED} %, or told by \`pinOffset\` or \`caughtOn\``,
    scene: 'surfaceContacts: auto, true',
    measure: () => capeBeside([post(away)], ['auto', true]),
  })),
  {
    id: '18',
    claim: 'A closed cloth of 0.3 m at 500 Pa in empty space drifts within 5 s by',
    asked: `less than ${1e3 * STILL} mm`,
    scene: 'sphere of 20 × 14 quads, no gravity',
    measure: balloonDrift,
  },
  {
    id: '18.1',
    claim: '`length = 3` of a rope of 2 m, after `reel` and `reel(0)`',
    asked: `reached within 2 s at a growth rate of ${GROWTH} m/s`,
    scene: 'rope that hangs freely',
    measure: lengthAfterReel,
  },
  {
    id: '19',
    claim: `A sheet of 0.6 m and a box of 0.4 m whose triangles share no vertices, corners up to ${TORN_BY.join(', ')} m apart`,
    asked: 'one piece each',
    scene: '12 × 12 quads; 4 × 4 quads a side, filled',
    measure: loosePieces,
  },
]
