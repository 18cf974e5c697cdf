/** Bodies that are shot at planes, walls, closed meshes and at each other: what an impact does to energy, and whether it stops them. */

import {
  box,
  capsule,
  Collisions,
  compound,
  convexHull,
  cylinder,
  plane,
  type Shape,
  sphere,
  taperedCapsule,
  triangleMesh,
} from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { anyRotation, lengthOf, type Quadruple, type Triple } from './contacts/layouts.js'
import { randomNumbers } from '../lib/random.js'

/** Shapes that can be shot. */
export const MISSILES = ['sphere', 'capsule', 'taperedCapsule', 'box', 'cylinder', 'hull', 'compound'] as const
/** What they are shot at: `body` is another of them, free. */
export const TARGETS = ['plane', 'box', 'mesh', 'body'] as const
export type Missile = (typeof MISSILES)[number]
export type Target = (typeof TARGETS)[number]

/** A shot, as plain data. Lengths in m, speeds in m/s and rad/s. */
export interface Shot {
  missile: Shape
  kind: Missile
  orientation: Quadruple
  velocity: Triple
  spin: Triple
  /** Where its centre starts: the near side of what it is shot at is y = 0, the far side y = −`thickness`. */
  height: number
  target: Target
  thickness: number
  other?: { shape: Shape; orientation: Quadruple; density: number; reach: number }
  restitution: number
  friction: number
  substeps: number
  /** Steps a second [Hz]. */
  rate: number
  steps: number
}

/** A shot that runs. */
export interface ShotScene {
  world: World
  collisions: Collisions
  bodies: readonly Body[]
  /** Energy above the surface that is shot at [J], with velocities of the instant of the poses, which are half a substep of fall ahead. */
  energy(): number
  /** Whether the centre is behind what it was shot at, or the two have changed sides and never touched. */
  hasPassed(): boolean
}

const GRAVITY = 9.81
/** Half the width of walls and meshes, in reaches of what is shot at them, and at least [m]. */
const WIDTH = 30
const LEAST_WIDTH = 20

/** Numbers in [−1, 1) that neighbouring seeds do not share. */
function seeded(seed: number): () => number {
  const random = randomNumbers(Math.imul(seed, 2654435761))
  for (let k = 0; k < 8; k++) random()
  return random
}

/** 0 to 1. */
const unit = (random: () => number): number => 0.5 * (random() + 1)
/** From `least` to `most`, even in the logarithm. */
export const spread = (random: () => number, least: number, most: number): number =>
  least * Math.pow(most / least, unit(random))
const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(unit(random) * from.length)]

/** A shape whose box has sides of `least` to `most` [m]. */
export function missile(kind: Missile, random: () => number, least: number, most: number): Shape {
  const long = spread(random, least, most)
  const side = (): number => 0.5 * spread(random, Math.max(least, 0.1 * long), long)
  switch (kind) {
    case 'sphere':
      return sphere(0.5 * long)
    case 'capsule':
      return capsule(side(), 0.5 * long)
    case 'taperedCapsule': {
      const top = side()
      return taperedCapsule(top, (0.6 + 0.3 * unit(random)) * top, 0.5 * long + 0.2 * top)
    }
    case 'box':
      return box([0.5 * long, side(), side()])
    case 'cylinder':
      return cylinder(side(), side())
    case 'hull': {
      const [x, y, z] = [0.5 * long, side(), side()]
      const points: Triple[] = []
      for (let k = 0; k < 24; k++) {
        const d: Triple = [random(), random(), random()]
        const length = lengthOf(d)
        if (length > 0.1) points.push([(x * d[0]) / length, (y * d[1]) / length, (z * d[2]) / length])
      }
      return convexHull(points)
    }
    case 'compound': {
      const [x, y] = [0.25 * long, 0.5 * side()]
      return compound([
        { shape: box([2 * x, y, y]) },
        { shape: box([y, 2 * x, y]), position: [x, 2 * x, 0] },
        { shape: sphere(1.5 * y), position: [-2 * x, 0, 0] },
      ])
    }
  }
}

/** A random shot: sizes of 5 mm to 5 m, speeds of 1 to 300 m/s, everything else as the issue has it. */
export function randomShot(seed: number): Shot {
  const random = seeded(seed)
  const kind = pick(random, MISSILES)
  const target = pick(random, TARGETS)
  const shape = missile(kind, random, 0.005, 5)
  const speed = spread(random, 1, 300)
  const aside: Triple = [random(), -1, random()]
  const slow = speed / lengthOf(aside)
  const spin = unit(random) < 0.5 ? 0 : 50
  const thickness = target === 'plane' ? Infinity : spread(random, 0.005, 1)
  const rate = pick(random, [30, 60, 144])
  const reach = shape.reach
  const far = unit(random) * ((2 * speed) / rate) + 0.01 * reach
  const other =
    target !== 'body'
      ? undefined
      : {
          shape: missile(pick(random, MISSILES), random, 0.005, 5),
          orientation: anyRotation(random),
          density: spread(random, 10, 1e5),
          reach: 0,
        }
  if (other !== undefined) other.reach = other.shape.reach
  const height = reach + far + (other === undefined ? 0 : other.reach)
  return {
    missile: shape,
    kind,
    orientation: anyRotation(random),
    velocity: other === undefined ? [slow * aside[0], -slow, slow * aside[2]] : [0, -speed, 0],
    spin: [spin * random(), spin * random(), spin * random()],
    height,
    target,
    thickness,
    ...(other === undefined ? {} : { other }),
    restitution: unit(random) < 0.3 ? 0 : unit(random) < 0.3 ? 1 : unit(random),
    friction: unit(random) < 0.2 ? 0 : unit(random),
    substeps: pick(random, [1, 2, 3, 4, 6, 8]),
    rate,
    steps: 30 + Math.ceil((height / slow) * rate),
  }
}

