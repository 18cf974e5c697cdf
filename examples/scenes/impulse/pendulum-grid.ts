/** A floor of pendulums (Tamis and Maggiore, 10.3, figure 9): it carries what lies on it, and parts under force. */

import { type Body } from '@tautline/core'
import { ballSocket } from '@tautline/constraints'
import { box, capsule, type Shape, sphere } from '@tautline/collision'
import { turn, type Quadruple, type Triple } from '../contacts/layouts.js'
import { type ContactOptions, type ContactScene, emptyWorld, placed } from '../contacts/scene.js'

/**
 * Pendulums a side; radius [m] and mass [kg] of their balls; from one to the next, and length of the bars, which nothing
 * touches [m]; friction of everything.
 */
const GRID = { side: 5, radius: 0.5, mass: 10, pitch: 1.02, bar: 2, friction: 0.5 } as const
/** Of what the grid carries [kg]. */
const LOAD = 0.5

/** A floor of pendulums and its loads. */
export interface GridScene extends ContactScene {
  /** Row by row. */
  readonly pendulums: readonly Body[]
  readonly loads: readonly Body[]
  /** The ball among the loads that is pushed. */
  readonly pushed: Body
  /** Height of the pendulums' centres when they hang straight [m]. */
  readonly level: number
}

/** What lies on the grid: in or over which hollow between four balls, and how high its centre is above theirs at first [m]. */
interface Load {
  readonly shape: Shape
  readonly hollow: readonly [number, number]
  readonly height: number
  readonly orientation?: Quadruple
}

/** A ball in the middle, which is pushed; and around it boxes that lie on four balls, and balls and capsules in hollows. */
function loadsOf(): Load[] {
  const along = turn([0, 0, 1], 0.5 * Math.PI)
  return [
    { shape: sphere(0.45), hollow: [-0.5, -0.5], height: 0.62 },
    { shape: sphere(0.45), hollow: [1.5, 0.5], height: 0.62 },
    { shape: box([0.6, 0.15, 0.6]), hollow: [-1.5, 1.5], height: 0.66 },
    { shape: box([0.6, 0.15, 0.6]), hollow: [1.5, -1.5], height: 0.66 },
    { shape: capsule(0.35, 0.5), hollow: [0, 1.5], height: 0.77, orientation: along },
    { shape: capsule(0.35, 0.5), hollow: [-1, -1.5], height: 0.77, orientation: along },
  ]
}

/** Five by five balls that nearly touch, each on a bar from one point of the world, with six loads on them. */
export function pendulumGrid(options: ContactOptions = {}): GridScene {
  const { side, radius, mass, pitch, bar, friction } = GRID
  const { world, collisions } = emptyWorld(options)
  const pendulums: Body[] = []
  for (let i = 0; i < side; i++) {
    for (let k = 0; k < side; k++) {
      const [x, z] = [pitch * (i - 0.5 * (side - 1)), pitch * (k - 0.5 * (side - 1))]
      const ball = collisions.addBody({ shape: sphere(radius), mass, position: placed(options, [x, 0, z]), friction })
      world.add(ballSocket, { b: ball, point: placed(options, [x, bar, z]) })
      pendulums.push(ball)
    }
  }
  const loads = loadsOf().map(({ shape, hollow: [i, k], height, orientation = [0, 0, 0, 1] }) => {
    const position: Triple = placed(options, [pitch * i, height, pitch * k])
    return collisions.addBody({ shape, mass: LOAD, position, orientation, friction })
  })
  const level = placed(options, [0, 0, 0])[1]
  return { world, collisions, bodies: [...pendulums, ...loads], pendulums, loads, pushed: loads[0], level }
}

/** Pushes the ball in the middle down with a force [N] during the next step. */
export function push({ pushed }: GridScene, force: number): void {
  pushed.applyForce([0, -force, 0])
}

/** Whether a load has fallen through: its centre is below the balls that carried it. What is not a number has fallen. */
export function fellThrough({ level }: GridScene, load: Body): boolean {
  return !(load.position[1] >= level - GRID.radius)
}

/** Whether every load but those named lies on the grid. */
export function isCarrying(scene: GridScene, except: readonly Body[] = []): boolean {
  return scene.loads.every((load) => except.includes(load) || load.position[1] > scene.level)
}
