/**
 * Planes that a character has met, and the velocity nearest to a wanted one that leads into none of them.
 *
 *   minimize |v − w|²  subject to  nᵢ·v >= sᵢ        nᵢ unit normals towards the character, sᵢ speeds of the surfaces along them
 *
 * In three dimensions at most three planes hold the solution, so that it is the wanted velocity, its projection on a plane, or on the
 * crease of two, or a corner, where it rests. Tried one by one, the nearest that no other plane forbids is exact: nothing jitters.
 */

/** Planes kept of one move; later ones take the place of the last. */
const MOST = 16
/** Normals this near to each other (1 − cosine) are one. */
const SAME = 1e-15
/** Share of a way by which it leads off the planes that it follows, so that rounding does not lead into them. */
export const LIFT = 1e-7
/** Share of the wanted speed by which rounding may lead into a plane. */
const SPEED_ROUNDING = 1e-10
/** Determinant of two normals below which they have no crease. */
const NO_CREASE = 1e-12

export class Planes {
  readonly normal: Float64Array = new Float64Array(3 * MOST)
  /** Speed of each surface along its normal [m/s]. */
  readonly speed: Float64Array = new Float64Array(MOST)
  count = 0

  clear(): void {
    this.count = 0
  }

  /** Adds a plane, or raises the speed of one that is known. */
  add(x: number, y: number, z: number, speed: number): void {
    const { normal } = this
    for (let k = 0; k < this.count; k++) {
      if (1 - (x * normal[3 * k] + y * normal[3 * k + 1] + z * normal[3 * k + 2]) > SAME) continue
      if (speed > this.speed[k]) this.speed[k] = speed
      return
    }
    const k = Math.min(this.count, MOST - 1)
    normal[3 * k] = x
    normal[3 * k + 1] = y
    normal[3 * k + 2] = z
    this.speed[k] = speed
    this.count = k + 1
  }

  /** Writes the vector nearest to `wanted` that leads into no plane; zero where the planes leave none. `moving`: whether the surfaces' speeds count. */
  project(wanted: Float64Array, moving: boolean, out: Float64Array): void {
    const slack = SPEED_ROUNDING * (Math.abs(wanted[0]) + Math.abs(wanted[1]) + Math.abs(wanted[2]))
    for (let k = 0; k < 3; k++) out[k] = wanted[k]
    if (this.allows(wanted, moving, slack)) return
    out.fill(0)
    if (this.projectOnOne(wanted, moving, slack, out)) return
    this.projectOnTwo(wanted, moving, slack, out)
  }

  private allows(v: Float64Array, moving: boolean, slack: number): boolean {
    const { normal, speed } = this
    for (let k = 0; k < this.count; k++) {
      const along = normal[3 * k] * v[0] + normal[3 * k + 1] * v[1] + normal[3 * k + 2] * v[2]
      if (along < (moving ? speed[k] : 0) - slack) return false
    }
    return true
  }

  /** The least change that one plane asks; a projection on one is nearer than any on two. */
  private projectOnOne(wanted: Float64Array, moving: boolean, slack: number, out: Float64Array): boolean {
    const { normal } = this
    let least = Infinity
    for (let k = 0; k < this.count; k++) {
      const push = this.deficit(k, wanted, moving)
      if (!(push > 0 && push < least)) continue
      for (let i = 0; i < 3; i++) trial[i] = wanted[i] + push * normal[3 * k + i]
      if (!this.allows(trial, moving, slack)) continue
      least = push
      for (let i = 0; i < 3; i++) out[i] = trial[i]
    }
    return least < Infinity
  }

  private projectOnTwo(wanted: Float64Array, moving: boolean, slack: number, out: Float64Array): void {
    const { normal } = this
    let least = Infinity
    for (let j = 1; j < this.count; j++) {
      for (let k = 0; k < j; k++) {
        const cosine =
          normal[3 * j] * normal[3 * k] + normal[3 * j + 1] * normal[3 * k + 1] + normal[3 * j + 2] * normal[3 * k + 2]
        const determinant = 1 - cosine * cosine
        if (!(determinant > NO_CREASE)) continue
        const a = this.deficit(j, wanted, moving)
        const b = this.deficit(k, wanted, moving)
        const pushA = (a - cosine * b) / determinant
        const pushB = (b - cosine * a) / determinant
        let square = 0
        for (let i = 0; i < 3; i++) {
          const change = pushA * normal[3 * j + i] + pushB * normal[3 * k + i]
          trial[i] = wanted[i] + change
          square += change * change
        }
        if (!(square < least) || !this.allows(trial, moving, slack)) continue
        least = square
        for (let i = 0; i < 3; i++) out[i] = trial[i]
      }
    }
  }

  /** How much a velocity lacks along a normal. */
  private deficit(k: number, v: Float64Array, moving: boolean): number {
    const { normal } = this
    const speed = moving ? this.speed[k] : 0
    return speed - (normal[3 * k] * v[0] + normal[3 * k + 1] * v[1] + normal[3 * k + 2] * v[2])
  }
}

const trial = /* @__PURE__ */ new Float64Array(3)