/** The shot as a world. */
export function shotScene(shot: Shot): ShotScene {
  const { substeps, rate, restitution, friction, other } = shot
  const free = shot.target === 'body'
  const gravity: Triple = [0, free ? 0 : -GRAVITY, 0]
  const world = new World({ substeps, gravity })
  const collisions = new Collisions(world)
  const material = { restitution, friction }
  const bodies: Body[] = []
  if (other !== undefined) {
    const { shape, orientation, density } = other
    bodies.push(collisions.addBody({ shape, orientation, density, ...material }))
  } else collisions.addCollider(null, { ...solid(shot), ...material })
  bodies.unshift(
    collisions.addBody({
      shape: shot.missile,
      orientation: shot.orientation,
      position: [0, shot.height, 0],
      velocity: shot.velocity,
      angularVelocity: shot.spin,
      ...material,
    }),
  )
  let touched = false
  const width = shot.target === 'plane' ? Infinity : halfWidth(shot)
  // The middle of a compound may be empty.
  const isWhole = ![shot.missile, other?.shape].some((shape) => shape?.name === 'compound')
  const h = 1 / rate / substeps
  const y = gravity[1]
  let mass = 0
  for (const body of bodies) mass += body.mass
  return {
    world,
    collisions,
    bodies,
    energy() {
      return world.energy().total + 0.5 * h * y * world.momentum().linear[1] + 0.125 * h * h * y * y * mass
    },
    hasPassed() {
      const [x, y, z] = bodies[0].position
      if (other === undefined)
        return y < -0.5 * Math.min(shot.thickness, 1) && Math.max(Math.abs(x), Math.abs(z)) < width
      if (collisions.events.length > 0) touched = true
      return !touched && isWhole && y < bodies[1].position[1]
    },
  }
}

/** What stands still: a plane, a wall, or a closed mesh, its near side at y = 0. */
function solid(shot: Shot): { shape: Shape; position?: Triple } {
  const { target, thickness } = shot
  if (target === 'plane') return { shape: plane([0, 1, 0]) }
  const w = halfWidth(shot)
  if (target === 'box') return { shape: box([w, 0.5 * thickness, w]), position: [0, -0.5 * thickness, 0] }
  return { shape: slab(w, thickness) }
}

function halfWidth({ missile: { reach } }: Shot): number {
  return Math.max(LEAST_WIDTH, WIDTH * reach)
}

/** A closed mesh: 8 × 8 squares of two triangles above and below, and four sides. */
function slab(w: number, thickness: number): Shape {
  const n = 8
  const vertices: number[] = []
  const triangles: number[] = []
  for (let side = 0; side < 2; side++) {
    for (let i = 0; i <= n; i++) {
      for (let k = 0; k <= n; k++)
        vertices.push(w * ((2 * i) / n - 1), side === 0 ? 0 : -thickness, w * ((2 * k) / n - 1))
    }
  }
  const below = (n + 1) * (n + 1)
  const at = (i: number, k: number): number => i * (n + 1) + k
  const quad = (a: number, b: number, c: number, d: number): void => {
    triangles.push(a, b, c, a, c, d)
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      quad(at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k))
      quad(below + at(i, k), below + at(i + 1, k), below + at(i + 1, k + 1), below + at(i, k + 1))
    }
    quad(at(i, 0), at(i + 1, 0), below + at(i + 1, 0), below + at(i, 0))
    quad(at(i + 1, n), at(i, n), below + at(i, n), below + at(i + 1, n))
    quad(at(0, i + 1), at(0, i), below + at(0, i), below + at(0, i + 1))
    quad(at(n, i), at(n, i + 1), below + at(n, i + 1), below + at(n, i))
  }
  return triangleMesh(vertices, triangles)
}

/** What `aimedShot` leaves to chance: rotation, height, and up to 27° to either side. */
export function aimedShot(
  seed: number,
  shot: Pick<Shot, 'missile' | 'kind' | 'target' | 'thickness' | 'substeps'> & { speed: number; seconds: number },
  surface: { restitution: number; friction: number } = { restitution: 0, friction: 0.5 },
): Shot {
  const random = seeded(seed)
  const aside: Triple = [0.5 * random(), -1, 0.5 * random()]
  const scale = shot.speed / lengthOf(aside)
  return {
    ...shot,
    ...surface,
    orientation: anyRotation(random),
    velocity: [scale * aside[0], -scale, scale * aside[2]],
    spin: [0, 0, 0],
    height: shot.missile.reach + 1 + 0.2 * random(),
    rate: 60,
    steps: Math.round(60 * shot.seconds),
  }
}

/** What became of a shot: the most energy it ever had, beyond that at its start, as a share of that; whether it passed; impacts. */
export interface ShotResult {
  gain: number
  passed: boolean
  impacts: number
  scaled: number
}

/** Runs a shot. */
export function fire(shot: Shot): ShotResult {
  const scene = shotScene(shot)
  const first = scene.energy()
  const result: ShotResult = { gain: 0, passed: false, impacts: 0, scaled: 0 }
  for (let step = 0; step < shot.steps; step++) {
    scene.world.step(1 / shot.rate)
    const gain = scene.energy() / first - 1
    // A NaN is the worst of all.
    if (!(gain <= result.gain)) result.gain = gain
    if (scene.hasPassed()) result.passed = true
    const { impacts, scaled } = scene.collisions.impactReport
    result.impacts += impacts
    result.scaled += scaled
  }
  return result
}
