/**
 * The rows of a world at one pose, as a mixed linear complementarity problem on velocities:
 *
 *   J V + D λ = target,   lower ≤ λ ≤ upper,   V = V₀ + M⁻¹ Jᵀ λ                     (Tamis & Maggiore 2015, 6.2; Beočanin 2021)
 *
 * with λ an impulse [N s, N m s], D the softness of springs and soft rows. A row is a run of entries, one a body that moves:
 * the gradient by which it is measured, the one along which it pushes (they differ for laws of force alone), and M⁻¹ times
 * that. A target has two parts: what the row asks for, and the push that repairs positions, each with its own softness.
 */

/** How the rows of a group are bounded. */
export const FREE_ROWS = 0
/** ‖λ‖ of the group within `radius`: torque limits of a vector. */
export const BALL = 1
/** Two rows of dry friction within `radius`, or `slip` once they slide, times the sum of their normals' λ. */
export const FRICTION = 2

const FIRST_ROWS = 64
/** Normals of a manifold, at most. */
export const BLOCK = 4
/** Numbers of an entry: linear part, angular part. */
export const ENTRY = 6

/** Rows, entries and groups in flat arrays that grow and are kept. */
export class RowSystem {
  /** Rows, entries and groups in use. */
  rows = 0
  entries = 0
  groups = 0
  /** Entries of row k are `first[k]` to `first[k + 1]`. */
  first: Int32Array = new Int32Array(FIRST_ROWS + 1)
  /** Error c [m, rad, …] and whether the row is one-sided: 1 pushes c up, −1 down, 0 neither. */
  error: Float64Array = new Float64Array(FIRST_ROWS)
  side: Int8Array = new Int8Array(FIRST_ROWS)
  /** What the row asks of J V, and D. */
  target: Float64Array = new Float64Array(FIRST_ROWS)
  softness: Float64Array = new Float64Array(FIRST_ROWS)
  /** What stabilisation adds to the two. */
  push: Float64Array = new Float64Array(FIRST_ROWS)
  pushSoftness: Float64Array = new Float64Array(FIRST_ROWS)
  /** Share e of its approach speed that a row gives back to impacts solved one by one; 0 where nothing can strike. */
  restitution: Float64Array = new Float64Array(FIRST_ROWS)
  /** Impulse of impacts solved one by one: it is not part of λ, which must not take it back. */
  impact: Float64Array = new Float64Array(FIRST_ROWS)
  /** What a pass asks of J V, and the softness it does it with: see `aim`. */
  goal: Float64Array = new Float64Array(FIRST_ROWS)
  passSoftness: Float64Array = new Float64Array(FIRST_ROWS)
  /** Bounds of λ as impulses. */
  lower: Float64Array = new Float64Array(FIRST_ROWS)
  upper: Float64Array = new Float64Array(FIRST_ROWS)
  /** J M⁻¹ Jᵀ of the row with itself. */
  diagonal: Float64Array = new Float64Array(FIRST_ROWS)
  /** λ, and where it comes from: batch, and index of its multiplier in the batch's column. */
  impulse: Float64Array = new Float64Array(FIRST_ROWS)
  batch: Int32Array = new Int32Array(FIRST_ROWS)
  multiplier: Int32Array = new Int32Array(FIRST_ROWS)

  /** How many rows from here on are the normals of one manifold, solved together; 0: solved on its own. Their A, four by four. */
  block: Int32Array = new Int32Array(FIRST_ROWS)
  blockMatrix: Float64Array = new Float64Array(BLOCK * BLOCK * FIRST_ROWS)

  /** Body row of an entry, and its three times six numbers. */
  body: Int32Array = new Int32Array(2 * FIRST_ROWS)
  measure: Float64Array = new Float64Array(2 * ENTRY * FIRST_ROWS)
  direction: Float64Array = new Float64Array(2 * ENTRY * FIRST_ROWS)
  response: Float64Array = new Float64Array(2 * ENTRY * FIRST_ROWS)

  /** First row and number of rows of a group, its kind, bounds, and its normals' rows. */
  groupStart: Int32Array = new Int32Array(FIRST_ROWS)
  groupSize: Int32Array = new Int32Array(FIRST_ROWS)
  groupKind: Int8Array = new Int8Array(FIRST_ROWS)
  radius: Float64Array = new Float64Array(FIRST_ROWS)
  slip: Float64Array = new Float64Array(FIRST_ROWS)
  normal: Int32Array = new Int32Array(FIRST_ROWS)
  normals: Int32Array = new Int32Array(FIRST_ROWS)
  /** A between the two rows of friction; for `bound: 'weight'`, in place of the normals' sum, m g h [N s]. */
  cross: Float64Array = new Float64Array(FIRST_ROWS)
  weight: Float64Array = new Float64Array(FIRST_ROWS)

