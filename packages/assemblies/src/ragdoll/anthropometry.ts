/**
 * Numbers of an adult: masses of segments, breadths, ranges of joints.
 *
 * Masses: P. de Leva 1996, "Adjustments to Zatsiorsky–Seluyanov's segment inertia parameters", Journal of Biomechanics 29(9), 1223–1230, table 4,
 * males (mean stature 1.741 m). Heights and breadths: R. Drillis and R. Contini 1966, "Body segment parameters", as drawn in D. A. Winter,
 * "Biomechanics and Motor Control of Human Movement", figure 4.1. Ranges: American Academy of Orthopaedic Surgeons 1965, "Joint Motion: Method of
 * Measuring and Recording", from the anatomical position (upright, arms down, palms forward).
 *
 * Chosen here, as no table has them: shares of collar bones and toes, radii, play of joints that a table gives one motion only, the horizontal
 * range of the shoulder (130° forward, 45° back, a clinical rule of thumb), what a foot turns in and out and an elbow gives aside, couples that muscles bring about at most.
 */

import type { Role } from '@tautline/ik/roles'

/** Stature that masses scale from [m]; an adult of it weighs {@link ADULT_MASS}. */
export const ADULT_STATURE = 1.75
/** [kg] */
export const ADULT_MASS = 75

/** Share of the body's mass [%] of a segment, and the roles whose bones carry it, the first that a figure has. */
export interface SegmentShare {
  readonly share: number
  readonly roles: readonly Role[]
}

const COLLAR = 0.8
const TOES = 0.25

/** All segments; those of limbs come twice. */
export const SEGMENTS: readonly SegmentShare[] = /* @__PURE__ */ segments()

function segments(): SegmentShare[] {
  const trunk: SegmentShare[] = [
    { share: 6.94, roles: ['head', 'neck'] },
    { share: 15.96 - 2 * COLLAR, roles: ['chest', 'upperChest', 'spine'] },
    { share: 16.33, roles: ['spine', 'hips'] },
    { share: 11.17, roles: ['hips'] },
  ]
  const limbs = (['left', 'right'] as const).flatMap((side): SegmentShare[] => [
    { share: COLLAR, roles: [`${side}Shoulder`, 'upperChest', 'chest', 'spine'] },
    { share: 2.71, roles: [`${side}UpperArm`] },
    { share: 1.62, roles: [`${side}LowerArm`] },
    { share: 0.61, roles: [`${side}Hand`, `${side}LowerArm`] },
    { share: 14.16, roles: [`${side}UpperLeg`] },
    { share: 4.33, roles: [`${side}LowerLeg`] },
    { share: 1.37 - TOES, roles: [`${side}Foot`, `${side}LowerLeg`] },
    { share: TOES, roles: [`${side}Toes`, `${side}Foot`, `${side}LowerLeg`] },
  ])
  return [...trunk, ...limbs]
}

/** Hip to knee to ankle, and hips to the base of the skull, as shares of stature. */
export const LEGS_AND_TRUNK: number = (422.2 + 440.3 + 650) / 1741

/** Shares of stature: radii of capsules, half sides of boxes. */
export const BUILD = {
  radius: {
    Shoulder: 0.025,
    UpperArm: 0.026,
    LowerArm: 0.021,
    UpperLeg: 0.042,
    LowerLeg: 0.029,
    head: 0.05,
  } as Readonly<Record<string, number>>,
  /** Half the depth of the trunk. */
  trunkDepth: 0.062,
  /** Half the breadth that the trunk has at least. */
  trunkBreadth: 0.075,
  headHeight: 0.125,
  handLength: 0.108,
  handBreadth: 0.022,
  handDepth: 0.009,
  footLength: 0.148,
  footBreadth: 0.026,
  ankleHeight: 0.039,
} as const

/** Ranges of a joint's swing about y and z, and of its twist [°]; the largest couple of its muscles [N m]. */
export interface JointRange {
  readonly y: readonly [number, number]
  readonly z: readonly [number, number]
  readonly x: readonly [number, number]
  readonly torque: number
}

/** Of motions that a joint does not have [°]. */
const PLAY = [-2, 2] as const

/**
 * By part; those of limbs are the left side's, of which the right one's z and x are the opposite. y bends the way the joint mostly goes (the trunk
 * forward, the elbow and knee shut, the hip forward, the foot up).
 */
export const RANGES: Readonly<Record<string, JointRange>> = {
  // Spine as a whole 25° back, 80° forward, 35° aside, 45° round: shared by the joints that there are.
  trunk: { y: [-25, 80], z: [-35, 35], x: [-45, 45], torque: 250 },
  head: { y: [-45, 45], z: [-45, 45], x: [-60, 60], torque: 40 },
  // y to the front, z down.
  Shoulder: { y: [-15, 20], z: [-30, 10], x: [-20, 20], torque: 120 },
  // Zero is the arm held out sideways: y to the front, z down.
  UpperArm: { y: [-45, 130], z: [-90, 90], x: [-90, 70], torque: 90 },
  // x counts from full supination.
  LowerArm: { y: [0, 150], z: [-10, 10], x: [0, 160], torque: 60 },
  // Skeletons put some of the forearm's turn into the hand.
  Hand: { y: [-70, 80], z: [-20, 30], x: [-40, 40], torque: 12 },
  // y to the front, z inward.
  UpperLeg: { y: [-30, 120], z: [-45, 30], x: [-45, 45], torque: 250 },
  LowerLeg: { y: [0, 135], z: PLAY, x: PLAY, torque: 200 },
  Foot: { y: [-50, 20], z: [-25, 25], x: [-35, 15], torque: 120 },
  Toes: { y: [-40, 60], z: PLAY, x: PLAY, torque: 20 },
}
