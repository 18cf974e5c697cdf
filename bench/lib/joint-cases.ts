/** The cases of joints, drives and contacts: a row a link of the chains, limits about half of them reach. */

import {
  angularDrive,
  axle,
  cone,
  pointContact,
  fixed,
  hinge,
  slider,
  swingTwist,
  universal,
} from '@tautline/constraints'
import { angularDrive as angularDriveByHand } from '../by-hand/angular-drive.js'
import { axle as axleByHand } from '../by-hand/axle.js'
import { cone as coneByHand } from '../by-hand/cone.js'
import { contact as contactByHand } from '../by-hand/contact.js'
import { fixed as fixedByHand } from '../by-hand/fixed.js'
import { hinge as hingeByHand } from '../by-hand/hinge.js'
import { slider as sliderByHand } from '../by-hand/slider.js'
import { swingTwist as swingTwistByHand } from '../by-hand/swing-twist.js'
import { universal as universalByHand } from '../by-hand/universal.js'
import type { Case } from './measure.js'
import { linked, shakeBoxes, squeeze, type Triple } from './scenes.js'

/** [m/N] and [rad/(N m)] */
const SOFT = { compliance: 1e-8, angularCompliance: 1e-8 }
/** A range that shaken boxes leave about half the time [rad]. */
const RANGE = { min: -0.01, max: 0.01 }
/** The same for an offset [m]. */
const WAY = { min: -0.003, max: 0.003 }
const AXIS: Triple = [0, 0, 1]
const ALONG: Triple = [1, 0, 0]

export const JOINT_CASES: readonly Case[] = [
  {
    name: 'axle',
    build: linked((world, { a, b }) => world.add(axle, { a, b, axis: AXIS, compliance: 1e-8 })),
    shake: shakeBoxes,
    byHand: axleByHand,
  },
  {
    name: 'cone',
    // Fifteen links of a hundred hold their axes half a radian apart, as a limit does that is reached.
    build: linked((world, { a, b }) =>
      world.add(cone, { a, b, axisA: [1, 0, 0], axisB: [0.8776, 0.4794, 0], limit: 0.3, compliance: 1e-8 }),
    ),
    shake: shakeBoxes,
    byHand: coneByHand,
  },
  {
    name: 'swingTwist',
    build: linked((world, { a, b, point }) =>
      world.add(swingTwist, {
        a,
        b,
        point,
        axis: ALONG,
        swing: { y: RANGE, z: RANGE },
        twist: RANGE,
        compliance: 1e-8,
      }),
    ),
    shake: shakeBoxes,
    byHand: swingTwistByHand,
  },
  {
    name: 'hinge',
    build: linked((world, { a, b, point }) => world.add(hinge, { a, b, point, axis: AXIS, limits: RANGE, ...SOFT })),
    shake: shakeBoxes,
    byHand: hingeByHand,
  },
  {
    name: 'fixed',
    build: linked((world, { a, b, point }) => world.add(fixed, { a, b, point, ...SOFT })),
    shake: shakeBoxes,
    byHand: fixedByHand,
  },
  {
    name: 'slider',
    build: linked((world, { a, b, point }) => world.add(slider, { a, b, point, axis: ALONG, limits: WAY, ...SOFT })),
    shake: shakeBoxes,
    byHand: sliderByHand,
  },
  {
    name: 'universal',
    build: linked((world, { a, b, point }) => world.add(universal, { a, b, point, axisA: AXIS, ...SOFT })),
    shake: shakeBoxes,
    byHand: universalByHand,
  },
  {
    name: 'contact',
    build: linked((world, { a, b, point }) =>
      world.add(pointContact, {
        a,
        b,
        pointA: point,
        pointB: point,
        normal: [-1, 0, 0],
        staticFriction: 0.6,
        dynamicFriction: 0.4,
        maxPushOut: Infinity,
        compliance: 1e-8,
      }),
    ),
    shake: (world) => {
      shakeBoxes(world)
      squeeze(world)
    },
    byHand: contactByHand,
  },
  {
    name: 'angularDrive',
    build: linked((world, { a, b }) => world.add(angularDrive, { a, b, stiffness: 60, damping: 4, maxTorque: 100 })),
    shake: shakeBoxes,
    byHand: angularDriveByHand,
  },
]
