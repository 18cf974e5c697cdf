/** What the course asks of an engine. */

export type Triple = readonly [number, number, number]

export interface Placed {
  readonly half: Triple
  readonly position: Triple
  /** About z [rad]. @defaultValue 0 */
  readonly tilt?: number
}

export interface Platform {
  setVelocity(linear: Triple, spin: number): void
  position(): Triple
}

/** A world with a floor at y = 0 and one character. */
export interface Course {
  /** How often the character was moved, and how long that took [ms]. */
  moves: number
  spent: number
  addBox(box: Placed): void
  addCrate(box: Placed, mass: number): Platform
  /** A kinematic box, or a cylinder of that radius in x. */
  addPlatform(box: Placed, round?: boolean): Platform
  place(position: Triple): void
  position(): Triple
  grounded(): boolean
  /** A step of the world, and a move of the character with this horizontal velocity [m/s]. */
  step(x: number, z: number, dt: number): void
  end(): void
}

/** Of the character: a capsule, or a box by half of each side [m]. */
export type Figure = { readonly radius: number; readonly half: number } | { readonly sides: Triple }

/** 1.8 m tall. */
export const ADULT: Figure = { radius: 0.3, half: 0.6 }

export interface CourseEngine {
  load(): Promise<void>
  /** @defaultValue {@link ADULT} */
  course(figure?: Figure): Course
}

export interface Section {
  name: string
  passed: boolean
  /** What was measured. */
  figures: string
}
