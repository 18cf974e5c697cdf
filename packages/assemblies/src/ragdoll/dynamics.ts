/** Bodies and constraints of parts: their definitions, and changes of limits and drives while they run. */

import {
  type DriveDef,
  fixed,
  hinge,
  type LimitDef,
  type OrientationDriveDef,
  slider,
  swingTwist,
  universal,
} from '@tautline/constraints'
import type { Body, BodyDef, Constraint, LeanWorld } from '@tautline/core'
import { EDITED, RETARGETED } from '@tautline/core/kernel'
import { inverse, normalized, times, rotated, type Vec3 } from './algebra.js'
import type { RagdollPart } from './data.js'
import type { PartJoint } from './part-joint.js'
import type { PartPlaces } from './validate.js'

const HALF_TURN: number = Math.PI

/** The body of a part where it is. */
export function bodyOf({ name, matter }: RagdollPart, places: PartPlaces, part: number): BodyDef {
  const q = normalized([0, 1, 2, 3].map((k) => places.rotations[4 * part + k]) as [number, number, number, number])
  const arm = rotated(q, matter.centre)
  return {
    name,
    position: [0, 1, 2].map((k) => places.positions[3 * part + k] + arm[k]) as Vec3,
    orientation: q,
    mass: matter.mass,
    inertia: { moments: matter.moments, orientation: matter.axes },
  }
}

/** Joins a part to the one that it hangs on. */
export function addJoint(
  world: LeanWorld,
  parts: readonly RagdollPart[],
  part: number,
  bodies: readonly Body[],
): Constraint {
  const { joint, parent, matter } = parts[part]
  const { kind, anchor, frameA, frameB, limits, cone } = joint as PartJoint
  const { centre } = parts[parent].matter
  const base = {
    a: bodies[parent],
    b: bodies[part],
    anchorA: [anchor[0] - centre[0], anchor[1] - centre[1], anchor[2] - centre[2]] as Vec3,
    anchorB: [-matter.centre[0], -matter.centre[1], -matter.centre[2]] as Vec3,
  }
  const reference = normalized(times(frameA, inverse(frameB)))
  const ranges = limitsDef(joint as PartJoint, limits)
  const [axisA, axisB] = [rotated(frameA, [1, 0, 0]), rotated(frameB, [1, 0, 0])]
  const made: unknown =
    kind === 'fixed'
      ? world.add(fixed, { ...base, reference })
      : kind === 'hinge'
        ? world.add(hinge, { ...base, axisA, axisB, reference, ...ranges })
        : kind === 'slider'
          ? world.add(slider, { ...base, axisA, reference, ...ranges })
          : kind === 'universal'
            ? world.add(universal, { ...base, axisA, axisB: rotated(frameB, [0, 0, 1]), reference, ...ranges })
            : world.add(swingTwist, {
                ...base,
                frameA: normalized(frameA),
                frameB: normalized(frameB),
                swingShape: cone ? 'cone' : 'pyramid',
                ...ranges,
              })
  return made as Constraint
}

/** The fields of a joint's limits. */
function limitsDef({ kind }: PartJoint, limits: ArrayLike<number>): object {
  if (kind === 'hinge' || kind === 'slider') return some({ limits: range(limits, 0, kind === 'slider') })
  if (kind === 'universal') return some({ limitsA: range(limits, 0), limitsB: range(limits, 2) })
  if (kind === 'fixed') return {}
  const [y, z] = [range(limits, 0, false, true), range(limits, 2, false, true)]
  return some({ swing: y === undefined && z === undefined ? undefined : some({ y, z }), twist: range(limits, 4) })
}

function some<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}

