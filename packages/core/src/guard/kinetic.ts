/** Kinetic energies by body, as the energy guard compares them. */

import { rotateVectorInverse } from '../math/rotation.js'
import type { Bodies } from '../state/bodies.js'
import { DYNAMIC, RESTS, ROTATES, SPHERICAL } from '../state/body-columns.js'
import type { Settings } from '../state/settings.js'
import { principalFrame } from '../state/spin-frame.js'

const FRAME = /* @__PURE__ */ new Float64Array(4)
/** ω in principal axes. */
const ALONG = /* @__PURE__ */ new Float64Array(3)

/** Half of what gravity adds to a velocity in a substep [m/s]. */
export const HALF_FALL: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** Sets `HALF_FALL` for a step of `dt` [s]. */
export function setHalfFall({ gravity, substeps }: Settings, dt: number): void {
  for (let k = 0; k < 3; k++) HALF_FALL[k] = (0.5 * dt * gravity[k]) / substeps
}

/**
 * ½ m u² + ½ ω·I ω of each body that moves [J], at `stride` i + `at`; 0 of the others. u = v + h g/2 is the speed of the parabola on
 * which the positions of a free body lie: with u its energy is constant, with v it leaps by m g h v where it bounces.
 */
export function measureKinetic({ columns, awake }: Bodies, out: Float64Array, stride: number, at: number): void {
  const {
    velocity,
    angularVelocity,
    inverseMass,
    gravityScale,
    principalInertia: moments,
    orientation,
    kind,
    flags,
  } = columns
  const { rows, count } = awake
  for (let n = 0; n < count; n++) {
    const i = rows[n]
    const o = stride * i + at
    out[o] = 0
    if (kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
    const v = 3 * i
    const ux = velocity[v] + gravityScale[i] * HALF_FALL[0]
    const uy = velocity[v + 1] + gravityScale[i] * HALF_FALL[1]
    const uz = velocity[v + 2] + gravityScale[i] * HALF_FALL[2]
    let twice = (ux * ux + uy * uy + uz * uz) / inverseMass[i]
    if ((flags[i] & ROTATES) !== 0) {
      const x = angularVelocity[v]
      const y = angularVelocity[v + 1]
      const z = angularVelocity[v + 2]
      if ((flags[i] & SPHERICAL) !== 0) twice += moments[v] * (x * x + y * y + z * z)
      else {
        principalFrame(orientation, columns, i, FRAME)
        rotateVectorInverse(FRAME, 0, x, y, z, ALONG, 0)
        twice +=
          moments[v] * ALONG[0] * ALONG[0] + moments[v + 1] * ALONG[1] * ALONG[1] + moments[v + 2] * ALONG[2] * ALONG[2]
      }
    }
    out[o] = 0.5 * twice
  }
}
