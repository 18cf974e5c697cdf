/** Getting up from the front, by the hands and one knee, and from the back, by sitting up and rising over the feet. */

import { cos, sin } from '@tautline/core/kernel'
import type { LegShape } from './gait.js'
import type { Keyed } from './jump.js'
import { both, type Key, onBall, standingGroups } from './keys.js'

/** Where hands press on the ground: of the wrist [m]. */
const PALM = 0.036

/** Heights of the knee and of the ankle of one who lies or kneels, the foot on its back [m]. */
const KNEE = 0.064
const LYING_ANKLE = 0.082

/** Where the ankles are [m] for the knees to be on the ground, the hips' bone at y, z and leaning forward [°]. */
function kneeling({ hip, thigh, shank }: LegShape, y: number, z: number, forward: number): number {
  const angle = (forward * Math.PI) / 180
  const high = y - hip * cos(angle) - KNEE
  const rise = LYING_ANKLE - KNEE
  const back = Math.sqrt(Math.max(thigh * thigh - high * high, 0)) + Math.sqrt(shank * shank - rise * rise)
  return z - hip * sin(angle) - 0.999 * back
}

/** From lying face down, head in the direction that the figure ends up facing. */
export function getUpFront(shape: LegShape): Keyed {
  const stand = standingGroups(shape)
  const hand = { x: 0.27, y: PALM, z: 0.08, yaw: -20, pitch: 0, share: 1 }
  // Face down to all fours: the knees on the ground.
  const crawl: readonly (readonly [at: number, y: number, z: number, forward: number])[] = [
    [0, 0.122, -0.42, 90],
    [0.3, 0.122, -0.42, 90],
    [0.65, 0.205, -0.435, 78],
    [0.95, 0.3, -0.45, 68],
    [1.2, 0.405, -0.465, 68],
    [1.45, 0.49, -0.46, 72],
  ]
  const knees = crawl.map(([at, y, z, forward]): Key => {
    const foot = { x: 0.1, y: LYING_ANKLE, z: kneeling(shape, y, z, forward), yaw: 8, pitch: 146, share: 1 }
    return { at, hips: { x: 0, y, z }, lean: { forward, turn: 0, side: 0 }, ...both('Foot', foot) }
  })
  const keys: Key[] = [
    ...knees,
    {
      at: 0,
      back: { forward: -4 },
      head: { forward: -12, turn: 42 },
      ...both('Arm', { raise: 30, spread: 52, twist: -30, elbow: 118, pronation: 40, wrist: 0 }),
      ...both('Leg', { raise: 0, spread: 3, turnout: 6, knee: 8 }),
      ...both('Hand', hand),
    },
    { at: 0.3, back: {}, head: { forward: -30, turn: 10 }, ...both('Hand', hand) },
    { at: 0.95, back: { forward: -14 }, head: { forward: -26, turn: 0 }, ...both('Arm', { spread: 40, elbow: 40 }) },
    {
      at: 1.45,
      back: { forward: 10 },
      head: { forward: -38 },
      ...both('Arm', { raise: 80, spread: 10, twist: 0, elbow: 16 }),
      ...both('Leg', { raise: 72, knee: 90 }),
      ...both('Hand', hand),
    },
    { at: 1.6, leftFoot: { z: -0.68, y: 0.19, pitch: 96, x: 0.14 } },
    {
      at: 1.75,
      hips: { x: -0.03, y: 0.53, z: -0.4 },
      lean: { forward: 66, side: 4 },
      leftFoot: { z: -0.42, y: 0.17, pitch: 40, yaw: 12, x: 0.15 },
      rightFoot: { z: -0.88, y: 0.15, pitch: 120 },
      leftHand: hand,
      rightHand: { ...hand, x: -hand.x },
    },
    {
      at: 2.05,
      hips: { x: -0.01, y: 0.5, z: -0.34 },
      lean: { forward: 50, side: 3 },
      back: { forward: 16 },
      head: { forward: -34 },
      leftFoot: { ...stand.leftFoot },
      rightFoot: { ...onBall(shape, -0.94, 82) },
      leftHand: { ...hand, z: 0.16, y: 0.26, share: 0.4 },
      rightHand: { ...hand, x: -hand.x, y: 0.06, share: 0.8 },
    },
    {
      at: 2.4,
      hips: { x: 0.01, y: 0.53, z: -0.28 },
      lean: { forward: 30, side: 0 },
      back: { forward: 20 },
      head: { forward: -20 },
      leftArm: { raise: 40, spread: 14, twist: 20, elbow: 42 },
      rightArm: { raise: 20, spread: 12, twist: 10, elbow: 40 },
      leftFoot: {},
      rightFoot: {},
      ...both('Hand', { share: 0 }),
    },
    {
      at: 2.8,
      hips: { x: 0.03, y: 0.66, z: -0.15 },
      lean: { forward: 38 },
      back: { forward: 16 },
      rightFoot: { ...onBall(shape, -0.94, 70) },
    },
    {
      at: 3.1,
      hips: { x: 0.03, y: 0.86, z: -0.03 },
      lean: { forward: 18 },
      rightFoot: { z: -0.34, y: 0.2, pitch: 44 },
    },
    {
      at: 3.6,
      hips: stand.hips,
      lean: stand.lean,
      back: stand.back,
      head: stand.head,
      ...both('Arm', stand.leftArm),
      ...both('Leg', stand.leftLeg),
      ...both('Foot', stand.leftFoot),
    },
  ]
  keys.sort((a, b) => a.at - b.at)
  return { keys, contacts: { leftFoot: [[2.05, 3.6]], rightFoot: [[3.58, 3.6]] } }
}

