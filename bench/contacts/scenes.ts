/** The scenes that all engines run, as plain data: shapes, poses, masses, friction. */

import {
  anyRotation,
  lattice,
  PYRAMID_GAP,
  pyramidCentres,
  type Quadruple,
  type Triple,
} from '../../examples/scenes/contacts/layouts.js'
import { randomNumbers } from '../lib/scenes.js'

/** A shape about its centre of mass; capsules and cylinders along y, `halfHeight` of the straight part. */
export type ShapeData =
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'capsule'; readonly radius: number; readonly halfHeight: number }
  | { readonly kind: 'box'; readonly halfExtents: Triple }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly halfHeight: number }
  | { readonly kind: 'hull'; readonly points: readonly Triple[] }

export interface BodyData {
  readonly shape: ShapeData
  readonly position: Triple
  readonly orientation: Quadruple
  /** [kg] */
  readonly mass: number
}

export interface SceneData {
  readonly name: string
  /** What a reader needs to repeat it. */
  readonly text: string
  /** Of every body. */
  readonly friction: number
  readonly gravity: Triple
  /** Boxes that stand still. */
  readonly fixed: readonly { readonly halfExtents: Triple; readonly position: Triple }[]
  readonly bodies: readonly BodyData[]
  /** Measured steps after the warm-up. */
  readonly steps: number
}

const UPRIGHT: Quadruple = [0, 0, 0, 1]
const GRAVITY: Triple = [0, -9.81, 0]
const FRICTION = 0.5

function pyramid(): SceneData {
  const base = 20
  const half = 0.5
  return {
    name: 'pyramid',
    text: `pyramid of ${(base * (base + 1)) / 2} boxes of 1 m and 100 kg, base ${base}, rows touching, gaps of ${PYRAMID_GAP} m beside`,
    friction: FRICTION,
    gravity: GRAVITY,
    fixed: [{ halfExtents: [50, 0.5, 50], position: [0, -0.5, 0] }],
    bodies: pyramidCentres(base, half, PYRAMID_GAP).map((position) => ({
      shape: { kind: 'box', halfExtents: [half, half, half] },
      position,
      orientation: UPRIGHT,
      mass: 100,
    })),
    steps: 300,
  }
}

const SEED = 12
/** Half the inner width of the container, and half the height of its walls [m]. */
const PIT = 3.2
const WALL = 20
/** No shape reaches farther than 0.5 m: nothing touches at the start. */
const SPACING = 1.05

/** The five kinds in turn; no point is farther than `size` from the centre. */
function mixedShape(kind: number, size: number, random: () => number): ShapeData {
  const share = (): number => 0.75 + 0.25 * random()
  switch (kind) {
    case 0:
      return { kind: 'sphere', radius: size }
    case 1: {
      const radius = 0.5 * size * share()
      return { kind: 'capsule', radius, halfHeight: size - radius }
    }
    case 2: {
      const sides = [share(), share(), share()]
      const length = Math.hypot(...sides)
      return { kind: 'box', halfExtents: sides.map((side) => (size * side) / length) as Triple }
    }
    case 3: {
      const radius = 0.8 * size * share()
      return { kind: 'cylinder', radius, halfHeight: Math.sqrt(size * size - radius * radius) }
    }
    default:
      return { kind: 'hull', points: hullPoints(size, random) }
  }
}

/**
 * Six directions and their opposites, near to the diagonals of an icosahedron: the centre of mass is the origin, which is
 * what an engine takes that does not compute it.
 */
function hullPoints(size: number, random: () => number): Triple[] {
  const golden = 0.5 * (1 + Math.sqrt(5))
  const directions: Triple[] = [
    [0, 1, golden],
    [0, 1, -golden],
    [1, golden, 0],
    [1, -golden, 0],
    [golden, 0, 1],
    [golden, 0, -1],
  ]
  return directions.flatMap((direction) => {
    const shaken = direction.map((x) => x + 0.3 * random()) as Triple
    const length = Math.hypot(...shaken)
    const [x, y, z] = shaken.map((part) => (size * part) / length)
    return [
      [x, y, z],
      [-x, -y, -z],
    ] as Triple[]
  })
}

function mixed(): SceneData {
  const random = randomNumbers(SEED)
  const places = lattice([6, 28, 6], SPACING, 0.6).slice(0, 1000)
  const side = PIT + 0.5
  return {
    name: 'mixed',
    text: `1000 spheres, capsules, boxes, cylinders and hulls of 12 points in turn, reach s of 0.2 to 0.5 m, mass 1000 s³ kg, dropped into a pit of ${2 * PIT} m, seed ${SEED}`,
    friction: FRICTION,
    gravity: GRAVITY,
    fixed: [
      { halfExtents: [50, 0.5, 50], position: [0, -0.5, 0] },
      { halfExtents: [0.5, WALL, side + 0.5], position: [side, WALL, 0] },
      { halfExtents: [0.5, WALL, side + 0.5], position: [-side, WALL, 0] },
      { halfExtents: [side + 0.5, WALL, 0.5], position: [0, WALL, side] },
      { halfExtents: [side + 0.5, WALL, 0.5], position: [0, WALL, -side] },
    ],
    bodies: places.map((position, k) => {
      const size = 0.35 + 0.15 * random()
      return {
        shape: mixedShape(k % 5, size, random),
        position,
        orientation: anyRotation(random),
        mass: 1000 * size * size * size,
      }
    }),
    steps: 300,
  }
}

/** By name. */
export const SCENES = { pyramid, mixed } as const satisfies Record<string, () => SceneData>
export type SceneName = keyof typeof SCENES
