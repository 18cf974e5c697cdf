/** Joints: loops with a brake and a motor, a latch that breaks, soft joints, and motions with a closed form. */

import { angleOf, ballSocket, hinge } from '@tautline/constraints'
import { box, Collisions } from '@tautline/collision'
import { type Body, type Constraint, solidBox, World } from '@tautline/core'
import { atan2, cos, sin } from '@tautline/core/kernel'
import { TOP, topScene } from '../../scenes/top.js'
import { endsOf, endsOfState, RELEASED, ROD, solvePendulum, twoLinks } from '../../scenes/trees/pendulum.js'
import { energyLost } from '../energy.js'
import { worstGap } from '../joints.js'
import { atEnd, type Measure, topSpeed, worstOf } from '../measure.js'
import type { AcceptScene } from '../scene.js'

const DT = 1 / 60
const DEFAULTS = { substeps: new World().settings.substeps, solver: 'auto' as const }

type Drive = { drive?: { velocityTarget: number; damping: number }; frictionTorque?: number }

/** A four-bar linkage in the plane z = 0; `given` is what acts on the hinge of its crank. */
function fourBar(given: Drive): { world: World; crank: Constraint } {
  const world = new World()
  const bar = (x0: number, y0: number, x1: number, y1: number): Body => {
    const half = 0.5 * atan2(y1 - y0, x1 - x0)
    const length = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    return world.addBody({
      position: [(x0 + x1) / 2, (y0 + y1) / 2, 0],
      orientation: [0, 0, sin(half), cos(half)],
      mass: 1,
      inertia: solidBox(1, [length, 0.05, 0.05]),
    })
  }
  const [crank, rod, rocker] = [bar(0, 0, 0.3, 0), bar(0.3, 0, 1, 0.8), bar(1, 0, 1, 0.8)]
  const axis = [0, 0, 1] as const
  const driven = world.add(hinge, { b: crank, point: [0, 0, 0], axis, ...given })
  world.add(hinge, { a: crank, b: rod, point: [0.3, 0, 0], axis })
  world.add(hinge, { b: rocker, point: [1, 0, 0], axis })
  world.add(hinge, { a: rod, b: rocker, point: [1, 0.8, 0], axis })
  return { world, crank: driven as Constraint }
}

function linkage(name: string, text: string, given: Drive, wanted: number, bound: number): AcceptScene {
  return {
    name,
    text: `${text}, 5 s`,
    steps: 300,
    bounds: { time: 0.5, unsolved: 0 },
    make() {
      const { world, crank } = fourBar(given)
      const start = angleOf(crank)
      let angle = 0
      const off: Measure = {
        ...atEnd('angle', 'angle off', bound, () => Math.abs(angle - wanted)),
        sample: () => (angle = angleOf(crank) - start),
      }
      return { world, measures: [off, worstGap(world)] }
    },
  }
}

/** What the latch holds [N], and by which its push rises [N/s]. */
const BREAKS_AT = 400
const RISE = 150
/** Steps for which it goes on after the latch broke. */
const OPENS = 10

const latch: AcceptScene = {
  name: 'door-latch',
  text: `a leaf of 25 kg on a hinge, latched by the recipe of docs/games.md at ${BREAKS_AT} N; a push at the handle rises by ${RISE} N/s, 5 s`,
  steps: 300,
  bounds: { time: 1, energy: 0.01 },
  hasWork: true,
  make() {
    const world = new World()
    const collisions = new Collisions(world)
    const leaf = collisions.addBody({ shape: box([0.5, 1, 0.04]), mass: 25, position: [0.5, 1, 0] })
    world.add(hinge, {
      b: leaf,
      point: [0, 1, 0],
      axis: [0, 1, 0],
      limits: { min: -1.9, max: 1.9 },
      drive: { stiffness: 60, damping: 40 },
    })
    const held = world.add(ballSocket, { b: leaf, point: [1, 1, 0], breakForce: BREAKS_AT, compliance: 1e-8 })
    let [push, broke, opened] = [0, Infinity, 0]
    const share = (): number => Math.abs(broke / BREAKS_AT - 1)
    return {
      world,
      before(step) {
        if (held.broken) broke = Math.min(broke, push)
        else push = RISE * step * DT
        // The push goes on for a moment, so that the door opens.
        if (push < broke || opened++ < OPENS) leaf.applyForce([0, 0, push], leaf.toWorld([0.5, 0, 0]))
      },
      measures: [worstGap(world), atEnd('share', 'force at which it breaks, off by', 0.1, share)],
    }
  },
}

