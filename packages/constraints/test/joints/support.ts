/** What the tests of this folder share: pairs of bodies, random definitions of every joint, gradients by differences. */

import {
  type Body,
  type BodyDef,
  type Constraint,
  type ConstraintType,
  type PairDef,
  World,
  type WorldOptions,
} from '@tautline/core'
import { sweepRows, rotate, type WorldState } from '@tautline/core/kernel'
import { Random } from '../../../core/test/support/random.js'
import { angularDrive } from '../../src/angular-drive.js'
import { axle } from '../../src/axle.js'
import { cone } from '../../src/cone.js'
import { fixed } from '../../src/fixed.js'
import { hinge } from '../../src/hinge.js'
import { slider } from '../../src/slider.js'
import { swingTwist } from '../../src/swing-twist.js'
import { universal } from '../../src/universal.js'

/** Substep of a single correction [s]. */
export const H = 1 / 240

/** A definition with whatever a type takes. */
export type AnyDef = PairDef & Record<string, unknown>

/** A type, with a random definition of it. */
export interface Joint {
  name: string
  type: ConstraintType<AnyDef>
  def(random: Random): Record<string, unknown>
  /** Error that its gradients by differences may have, where that is not the usual one. */
  gradient?: number
}

function joint<Def extends PairDef>(
  name: string,
  type: ConstraintType<Def, never>,
  def: (random: Random) => Record<string, unknown>,
  gradient?: number,
): Joint {
  return { name, type: type as unknown as ConstraintType<AnyDef>, def, ...(gradient && { gradient }) }
}

const maybe = <T>(random: Random, field: string, value: () => T): Record<string, T> =>
  random.chance(0.6) ? { [field]: value() } : {}

const softness = (random: Random, prefix = ''): Record<string, number> => {
  if (random.chance(0.4)) return {}
  const name = (field: string): string => (prefix === '' ? field : prefix + field[0].toUpperCase() + field.slice(1))
  return { [name('compliance')]: random.between(1e-5, 1e-2), [name('damping')]: random.between(0, 10) }
}

/** A range that the disturbed pose lies below, within or above. */
export function range(random: Random, size = 0.5): { min: number; max: number } {
  const min = random.between(-size, size)
  return { min, max: min + random.between(0, size), ...softness(random) }
}

/** A drive without damping has no speed to get to. */
function braked(drive: Record<string, unknown>): Record<string, unknown> {
  if (drive.damping === 0) delete drive.velocityTarget
  return drive
}

function drive(random: Random): Record<string, unknown> {
  return braked({
    stiffness: random.chance(0.3) ? 0 : random.between(0, 100),
    damping: random.chance(0.3) ? 0 : random.between(0, 10),
    maxForce: random.chance(0.5) ? random.between(0, 20) : Infinity,
    positionTarget: random.between(-1, 1),
    velocityTarget: random.between(-3, 3),
    mode: random.chance(0.5) ? 'force' : 'acceleration',
  })
}

function orientationDrive(random: Random): Record<string, unknown> {
  return braked({
    ...maybe(random, 'target', () => random.rotation()),
    stiffness: random.chance(0.3) ? 0 : random.between(0, 100),
    damping: random.chance(0.3) ? 0 : random.between(0, 10),
    maxTorque: random.chance(0.5) ? random.between(0, 20) : Infinity,
    velocityTarget: random.vector(3),
    mode: random.chance(0.5) ? 'force' : 'acceleration',
  })
}

const friction = (random: Random): number => (random.chance(0.5) ? random.between(0, 5) : 1e6)

/** Axes on both bodies that need not agree at the present pose. */
const axes = (random: Random): Record<string, unknown> =>
  random.chance(0.5) ? { axis: random.direction() } : { axisA: random.direction(), axisB: random.direction() }

