/**
 * What stands behind particles: heavy bodies that they are pressed on.
 *
 * A net of light particles that holds a heavy body bears it only as its rows and its contacts agree, and swept by turns they do not: each contact
 * moves the particle and hardly the body, each row moves the particle back, and the net is drawn out as if the body were led. So the body is
 * shared out among those that it presses (mass splitting: Tonge, Benevolenski and Voroshilov, 2012): while rows that know of it are swept, a particle
 * moves along n̂ together with its share of the body,
 *
 *   W = w (1 − s n̂ n̂ᵀ),   s = w M/(1 + w M),   Σ M K <= 1 a body
 *
 * K what the body gives way by at the contact. The share takes the impulse s n̂·F of a force F on the particle, which is λ of the contact, and is
 * handed to the body when the rows have been swept. Each such pass is a projection, and so is the handing over: neither gains.
 */

/** Numbers of a record. */
export const BACKING = 9
/** n̂; until it is shared out, the sum of M n̂. */
export const BACKING_N = 0
/** s. */
export const BACKING_SHARE = 3
/** λ that presses now [kg m]. */
export const BACKING_LOAD = 4
/** By how much the last solve has taken off it [kg m]. */
export const BACKING_CHANGE = 5
/** λ when the body was shared out [kg m]. */
export const BACKING_BEFORE = 6
/** M [kg]. */
export const BACKING_MASS = 7
/** The body's row. */
export const BACKING_BODY = 8

/** By particle, what it is pressed on; filled and emptied within a substep, and no part of the state. */
export class Backing {
  /** Particles that are pressed. */
  count = 0
  /** The particles, and a record each. */
  particles: Int32Array = new Int32Array(0)
  record: Float64Array = new Float64Array(0)
  /** By body: the place of its record, good only where that says so too. */
  private placeOf: Int32Array = new Int32Array(0)

  /** Forgets all, for a world of `bodies` bodies. */
  clear(bodies: number): void {
    this.count = 0
    if (this.placeOf.length < bodies) this.placeOf = new Int32Array(2 * bodies)
  }

  /** Where the record of a particle is, or −1. */
  find(particle: number): number {
    const place = particle < this.placeOf.length ? this.placeOf[particle] : 0
    return place < this.count && this.particles[place] === particle ? BACKING * place : -1
  }

  /** Adds a particle that has no record yet; where its record is. */
  add(particle: number): number {
    const place = this.count++
    if (this.particles.length < this.count) {
      const { particles, record } = this
      this.particles = new Int32Array(2 * this.count + 64)
      this.particles.set(particles)
      this.record = new Float64Array(BACKING * this.particles.length)
      this.record.set(record)
    }
    this.particles[place] = particle
    this.placeOf[particle] = place
    const at = BACKING * place
    this.record.fill(0, at, at + BACKING)
    return at
  }
}
