/**
 * How far the joints of an adult go, in degrees from the anatomical position (upright, arms at the sides, palms forward).
 *
 * American Academy of Orthopaedic Surgeons 1965, "Joint Motion: Method of Measuring and Recording", as listed in C. C.
 * Norkin and D. J. White, "Measurement of Joint Motion: A Guide to Goniometry", appendix A. Where the book counts a
 * motion within 0 (an elbow that does not bend backwards), the range ends at 0.
 *
 * Not from there: the shoulder's horizontal range (marked below), and the share of the spine's range between the two
 * joints that stand for it here (half each).
 */

/** [°] */
export interface Range {
  readonly min: number
  readonly max: number
}

export const RANGES = {
  neck: { flexion: range(-45, 45), lateral: range(-45, 45), rotation: range(-60, 60) },
  /** Thoracic and lumbar spine together. */
  spine: { flexion: range(-25, 80), lateral: range(-35, 35), rotation: range(-45, 45) },
  shoulder: {
    /** Of the arm from the side of the body, up. */
    abduction: range(0, 180),
    /** Of the arm held out sideways, to the front; a clinical rule of thumb (130° forward, 45° back), not the book's. */
    horizontal: range(-45, 130),
    /** Outward positive. */
    rotation: range(-70, 90),
  },
  elbow: { flexion: range(0, 150), /** Supination positive. */ rotation: range(-80, 80) },
  wrist: { flexion: range(-70, 80), /** Towards the little finger positive. */ deviation: range(-20, 30) },
  hip: { flexion: range(-30, 120), abduction: range(-30, 45), /** Outward positive. */ rotation: range(-45, 45) },
  knee: { flexion: range(0, 135) },
  ankle: { /** Up positive. */ flexion: range(-50, 20), /** Sole inward positive. */ inversion: range(-15, 35) },
} as const

function range(min: number, max: number): Range {
  return { min, max }
}
