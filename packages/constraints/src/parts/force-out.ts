/** Where a law of force writes: forces by body, and their derivatives by coordinate. Calls add up. */

/** Where a `force` function writes: for body `b` of the definition. */
export interface ForceOut {
  /** Adds a force [N] at the centre of mass. */
  force(b: number, x: number, y: number, z: number): void
  /** Adds a torque [N m], world frame. */
  torque(b: number, x: number, y: number, z: number): void
  /** Adds a force at a world point [m] for a body whose centre is at `centre`. */
  forceAt(b: number, centre: ArrayLike<number>, point: ArrayLike<number>, x: number, y: number, z: number): void
}

/** Where a `jacobian` function writes ∂F_i/∂X_j. Coordinate i is 6 b + 0…2 for position, 6 b + 3…5 for rotation of body b. */
export interface JacobianOut {
  /** Adds to one entry. */
  add(i: number, j: number, value: number): void
  /** Adds a 3×3 block, row-major, whose first entry is at (i, j), times `scale`. @defaultValue scale = 1 */
  block(i: number, j: number, m: ArrayLike<number>, scale?: number): void
}

export class ForceWriter implements ForceOut {
  readonly values: Float64Array

  constructor(bodies: number) {
    this.values = new Float64Array(6 * bodies)
  }

  force(b: number, x: number, y: number, z: number): void {
    this.values[6 * b] += x
    this.values[6 * b + 1] += y
    this.values[6 * b + 2] += z
  }

  torque(b: number, x: number, y: number, z: number): void {
    this.values[6 * b + 3] += x
    this.values[6 * b + 4] += y
    this.values[6 * b + 5] += z
  }

  forceAt(b: number, centre: ArrayLike<number>, point: ArrayLike<number>, x: number, y: number, z: number): void {
    const rx = point[0] - centre[0]
    const ry = point[1] - centre[1]
    const rz = point[2] - centre[2]
    this.force(b, x, y, z)
    this.torque(b, ry * z - rz * y, rz * x - rx * z, rx * y - ry * x)
  }
}

export class JacobianWriter implements JacobianOut {
  readonly values: Float64Array
  private readonly size: number

  constructor(bodies: number) {
    this.size = 6 * bodies
    this.values = new Float64Array(this.size * this.size)
  }

  add(i: number, j: number, value: number): void {
    this.values[this.size * i + j] += value
  }

  block(i: number, j: number, m: ArrayLike<number>, scale = 1): void {
    for (let r = 0; r < 3; r++) {
      for (let s = 0; s < 3; s++) this.values[this.size * (i + r) + j + s] += scale * m[3 * r + s]
    }
  }
}
