/** The rim of a range of swings: where the x axis of a frame may be turned to at most. */

import { unitAt } from './vectors.js'

/** Points of a rim. */
export const RIM = 32

const turn = /* @__PURE__ */ new Float64Array(2)
/** Swing about y, and about z [rad]. */
const angles = /* @__PURE__ */ new Float64Array(2)

/** Steps round a box of two swing angles, or an ellipse through its four ends. */
export class SwingRim {
  /** Unit vector to the point that was placed last. */
  readonly direction: Float64Array = new Float64Array(3)

  /** Places the `s`-th point; limits at `y` and `z`, axes of the frame in `U`. */
  place(U: Float64Array, limits: Float64Array, y: number, z: number, isEllipse: boolean, s: number): void {
    if (isEllipse) ellipseAt(limits, y, z, s)
    else boxAt(limits, y, z, s)
    const theta = Math.sqrt(angles[0] * angles[0] + angles[1] * angles[1])
    unitAt(theta, turn)
    const sine = theta > 1e-9 ? turn[1] / theta : 1
    for (let k = 0; k < 3; k++) {
      this.direction[k] = turn[0] * U[k] + sine * (angles[1] * U[3 + k] - angles[0] * U[6 + k])
    }
  }
}

function ellipseAt(limits: Float64Array, y: number, z: number, s: number): void {
  unitAt((2 * Math.PI * s) / RIM, turn)
  const [u, v] = [turn[0], turn[1]]
  angles[0] = u < 0 ? -limits[y] * u : limits[y + 1] * u
  angles[1] = v < 0 ? -limits[z] * v : limits[z + 1] * v
}

/** A quarter of the points a side. */
function boxAt(limits: Float64Array, y: number, z: number, s: number): void {
  const side = Math.floor((4 * s) / RIM) % 4
  const along = ((4 * s) % RIM) / RIM
  const u = side === 0 ? -1 + 2 * along : side === 1 ? 1 : side === 2 ? 1 - 2 * along : -1
  const v = side === 0 ? -1 : side === 1 ? -1 + 2 * along : side === 2 ? 1 : 1 - 2 * along
  for (let k = 0; k < 2; k++) {
    const o = k === 0 ? y : z
    const min = Math.max(limits[o], -Math.PI)
    const max = Math.min(limits[o + 1], Math.PI)
    angles[k] = 0.5 * (min + max) + 0.5 * (k === 0 ? u : v) * (max - min)
  }
}
