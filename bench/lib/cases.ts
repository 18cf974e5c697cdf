/** What is measured: for each constraint type a world of 20 000 rows and the loop by hand. */

import type { Body, World } from '@tautline/core'
import {
  ballSocket,
  dihedralBend,
  distance,
  isometricBend,
  tether,
  ropeLength,
  spring,
  tetraVolume,
} from '@tautline/constraints'
import { ballSocketBlock } from '../by-hand/ball-socket-block.js'
import { ballSocketScalar } from '../by-hand/ball-socket-scalar.js'
import { dihedralBend as dihedralBendByHand } from '../by-hand/dihedral-bend.js'
import { distance as distanceByHand } from '../by-hand/distance.js'
import { distanceAnchored } from '../by-hand/distance-anchored.js'
import { isometricBend as isometricBendByHand } from '../by-hand/isometric-bend.js'
import { ropeLength as ropeLengthByHand } from '../by-hand/rope-length.js'
import { springAxial } from '../by-hand/spring-axial.js'
import { springVector } from '../by-hand/spring-vector.js'
import { tetraVolume as tetraVolumeByHand } from '../by-hand/tetra-volume.js'
import { JOINT_CASES } from './joint-cases.js'
import type { Case } from './measure.js'
import { grid, gridBends, gridEdges, linked, ropes, shake, shakeBoxes, tetrahedra } from './scenes.js'

/** Compliance of every row, so that softness counts: [m/N] or [rad/(N m)]. */
const SOFT = 1e-8
/** Width and height of the sheets: their edges, and inner edges, are 20 000 or a few more. */
const SHEET = 102
const BEND_SHEET = 84

function sheetOf(width: number, add: (world: World, nodes: Body[]) => void): () => World {
  return () => {
    const { world, nodes } = grid(width, width)
    add(world, nodes)
    return world
  }
}

/** Cloth and soft bodies: a twentieth of an edge off. */
const shakeNodes = (world: World): void => shake(world, 5e-4, 0)

export const CASES: readonly Case[] = [
  {
    name: 'distance',
    build: sheetOf(SHEET, (world, nodes) => {
      for (const [a, b] of gridEdges(nodes, SHEET)) world.add(distance, { a, b, compliance: SOFT })
    }),
    shake: shakeNodes,
    byHand: distanceByHand,
  },
  {
    name: 'distance, anchored',
    build: linked((world, { a, b, point }) => world.add(distance, { a, b, point, length: 0.02, compliance: SOFT })),
    shake: shakeBoxes,
    byHand: distanceAnchored,
  },
  {
    name: 'ballSocket, block',
    build: linked((world, { a, b, point }) => world.add(ballSocket, { a, b, point, compliance: SOFT })),
    shake: shakeBoxes,
    byHand: ballSocketBlock,
  },
  {
    name: 'ballSocket, scalar',
    build: linked((world, { a, b, point }) => world.add(ballSocket, { a, b, point, form: 'scalar', compliance: SOFT })),
    shake: shakeBoxes,
    byHand: ballSocketScalar,
  },
  ...JOINT_CASES,
  {
    name: 'spring, vector',
    build: linked((world, { a, b, point }) =>
      world.add(spring, { a, b, point, length: 0, stiffness: 300, damping: 3 }),
    ),
    shake: shakeBoxes,
    byHand: springVector,
  },
  {
    name: 'spring, along its line',
    build: linked((world, { a, b, point }) =>
      world.add(spring, { a, b, point, length: 0.02, stiffness: 300, damping: 3 }),
    ),
    shake: shakeBoxes,
    byHand: springAxial,
  },
  {
    name: 'ropeLength',
    build: () => {
      const { world, windows } = ropes()
      for (const bodies of windows) world.add(ropeLength, { bodies, mode: 'rigid', compliance: SOFT })
      return world
    },
    shake: shakeNodes,
    byHand: ropeLengthByHand,
  },
  {
    name: 'tetraVolume',
    build: () => {
      const { world, cells } = tetrahedra()
      for (const bodies of cells) world.add(tetraVolume, { bodies, compliance: SOFT })
      return world
    },
    shake: (world) => shake(world, 5e-3, 0),
    byHand: tetraVolumeByHand,
  },
  {
    name: 'tether',
    build: () => {
      const { world, nodes } = grid(200, 101)
      const [left, right] = [nodes[0], nodes[199]]
      nodes.forEach((a, k) => {
        // Half of them are taut.
        if (k >= 200) world.add(tether, { a, b: k % 200 < 100 ? left : right, compliance: SOFT })
      })
      return world
    },
    shake: shakeNodes,
    byHand: distanceByHand,
  },
  {
    name: 'dihedralBend',
    build: sheetOf(BEND_SHEET, (world, nodes) => {
      for (const bodies of gridBends(nodes, BEND_SHEET)) world.add(dihedralBend, { bodies, compliance: SOFT })
    }),
    shake: shakeNodes,
    byHand: dihedralBendByHand,
  },
  {
    name: 'isometricBend',
    build: sheetOf(BEND_SHEET, (world, nodes) => {
      for (const bodies of gridBends(nodes, BEND_SHEET)) world.add(isometricBend, { bodies, stiffness: 1e-3 })
    }),
    shake: shakeNodes,
    byHand: isometricBendByHand,
  },
]