/** From lying face up, feet in the direction that the figure faces. */
export function getUpBack(shape: LegShape): Keyed {
  const stand = standingGroups(shape)
  const hand = { x: 0.3, y: PALM, z: -0.7, yaw: 100, pitch: 0, share: 1 }
  const ease = both('Arm', { raise: -9, spread: 30, twist: 0, elbow: 8, pronation: 60, wrist: 0 })
  const lying = { x: 0.11, y: 0.08, z: 0.22, yaw: 14, pitch: -58, share: 1 }
  const keys: Key[] = [
    {
      at: 0,
      hips: { x: 0, y: 0.125, z: -0.63 },
      lean: { forward: -90, turn: 0, side: 0 },
      back: { forward: 2 },
      head: { forward: 6, turn: 14 },
      ...ease,
      ...both('Leg', { raise: 4, spread: 4, turnout: 12, knee: 6 }),
      ...both('Foot', lying),
      ...both('Hand', { ...hand, share: 0 }),
    },
    {
      at: 0.25,
      hips: {},
      lean: {},
      back: {},
      head: { forward: 10, turn: 4 },
      ...ease,
      ...both('Foot', lying),
      ...both('Hand', {}),
    },
    {
      at: 0.65,
      hips: { z: -0.58, y: 0.143 },
      lean: { forward: -66 },
      back: { forward: 24 },
      head: { forward: 26, turn: 0 },
      ...both('Arm', { raise: -20, spread: 30, elbow: 60, pronation: 100 }),
      ...both('Leg', { raise: 40, knee: 50, turnout: 4 }),
      ...both('Foot', { z: 0.12, y: 0.085, pitch: -30, yaw: 8 }),
      ...both('Hand', hand),
    },
    {
      at: 1.05,
      hips: { z: -0.5, y: 0.145 },
      lean: { forward: -30 },
      back: { forward: 34 },
      head: { forward: 0 },
      ...both('Arm', { raise: -30, spread: 20, elbow: 10 }),
      ...both('Foot', stand.leftFoot),
      ...both('Hand', {}),
    },
    { at: 1.22, ...both('Arm', { raise: 0, spread: 34, elbow: 76 }), ...both('Hand', { share: 0.25 }) },
    {
      at: 1.4,
      hips: { z: -0.42, y: 0.18 },
      lean: { forward: -4 },
      back: { forward: 44 },
      head: { forward: -14 },
      ...both('Arm', { raise: 70, spread: 18, elbow: 34 }),
      ...both('Foot', {}),
      ...both('Hand', { share: 0 }),
    },
    {
      at: 1.85,
      hips: { z: -0.25, y: 0.36 },
      lean: { forward: 28 },
      back: { forward: 46 },
      head: { forward: -36 },
      ...both('Arm', { raise: 128, spread: 10, elbow: 24, twist: 46 }),
    },
    {
      at: 2.3,
      hips: { z: -0.17, y: 0.55 },
      lean: { forward: 44 },
      back: { forward: 26 },
      head: { forward: -38 },
      ...both('Arm', { raise: 108, elbow: 30 }),
    },
    {
      at: 2.85,
      hips: { z: -0.06, y: 0.82 },
      lean: { forward: 22 },
      back: { forward: 10 },
      head: { forward: -16 },
      ...both('Arm', { raise: 44, elbow: 34, twist: 12 }),
    },
    {
      at: 3.4,
      hips: stand.hips,
      lean: stand.lean,
      back: stand.back,
      head: stand.head,
      ...both('Arm', stand.leftArm),
      ...both('Leg', stand.leftLeg),
      ...both('Foot', stand.leftFoot),
    },
  ]
  return { keys, contacts: { leftFoot: [[1.05, 3.4]], rightFoot: [[1.05, 3.4]] } }
}