/** Every joint. */
export const JOINTS: readonly Joint[] = [
  joint('axle', axle, (random) => ({ ...axes(random), ...softness(random) })),
  joint('cone', cone, (random) => ({ ...axes(random), ...softness(random), limit: random.between(0.01, 1) })),
  joint('fixed', fixed, (random) => ({
    ...maybe(random, 'point', () => random.vector()),
    ...softness(random),
    ...softness(random, 'angular'),
  })),
  joint('hinge', hinge, (random) => ({
    point: random.vector(),
    axis: random.direction(),
    ...softness(random),
    ...softness(random, 'angular'),
    ...maybe(random, 'limits', () => range(random)),
    ...maybe(random, 'drive', () => drive(random)),
    ...maybe(random, 'frictionTorque', () => friction(random)),
  })),
  joint('slider', slider, (random) => ({
    ...maybe(random, 'point', () => random.vector()),
    axis: random.direction(),
    ...softness(random),
    ...softness(random, 'angular'),
    ...maybe(random, 'limits', () => range(random)),
    ...maybe(random, 'drive', () => drive(random)),
    ...maybe(random, 'frictionForce', () => friction(random)),
  })),
  joint('universal', universal, (random) => ({
    point: random.vector(),
    axisA: random.direction(),
    ...softness(random),
    ...softness(random, 'angular'),
    ...maybe(random, 'limitsA', () => range(random)),
    ...maybe(random, 'limitsB', () => range(random)),
    ...maybe(random, 'driveA', () => drive(random)),
    ...maybe(random, 'driveB', () => drive(random)),
    ...maybe(random, 'frictionTorque', () => friction(random)),
  })),
  joint('swingTwist', swingTwist, (random) => ({
    point: random.vector(),
    ...maybe(random, 'frameA', () => random.rotation()),
    ...softness(random),
    ...maybe(random, 'swing', () => ({
      ...maybe(random, 'y', () => range(random)),
      ...maybe(random, 'z', () => range(random)),
    })),
    ...maybe(random, 'twist', () => range(random)),
    ...maybe(random, 'drive', () => orientationDrive(random)),
    ...maybe(random, 'frictionTorque', () => friction(random)),
  })),
  joint(
    'swingTwist cone',
    swingTwist,
    (random) => {
      const soft = softness(random)
      const half = (): Record<string, number> => ({
        min: -random.between(0.05, 1),
        max: random.between(0.05, 1),
        ...soft,
      })
      return { point: random.vector(), axis: random.direction(), swingShape: 'cone', swing: { y: half(), z: half() } }
    },
    // Its third derivative grows as 1/θ² towards the centre of the ellipse, where the limit does not act.
    1e-3,
  ),
  joint('angularDrive', angularDrive, (random) => orientationDrive(random)),
  joint('angularDrive axis', angularDrive, (random) => {
    const { target: _target, ...gains } = orientationDrive(random)
    return { ...axes(random), ...gains }
  }),
]

/** Two bodies, or one and the world, joined by a random definition, then moved by up to `far` [m, rad]. */
export function disturbed(seed: number, { type, def }: Joint, far: number, options: WorldOptions = {}): Constraint {
  const random = new Random(seed)
  const world = new World({ gravity: [0, 0, 0], ...options })
  const body = (): Body => {
    const mass = random.between(0.2, 5)
    const fields: BodyDef = { position: random.vector(), orientation: random.rotation(), mass }
    return world.addBody({ ...fields, inertia: random.moments(mass) })
  }
  const first = body()
  const second = random.chance(0.7) ? body() : null
  const [a, b] = random.chance(0.5) ? [first, second] : [second, first]
  const constraint = world.add(type, { a, b, ...def(random) })
  const c = world.bodies.columns
  for (const moved of [first, second]) {
    if (moved === null) continue
    const o = 4 * moved.index
    const by = random.vector(far)
    moved.setPosition([0, 1, 2].map((k) => c.position[o + k] + random.between(-far, far)) as [number, number, number])
    rotate(c.orientation, o, by[0], by[1], by[2])
    moved.setOrientation(Array.from(c.orientation.subarray(o, o + 4)) as [number, number, number, number])
  }
  return constraint as unknown as Constraint
}

/** Brings a world into the middle of a substep of length `H`: start poses a little off, λ = 0, a and γ ready. */
export function begin(world: WorldState, seed: number): void {
  const random = new Random(seed)
  world.refreshOrder()
  const c = world.bodies.columns
  c.startPosition.set(c.position)
  c.startOrientation.set(c.orientation)
  for (const body of world.bodies.all()) {
    const by = random.vector(0.05)
    for (let k = 0; k < 3; k++) c.startPosition[4 * body.index + k] += random.between(-0.05, 0.05)
    rotate(c.startOrientation, 4 * body.index, by[0], by[1], by[2])
  }
  for (const batch of world.batches) {
    const { lambda, softness, gamma, compliance, rayleigh, regularization } = batch.common
    lambda.fill(0)
    for (let row = 0; row < batch.active; row++) {
      softness[row] = compliance[row] / (H * H) + regularization[row]
      gamma[row] = rayleigh[row] / H
    }
  }
}

/** `count` passes of the type's own loop, or of the core's over `evaluate`. */
export function sweeps(world: WorldState, count: number, own: boolean): void {
  for (let k = 0; k < count; k++) {
    for (const batch of world.batches) {
      if (own) batch.type.loop?.sweep?.(world.bodies.columns, batch, 0, batch.active, H)
      else sweepRows(world.bodies.columns, batch, 0, batch.active, H, false)
    }
  }
}

/** `count` steps, each followed by `each`: a force applied there acts in the next one. */
export function steps(world: World, count: number, each?: (k: number) => void): void {
  for (let k = 0; k < count; k++) {
    world.step()
    each?.(k)
  }
}
