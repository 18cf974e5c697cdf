/**
 * Takes cloth along with a body that carries it, so that it feels only a share of that body's way: a cape on a figure that is thrown about by a game rather than
 * by forces. What it does not feel, it is moved by: the rest is inertia.
 *
 *   x += (1 − linear) d h/dt + (R − 1)(x − c),  v = R v,  R a rotation by (1 − angular) θ h/dt about the frame's centre c
 */

import type { Body } from '@tautline/core'
import { type BodyColumns, DYNAMIC, RESTS, rotateVector, rotationBetween, rotate } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'
import type { ClothMotion } from './definition.js'
import { targetPose } from './target.js'

/** Way [m] and turn [rad] of the frame in this step, and its centre at the start. */
export class FrameMotion {
  private readonly way = new Float64Array(3)
  private readonly turn = new Float64Array(3)
  private readonly centre = new Float64Array(3)
  private readonly end: vec3 = [0, 0, 0]
  private readonly rotation = new Float64Array(4)
  private dt = 0
  private passed = 0

  /** Looks where the frame goes in a step of `dt` [s]. */
  begin(frame: Body, dt: number): void {
    const { position, orientation } = frame.bodies.columns
    const i = frame.index
    targetPose(frame, dt, this.end, this.rotation)
    for (let k = 0; k < 3; k++) {
      this.centre[k] = position[4 * i + k]
      this.way[k] = this.end[k] - position[4 * i + k]
    }
    rotationBetween(this.rotation, 0, orientation, 4 * i, this.turn, 0)
    this.dt = dt
    this.passed = 0
  }

  /** Moves what is free along, over a substep of `h` [s]. */
  carry(bodies: BodyColumns, vertices: readonly Body[], motion: ClothMotion, h: number): void {
    const { way, turn: angle, centre, dt } = this
    const part = h / dt
    const linear = (1 - motion.linearInertia) * part
    const angular = (1 - motion.angularInertia) * part
    const { position: x, velocity: v, kind, flags } = bodies
    R[0] = R[1] = R[2] = 0
    R[3] = 1
    rotate(R, 0, angular * angle[0], angular * angle[1], angular * angle[2])
    for (let n = 0; n < vertices.length; n++) {
      const i = vertices[n].index
      if (!vertices[n].alive || kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
      const p = 4 * i
      // The centre goes along.
      for (let k = 0; k < 3; k++) ARM[k] = x[p + k] - centre[k] - this.passed * way[k]
      rotateVector(R, 0, ARM[0], ARM[1], ARM[2], TURNED, 0)
      for (let k = 0; k < 3; k++) x[p + k] += TURNED[k] - ARM[k] + linear * way[k]
      rotateVector(R, 0, v[3 * i], v[3 * i + 1], v[3 * i + 2], TURNED, 0)
      for (let k = 0; k < 3; k++) v[3 * i + k] = TURNED[k]
    }
    this.passed += part
  }
}

const R = /* @__PURE__ */ new Float64Array(4)
const ARM = /* @__PURE__ */ new Float64Array(3)
const TURNED = /* @__PURE__ */ new Float64Array(3)
