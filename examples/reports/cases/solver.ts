/** Rows on the solver: loops, redundant joints, swept soft joints, momentum. */

import { box, Collisions, plane } from '@tautline/collision'
import { angleOf, ballSocket, fixed, hinge } from '@tautline/constraints'
import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { ImpulseSolver } from '@tautline/impulse-compat'
import { momentumOff } from '../../scenes/attack/free-joints.js'
import { figure, figures, type Measured, type ReportRow } from '../report.js'

const STEPS = 600
/** Angle that a crank may be off after ten seconds [rad]. */
const CRANK_OFF = 0.02
/** Speeds of a chain that is held too far apart, while it comes back, and five seconds later [m/s]. */
const HELD = 1
const RETURNING = 20
const CALM = 0.1
/** Push at the handle of a door [N], and how far the force of its latch may be off [N]. */
const PUSH = 10
const FORCE_OFF = 0.1
/** Speed that the push may give the door [m/s]. */
const STILL = 0.01
const ROUND_OFF = 1e-9
const SCENES = 2000

const Z = [0, 0, 1] as const

/** A bar of 1 kg from one point to another. */
function bar(world: World, x0: number, y0: number, x1: number, y1: number): Body {
  const length = Math.hypot(x1 - x0, y1 - y0)
  const half = Math.atan2(y1 - y0, x1 - x0) / 2
  const position = [(x0 + x1) / 2, (y0 + y1) / 2, 0] as const
  const orientation = [0, 0, Math.sin(half), Math.cos(half)] as const
  return world.addBody({ position, orientation, mass: 1, inertia: solidBox(1, [length, 0.05, 0.05]) })
}

/** How far the crank of a four-bar linkage turns in ten seconds [rad]. */
function turnOfCrank(given: object): number {
  const world = new World()
  const [crank, rod, rocker] = [bar(world, 0, 0, 0.3, 0), bar(world, 0.3, 0, 1, 0.8), bar(world, 1, 0, 1, 0.8)]
  const joint = world.add(hinge, { b: crank, point: [0, 0, 0], axis: Z, ...given })
  world.add(hinge, { a: crank, b: rod, point: [0.3, 0, 0], axis: Z })
  world.add(hinge, { b: rocker, point: [1, 0, 0], axis: Z })
  world.add(hinge, { a: rod, b: rocker, point: [1, 0.8, 0], axis: Z })
  for (let step = 0; step < STEPS; step++) world.step()
  return angleOf(joint)
}

function linkages(): Measured {
  const brake = turnOfCrank({ drive: { velocityTarget: 0, damping: 1e4 } })
  const friction = turnOfCrank({ frictionTorque: 50 })
  const motor = turnOfCrank({ drive: { velocityTarget: 0.2, damping: 1e4 } })
  const off = Math.max(Math.abs(brake), Math.abs(friction), Math.abs(motor - 2))
  return {
    figures: `turned by ${figures([brake, friction, motor])} rad (brake, friction, motor)`,
    holds: off <= CRANK_OFF,
  }
}

/** A chain between two kinematic anchors that are pulled too far apart and brought back. */
function overstretched(type: typeof hinge | typeof ballSocket, count: number, over: number): number[] {
  const world = new World()
  const length = 2 / count
  const [left, right] = [-1, 1].map((x) => world.addBody({ type: 'kinematic', position: [x, 2, 0] }))
  const links = Array.from({ length: count }, (_, k) =>
    world.addBody({
      position: [length * (k + 0.5) - 1, 2, 0],
      mass: 0.5,
      inertia: solidBox(0.5, [length, 0.05, 0.05]),
    }),
  )
  const all = [left, ...links, right]
  for (let k = 0; k <= count; k++) {
    const def = { a: all[k], b: all[k + 1], point: [length * k - 1, 2, 0] as const }
    if (type === hinge) world.add(hinge, { ...def, axis: Z })
    else world.add(ballSocket, def)
  }
  const fastest = (): number => Math.max(...links.map(({ velocity }) => Math.hypot(...velocity)))
  const go = (x: number): number => {
    right.setTarget([x, 2, 0])
    world.step()
    return fastest()
  }
  for (let k = 1; k <= 60; k++) go(1 + (over * k) / 60)
  let held = 0
  for (let k = 0; k < 120; k++) {
    const speed = go(1 + over)
    if (k > 60) held = Math.max(held, speed)
  }
  let back = 0
  for (let k = 1; k <= 60; k++) back = Math.max(back, go(1 + over * (1 - k / 60)))
  for (let k = 0; k < 300; k++) go(1)
  return [held, back, fastest()]
}

