/** A cape on a capsule figure that runs and turns: what a user writes is between the two marks. */

import { type Cloth, cloth, type ClothDef } from '@tautline/assemblies'
import { capsule, Collisions, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import type { quat, vec3 } from 'gl-matrix'

/** Speed of the figure [m/s], on a circle of 20 m: it turns by 1 rad/s. */
const SPEED = 20
const RADIUS = 20
/** Half way round the neck, from which the cape hangs [rad]. */
const HALF = 1.2

/** A figure: its trunk leads, limbs swing. */
export interface Cape {
  world: World
  cape: Cloth
  trunk: Body
  limbs: readonly Body[]
  /** Radius and half height of the capsule of each of `[trunk, …limbs]` [m]. */
  sizes: readonly (readonly [number, number])[]
  /** Has the figure go on by a step of `dt` [s], which is taken. */
  step(dt: number): void
}

/** Vertices of a cape around shoulders: `across` × `down`, hanging down behind. */
function mesh(across: number, down: number): { positions: number[]; indices: number[] } {
  const positions: number[] = []
  const indices: number[] = []
  for (let j = 0; j < down; j++) {
    const [r, y] = [0.24 + (0.12 * j) / (down - 1), 0.42 - (1.1 * j) / (down - 1)]
    for (let i = 0; i < across; i++) {
      const a = HALF * ((2 * i) / (across - 1) - 1)
      positions.push(r * sin(a), y, -r * cos(a))
    }
  }
  for (let j = 0; j + 1 < down; j++) {
    for (let i = 0; i + 1 < across; i++) {
      const k = j * across + i
      indices.push(k, k + across, k + 1, k + 1, k + across, k + across + 1)
    }
  }
  return { positions, indices }
}

/** The scene, with `across` × `down` vertices. */
export function makeCape(options: Pick<ClothDef, 'tether'> = {}, across = 40, down = 30): Cape {
  const world = new World()
  const collisions = new Collisions(world)
  const sizes = [
    [0.18, 0.25],
    [0.12, 0.05],
    [0.06, 0.28],
    [0.06, 0.28],
    [0.08, 0.4],
    [0.08, 0.4],
  ] as const
  const hips: vec3[] = [
    [0, 0, 0],
    [0, 0.62, 0],
    [-0.3, 0.02, 0],
    [0.3, 0.02, 0],
    [-0.12, -0.35, 0],
    [0.12, -0.35, 0],
  ]
  const [trunk, ...limbs] = sizes.map(([r, half], k) =>
    collisions.addBody({ shape: k === 1 ? sphere(r + half) : capsule(r, half), type: 'kinematic', position: hips[k] }),
  )
  const { positions, indices } = mesh(across, down)
  const shoulders = Array.from({ length: across }, (_, k) => k)

  // user code
  const cape = cloth(world, {
    positions,
    indices,
    pins: [{ vertices: shoulders, body: trunk }],
    ...options,
  })
  // end of user code

  let time = 0
  const place = (k: number): [vec3, quat] => {
    // It gets up to its speed within a second.
    const way = time < 1 ? 0.5 * time * time : time - 0.5
    const a = (SPEED / RADIUS) * way
    const turn: quat = [0, sin(0.5 * a), 0, cos(0.5 * a)]
    const swing = k < 2 ? 0 : 0.7 * sin(10 * way) * (k % 2 === 0 ? 1 : -1) * (k < 4 ? 1 : -1)
    // From the joint at its upper end a limb swings about x.
    const [x, y, z] = hips[k]
    const half = k < 2 ? 0 : sizes[k][1]
    const arm: vec3 = [x, y + half - half * cos(swing), z - half * sin(swing)]
    const [c, s] = [cos(a), sin(a)]
    const centre: vec3 = [RADIUS * (1 - c), 0, RADIUS * s]
    const at: vec3 = [centre[0] + c * arm[0] + s * arm[2], arm[1], centre[2] - s * arm[0] + c * arm[2]]
    const bend: quat = [sin(0.5 * swing), 0, 0, cos(0.5 * swing)]
    const q: quat = [turn[3] * bend[0], turn[1] * bend[3], -turn[1] * bend[0], turn[3] * bend[3]]
    return [at, q]
  }
  return {
    world,
    cape,
    trunk,
    limbs,
    sizes,
    step(dt) {
      time += dt
      ;[trunk, ...limbs].forEach((body, k) => body.setTarget(...place(k)))
      world.step(dt)
    },
  }
}