  /** Forgets all rows. */
  clear(): void {
    this.rows = this.entries = this.groups = 0
    this.first[0] = 0
  }

  /** Opens a group of free rows and returns its index. */
  openGroup(): number {
    const g = this.groups++
    if (g === this.groupStart.length) this.growGroups()
    this.groupStart[g] = this.rows
    this.groupSize[g] = 0
    this.groupKind[g] = FREE_ROWS
    this.radius[g] = this.slip[g] = Infinity
    this.normal[g] = -1
    this.normals[g] = 0
    this.cross[g] = this.weight[g] = 0
    return g
  }

  /** Opens a row of the last group, without entries, and returns its index. */
  openRow(): number {
    const k = this.rows++
    if (k === this.error.length) this.growRows()
    this.groupSize[this.groups - 1]++
    this.first[k + 1] = this.entries
    this.error[k] = this.target[k] = this.softness[k] = this.push[k] = this.pushSoftness[k] = 0
    this.restitution[k] = this.impact[k] = this.diagonal[k] = this.impulse[k] = 0
    this.side[k] = this.block[k] = 0
    this.lower[k] = -Infinity
    this.upper[k] = Infinity
    return k
  }

  /** Opens an entry of the last row for a body and returns its index; its numbers are to be written. */
  openEntry(body: number): number {
    const e = this.entries++
    if (e === this.body.length) this.growEntries()
    this.body[e] = body
    this.first[this.rows] = this.entries
    return e
  }

  /** Sets what the next pass asks: the rows' targets, with the push that repairs positions or without. */
  aim(pushes: boolean): void {
    for (let k = 0; k < this.rows; k++) {
      this.goal[k] = this.target[k] + (pushes ? this.push[k] : 0)
      this.passSoftness[k] = this.softness[k] + (pushes ? this.pushSoftness[k] : 0)
    }
  }

  /** Sets the push alone, for velocities that move positions and are then forgotten. */
  aimPush(): void {
    for (let k = 0; k < this.rows; k++) {
      this.goal[k] = this.push[k]
      this.passSoftness[k] = this.softness[k]
    }
  }

  private growRows(): void {
    this.first = grown(this.first, new Int32Array(2 * this.error.length + 1))
    const n = 2 * this.error.length
    this.error = grown(this.error, new Float64Array(n))
    this.side = grown(this.side, new Int8Array(n))
    this.block = grown(this.block, new Int32Array(n))
    this.blockMatrix = grown(this.blockMatrix, new Float64Array(BLOCK * BLOCK * n))
    this.target = grown(this.target, new Float64Array(n))
    this.softness = grown(this.softness, new Float64Array(n))
    this.push = grown(this.push, new Float64Array(n))
    this.pushSoftness = grown(this.pushSoftness, new Float64Array(n))
    this.goal = grown(this.goal, new Float64Array(n))
    this.passSoftness = grown(this.passSoftness, new Float64Array(n))
    this.impact = grown(this.impact, new Float64Array(n))
    this.restitution = grown(this.restitution, new Float64Array(n))
    this.lower = grown(this.lower, new Float64Array(n))
    this.upper = grown(this.upper, new Float64Array(n))
    this.diagonal = grown(this.diagonal, new Float64Array(n))
    this.impulse = grown(this.impulse, new Float64Array(n))
    this.batch = grown(this.batch, new Int32Array(n))
    this.multiplier = grown(this.multiplier, new Int32Array(n))
  }

  private growEntries(): void {
    const n = 2 * this.body.length
    this.body = grown(this.body, new Int32Array(n))
    this.measure = grown(this.measure, new Float64Array(ENTRY * n))
    this.direction = grown(this.direction, new Float64Array(ENTRY * n))
    this.response = grown(this.response, new Float64Array(ENTRY * n))
  }

  private growGroups(): void {
    const n = 2 * this.groupStart.length
    this.groupStart = grown(this.groupStart, new Int32Array(n))
    this.groupSize = grown(this.groupSize, new Int32Array(n))
    this.groupKind = grown(this.groupKind, new Int8Array(n))
    this.radius = grown(this.radius, new Float64Array(n))
    this.slip = grown(this.slip, new Float64Array(n))
    this.normal = grown(this.normal, new Int32Array(n))
    this.normals = grown(this.normals, new Int32Array(n))
    this.cross = grown(this.cross, new Float64Array(n))
    this.weight = grown(this.weight, new Float64Array(n))
  }
}

function grown<A extends Float64Array | Int32Array | Int8Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}