function stretchedChains(): Measured {
  const worst = [0, 0, 0]
  for (const type of [hinge, ballSocket]) {
    for (const count of [2, 4, 8]) {
      for (const over of [0.5, 1, 1.5, 3]) {
        overstretched(type, count, over).forEach((speed, k) => (worst[k] = Math.max(worst[k], speed)))
      }
    }
  }
  const [held, back, after] = worst
  return {
    figures: `at most ${figures(worst)} m/s (held, returning, five seconds later)`,
    holds: held <= HELD && back <= RETURNING && after <= CALM,
  }
}

/** A door of 25 kg on a hinge, a joint at its handle, and a push there: the force of that joint, and the largest speed. */
function pushedDoor(add: (world: World, leaf: Body) => Constraint, push: number): { force: number; speed: number } {
  const world = new World({ gravity: [0, 0, 0] })
  const leaf = world.addBody({ mass: 25, inertia: solidBox(25, [1, 2, 0.08]), position: [0.5, 1, 0] })
  world.add(hinge, { b: leaf, point: [0, 1, 0], axis: [0, 1, 0] })
  const latch = add(world, leaf)
  let speed = 0
  for (let step = 0; step < 240; step++) {
    leaf.applyForce([0, 0, push], [1, 1, 0])
    world.step()
    speed = Math.max(speed, Math.hypot(...leaf.velocity))
  }
  return { force: latch.force, speed }
}

function sweptLatches(): Measured {
  const speeds = [1e-6, 1e-5, 1e-4].map(
    (compliance) =>
      pushedDoor((world, b) => world.add(fixed, { b, point: [1, 1, 0], compliance, solver: 'sweep' }), PUSH).speed,
  )
  return { figures: `at most ${figures(speeds)} m/s`, holds: speeds.every((speed) => speed <= STILL) }
}

function redundantLatches(): Measured {
  const [socket, weld] = [ballSocket, fixed].map(
    (type) => pushedDoor((world, b) => world.add(type as typeof fixed, { b, point: [1, 1, 0] }), PUSH).force,
  )
  const soft = pushedDoor((world, b) => world.add(ballSocket, { b, point: [1, 1, 0], compliance: 1e-8 }), PUSH).force
  return {
    figures: `${figures([socket, weld, soft])} N (ball socket, fixed, ball socket of 1e-8 m/N)`,
    holds: Math.abs(socket - PUSH) <= FORCE_OFF && weld <= PUSH && Math.abs(soft - PUSH) <= FORCE_OFF,
  }
}

function freeMomenta(): Measured {
  const off = Array.from({ length: SCENES }, (_, k) => momentumOff(k + 1)).sort((a, b) => a - b)
  const changed = off.filter((share) => share > ROUND_OFF).length
  return {
    figures: `${changed} of ${SCENES} scenes change theirs; worst ${figure(off[SCENES - 1])}, p99 ${figure(off[Math.floor(0.99 * SCENES)])} of Σ m ‖v‖`,
    holds: changed === 0,
  }
}

const LINKS = [1, 2, 6, 11]
const HEAVY = 1000
const SOFT = 1e-6
const EXTENSION_OFF = 0.01

/** How far a tonne hangs below where it was made, on links of 1 kg on soft joints, as a share of what their compliance says. */
function extensionShare(type: typeof ballSocket | typeof hinge, links: number, options: WorldOptions): number {
  const world = new World(options)
  const damping = 2 * Math.sqrt((HEAVY * links) / SOFT)
  let a: Body | null = null
  for (let k = 0; k < links; k++) {
    const mass = k === links - 1 ? HEAVY : 1
    const b: Body = world.addBody({ position: [0, -(k + 0.5), 0], mass, inertia: solidBox(mass, [0.1, 1, 0.1]) })
    const def = { a, b, point: [0, -k, 0] as const, compliance: SOFT, damping }
    if (type === hinge) world.add(hinge, { ...def, axis: Z })
    else world.add(ballSocket, def)
    a = b
  }
  for (let step = 0; step < STEPS; step++) world.step()
  const load = 9.81 * (HEAVY * links + (links * (links - 1)) / 2)
  return (0.5 - links - a!.position[1]) / (SOFT * load)
}

function extensions(): Measured {
  const shares = [ballSocket, hinge].flatMap((type) =>
    LINKS.flatMap((links) =>
      (['auto', 'direct'] as const).flatMap((solver) =>
        [1, 2, 5, 20].map((substeps) => extensionShare(type, links, { solver, substeps })),
      ),
    ),
  )
  const off = Math.max(...shares.map((share) => Math.abs(share - 1)))
  return { figures: `off by at most ${figure(100 * off)} % in ${shares.length} runs`, holds: off <= EXTENSION_OFF }
}

