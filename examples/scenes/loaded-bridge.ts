/** A slack bridge that boxes fall on: a loop of hinges under contacts. */

import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { box, Collisions } from '@tautline/collision'
import { hinge } from '@tautline/constraints'

/** Of a plank [kg], and half its size [m]. */
const MASS = 5
const PLANK = [0.5, 0.125, 0.5] as const
/** Half the side of a box [m], and where boxes fall, shares of the span. */
const BOX = 0.45
const PLACES = [0.26, 0.4, 0.51, 0.64, 0.75] as const
/** Planks meet neither each other nor the banks that they hang from. */
const GROUP = -1

export interface LoadedBridgeParameters {
  /** 1 m each. */
  planks: number
  /** How steep the bridge hangs at its banks [rad]; 0 is drawn straight, without slack. */
  slope: number
  /** Mass of a box in that of a plank. */
  ratio: number
}

export const LOADED_BRIDGE: LoadedBridgeParameters = { planks: 20, slope: 0.45, ratio: 20 }

export interface LoadedBridge {
  readonly world: World
  readonly planks: readonly Body[]
  readonly joints: readonly Constraint[]
  readonly boxes: readonly Body[]
  /** From bank to bank [m]. */
  readonly span: number
}

/** Planks along an arc from the origin, on hinges about z, between two banks, and five boxes above, each higher than the last. */
export function loadedBridge(given: Partial<LoadedBridgeParameters> = {}, options: WorldOptions = {}): LoadedBridge {
  const { planks: count, slope, ratio } = { ...LOADED_BRIDGE, ...given }
  const world = new World(options)
  const ends: [number, number, number][] = [[0, 0, 0]]
  const planks = Array.from({ length: count }, (_, k) => {
    const angle = slope * ((2 * k + 1) / count - 1)
    const [c, s] = [cos(angle), sin(angle)]
    const [x, y] = ends[k]
    ends.push([x + c, y + s, 0])
    return world.addBody({
      position: [x + 0.5 * c, y + 0.5 * s, 0],
      orientation: [0, 0, sin(0.5 * angle), cos(0.5 * angle)],
      mass: MASS,
      inertia: solidBox(MASS, [2 * PLANK[0], 2 * PLANK[1], 2 * PLANK[2]]),
    })
  })
  const joints = ends.map((point, k) => {
    const [a, b] = [planks[k - 1] ?? null, planks[k] ?? null]
    return world.add(hinge, { a, b, point, axis: [0, 0, 1] }) as Constraint
  })
  const span = ends[count][0]
  const collisions = new Collisions(world, { sleeping: {} })
  for (const plank of planks) collisions.addCollider(plank, { shape: box(PLANK), friction: 0.7, group: GROUP })
  for (const x of [-1.5, span + 1.5]) {
    collisions.addCollider(null, {
      shape: box([1.5, 0.6, 1.2]),
      position: [x, -0.475, 0],
      friction: 0.7,
      group: GROUP,
    })
  }
  const boxes = PLACES.map((share, k) =>
    collisions.addBody({
      shape: box([BOX, BOX, BOX]),
      mass: MASS * ratio,
      position: [share * span, 1.6 + 0.7 * k, 0],
      friction: 0.7,
    }),
  )
  return { world, planks, joints, boxes, span }
}
