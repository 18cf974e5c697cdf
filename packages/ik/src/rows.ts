/**
 * The rows of all goals: errors and their gradients by every degree of freedom, dense.
 *
 * A row is e [m, or rad times a length] with J = ∂e/∂q; the block drives e to 0. A row's gradient is that of moving a point
 * along a direction, or of turning about one, by the degrees of freedom between a bone and the root of its chain.
 */

import { BALL } from './joints.js'
import { CARRIED, type Kinematics } from './kinematics.js'

/** Rows of one solve. Made for the most that its goals may have. */
export class GoalRows {
  readonly kinematics: Kinematics
  readonly capacity: number
  count = 0
  private first = 0
  readonly error: Float64Array
  /** On a goal's first row: how much longer than asked for at once its error is [m]. */
  readonly beyond: Float64Array
  /** How much a row yields to others: damping is divided by it. */
  readonly weight: Float64Array
  /** Compliance of a row as a share of the largest mobility of its goal's rows; 0 is rigid. */
  readonly compliance: Float64Array
  /** First row of the goal that a row belongs to. */
  readonly goal: Int32Array
  /** Degree of freedom d of row k at `capacity * d + k`. */
  readonly J: Float64Array
  /** By bone: its rows, from the first that it moves to the one after the last. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** Longest error that a position may ask for at once [m]; in an array, as numbers handed on would be boxed. */
  readonly step: Float64Array = Float64Array.of(Infinity)
  /** Direction and point that the gradient functions read. */
  readonly direction: Float64Array = new Float64Array(3)
  readonly point: Float64Array = new Float64Array(3)

  constructor(kinematics: Kinematics, capacity: number) {
    this.kinematics = kinematics
    this.capacity = capacity
    this.error = new Float64Array(capacity)
    this.beyond = new Float64Array(capacity)
    this.weight = new Float64Array(capacity)
    this.compliance = new Float64Array(capacity)
    this.goal = new Int32Array(capacity)
    this.J = new Float64Array(capacity * kinematics.freedoms)
    this.from = new Int32Array(kinematics.rig.count)
    this.to = new Int32Array(kinematics.rig.count)
  }

  /** Rows opened from here on belong to another goal. */
  begin(): void {
    this.first = this.count
  }

  /** Forgets all rows. */
  clear(): void {
    this.count = this.first = 0
    this.J.fill(0)
    this.from.fill(this.capacity)
    this.to.fill(0)
  }

  /** Rows opened from here on stand from row k on. */
  goTo(k: number): void {
    this.count = k
  }

  /** Rows k to before `end` are moved by a bone. */
  private touch(i: number, k: number, end: number): void {
    if (k < this.from[i]) this.from[i] = k
    if (end > this.to[i]) this.to[i] = end
  }

  /** Opens a row whose gradient is still zero and returns its index. */
  open(): number {
    const k = this.count++
    this.goal[k] = this.first
    this.error[k] = 0
    this.beyond[k] = 0
    this.weight[k] = 1
    this.compliance[k] = 0
    return k
  }

