/** Getting up from the left side: over onto the front, then as from there. */

import type { LegShape } from './gait.js'
import { getUpFront } from './get-up.js'
import type { Keyed } from './jump.js'
import { both, type Key } from './keys.js'

/** When it lies face down, and when `getUpFront` does with its hands on the ground [s]. */
const ROLLED = 2.1
const PRONE = 0.3
const LATER = ROLLED - PRONE

/** From lying on the left side, head in the direction that the figure ends up facing. */
export function getUpLeft(shape: LegShape): Keyed {
  const { keys, contacts } = getUpFront(shape)
  const [lies] = keys.filter(({ leftArm }) => leftArm !== undefined)
  // Limbs go to where they are held next.
  const [first] = keys
  const free = {
    leftHand: { ...lies.leftHand, share: 0 },
    rightHand: { ...lies.rightHand, share: 0 },
    leftFoot: { ...first.leftFoot, share: 0 },
    rightFoot: { ...first.rightFoot, share: 0 },
  }
  const side: Key = {
    at: 0,
    hips: { x: 0.22, y: 0.218, z: -0.42 },
    lean: { forward: 78, turn: 0, side: 0, roll: -90 },
    back: { forward: 10, turn: 0, side: 18 },
    head: { forward: -4, turn: 0, side: -8 },
    leftArm: { raise: 82, spread: -21, twist: -15, elbow: 86, pronation: 20, wrist: 0 },
    rightArm: { raise: 30, spread: -13, twist: 26, elbow: 65, pronation: 20, wrist: 0 },
    leftLeg: { raise: 28, spread: -8, turnout: 0, knee: 54, ankle: -10 },
    rightLeg: { raise: 48, spread: -12, turnout: 0, knee: 87, ankle: -22 },
    ...free,
  }
  const over: Key[] = [
    side,
    { ...side, at: 0.25 },
    { at: 0.5, hips: { x: 0.17, y: 0.238 } },
    {
      at: 0.8,
      hips: { x: 0.12, y: 0.195, z: -0.42 },
      lean: { forward: 79, roll: -58 },
      back: { forward: 4, side: 14 },
      head: { forward: -17, side: 3 },
      leftArm: { raise: 89, spread: -27, twist: -2, elbow: 113 },
      rightArm: { raise: 59, spread: 1, twist: 6, elbow: 56 },
      leftLeg: { raise: 18, spread: -15, knee: 21, ankle: -29 },
      rightLeg: { raise: 43, spread: 1, knee: 74, ankle: -28 },
      ...free,
    },
    { at: 1.11, leftArm: { raise: 88, spread: -22, twist: -11, elbow: 108 } },
    { at: 1.27, hips: { x: 0.083, y: 0.204 }, leftArm: { raise: 82, spread: -18, twist: -19, elbow: 119 } },
    { at: 1.43, hips: { x: 0.07, y: 0.216 }, leftArm: { raise: 54, spread: -10, elbow: 130 } },
    { at: 1.555, hips: { x: 0.06, y: 0.212 }, leftArm: { raise: 25, spread: 42, twist: -42, elbow: 124 } },
    {
      at: 1.68,
      hips: { x: 0.05, y: 0.184 },
      lean: { forward: 76, roll: -26 },
      back: { forward: -1, side: -5 },
      leftArm: { raise: 32, spread: 44, twist: -39, elbow: 115 },
      rightArm: { raise: 29, spread: 26, twist: -21, elbow: 92 },
      leftLeg: { raise: -1, spread: -6, knee: 21, ankle: -21 },
      rightLeg: { raise: 17, spread: 14, knee: 48, ankle: -40 },
      ...free,
    },
    { at: 1.82, hips: { x: 0.035, y: 0.178 } },
    {
      ...lies,
      at: ROLLED,
      lean: { forward: 90, roll: 0 },
      back: { forward: -4, side: 0 },
      head: { forward: -30, turn: 10, side: 0 },
      ...both('Leg', { raise: 0, spread: 3, turnout: 6, knee: 8, ankle: 0 }),
    },
  ]
  const rest = keys.filter(({ at, leftArm }) => at >= PRONE || (at === 0 && leftArm === undefined))
  const later = rest.map((key): Key => ({ ...key, at: key.at === 0 ? ROLLED : key.at + LATER }))
  const stands = (times: Keyed['contacts']['leftFoot']): [number, number][] =>
    times.map(([from, to]) => [from + LATER, to + LATER])
  return {
    keys: [...over, ...later].sort((a, b) => a.at - b.at),
    contacts: { leftFoot: stands(contacts.leftFoot), rightFoot: stands(contacts.rightFoot) },
  }
}
