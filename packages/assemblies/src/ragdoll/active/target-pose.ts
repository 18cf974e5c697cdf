/** The pose that a doll is driven to, as turns of its parts from rest: trunk and head as asked, legs and arms by the law of cosines. */

import {
  across,
  cross,
  difference,
  direction,
  inverse,
  perpendicular,
  type Quat,
  scaled,
  size,
  sum,
  times,
  rotationAt,
  rotated,
  type Vec3,
  vectorAt,
} from '../algebra.js'
import { type BodyPlan, boneRotation, type Leg, type Limb } from './body-plan.js'

/** Turns of parts from rest, in the world, and places of their joints [m]. */
export class TargetPose {
  readonly plan: BodyPlan
  /** By part. */
  readonly turns: Quat[]
  readonly positions: Vec3[]

  constructor(plan: BodyPlan) {
    this.plan = plan
    this.turns = plan.asset.parts.map(() => [0, 0, 0, 1])
    this.positions = plan.asset.parts.map(() => [0, 0, 0])
  }

  /** Takes trunk, head and arms from a posture, turned as a whole, with the root at `root`. */
  place(posture: readonly Quat[], turn: Quat, root: Vec3): void {
    const { parts } = this.plan.asset
    for (let part = 0; part < parts.length; part++) this.turns[part] = times(turn, posture[part])
    this.positions[0] = root
    this.follow()
  }

  /** Places of joints, from the root outward. */
  follow(): void {
    const { asset, rest } = this.plan
    asset.parts.forEach(({ parent }, part) => {
      if (parent < 0) return
      const arm = difference(vectorAt(rest.positions, part), vectorAt(rest.positions, parent))
      this.positions[part] = sum(this.positions[parent], rotated(this.turns[parent], arm))
    })
  }

  /** Centre of mass [m]. */
  centre(): Vec3 {
    const { asset, rest } = this.plan
    let total: Vec3 = [0, 0, 0]
    asset.parts.forEach(({ matter }, part) => {
      const arm = rotated(this.turns[part], rotated(rotationAt(rest.rotations, part), matter.centre as Vec3))
      total = sum(total, scaled(sum(this.positions[part], arm), matter.mass))
    })
    return scaled(total, 1 / asset.mass)
  }

  /** Bends a limb so that its end is at `to`, or as near as it reaches; knee or elbow goes to the side of `axis` × limb. Its end keeps its turn. */
  reach(limb: Limb, to: Vec3, axis: Vec3, longest = 1): void {
    const { upper, lower, end, base, root, upperLength: a, lowerLength: b, upperFrame, lowerFrame } = limb
    const from = sum(this.positions[base], rotated(this.turns[base], root))
    const way = difference(to, from)
    const along = direction(way) ?? scaled(rotated(this.turns[base], this.plan.axes.up), -1)
    const c = Math.min(Math.max(size(way), 1.02 * Math.abs(a - b) + 1e-6), longest * (a + b))
    const hinge = direction(across(axis, along), 1e-3) ?? perpendicular(along)
    // Along the line, and aside towards the knee.
    const x = (a * a + c * c - b * b) / (2 * c)
    const y = Math.sqrt(Math.max(0, a * a - x * x))
    const side = cross(along, hinge)
    const upperWay = sum(scaled(along, x / a), scaled(side, y / a))
    const lowerWay = sum(scaled(along, (c - x) / b), scaled(side, -y / b))
    this.turns[upper] = boneRotation(upperFrame, upperWay, hinge)
    this.turns[lower] = boneRotation(lowerFrame, lowerWay, hinge)
    this.positions[upper] = from
    this.positions[lower] = sum(from, scaled(upperWay, a))
    this.positions[end] = sum(this.positions[lower], scaled(lowerWay, b))
  }

  /** Puts a foot, and what hangs on it, to a place, as far as the leg reaches. */
  stand(leg: Leg, ankle: Vec3, turn: Quat, longest: number): void {
    this.reach(leg, ankle, rotated(this.turns[leg.base], this.plan.axes.left), longest)
    this.turnEnd(leg, turn)
  }

  /** What `aim` does to the limb of a part as the base of the limb is now, `turn` and `at`, seen from where the pose has it. */
  asSeen({ base, upper, lower, end }: Limb, turn: Quat, at: Vec3, aim: () => void): void {
    const [wantedTurn, wantedAt] = [this.turns[base], this.positions[base]]
    this.turns[base] = turn
    this.positions[base] = at
    aim()
    const back = times(wantedTurn, inverse(turn))
    for (const part of [upper, lower, end]) this.turns[part] = times(back, this.turns[part])
    this.turns[base] = wantedTurn
    this.positions[base] = wantedAt
  }

  /** Turns a foot, and what hangs on it. */
  turnEnd({ end }: Limb, turn: Quat): void {
    const { parts } = this.plan.asset
    for (let part = end; part < parts.length; part++)
      if (part === end || parts[part].parent === end) this.turns[part] = turn
  }

  /** Height of a hip over the ankle so that the leg is `longest` of its length, when they are `apart` to the side; NaN where it is too short. */
  static height({ upperLength, lowerLength }: Limb, apart: number, longest: number): number {
    const length = longest * (upperLength + lowerLength)
    return length > apart ? Math.sqrt(length * length - apart * apart) : NaN
  }

  /** World rotations of parts, and their places, as a ragdoll's pose reads them. */
  write(out: { positions: Float64Array; rotations: Float64Array }): void {
    const { rest } = this.plan
    this.turns.forEach((turn, part) => {
      out.rotations.set(times(turn, rotationAt(rest.rotations, part)), 4 * part)
      out.positions.set(this.positions[part], 3 * part)
    })
  }
}
