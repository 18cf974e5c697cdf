/**
 * What `evaluate` writes: the scalar rows of one constraint, in groups that are solved together.
 *
 * A row k holds c_k, its gradient J_k = (∂c/∂x, ∂c/∂θ) a body, and the index of its multiplier. A group says how:
 * - `scalar`: one row; λ is clamped to [lower, upper].
 * - `line`: up to three rows of a vector; one scalar solve along the present error, as (61–68) do.
 * - `block`: all rows at once, through the dense J M⁻¹ Jᵀ.
 * - `disc`: two rows whose multiplier is held inside a disc and, on its rim, opposed to the motion: dry friction.
 * and by which law:
 * - `position`: c + aλ + γ ċh = 0, a = compliance/h² + α;
 * - `force`: λ/h² = −(stiffness c + damping (ċ − rate)): springs, drives;
 * - `rate`: ċ = rate within the bounds: friction torque;
 * - `implicitForce`: λ/h² = F(X), the force of section 8, c = −F and K = −∂F/∂X given.
 * A vector's λ may be held inside a ball (friction, torque limit) by `radius`.
 */

/** How the rows of a group are solved together. */
export type GroupKind = 'scalar' | 'line' | 'block' | 'disc'
/** By which law a group's multipliers follow from its errors. */
export type GroupLaw = 'position' | 'force' | 'rate' | 'implicitForce'
/** Unit of a group's error. */
export type Unit = 'm' | 'rad' | 'm3' | '1'

/** One group of rows. Forces in N or N m, lengths in m or rad. */
export class Group {
  kind: GroupKind = 'scalar'
  law: GroupLaw = 'position'
  unit: Unit = 'm'
  /** Its rows are `start` to `start + size`. */
  start: number = 0
  size: number = 0
  /** Compliance and the product damping·compliance [s] of a `position` group. */
  compliance: number = 0
  rayleigh: number = 0
  /** Stiffness and damping of a `force` group. */
  stiffness: number = 0
  damping: number = 0
  /** Stiffness and damping are multiplied by the effective mass. */
  accelerationMode: boolean = false
  /** Bounds of a scalar's multiplier as a force; [N] or [N m]. */
  lower: number = -Infinity
  upper: number = Infinity
  /** Of a limit, the range between its two ends [m or rad]; `Infinity` where there is one end. */
  width: number = Infinity
  /** Largest magnitude of a vector's multiplier as a force, and the one it gets when that is exceeded. */
  radius: number = Infinity
  slip: number = Infinity
  /**
   * Rows of a joint that are pushed together with the reaction of its first group, a `block` of three, so that they do not
   * undo it: J − J M⁻¹ J₀ᵀ (J₀ M⁻¹ J₀ᵀ)⁻¹ J₀ takes the place of J.
   */
  pivotCompensated: boolean = false
  /** Frictional groups are bounded by a coefficient times a sum of multipliers: the first of them, or −1, and how many. */
  normal: number = -1
  normals: number = 1
  /**
   * Share of its approach speed that a one-sided row bounces back with. A velocity-level solver reads it; here the type's own
   * velocity pass bounces.
   */
  restitution: number = 0
}

/** Scratch for one constraint's rows. Made once a batch. */
export class Rows {
  /** Length of the substep being solved, or of the last one [s]; 0 before the first. Velocities of a law need it. */
  substep: number = 0
  /**
   * Whether gradients are to be those of c also where c ≠ 0. Otherwise rows of a point push both bodies at the middle of their anchors,
   * which keeps angular momentum.
   */
  exact: boolean = false
  /** The same of springs alone, whose force is −∇½c²/compliance by the true gradient only, and keeps angular momentum all the same. */
  exactSprings: boolean = false
  /**
   * Whether an error of a user's function is to come out, as where a constraint is made. A step goes on instead: the row is not finite.
   */
  strict: boolean = false
  /** The first error that a function of the user's threw, until a step has told it. */
  readonly thrown: unknown[] = []
  count: number = 0
  groupCount: number = 0
  readonly groups: Group[] = []
  /** c_k. */
  readonly c: Float64Array
  /** J: row k, body b at `6 * (arity * k + b)`: ∂c/∂x (3), ∂c/∂θ (3). */
  readonly J: Float64Array
  /** Index of the row's multiplier within the constraint. */
  readonly multiplier: Int32Array
  /** Wanted ċ of a `force` or `rate` row [m/s or rad/s]. */
  readonly rate: Float64Array
  /** K = −∂F/∂X of an `implicitForce` group, size × size. */
  readonly tangent: Float64Array

