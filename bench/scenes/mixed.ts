/** A thousand shapes of five kinds that fall into a pit. */

import { anyRotation, lattice, type Triple } from '../../examples/scenes/contacts/layouts.js'
import { randomNumbers } from '../lib/scenes.js'
import { FLOOR, PLAIN, type SceneData, type ShapeData } from '../rigid/data.js'
import { rigidScene } from '../rigid/task.js'
import { others } from './contenders.js'

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

function data(): SceneData {
  const random = randomNumbers(SEED)
  const places = lattice([6, 28, 6], SPACING, 0.6).slice(0, 1000)
  const side = PIT + 0.5
  return {
    ...PLAIN,
    fixed: [
      FLOOR,
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
  }
}

const TEXT = `1000 spheres, capsules, boxes, cylinders and hulls of 12 points in turn, reach s of 0.2 to 0.5 m, mass 1000 s³ kg, dropped into a pit of ${2 * PIT} m, seed ${SEED}`

export const mixed = rigidScene({
  name: 'mixed',
  family: 'Contacts',
  text: TEXT,
  samples: 300,
  quick: 60,
  contenders: [{ engine: 'tautline', usual: [4, 8] }, { engine: 'tautline-simd', usual: [4] }, ...others()],
  data,
})

/** Steps until the pile lies. */
const SETTLED = 600

export const settled = rigidScene({
  name: 'settled-mixed',
  family: 'Contacts',
  text: `${TEXT}; measured after ${SETTLED} steps`,
  warmUp: SETTLED,
  samples: 120,
  contenders: [{ engine: 'tautline', usual: [4, 8] }, ...others({ without: ['cannon-es', 'havok'] })],
  data,
})
