/** Rigid bodies: stacks, a pyramid, piles with and without restitution, heavy on light, bullets, friction. */

import { box, type Collisions, sphere, triangleMesh } from '@tautline/collision'
import type { Body } from '@tautline/core'
import {
  type ContactScene,
  LAUNCH,
  launchedBall,
  mixedPile,
  positionsOf,
  pyramid,
  RAMP_FRICTION,
  ramp,
  rampAcceleration,
  sidewaysDrift,
  sink,
  sliding,
  stack,
  STOP_DISTANCE,
  TILT,
  worldOnFloor,
} from '../../scenes/contacts/index.js'
import { atEnd, largest, speedAtRest, timeUntilRest, topSpeed, worstOf } from '../measure.js'
import type { AcceptScene, Made } from '../scene.js'

const DT = 1 / 60
/** The contact scenes of the examples do not sleep unless asked; by default bodies do. */
const SLEEPS = { sleeping: {} } as const

/** What has to stand: how far anything moves sideways and sinks. */
function standing({ world, collisions, bodies }: ContactScene, steps: number): Made {
  const starts = positionsOf(bodies)
  return {
    world,
    collisions,
    measures: [
      worstOf('length', 'drift', 0.01, () => sidewaysDrift(bodies, starts)),
      worstOf('depth', 'sink', 0.02, () => sink(bodies, starts)),
      timeUntilRest(bodies, 1.5, DT),
      speedAtRest(bodies, 0.05, steps - 30),
    ],
  }
}

function stands(name: string, text: string, steps: number, time: number, make: () => ContactScene): AcceptScene {
  return {
    name,
    text: `${text}, ${steps * DT} s`,
    steps,
    bounds: { time, penetration: 0.005 },
    make: () => standing(make(), steps),
  }
}

/** What falls and has to come to rest. */
function settles(
  name: string,
  text: string,
  steps: number,
  bounds: AcceptScene['bounds'],
  make: () => ContactScene,
  rests: number,
): AcceptScene {
  return {
    name,
    text: `${text}, ${steps * DT} s`,
    steps,
    bounds,
    make() {
      const { world, collisions, bodies } = make()
      const outside = (): number =>
        bodies.filter(({ position: [x, y, z] }) => Math.abs(x) > 2.2 || Math.abs(z) > 2.2 || y < -0.2).length
      return {
        world,
        collisions,
        measures: [
          timeUntilRest(bodies, rests, DT, { relative: 0.4, absolute: 0.5 }),
          speedAtRest(bodies, 0.05, steps - 30),
          atEnd('count', 'bodies outside the pit', 0, outside),
        ],
      }
    },
  }
}

const BULLETS = 40

/** A wall of two triangles across x, hit at up to 120 m/s. */
const bullets: AcceptScene = {
  name: 'bullets',
  text: `${BULLETS} spheres of 1 to 3 cm at 40 to 120 m/s against a thin mesh, 1 s`,
  steps: 60,
  bounds: { time: 8, energy: 0.01, penetration: 0.02 },
  make() {
    const { world, collisions } = worldOnFloor(SLEEPS, 0.5)
    const corners = [
      [2, -1, -5],
      [2, 9, -5],
      [2, 9, 5],
      [2, -1, 5],
    ]
    collisions.addCollider(null, { shape: triangleMesh(corners, [0, 1, 2, 0, 2, 3]) })
    const fired = Array.from({ length: BULLETS }, (_, k) => fire(collisions, k))
    const passed = (): number => fired.filter(({ position: [x, y] }) => x > 2 || y < -0.1).length
    return { world, collisions, measures: [atEnd('count', 'bullets that passed', 0, passed)] }
  },
}

function fire(collisions: Collisions, k: number): Body {
  const [row, column] = [Math.floor(k / 8), k % 8]
  return collisions.addBody({
    shape: sphere(0.01 + 0.0005 * k),
    mass: 0.01,
    position: [0, 1 + row, 0.5 * (column - 3.5)],
    velocity: [40 + 2 * k, 2 * (row - 2), 3 * (column - 3.5)],
    restitution: 0.2,
  })
}

const HEAVY = 100

