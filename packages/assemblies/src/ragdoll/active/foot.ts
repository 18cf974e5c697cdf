/** A foot: the ground under it, and where it is planted. */

import { type LeanCollisions, rayCast } from '@tautline/collision'
import type { Body } from '@tautline/core'
import {
  across,
  difference,
  direction,
  dot,
  frameOf,
  inverse,
  type Quat,
  scaled,
  size,
  sum,
  times,
  rotated,
  type Vec3,
} from '../algebra.js'
import type { Ragdoll } from '../ragdoll.js'
import type { BodyPlan, Leg } from './body-plan.js'
import { jointOf, partRotation, placeOf, rotationOf, velocityAt } from './readings.js'

/** A foot stands on what is nearer than this to it, by its lowest corner, as a share of the leg. */
const TOUCHES = 0.014
/** It is lifted beyond this. */
const LIFTED = 0.035
/** A planted foot that is this far from its mark has slid there: share of the leg. */
const SLID = 0.012
/** Cosine of half the angle by which it may have turned. */
const TURNED = 0.9998

/** A foot of a doll that balances. */
export class Foot {
  readonly leg: Leg
  /** Where its ankle is when it is flat on its mark, and how it is turned from rest there. */
  ankle: Vec3 = [0, 0, 0]
  turn: Quat = [0, 0, 0, 1]
  /** Of the ground under it. */
  normal: Vec3
  ground: Vec3 = [0, 0, 0]
  below: Body | null = null
  /** Height of its lowest corner over the ground [m]; Infinity where there is none. */
  gap: number = Infinity
  /** Pose of the body below when it was last looked at. */
  private carrier: { readonly body: Body; readonly x: Vec3; readonly q: Quat } | undefined
  private readonly doll: Ragdoll
  private readonly plan: BodyPlan
  private readonly length: number
  private readonly middle: Vec3

  constructor(doll: Ragdoll, plan: BodyPlan, leg: Leg, up: Vec3) {
    this.doll = doll
    this.plan = plan
    this.leg = leg
    this.normal = up
    this.length = leg.upperLength + leg.lowerLength
    const { toe, heel, outLeft, outRight } = leg.sole
    this.middle = this.soleAt(0.5 * (toe + heel), 0.5 * (outLeft + outRight))
  }

  get touches(): boolean {
    return this.gap < TOUCHES * this.length
  }

  get lifted(): boolean {
    return this.gap > LIFTED * this.length
  }

  /** Joint of the ankle as it is [m]. */
  get joint(): Vec3 {
    return jointOf(this.doll, this.leg.end)
  }

  /** How the foot is turned. */
  get turnNow(): Quat {
    return partRotation(this.doll, this.plan, this.leg.end)
  }

  /** Middle of the sole on its mark. */
  get centre(): Vec3 {
    return sum(this.ankle, rotated(this.turn, this.middle))
  }

  /** Corners of the sole on its mark, `share` of the way out from its middle. */
  corners(share = 1): Vec3[] {
    return this.cornersAt(this.ankle, this.turn, share)
  }

  /** The corner at the toes, as far to the side as the ankle, on its mark. */
  get tip(): Vec3 {
    return sum(this.ankle, rotated(this.turn, this.soleAt(this.leg.sole.toe, 0)))
  }

  /** Velocity of the ground under it [m/s]. */
  get groundVelocity(): Vec3 {
    return this.below === null ? [0, 0, 0] : velocityAt(this.below, this.ground)
  }

  /** Looks for the ground below, beside `own` bodies. */
  probe(collisions: LeanCollisions, own: ReadonlySet<Body>, up: Vec3): void {
    const { leg, length } = this
    const ankle = this.joint
    const rise = 0.3 * length
    const hit = rayCast(collisions, sum(ankle, scaled(up, rise)), scaled(up, -1), {
      maxDistance: 1.3 * length + leg.sole.depth,
      filter: { predicate: ({ body }) => body === null || !own.has(body) },
    })
    this.below = hit?.collider.body ?? null
    this.gap = Infinity
    if (hit === null) return
    this.normal = hit.normal as Vec3
    this.ground = hit.point as Vec3
    const heights = this.cornersAt(ankle, this.turnNow, 1).map((x) => dot(difference(x, this.ground), this.normal))
    this.gap = Math.min(...heights)
  }

  /** Takes the mark along with the body that it is on. */
  carry(): void {
    const { carrier, below } = this
    if (carrier !== undefined && carrier.body.alive && carrier.body === below) {
      const turn = times(rotationOf(below), inverse(carrier.q))
      this.ankle = sum(placeOf(below), rotated(turn, difference(this.ankle, carrier.x)))
      this.turn = times(turn, this.turn)
    }
    this.carrier = below === null ? undefined : { body: below, x: placeOf(below), q: rotationOf(below) }
  }

  /** Plants it where it is, flat on the ground. */
  plant(): void {
    const { normal, ground } = this
    const now = this.turnNow
    this.turn = this.flat(rotated(now, this.leg.sole.front))
    const at = sum(this.joint, rotated(now, this.middle))
    const down = difference(at, scaled(normal, dot(difference(at, ground), normal)))
    this.ankle = difference(down, rotated(this.turn, this.middle))
  }

  /** Moves the mark of a foot that has slid. */
  follow(): void {
    if (!this.touches) return
    const { ankle, turn } = this
    this.plant()
    const way = difference(this.ankle, ankle)
    const far = size(way)
    const slack = SLID * this.length
    this.ankle = far > slack ? sum(ankle, scaled(way, 1 - slack / far)) : ankle
    const d = turn[0] * this.turn[0] + turn[1] * this.turn[1] + turn[2] * this.turn[2] + turn[3] * this.turn[3]
    if (Math.abs(d) > TURNED) this.turn = turn
  }

  /** How it is turned when it stands flat on the ground, its toes to `front`. */
  flat(front: Vec3): Quat {
    const way = direction(across(front, this.normal), 1e-3) ?? rotated(this.turn, this.leg.sole.front)
    return times(frameOf(way, this.normal), this.leg.sole.frame)
  }

  private soleAt(along: number, aside: number): Vec3 {
    const { front, left, up, depth } = this.leg.sole
    return sum(sum(scaled(front, along), scaled(left, aside)), scaled(up, -depth))
  }

  private cornersAt(ankle: Vec3, turn: Quat, share: number): Vec3[] {
    const { toe, heel, outLeft, outRight } = this.leg.sole
    return [toe, heel].flatMap((along) =>
      [outLeft, outRight].map((aside) => {
        const out = difference(this.soleAt(along, aside), this.middle)
        return sum(ankle, rotated(turn, sum(this.middle, scaled(out, share))))
      }),
    )
  }
}