  readonly arity: number
  readonly multipliers: number

  constructor(arity: number, multipliers: number, hasTangent: boolean) {
    this.arity = arity
    this.multipliers = multipliers
    this.c = new Float64Array(multipliers)
    this.J = new Float64Array(6 * arity * multipliers)
    this.multiplier = new Int32Array(multipliers)
    this.rate = new Float64Array(multipliers)
    this.tangent = new Float64Array(hasTangent ? multipliers * multipliers : 0)
  }

  /** Whether rows of the compliance and damping at `row` are to have the true gradient of c. What is damped is no spring alone. */
  isExact(compliance: Float64Array, rayleigh: Float64Array, row: number): boolean {
    return this.exact || (this.exactSprings && compliance[row] > 0 && rayleigh[row] === 0)
  }

  /** Forgets everything. */
  clear(): void {
    this.count = 0
    this.groupCount = 0
  }

  /** Opens a group and returns it for its fields to be set. */
  group(kind: GroupKind, law: GroupLaw, unit: Unit): Group {
    if (this.groupCount === this.groups.length) this.groups.push(new Group())
    const group = this.groups[this.groupCount++]
    group.kind = kind
    group.law = law
    group.unit = unit
    group.start = this.count
    group.size = 0
    group.compliance = group.rayleigh = group.stiffness = group.damping = 0
    group.accelerationMode = group.pivotCompensated = false
    group.lower = -Infinity
    group.upper = group.width = group.radius = group.slip = Infinity
    group.normal = -1
    group.normals = 1
    group.restitution = 0
    return group
  }

  /** Appends a row to the open group: its multiplier's index and its error. Gradients start at zero. */
  row(multiplier: number, c: number, rate = 0): void {
    const k = this.count++
    this.groups[this.groupCount - 1].size++
    this.multiplier[k] = multiplier
    this.c[k] = c
    this.rate[k] = rate
    const { J } = this
    for (let o = 6 * this.arity * k; o < 6 * this.arity * (k + 1); o++) J[o] = 0
  }

  /**
   * Appends three rows, on a pair, that hold a point of the first body to one of the second in x, y and z, multipliers from
   * `multiplier` on, written out; `g` is `[r_a (3), r_b (3), c (3)]`. In memory, as numbers handed on would be boxed.
   */
  points(multiplier: number, g: Float64Array): void {
    const { J } = this
    const first = this.count
    this.count += 3
    this.groups[this.groupCount - 1].size += 3
    for (let k = 0; k < 3; k++) {
      this.multiplier[first + k] = multiplier + k
      this.rate[first + k] = 0
      this.c[first + k] = g[6 + k]
    }
    const ax = g[0]
    const ay = g[1]
    const az = g[2]
    const bx = g[3]
    const by = g[4]
    const bz = g[5]
    // (n̂, r_a × n̂) and (−n̂, −r_b × n̂) for n̂ along x, y and z.
    const o = 12 * first
    J[o] = 1
    J[o + 1] = 0
    J[o + 2] = 0
    J[o + 3] = 0
    J[o + 4] = az
    J[o + 5] = -ay
    J[o + 6] = -1
    J[o + 7] = 0
    J[o + 8] = 0
    J[o + 9] = 0
    J[o + 10] = -bz
    J[o + 11] = by
    J[o + 12] = 0
    J[o + 13] = 1
    J[o + 14] = 0
    J[o + 15] = -az
    J[o + 16] = 0
    J[o + 17] = ax
    J[o + 18] = 0
    J[o + 19] = -1
    J[o + 20] = 0
    J[o + 21] = bz
    J[o + 22] = 0
    J[o + 23] = -bx
    J[o + 24] = 0
    J[o + 25] = 0
    J[o + 26] = 1
    J[o + 27] = ay
    J[o + 28] = -ax
    J[o + 29] = 0
    J[o + 30] = 0
    J[o + 31] = 0
    J[o + 32] = -1
    J[o + 33] = -by
    J[o + 34] = bx
    J[o + 35] = 0
  }