const heavyOnLight: AcceptScene = stands(
  'heavy-on-light',
  `a box of ${HEAVY} kg on three boxes of 1 kg`,
  180,
  5,
  () => {
    const { world, collisions } = worldOnFloor(SLEEPS, 0.6)
    const bodies = [1, 1, 1, HEAVY].map((mass, k) =>
      collisions.addBody({ shape: box([0.5, 0.5, 0.5]), mass, position: [0, 0.5 + k, 0], friction: 0.6 }),
    )
    return { world, collisions, bodies }
  },
)

/** A box that slides: where it stops beside v²/2μg. */
const slides: AcceptScene = {
  name: 'box-slides',
  text: `a box of 1 kg is pushed off at ${LAUNCH} m/s, μ 0.3: it stops after v²/(2 μ g), 2.5 s`,
  steps: 150,
  bounds: { time: 1, energy: 0.002, penetration: 0.005 },
  make() {
    const { world, collisions, bodies } = sliding(1, SLEEPS)
    const [body] = bodies
    const off = (): number => Math.abs(body.position[0] / STOP_DISTANCE - 1)
    return {
      world,
      collisions,
      measures: [atEnd('share', 'distance off', 0.01, off, { absolute: 0.005 }), speedAtRest(bodies, 0.01, 120)],
    }
  },
}

const ramps: AcceptScene = {
  name: 'ramp',
  text: `boxes of 25 kg on a slope of ${TILT} rad, μ ${RAMP_FRICTION.join(', ')}: they stick, or slide by g (sin − μ cos), 2 s`,
  steps: 120,
  bounds: { time: 2 },
  make() {
    const scenes = RAMP_FRICTION.map((friction) => ({ friction, ...ramp(friction, SLEEPS) }))
    const [{ world }] = scenes
    const starts = scenes.map(({ bodies }) => positionsOf(bodies)[0])
    const sticks = (friction: number): boolean => friction > Math.tan(TILT)
    const creep = (): number =>
      largest(scenes, ({ friction, bodies }, k) =>
        sticks(friction) ? Math.abs(bodies[0].position[0] - starts[k][0]) : 0,
      )
    const off = (): number =>
      largest(scenes, ({ friction, bodies }) =>
        sticks(friction) ? 0 : Math.abs(topSpeed(bodies) / (rampAcceleration(friction) * 2) - 1),
      )
    return {
      world,
      advance() {
        for (const scene of scenes) scene.world.step()
      },
      measures: [atEnd('length', 'creep', 1e-3, creep), atEnd('share', 'speed off', 0.01, off, { absolute: 0.005 })],
    }
  },
}

const rolls: AcceptScene = {
  name: 'ball-rolls',
  text: `a ball is launched at ${LAUNCH} m/s without spin, μ 0.3: it rolls at 5/7 of it, 2 s`,
  steps: 120,
  bounds: { time: 1, energy: 0.002, penetration: 0.005 },
  make() {
    const { world, collisions, bodies } = launchedBall(SLEEPS)
    const off = (): number => Math.abs(bodies[0].velocity[0] / ((5 / 7) * LAUNCH) - 1)
    return { world, collisions, measures: [atEnd('share', 'speed off', 0.01, off, { absolute: 0.005 })] }
  },
}

export const piles: readonly AcceptScene[] = [
  stands('stack-5', 'a stack of 5 boxes of 1 m', 120, 4, () => stack(5, SLEEPS)),
  stands('stack-15', 'a stack of 15 boxes of 1 m', 180, 6, () => stack(15, SLEEPS)),
  stands('stack-30', 'a stack of 30 boxes of 1 m', 300, 10, () => stack(30, SLEEPS)),
  stands('pyramid', 'a pyramid of 55 boxes of 1 m', 120, 12, () => pyramid(10, SLEEPS)),
  heavyOnLight,
  settles(
    'pile',
    'a pile of 40 mixed shapes in a pit',
    240,
    { time: 12, energy: 0.01, penetration: 0.03, guarded: 30 },
    () => mixedPile(40, SLEEPS),
    3.5,
  ),
  settles(
    'pile-bouncy',
    'the same pile with restitution 0.3',
    240,
    { time: 12, energy: 0.01, penetration: 0.03, guarded: 30 },
    () => mixedPile(40, SLEEPS, 5, 0.3),
    3.5,
  ),
  bullets,
  slides,
  ramps,
  rolls,
]
