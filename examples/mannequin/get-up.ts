/** Getting up from the front, by the hands and one knee, and from the back, by sitting up and rising over the feet. */

import type { FootShape } from './gait.js'
import type { Keyed } from './jump.js'
import { both, type Key, onBall, REST_Z, standingGroups } from './keys.js'

/** Where hands press on the ground: of the wrist [m]. */
const PALM = 0.036

/** From lying face down, head in the direction that the figure ends up facing. */
export function getUpFront(shape: FootShape): Keyed {
  const stand = standingGroups(shape)
  const hand = { x: 0.27, y: PALM, z: 0.08, yaw: 8, pitch: 0, share: 1 }
  const lying = { x: 0.1, y: 0.047, z: -1.28, yaw: 8, pitch: 165, share: 1 }
  const keys: Key[] = [
    {
      at: 0,
      hips: { x: 0, y: 0.125, z: -0.42 },
      lean: { forward: 90, turn: 0, side: 0 },
      back: { forward: -4 },
      head: { forward: -12, turn: 42 },
      ...both('Arm', { raise: 30, spread: 52, twist: -30, elbow: 118, pronation: 40, wrist: 0 }),
      ...both('Leg', { raise: 0, spread: 3, turnout: 6, knee: 8 }),
      ...both('Hand', hand),
      ...both('Foot', lying),
    },
    { at: 0.3, hips: {}, lean: {}, back: {}, head: { forward: -30, turn: 10 }, ...both('Hand', hand), ...both('Foot', lying) },
    {
      at: 0.95,
      hips: { y: 0.3, z: -0.45 },
      lean: { forward: 68 },
      back: { forward: -14 },
      head: { forward: -26, turn: 0 },
      ...both('Arm', { spread: 40, elbow: 40 }),
      ...both('Foot', { z: -1.2 }),
    },
    {
      at: 1.45,
      hips: { y: 0.49, z: -0.46 },
      lean: { forward: 72 },
      back: { forward: 10 },
      head: { forward: -38 },
      ...both('Arm', { raise: 80, spread: 10, twist: 0, elbow: 16 }),
      ...both('Leg', { raise: 72, knee: 90 }),
      ...both('Hand', hand),
      leftFoot: { z: -0.88, y: 0.07, pitch: 150 },
      rightFoot: { z: -0.9 },
    },
    {
      at: 1.75,
      hips: { x: -0.03, y: 0.53, z: -0.4 },
      lean: { forward: 66, side: 4 },
      leftFoot: { z: -0.42, y: 0.17, pitch: 40, yaw: 12, x: 0.15 },
      rightFoot: { z: -0.85, y: 0.09, pitch: 125 },
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
      hips: { x: 0.03, y: 0.7, z: -0.1 },
      lean: { forward: 38 },
      back: { forward: 16 },
      rightFoot: { ...onBall(shape, -0.94, 70) },
    },
    { at: 3.1, hips: { x: 0.03, y: 0.86, z: -0.03 }, lean: { forward: 18 }, rightFoot: { z: -0.34, y: 0.2, pitch: 44 } },
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
  return { keys, contacts: { leftFoot: [[2.05, 3.6]], rightFoot: [[3.58, 3.6]] } }
}

/** From lying face up, feet in the direction that the figure faces. */
export function getUpBack(shape: FootShape): Keyed {
  const stand = standingGroups(shape)
  const hand = { x: 0.3, y: PALM, z: -0.7, yaw: 120, pitch: 0, share: 1 }
  const ease = both('Arm', { raise: 4, spread: 28, twist: 0, elbow: 18, pronation: 40, wrist: 0 })
  const lying = { x: 0.11, y: 0.062, z: 0.22, yaw: 14, pitch: -58, share: 1 }
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
    { at: 0.25, hips: {}, lean: {}, back: {}, head: { forward: 10, turn: 4 }, ...ease, ...both('Foot', lying), ...both('Hand', {}) },
    {
      at: 0.65,
      hips: { z: -0.58, y: 0.122 },
      lean: { forward: -66 },
      back: { forward: 24 },
      head: { forward: 26, turn: 0 },
      ...both('Arm', { raise: -20, spread: 30, elbow: 60 }),
      ...both('Leg', { raise: 40, knee: 50, turnout: 4 }),
      ...both('Foot', { z: 0.12, y: 0.075, pitch: -30, yaw: 8 }),
      ...both('Hand', hand),
    },
    {
      at: 1.05,
      hips: { z: -0.5, y: 0.13 },
      lean: { forward: -30 },
      back: { forward: 34 },
      head: { forward: 0 },
      ...both('Arm', { raise: -30, spread: 20, elbow: 10 }),
      ...both('Foot', stand.leftFoot),
      ...both('Hand', {}),
    },
    {
      at: 1.4,
      hips: { z: -0.42, y: 0.17 },
      lean: { forward: 6 },
      back: { forward: 44 },
      head: { forward: -14 },
      ...both('Arm', { raise: 30, spread: 14, elbow: 24 }),
      ...both('Foot', {}),
      ...both('Hand', { share: 0 }),
    },
    {
      at: 1.85,
      hips: { z: -0.25, y: 0.36 },
      lean: { forward: 40 },
      back: { forward: 40 },
      head: { forward: -36 },
      ...both('Arm', { raise: 84, spread: 8, elbow: 20 }),
    },
    {
      at: 2.3,
      hips: { z: -0.17, y: 0.55 },
      lean: { forward: 44 },
      back: { forward: 26 },
      head: { forward: -38 },
      ...both('Arm', { raise: 66, elbow: 26 }),
    },
    { at: 2.85, hips: { z: -0.06, y: 0.82 }, lean: { forward: 22 }, back: { forward: 10 }, head: { forward: -16 } },
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
