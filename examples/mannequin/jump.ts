/** A jump on the spot: crouch with the arms back, off the balls of the feet, free flight, landing into a crouch. */

import type { Clip } from './clips.js'
import type { LegShape } from './gait.js'
import { both, type Key, onBall, REST_Z, standingGroups } from './keys.js'

/** Keys and times of contact of a clip. */
export interface Keyed {
  readonly keys: readonly Key[]
  readonly contacts: Clip['contacts']
}

const GRAVITY = 9.81
/** Feet leave the ground, and touch it again [s]. */
const LEAVE = 0.62
const LAND = 1.1
/** Heels begin to rise, and are down again [s]. */
const HEELS = 0.42
const FLAT = 1.17
/** Heel up as feet leave and touch [°]. */
const PUSH = 46
const TOUCH = 24
/** Height of the hips at both times [m]. */
const HIGH = 0.965

/** How far above where it left [m]. */
function flight(time: number): number {
  return 0.5 * GRAVITY * (time - LEAVE) * (LAND - time)
}

/** The keys of the jump. */
export function jump(shape: LegShape): Keyed {
  const stand = standingGroups(shape)
  const foot = (pitch: number, lift = 0) => {
    const place = onBall(shape, REST_Z, pitch)
    return both('Foot', { ...place, x: 0.1, y: place.y + lift })
  }
  const flights = [0.15, 0.3, 0.5, 0.7, 0.85].map((share): Key => {
    const at = LEAVE + share * (LAND - LEAVE)
    const pitch = PUSH + share * (TOUCH - PUSH)
    // Knees are drawn up a little on the way.
    return { at, hips: { y: HIGH + flight(at), z: 0 }, ...foot(pitch, flight(at) + 0.2 * share * (1 - share)) }
  })
  // Heels up and down again: so many keys that the toes stay where they are.
  const rolls = [0.25, 0.4, 0.55, 0.7, 0.85].flatMap((share): Key[] => [
    { at: HEELS + share * (LEAVE - HEELS), ...foot(PUSH * share * share) },
    { at: LAND + share * (FLAT - LAND), ...foot(TOUCH * (1 - share)) },
  ])
  const ease = both('Arm', stand.leftArm)
  const keys: Key[] = [
    { at: 0, hips: {}, lean: {}, back: {}, head: {}, ...foot(0), ...ease },
    {
      at: 0.38,
      hips: { y: 0.64, z: -0.13 },
      lean: { forward: 36 },
      back: { forward: 16 },
      head: { forward: -34 },
      ...foot(0),
      ...both('Arm', { raise: -34, spread: 22, elbow: 18 }),
    },
    {
      at: 0.48,
      hips: { y: 0.71, z: -0.1 },
      lean: { forward: 28 },
      ...both('Arm', { raise: -10, elbow: 30 }),
    },
    {
      at: LEAVE,
      hips: { y: HIGH, z: 0 },
      lean: { forward: 4 },
      back: { forward: -4 },
      head: { forward: -6 },
      ...foot(PUSH),
      ...both('Arm', { raise: 128, spread: 16, elbow: 24, twist: 46 }),
    },
    ...rolls,
    ...flights,
    {
      at: 0.86,
      lean: { forward: 8 },
      back: { forward: 4 },
      head: { forward: -6 },
      ...both('Arm', { raise: 120, spread: 30, elbow: 34, twist: 46 }),
    },
    {
      at: LAND,
      hips: { y: HIGH - 0.01, z: 0 },
      lean: { forward: 10 },
      ...foot(TOUCH),
      ...both('Arm', { raise: 62, spread: 34, twist: 20 }),
    },
    { at: FLAT, hips: { y: 0.86, z: -0.03 }, ...foot(0) },
    {
      at: 1.34,
      hips: { y: 0.7, z: -0.1 },
      lean: { forward: 30 },
      back: { forward: 14 },
      head: { forward: -26 },
      ...foot(0),
      ...both('Arm', { raise: 18, spread: 24, elbow: 36, twist: 4 }),
    },
    {
      at: 1.9,
      hips: stand.hips,
      lean: stand.lean,
      back: stand.back,
      head: stand.head,
      ...both('Foot', stand.leftFoot),
      ...ease,
    },
  ]
  keys.sort((a, b) => a.at - b.at)
  const stands = [
    [0, LEAVE],
    [LAND, 1.9],
  ] as const
  return { keys, contacts: { leftFoot: stands, rightFoot: stands } }
}