/** Nothing where a range is open, or an angle's a whole turn. */
function range(limits: ArrayLike<number>, o: number, isLength = false, isSwing = false): LimitDef | undefined {
  const min = isSwing ? Math.max(limits[o], -HALF_TURN) : limits[o]
  const max = isSwing ? Math.min(limits[o + 1], HALF_TURN) : limits[o + 1]
  if (min === -Infinity && max === Infinity) return undefined
  if (!isLength && max - min >= 2 * HALF_TURN) return undefined
  return { min, max, compliance: 0, damping: 0 }
}

/** Gives a joint other limits, as wide as `open` beyond its own: two numbers a coordinate. Allocates a definition, as all changes do. */
export function setLimits(constraint: Constraint, joint: PartJoint, open: ArrayLike<number>, o: number): void {
  const limits = joint.limits.map((bound, k) => (k % 2 === 0 ? bound - open[o + k] : bound + open[o + k]))
  rewrite(constraint, limitsDef(joint, limits))
  flag(constraint, EDITED)
}

/** Sets a flag of the bodies of a constraint. */
function flag({ world, bodies }: Constraint, value: number): void {
  const { flags } = world.bodies.columns
  for (const body of bodies) if (body !== null) flags[body.index] |= value
}

/** What a drive is to do: gains, and where to, in the joint's frames. */
export interface DriveGoal {
  stiffness: number
  damping: number
  maxTorque: number
  /** Orientation of the part's frame seen from its parent's; of hinge, universal joint and slider the coordinates. */
  readonly target: Float64Array
  /** Rate of that [rad/s], in the parent's frame; or of the coordinates. */
  readonly rate: Float64Array
}

/** Drives a joint. Kinds without a drive are left as they are. */
export function setDrive(constraint: Constraint, kind: PartJoint['kind'], goal: DriveGoal): void {
  if (kind === 'fixed') return
  const { stiffness, damping, maxTorque, target, rate } = goal
  if (kind === 'swingTwist') {
    const drive: OrientationDriveDef = {
      target: [target[0], target[1], target[2], target[3]],
      stiffness,
      damping,
      maxTorque,
      velocityTarget: damping > 0 ? [rate[0], rate[1], rate[2]] : [0, 0, 0],
      mode: 'force',
    }
    change(constraint, { drive }, wayOf((constraint.def as { drive?: Gains }).drive) !== wayOf(drive))
    return
  }
  const along = (k: number): DriveDef => ({
    stiffness,
    damping,
    maxForce: maxTorque,
    positionTarget: target[k],
    velocityTarget: damping > 0 ? rate[k] : 0,
    mode: 'force',
  })
  const def = constraint.def as { drive?: Gains; driveA?: Gains }
  const switched = wayOf(def.drive ?? def.driveA) !== wayOf(goal)
  if (kind === 'universal') change(constraint, { driveA: along(0), driveB: along(1) }, switched)
  else change(constraint, { drive: along(0) }, switched)
}

/** Whether a spring drives a joint at present. */
export function isSprung({ def }: Constraint): boolean {
  const { drive, driveA } = def as { drive?: Gains; driveA?: Gains }
  return wayOf(drive ?? driveA) === 2
}

interface Gains {
  readonly stiffness?: number
  readonly damping?: number
}

/** Off, a damper, or a spring: each is solved in a way of its own. */
function wayOf(drive: Gains | undefined): number {
  return (drive?.stiffness ?? 0) > 0 ? 2 : (drive?.damping ?? 0) > 0 ? 1 : 0
}

/** What is switched on or off is solved in another way; other gains and targets are numbers alone. */
function change(constraint: Constraint, fields: object, switched: boolean): void {
  if (!constraint.alive) return
  if (switched) {
    constraint.set(fields)
    return
  }
  rewrite(constraint, fields)
  flag(constraint, RETARGETED)
}

/** Changes fields of a definition that are known to be right, and its columns. */
function rewrite({ batch, slot, alive }: Constraint, fields: object): void {
  if (!alive) return
  const def = { ...(batch.definition(slot) as object), ...fields }
  batch.setDef(slot, def)
  batch.type.write(batch, batch.slotRow[slot], def)
}