const SAG = 0.01
const CREEP = 0.01

/** Greatest sag of a stack of ten and, after the first second, its greatest speed, stepped by two solvers, each for a second. */
function switched(stabilization: 'soft' | 'split'): number[] {
  const world = new World()
  const collisions = new Collisions(world, { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const boxes = Array.from({ length: 10 }, (_, k) =>
    collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5 + k, 0] }),
  )
  const solver = new ImpulseSolver(world, { stabilization, substeps: 4, iterations: 1, slop: 0 })
  let [sag, speed] = [0, 0]
  for (let step = 0; step < STEPS; step++) {
    if (step % 120 < 60) world.step()
    else solver.step(1 / 60)
    sag = Math.max(sag, 9.5 - boxes[9].position[1])
    if (step >= 60) speed = Math.max(speed, ...boxes.map(({ velocity }) => Math.hypot(...velocity)))
  }
  return [1e3 * sag, speed]
}

/** How far ten cubes sag at rest on springs of 30 Hz, twice that at the ground [mm]: n (n − ¾) g/ω². */
const AT_REST = (1e3 * 10 * 9.25 * 9.81) / (2 * Math.PI * 30) ** 2

function switchedStacks(stabilization: 'soft' | 'split'): Measured {
  const [sag, speed] = switched(stabilization)
  const springs = stabilization === 'soft' ? `; springs of 30 Hz sag by ${figure(AT_REST)} mm at rest` : ''
  return { figures: `${figure(sag)} mm, ${figure(speed)} m/s${springs}`, holds: sag <= 1e3 * SAG && speed <= CREEP }
}

export const solverRows: readonly ReportRow[] = [
  {
    id: '1',
    claim: 'Brakes, friction and motors act in a closed loop',
    asked: `a crank turns by 0, 0 and 2 rad in 10 s, within ${CRANK_OFF} rad`,
    scene: 'four-bar linkage of 1 kg bars; brake and motor of 1e4 N m s, friction of 50 N m; defaults',
    measure: linkages,
  },
  {
    id: '2',
    claim: 'Loops that cannot close hang still',
    asked: `at most ${HELD} m/s while held, ${RETURNING} m/s while brought back, ${CALM} m/s five seconds later`,
    scene: 'chains of 2, 4 and 8 links on hinges and ball sockets between two anchors, 0.5 to 3 m too far; defaults',
    measure: stretchedChains,
  },
  {
    id: '3',
    claim: 'A soft joint that is swept beside a hinge holds still',
    asked: `at most ${STILL} m/s under ${PUSH} N`,
    scene: 'a door of 25 kg, `fixed` of 1e-6 to 1e-4 m/N at its handle with `solver: "sweep"`',
    measure: sweptLatches,
  },
  {
    id: '4',
    claim: 'Redundant joints share the load',
    asked: `a socket at the handle bears ${PUSH} N within ${FORCE_OFF} N, a weld no more than that`,
    scene: 'the same door, without gravity, pushed at its handle',
    measure: redundantLatches,
  },
  {
    id: '9.1',
    claim: 'Compliance means the same at any number of substeps',
    asked: `extension as the compliance says, within ${100 * EXTENSION_OFF} %`,
    scene: `a tonne on ${LINKS.join(', ')} ball sockets and hinges of ${SOFT} m/N between links of 1 kg; 1 to 20 substeps; solver auto and direct; 10 s`,
    measure: extensions,
  },
  {
    id: '9.2',
    claim: 'A stack that changes between `world.step` and the impulse solver each second: `split`',
    asked: `sags by at most ${1e3 * SAG} mm, moves at most at ${CREEP} m/s after the first second`,
    scene: 'ten boxes of 1 m on a plane, 4 substeps of one iteration, slop 0, without sleep; 10 s',
    measure: () => switchedStacks('split'),
  },
  {
    id: '9.3',
    claim: 'The same with `soft`, whose contacts are springs of 30 Hz',
    asked: `sags by at most ${1e3 * SAG} mm, moves at most at ${CREEP} m/s after the first second`,
    scene: 'ten boxes of 1 m on a plane, 4 substeps of one iteration, slop 0, without sleep; 10 s',
    measure: () => switchedStacks('soft'),
  },
  {
    id: '25',
    claim: 'Free scenes keep their linear momentum',
    asked: 'to 1e-9 of Σ m ‖v‖',
    scene: `${SCENES} random scenes of two to seven bodies and particles on any joints, 60 steps, no gravity`,
    measure: freeMomenta,
  },
]