/** For how long the pendulum is compared with its equation [s]. */
const COMPARED = 0.75

const pendulum: AcceptScene = {
  name: 'double-pendulum',
  text: 'two rods on ball sockets, let go from a right angle, beside their equation by Runge–Kutta for 0.75 s, 2 s',
  steps: 120,
  bounds: { time: 1, energy: 0.002, unsolved: 0, solves: 2 },
  make() {
    const scene = twoLinks(RELEASED, DEFAULTS)
    let state = RELEASED
    let time = 0
    const off = (): number => {
      // Later any error grows by itself: the motion is chaotic.
      if (scene.world.time > COMPARED) return 0
      state = solvePendulum(state, scene.world.time - time, DT / 64)
      time = scene.world.time
      const [now, exact] = [endsOf(scene), endsOfState(state)]
      return Math.max(...now.map((x, k) => Math.abs(x - exact[k]))) / ROD.length
    }
    return {
      world: scene.world,
      measures: [worstGap(scene.world), worstOf('share', 'ends off', 0.05, off), energyLost(scene.world, 0.15)],
    }
  },
}

const top: AcceptScene = {
  name: 'heavy-top',
  text: 'a top of 2 kg at 100 rad/s in steady precession, beside the closed form, 3 s',
  steps: 180,
  bounds: { time: 0.6, energy: 1e-3, unsolved: 0, solves: 2 },
  make() {
    const { world, error } = topScene(TOP)
    return { world, measures: [worstGap(world), worstOf('angle', 'axis off', 0.02, error), energyLost(world, 0.015)] }
  },
}

/** Compliance of the soft joints [m/N], and what hangs on them [kg]. */
const SOFT = 1e-4
const LOADS = [1, 10, 100]

function softJoints(solver: 'auto' | 'sweep'): AcceptScene {
  return {
    name: solver === 'auto' ? 'soft-joints' : 'soft-joints-swept',
    text: `loads of ${LOADS.join(', ')} kg on ball sockets of ${SOFT} m/N, ${solver === 'auto' ? 'as the world solves them' : 'swept'}, beside m g α, 3 s`,
    steps: 180,
    bounds: { time: 1, unsolved: 0 },
    make() {
      const world = new World()
      const loads = LOADS.map((mass, k) => {
        const body = world.addBody({
          position: [k, -0.5, 0],
          mass,
          inertia: solidBox(mass, [0.2, 0.2, 0.2]),
          linearDamping: 4,
        })
        world.add(ballSocket, { a: null, b: body, point: [k, 0, 0], compliance: SOFT, solver })
        return body
      })
      const off = (): number =>
        Math.max(...loads.map(({ mass, position }) => Math.abs((-0.5 - position[1]) / (9.81 * mass * SOFT) - 1)))
      return {
        world,
        measures: [
          atEnd('share', 'sag off', 0.01, off, { relative: 0.5, absolute: 0.005 }),
          atEnd('speed', 'speed at the end', 0.01, () => topSpeed(loads)),
        ],
      }
    },
  }
}

export const joints: readonly AcceptScene[] = [
  linkage(
    'linkage-brake',
    'a four-bar linkage whose crank is braked by 10⁴ N m s',
    { drive: { velocityTarget: 0, damping: 1e4 } },
    0,
    0.01,
  ),
  linkage(
    'linkage-friction',
    'a four-bar linkage whose crank has a friction of 50 N m',
    { frictionTorque: 50 },
    0,
    0.01,
  ),
  linkage(
    'linkage-motor',
    'a four-bar linkage whose crank is turned at 0.2 rad/s',
    { drive: { velocityTarget: 0.2, damping: 1e4 } },
    1,
    0.02,
  ),
  latch,
  pendulum,
  top,
  softJoints('auto'),
  softJoints('sweep'),
]
