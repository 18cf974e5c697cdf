/** Chains that the tests of trees share. */

import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { ballSocket, distance } from '../../src/index.js'

/** Options of worlds whose joints are met to round-off, where a test asks for that. */
export const EXACT = { jointTolerance: 1e-9 }

export const G = 9.81

export interface Chain {
  world: World
  bodies: Body[]
  joints: Constraint[]
}

export interface ChainSetting {
  links?: number
  /** Of link k [kg]. @defaultValue 1 */
  mass?: (k: number) => number
  /** Whether it hangs down from the start, or lies along x. @defaultValue false */
  hanging?: boolean
  /** Whether the first link is joined to the world. @defaultValue true */
  fixed?: boolean
  options?: WorldOptions
  /** Fields of every joint. */
  joint?: Record<string, unknown>
}

const SIZE = [0.5, 0.1, 0.1] as const
const TALL = [0.1, 0.5, 0.1] as const

/** Boxes of 0.5 m on ball joints, one substep a step. */
export function chain(setting: ChainSetting = {}): Chain {
  const { links = 8, mass = () => 1, hanging = false, fixed = true, options = {}, joint = {} } = setting
  const world = new World({ ...EXACT, gravity: [0, -G, 0], substeps: 1, ...options })
  const at = (s: number): [number, number, number] => (hanging ? [0, -s, 0] : [s, 0, 0])
  const bodies: Body[] = []
  const joints: Constraint[] = []
  for (let k = 0; k < links; k++) {
    const b = world.addBody({
      position: at(0.5 * k + 0.25),
      mass: mass(k),
      inertia: solidBox(mass(k), hanging ? TALL : SIZE),
    })
    if (k > 0 || fixed) {
      joints.push(world.add(ballSocket, { a: bodies[k - 1] ?? null, b, point: at(0.5 * k), ...joint }) as Constraint)
    }
    bodies.push(b)
  }
  return { world, bodies, joints }
}

/** Particles 0.2 m apart along x, on rods; the first hangs from the world at the origin. */
export function particles(world: World, count: number, joint: Record<string, unknown> = {}): Chain {
  const bodies: Body[] = []
  const joints: Constraint[] = []
  for (let k = 0; k < count; k++) {
    const b = world.addParticle({ position: [0.2 * (k + 1), 0, 0], mass: 1 })
    joints.push(world.add(distance, { a: bodies[k - 1] ?? null, b, length: 0.2, ...joint }) as Constraint)
    bodies.push(b)
  }
  return { world, bodies, joints }
}

export function run(world: World, steps: number): void {
  for (let step = 0; step < steps; step++) world.step(1 / 60)
}

/** Largest error of the joints, NaN where one is. */
export function worst(joints: readonly Constraint[]): number {
  return joints.reduce((most, { error }) => (error <= most ? most : error), 0)
}