  /** `row` with its error in memory. */
  rowAt(multiplier: number, c: Float64Array, o: number): void {
    const { J, arity } = this
    const k = this.count++
    this.groups[this.groupCount - 1].size++
    this.multiplier[k] = multiplier
    this.c[k] = c[o]
    this.rate[k] = 0
    for (let i = 6 * arity * k; i < 6 * arity * (k + 1); i++) J[i] = 0
  }

  /** Gradient of the last row, on a pair: `sign` n on the rotation of the first body and its negative on the second's; n at `o`. */
  rotations(sign: 1 | -1, n: Float64Array, o: number): void {
    const { J } = this
    const i = 6 * this.arity * (this.count - 1)
    for (let k = 0; k < 3; k++) {
      J[i + 3 + k] = sign * n[o + k]
      J[i + 9 + k] = -sign * n[o + k]
    }
  }

  /** Gradient of the last row, on a pair: the rotation of the first body by u at `i`, that of the second by −v at `j`. */
  rotationsApart(u: Float64Array, i: number, v: Float64Array, j: number): void {
    const { J } = this
    const o = 6 * this.arity * (this.count - 1)
    for (let k = 0; k < 3; k++) {
      J[o + 3 + k] = u[i + k]
      J[o + 9 + k] = -v[j + k]
    }
  }

  /** Gradient of the last row, on a pair: their matter at the levers g[0…2] and g[3…5] moves apart along n, which is at `o`. */
  parts(g: Float64Array, n: Float64Array, o: number): void {
    const { J } = this
    const i = 6 * this.arity * (this.count - 1)
    const x = n[o]
    const y = n[o + 1]
    const z = n[o + 2]
    J[i] = x
    J[i + 1] = y
    J[i + 2] = z
    J[i + 3] = g[1] * z - g[2] * y
    J[i + 4] = g[2] * x - g[0] * z
    J[i + 5] = g[0] * y - g[1] * x
    J[i + 6] = -x
    J[i + 7] = -y
    J[i + 8] = -z
    J[i + 9] = g[5] * y - g[4] * z
    J[i + 10] = g[3] * z - g[5] * x
    J[i + 11] = g[4] * x - g[3] * y
  }

  /** Adds to ∂c/∂x of the last row for body slot `b`. */
  linear(b: number, x: number, y: number, z: number): void {
    const o = 6 * (this.arity * (this.count - 1) + b)
    this.J[o] += x
    this.J[o + 1] += y
    this.J[o + 2] += z
  }

  /** Adds to ∂c/∂θ of the last row for body slot `b`. */
  angular(b: number, x: number, y: number, z: number): void {
    const o = 6 * (this.arity * (this.count - 1) + b) + 3
    this.J[o] += x
    this.J[o + 1] += y
    this.J[o + 2] += z
  }

  /** Adds the gradient of moving the body's matter at lever `r` along `n`: (n, r × n). */
  point(b: number, sign: number, rx: number, ry: number, rz: number, nx: number, ny: number, nz: number): void {
    this.linear(b, sign * nx, sign * ny, sign * nz)
    this.angular(b, sign * (ry * nz - rz * ny), sign * (rz * nx - rx * nz), sign * (rx * ny - ry * nx))
  }
}
