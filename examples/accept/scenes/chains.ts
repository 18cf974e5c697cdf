/** Chains: equal links and a last link 10⁶ times as heavy, thrown, whipped, and pulled between two anchors. */

import { ballSocket, hinge } from '@tautline/constraints'
import { type Body, solidBox, World } from '@tautline/core'
import { sin } from '@tautline/core/kernel'
import { thrownChain } from '../../scenes/trees/thrown-chains.js'
import { energyLost } from '../energy.js'
import { worstGap } from '../joints.js'
import { atEnd, topSpeed, worstOf } from '../measure.js'
import type { AcceptScene } from '../scene.js'

/** `thrownChain` takes one substep and exact joints unless told otherwise. */
const { substeps, jointTolerance } = new World().settings
const DEFAULTS = { substeps, jointTolerance }
const HEAVY = 1e6
const LINKS = 20
const DT = 1 / 60

function thrown(name: string, last: number): AcceptScene {
  return {
    name,
    text: `${LINKS} links of 0.5 m on ball sockets, the last ${last} times as heavy, bent and thrown at 4 rad/s, 3 s`,
    steps: 180,
    bounds: { time: 2, energy: 0.005, unsolved: 0, solves: 3 },
    make() {
      const { world } = thrownChain({ links: LINKS, last, bend: 0.3, thrown: [0, 0, 4], options: DEFAULTS })
      return { world, measures: [worstGap(world), energyLost(world, 0.25)] }
    },
  }
}

/** To and fro of the handle [m], and its rate [rad/s]. */
const SWING = 0.5
const RATE = 12

function whipped(name: string, last: number): AcceptScene {
  return {
    name,
    text: `${LINKS} links of 0.2 m, the last ${last} times as heavy, hung from a handle that goes ${SWING} m to and fro at ${RATE} rad/s, 3 s`,
    steps: 180,
    bounds: { time: 2.5, energy: 0.005, unsolved: 0, solves: 6 },
    hasWork: true,
    make() {
      const world = new World()
      const handle = world.addBody({ type: 'kinematic', position: [0, 0, 0] })
      const length = 0.2
      let before: Body = handle
      for (let k = 0; k < LINKS; k++) {
        const mass = k === LINKS - 1 ? last : 1
        const inertia = solidBox(mass, [0.05, length, 0.05])
        const link = world.addBody({ position: [0, -length * (k + 0.5), 0], mass, inertia })
        world.add(ballSocket, { a: before, b: link, point: [0, -length * k, 0] })
        before = link
      }
      return {
        world,
        before: (step) => {
          handle.setTarget([SWING * sin(RATE * step * DT), 0, 0])
        },
        measures: [worstGap(world)],
      }
    },
  }
}

/** While the chain explodes, its speeds depend on every bit. */
const CHAOS = { relative: 4, absolute: 1 }

/** By which the anchors are pulled too far [m]; seconds of the pull, of the hold and of the return. */
const OVER = 1
const [PULL, HOLD, RETURN] = [1, 2, 1]

/** Anchor distance beyond the chain's length at a time [m]. */
function overAt(time: number): number {
  if (time < PULL) return (OVER * time) / PULL
  if (time < PULL + HOLD) return OVER
  return OVER * Math.max(0, 1 - (time - PULL - HOLD) / RETURN)
}

function stretched(kind: 'hinge' | 'ballSocket'): AcceptScene {
  const count = 4
  const steps = 420
  return {
    name: `anchors-${kind === 'hinge' ? 'hinges' : 'balls'}`,
    text: `${count} links of 0.5 m on ${kind}s between two kinematic anchors, pulled ${OVER} m too far and brought back, 7 s`,
    steps,
    bounds: { time: 4 },
    make() {
      const world = new World()
      const [first, last] = [-1, 1].map((x) => world.addBody({ type: 'kinematic', position: [x, 2, 0] }))
      const inertia = solidBox(0.5, [0.5, 0.05, 0.05])
      const links = Array.from({ length: count }, (_, k) =>
        world.addBody({ position: [-1 + 0.5 * (k + 0.5), 2, 0], mass: 0.5, inertia }),
      )
      const all = [first, ...links, last]
      for (let k = 0; k <= count; k++) {
        const ends = { a: all[k], b: all[k + 1], point: [-1 + 0.5 * k, 2, 0] as const }
        if (kind === 'hinge') world.add(hinge, { ...ends, axis: [0, 0, 1] })
        else world.add(ballSocket, ends)
      }
      // Held still, nothing may move fast: the anchors themselves go at 1 m/s.
      let isHeld = false
      const held = worstOf('speed', 'speed while held', 1, () => (isHeld ? topSpeed(links) : 0), CHAOS)
      return {
        world,
        before: (step) => {
          const time = (step + 1) * DT
          isHeld = time > PULL + 0.5 * HOLD && time <= PULL + HOLD
          last.setTarget([1 + overAt(time), 2, 0])
        },
        measures: [
          held,
          worstOf('speed', 'top speed', 10, () => topSpeed(links), CHAOS),
          worstOf('speed', 'speed three seconds later', 0.1, () => topSpeed(links), { from: steps - 60, ...CHAOS }),
        ],
      }
    },
  }
}

const pulledTogether: AcceptScene = {
  name: 'anchors-slack',
  text: '10 links between two kinematic anchors that come together by half and go apart again, 4 s: the chain closes again',
  steps: 240,
  bounds: { time: 1.5, energy: 0.01, unsolved: 0 },
  hasWork: true,
  make() {
    const world = new World()
    const [first, last] = [-1, 1].map((x) => world.addBody({ type: 'kinematic', position: [x, 2, 0] }))
    const inertia = solidBox(0.5, [0.2, 0.05, 0.05])
    const links = Array.from({ length: 10 }, (_, k) =>
      world.addBody({ position: [-1 + 0.2 * (k + 0.5), 2, 0], mass: 0.5, inertia }),
    )
    const all = [first, ...links, last]
    for (let k = 0; k <= 10; k++) world.add(ballSocket, { a: all[k], b: all[k + 1], point: [-1 + 0.2 * k, 2, 0] })
    return {
      world,
      before: (step) => {
        const time = (step + 1) * DT
        const apart = time < 2 ? 1 - 0.5 * time : 0.5 * (time - 2) - 0.02
        last.setTarget([Math.min(0.98, apart), 2, 0])
      },
      measures: [worstGap(world), atEnd('speed', 'speed at the end', 3, () => topSpeed(links))],
    }
  },
}

export const chains: readonly AcceptScene[] = [
  thrown('chain-thrown', 1),
  thrown('chain-heavy-thrown', HEAVY),
  whipped('chain-whipped', 1),
  whipped('chain-heavy-whipped', HEAVY),
  stretched('hinge'),
  stretched('ballSocket'),
  pulledTogether,
]