  /** Adds the gradient of moving the matter of `bone` at `point` along `direction`; the chain starts at `chain`. */
  addPoint(k: number, bone: number, chain: number): void {
    const { kinematics, capacity, J, direction: n, point: x } = this
    const { rig, world, firstFreedom, axes, angular } = kinematics
    const p = world.positions
    for (let i = bone; i >= 0; i = i === chain ? -1 : rig.parent[i]) {
      const rx = x[0] - p[3 * i]
      const ry = x[1] - p[3 * i + 1]
      const rz = x[2] - p[3 * i + 2]
      // n·(a × r) = a·(r × n)
      const tx = ry * n[2] - rz * n[1]
      const ty = rz * n[0] - rx * n[2]
      const tz = rx * n[1] - ry * n[0]
      this.touch(i, k, k + 1)
      for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
        const a = 3 * d
        J[capacity * d + k] +=
          angular[d] === 1
            ? axes[a] * tx + axes[a + 1] * ty + axes[a + 2] * tz
            : axes[a] * n[0] + axes[a + 1] * n[1] + axes[a + 2] * n[2]
      }
    }
  }

  /** Adds the gradients of moving the matter of `bone` at `point` along the world's three axes to rows k, k + 1, k + 2. */
  addPlace(k: number, bone: number, chain: number): void {
    const { kinematics, capacity: E, J, point: x } = this
    const { rig, world, firstFreedom, axes, angular, kinds } = kinematics
    const p = world.positions
    for (let i = bone; i >= 0; i = i === chain ? -1 : rig.parent[i]) {
      const rx = x[0] - p[3 * i]
      const ry = x[1] - p[3 * i + 1]
      const rz = x[2] - p[3 * i + 2]
      const first = firstFreedom[i]
      this.touch(i, k, k + 3)
      if (kinds[i] === BALL) {
        // Axes are the world's own: a × r without the zeros.
        const o = E * first + k
        J[o + 1] -= rz
        J[o + 2] += ry
        J[o + E] += rz
        J[o + E + 2] -= rx
        J[o + 2 * E] -= ry
        J[o + 2 * E + 1] += rx
        continue
      }
      for (let d = first; d < firstFreedom[i + 1]; d++) {
        const ax = axes[3 * d]
        const ay = axes[3 * d + 1]
        const az = axes[3 * d + 2]
        const o = E * d + k
        if (angular[d] === 1) {
          J[o] += ay * rz - az * ry
          J[o + 1] += az * rx - ax * rz
          J[o + 2] += ax * ry - ay * rx
        } else {
          J[o] += ax
          J[o + 1] += ay
          J[o + 2] += az
        }
      }
    }
  }

  /** Adds the gradient of turning `bone` about `direction`, times its length. */
  addTurn(k: number, bone: number, chain: number): void {
    const { kinematics, capacity, J, direction: n } = this
    const { rig, firstFreedom, axes, angular } = kinematics
    for (let i = bone; i >= 0; i = i === chain ? -1 : rig.parent[i]) {
      this.touch(i, k, k + 1)
      for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
        if (angular[d] === 0) continue
        const a = 3 * d
        J[capacity * d + k] += axes[a] * n[0] + axes[a + 1] * n[1] + axes[a + 2] * n[2]
      }
    }
  }

  /** Adds the gradients of turning `bone` about the world's three axes, times `direction[0]`, to rows k, k + 1, k + 2. */
  addRotations(k: number, bone: number, chain: number): void {
    const { kinematics, capacity: E, J, direction } = this
    const { rig, firstFreedom, axes, angular } = kinematics
    const length = direction[0]
    for (let i = bone; i >= 0; i = i === chain ? -1 : rig.parent[i]) {
      this.touch(i, k, k + 3)
      for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
        if (angular[d] === 0) continue
        const o = E * d + k
        J[o] += length * axes[3 * d]
        J[o + 1] += length * axes[3 * d + 1]
        J[o + 2] += length * axes[3 * d + 2]
      }
    }
  }

  /** Adds the gradient of the centre of mass along `direction`. */
  addCentre(k: number): void {
    const { kinematics, capacity, J, direction: n } = this
    const { rig, world, firstFreedom, axes, angular, carried: C } = kinematics
    kinematics.carry()
    let whole = 0
    for (let i = 0; i < rig.count; i++) if (rig.parent[i] < 0) whole += C[CARRIED * i]
    for (let i = 0; i < rig.count; i++) {
      const c = CARRIED * i
      const m = C[c]
      // m (centre of what it carries − its pivot), from moments about the first root.
      const rx = C[c + 1] - m * (world.positions[3 * i] - world.positions[0])
      const ry = C[c + 2] - m * (world.positions[3 * i + 1] - world.positions[1])
      const rz = C[c + 3] - m * (world.positions[3 * i + 2] - world.positions[2])
      const tx = ry * n[2] - rz * n[1]
      const ty = rz * n[0] - rx * n[2]
      const tz = rx * n[1] - ry * n[0]
      this.touch(i, k, k + 1)
      for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
        const a = 3 * d
        const moved =
          angular[d] === 1
            ? axes[a] * tx + axes[a + 1] * ty + axes[a + 2] * tz
            : m * (axes[a] * n[0] + axes[a + 1] * n[1] + axes[a + 2] * n[2])
        J[capacity * d + k] += moved / whole
      }
    }
  }
}
