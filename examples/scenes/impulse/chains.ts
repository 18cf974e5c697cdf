/** Chains, bridges and nets of rigid bodies. Links do not meet each other. */

import { type Body, type Constraint, solidBox, solidSphere, World, type WorldOptions } from '@tautline/core'
import { ballSocket, hinge } from '@tautline/constraints'
import { QUALITY } from '../contacts/scene.js'
import { worstErrors } from './freedoms.js'
import type { JointScene } from './joints.js'

/** Worst joint error [m]. */
export function jointGap({ world }: JointScene): number {
  return worstErrors(world).linear
}

/** Kinetic and potential energy [J]. */
export function totalEnergy({ world }: JointScene): number {
  const { kinetic, potential, elastic } = world.energy()
  return kinetic + potential + elastic
}

/** What a row of boxes is made of, from the origin along x. */
interface Row {
  count: number
  /** Of a box, x along the row [m]. */
  size: readonly [number, number, number]
  /** By box [kg]. */
  mass: (k: number) => number
  /** Between the ends of two boxes [m]. */
  apart?: number
  /** Whether the first box is fixed to the world. @defaultValue true */
  fixed?: boolean
  joint?: 'ballSocket' | 'hinge'
  /** Whether the last box is fixed to the world as well. */
  fixedAtBothEnds?: boolean
}

/** Boxes end to end, each joined to the last, the first to the world: at the middle of their ends, and hinges about z. */
function row(options: WorldOptions, { count, size, mass, apart = 0, joint = 'ballSocket', ...ends }: Row): JointScene {
  const world = new World({ ...QUALITY, ...options })
  const half = 0.5 * size[0]
  const bodies = Array.from({ length: count }, (_, k) =>
    world.addBody({
      position: [(k + 1) * apart + (2 * k + 1) * half, 0, 0],
      mass: mass(k),
      inertia: solidBox(mass(k), size),
    }),
  )
  const join = (a: Body | null, b: Body | null): Constraint => {
    const end = count * (apart + size[0]) + apart
    const anchors = {
      anchorA: a === null ? ([0, 0, 0] as const) : ([half, 0, 0] as const),
      anchorB: b === null ? ([end, 0, 0] as const) : ([-half, 0, 0] as const),
    }
    if (joint === 'ballSocket') return world.add(ballSocket, { a, b, ...anchors }) as Constraint
    return world.add(hinge, { a, b, ...anchors, axis: [0, 0, 1] }) as Constraint
  }
  const joints: Constraint[] = ends.fixed === false ? [] : [join(null, bodies[0])]
  for (let k = 1; k < count; k++) joints.push(join(bodies[k - 1], bodies[k]))
  if (ends.fixedAtBothEnds === true) joints.push(join(bodies[count - 1], null))
  return { world, bodies, joints }
}

const LINK = { size: [0.5, 0.1, 0.1], mass: 1 } as const

/** Wedekind's chains: `count` boxes of 0.5 m and 1 kg, let go from the horizontal. Its energy stays 0 J. */
export function jointChain(joint: 'ballSocket' | 'hinge', count: number, options: WorldOptions = {}): JointScene {
  return row(options, { count, size: LINK.size, mass: () => LINK.mass, joint })
}

/** Twenty boxes of 0.5 m and 1 kg on ball joints, the last `ratio` times as heavy, let go from the horizontal. */
export function heavyChain(ratio: number, options: WorldOptions = {}): JointScene {
  const count = 20
  return row(options, { count, size: LINK.size, mass: (k) => (k === count - 1 ? ratio : 1) * LINK.mass })
}

/** Ten boxes of 0.5 m and 1 kg on ball joints in free space, the first of them spun: nothing from outside acts on them. */
export function freeChain(options: WorldOptions = {}): JointScene {
  const scene = row(
    { ...options, gravity: [0, 0, 0] },
    { count: 10, size: LINK.size, mass: () => LINK.mass, fixed: false },
  )
  // About its far end, which so starts at rest with the second box.
  scene.bodies[0].setVelocity([0, -2, 1])
  scene.bodies[0].setAngularVelocity([0, 4, 8])
  return scene
}

/** Solver2D's bridge: planks of 1 m by 0.25 m, 20 kg/m³ and 1 m wide, on hinges, straight between two fixed points. */
export function bridge(planks: number = 160, options: WorldOptions = {}): JointScene {
  return row(options, { count: planks, size: [1, 0.25, 1], mass: () => 5, joint: 'hinge', fixedAtBothEnds: true })
}

/** Solver2D's stretched chain: links of 1 m and 1.25 kg whose joints start 1 m apart, so that it is twice its length. */
export function stretchedChain(links: number = 40, options: WorldOptions = {}): JointScene {
  return row(options, { count: links, size: [1, 0.25, 0.25], mass: () => 1.25, apart: 1 })
}

/** Of the net's nodes: radius [m], mass [kg], by how much heavier gravity is, and how many of the top row stand still. */
const NODE = { radius: 0.4, mass: 1, gravity: 2, pinned: 7 } as const

/**
 * Solver2D's joint grid: a net of `side` by `side` spheres 1 m apart in a vertical plane, each joined to its neighbours half way
 * between them, hung from the seven in the middle of its top row, under 2 g.
 */
export function jointGrid(side: number = 20, options: WorldOptions = {}): JointScene {
  const world = new World({ ...QUALITY, ...options })
  const inertia = solidSphere(NODE.mass, NODE.radius)
  const nodes: Body[] = []
  const joints: Constraint[] = []
  for (let i = 0; i < side; i++) {
    for (let k = 0; k < side; k++) {
      const x = k - 0.5 * (side - 1)
      const isPinned = i === 0 && Math.abs(k - Math.floor(side / 2)) < 0.5 * NODE.pinned
      const node = world.addBody({
        type: isPinned ? 'static' : 'dynamic',
        position: [x, -i, 0],
        mass: isPinned ? Infinity : NODE.mass,
        inertia,
        gravityScale: NODE.gravity,
      })
      if (k > 0 && !(isPinned && nodes[nodes.length - 1].type === 'static')) {
        joints.push(
          world.add(ballSocket, { a: nodes[nodes.length - 1], b: node, point: [x - 0.5, -i, 0] }) as Constraint,
        )
      }
      if (i > 0) {
        joints.push(
          world.add(ballSocket, { a: nodes[side * (i - 1) + k], b: node, point: [x, 0.5 - i, 0] }) as Constraint,
        )
      }
      nodes.push(node)
    }
  }
  return { world, bodies: nodes.filter(({ type }) => type === 'dynamic'), joints }
}
