/**
 * Pins: parts held to where the target pose has them in the world.
 *
 * A pin of 1 makes its body kinematic: it goes exactly there, whatever pushes it. One between 0 and 1 is a spring to the place and one to the orientation,
 * whose stiffness it scales; at 0 there is none.
 */

import { angularDrive, pointDrive } from '@tautline/constraints'
import type { Body, Constraint, LeanWorld } from '@tautline/core'
import type { vec3 } from 'gl-matrix'
import { rotateVector } from '@tautline/core/kernel'
import type { RagdollAsset, RagdollPart } from './data.js'
import type { Motion } from './motion.js'
import { nearOrientation } from './lead.js'
import { isOff, type PinRows, type RagdollState } from './state.js'

const v = /* @__PURE__ */ new Float64Array(3)
const TURNED = /* @__PURE__ */ new Float64Array(4)
const TURN: number = 2 * Math.PI

/** Kinds of bodies and springs as the pins say: the springs by part. */
export function pinParts(
  world: LeanWorld,
  asset: RagdollAsset,
  state: RagdollState,
  motion: Motion,
): RagdollState['pins'] {
  return asset.parts.map((part, k) => {
    const body = state.bodies[k]
    const rows = state.pins[k]
    if (!body.alive) return undefined
    const pin = isOff(asset, state, k) ? 0 : motion.weights.pin[k]
    const type = pin >= 1 ? 'kinematic' : 'dynamic'
    if (body.type !== type) body.type = type
    if (pin > 0 && pin < 1) {
      if (rows !== undefined) return rows
      return springs(world, body, part)
    }
    if (rows?.point.alive === true) rows.point.remove()
    if (rows?.turn.alive === true) rows.turn.remove()
    return undefined
  })
}

function springs(world: LeanWorld, body: Body, { matter }: RagdollPart): PinRows {
  const damping = 1e-6 * matter.mass
  const point: unknown = world.add(pointDrive, { bodies: [body], stiffness: 0, damping })
  const turn: unknown = world.add(angularDrive, {
    a: null,
    b: body,
    target: body.orientation,
    damping: 1e-6 * matter.moments[0],
  })
  return { point: point as Constraint, turn: turn as Constraint }
}

/** Brings the place that a spring pulls a body to, and how it is to be turned there, to within `most` [m, rad] of how it is. */
function nearPlace({ bodies, index }: Body, place: vec3, orientation: Float64Array, most: number): void {
  const { position, orientation: q } = bodies.columns
  const [x, y, z] = [0, 1, 2].map((k) => place[k] - position[4 * index + k])
  const far = Math.sqrt(x * x + y * y + z * z)
  if (far > most) {
    const back = 1 - most / far
    place[0] -= back * x
    place[1] -= back * y
    place[2] -= back * z
  }
  nearOrientation(orientation, q, 4 * index, most)
}

/** World place of a part's centre of mass in the target, into `out`. */
function centreOf({ positions, rotations }: Motion, { matter }: RagdollPart, part: number, out: Float64Array): void {
  const { centre } = matter
  rotateVector(rotations, 4 * part, centre[0], centre[1], centre[2], out, 0)
  for (let k = 0; k < 3; k++) out[k] += positions[3 * part + k]
}

/** Sends pinned parts to the target. `moves` says whether kinematic ones are led, not only springs. */
export function leadPins(asset: RagdollAsset, state: RagdollState, motion: Motion, moves: boolean): void {
  const { rotations, velocities, spins, weights } = motion
  asset.parts.forEach((part, k) => {
    const body = state.bodies[k]
    const pin = weights.pin[k]
    if (!(pin > 0) || !body.alive || isOff(asset, state, k)) return
    centreOf(motion, part, k, v)
    const at: vec3 = [v[0], v[1], v[2]]
    const o = 4 * k
    if (pin >= 1) {
      if (moves) body.setTarget(at, [rotations[o], rotations[o + 1], rotations[o + 2], rotations[o + 3]])
      return
    }
    const rows = state.pins[k]
    if (rows === undefined) return
    const omega = TURN * weights.strength[k]
    const { mass, moments, centre } = part.matter
    const inertia = (moments[0] + moments[1] + moments[2]) / 3
    const [k1, d1] = [pin * omega * omega, 2 * pin * weights.damping[k] * omega]
    rotateVector(rotations, o, centre[0], centre[1], centre[2], v, 0)
    const [x, y, z] = [0, 1, 2].map((i) => spins[3 * k + i])
    const velocityTarget: vec3 = [
      velocities[3 * k] + y * v[2] - z * v[1],
      velocities[3 * k + 1] + z * v[0] - x * v[2],
      velocities[3 * k + 2] + x * v[1] - y * v[0],
    ]
    const still = d1 > 0 ? velocityTarget : [0, 0, 0]
    TURNED.set(rotations.subarray(o, o + 4))
    if (weights.maxLead[k] < Infinity) nearPlace(body, at, TURNED, weights.maxLead[k])
    rows.point.set({ target: at, velocityTarget: still, stiffness: mass * k1, damping: mass * d1 } as object)
    rows.turn.set({
      target: [TURNED[0], TURNED[1], TURNED[2], TURNED[3]],
      velocityTarget: d1 > 0 ? [x, y, z] : [0, 0, 0],
      stiffness: inertia * k1,
      damping: inertia * d1,
    } as object)
  })
}
