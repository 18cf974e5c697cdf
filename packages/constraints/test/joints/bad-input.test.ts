/** Wrong definitions: what, where and the value; nothing half-added. */

import { type Body, type ConstraintType, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { angularDrive } from '../../src/angular-drive.js'
import { axle } from '../../src/axle.js'
import { cone } from '../../src/cone.js'
import { fixed } from '../../src/fixed.js'
import { angleOf, hinge } from '../../src/hinge.js'
import { offsetOf, slider } from '../../src/slider.js'
import { swingTwist } from '../../src/swing-twist.js'
import { universal } from '../../src/universal.js'
import type { AnyDef } from './support.js'

const point = [0, 0, 0]
const axis = [1, 0, 0]
const drive = (fields: object): object => ({ point, axis, drive: fields })

const WRONG: readonly (readonly [unknown, object, ErrorConstructor, string])[] = [
  [axle, {}, TypeError, 'axle: axis, axisA or axisB must be given, got none'],
  [axle, { axis: [0, 0, 0] }, RangeError, 'axle: axis must be a direction'],
  [cone, { axis }, TypeError, 'cone: limit must be a number > 0, got undefined'],
  [cone, { axis, limit: 0 }, RangeError, 'cone: limit must be > 0 and finite, got 0'],
  [cone, { axis, limit: 4 }, RangeError, 'cone: limit must be <= π, got 4'],
  [fixed, { point: [0, NaN, 0] }, RangeError, 'fixed: point[1] must be finite, got NaN'],
  [fixed, { angularCompliance: -1 }, RangeError, 'fixed: angularCompliance must be >= 0 and finite, got -1'],
  [fixed, { reference: [0, 0, 0, 2] }, RangeError, 'fixed: reference must be a unit quaternion'],
  [hinge, { point }, TypeError, 'hinge: axis, axisA or axisB must be given, got none'],
  [hinge, { axis }, TypeError, 'hinge: point, anchorA or anchorB must be given, got none'],
  [
    hinge,
    { point, axis, limits: { min: 1, max: -1 } },
    RangeError,
    'hinge: limits: min must be <= max, got min 1 and max -1',
  ],
  [hinge, drive({ stiffness: -1 }), RangeError, 'hinge: drive.stiffness must be >= 0 and finite, got -1'],
  [hinge, drive({ maxForce: NaN }), RangeError, 'hinge: drive.maxForce must be >= 0 and finite, got NaN'],
  [hinge, drive({ mode: 'fast' }), TypeError, 'hinge: drive.mode must be force or acceleration, got "fast"'],
  [hinge, { point, axis, frictionTorque: -2 }, RangeError, 'hinge: frictionTorque must be >= 0 and finite, got -2'],
  [slider, {}, TypeError, 'slider: axis, axisA or axisB must be given, got none'],
  [slider, { axis, frictionForce: '1' }, TypeError, 'slider: frictionForce must be a number >= 0, got "1"'],
  [slider, { axis, limits: { min: 'a', max: 1 } }, TypeError, 'slider: limits.min must be a finite number, got "a"'],
  [universal, { point }, TypeError, 'universal: axisA or axisB must be given, got neither'],
  [
    universal,
    { point, axisA: axis, axisB: axis },
    RangeError,
    'universal: axisA and axisB must not be parallel, got axes whose cosine is 1',
  ],
  [swingTwist, { point, frameA: [0, 0, 0, 0] }, RangeError, 'swingTwist: frameA must be a unit quaternion'],
  [
    swingTwist,
    { point, swingShape: 'disc' },
    RangeError,
    `swingTwist: swingShape must be 'pyramid' or 'cone', got "disc"`,
  ],
  [
    swingTwist,
    { point, swing: { y: { min: -4, max: 0 } } },
    RangeError,
    'swingTwist: swing.y: min and max must be within [-π, π], got min -4 and max 0',
  ],
  [
    swingTwist,
    { point, swingShape: 'cone', swing: { y: { min: -1, max: 1 } } },
    TypeError,
    'swingTwist: swing.z must be given for a cone, got none',
  ],
  [
    swingTwist,
    { point, swingShape: 'cone', swing: { y: { min: 0.1, max: 1 }, z: { min: -1, max: 1 } } },
    RangeError,
    'swingTwist: swing.y: min must be <= 0 <= max for a cone, got min 0.1 and max 1',
  ],
  [
    swingTwist,
    { point, swingShape: 'cone', swing: { y: { min: -1, max: 1, compliance: 1 }, z: { min: -1, max: 1 } } },
    RangeError,
    'swingTwist: swing.y and swing.z must be equally soft for a cone, got compliance 1 and 0',
  ],
  [
    swingTwist,
    { point, drive: { target: [1, 1, 1, 1] } },
    RangeError,
    'swingTwist: drive.target must be a unit quaternion',
  ],
  [
    swingTwist,
    { point, drive: { maxTorque: -1 } },
    RangeError,
    'swingTwist: drive.maxTorque must be >= 0 and finite, got -1',
  ],
  [angularDrive, { stiffness: -1 }, RangeError, 'angularDrive: stiffness must be >= 0 and finite, got -1'],
  [angularDrive, { target: [0, 0, 0, 1], axis }, TypeError, 'angularDrive: give target or an axis, got both'],
  [
    angularDrive,
    { velocityTarget: [1, 2] },
    RangeError,
    'angularDrive: velocityTarget must be an array of 3 numbers, got 2 entries',
  ],
  [
    angularDrive,
    { velocityTarget: [1, 2, 3] },
    RangeError,
    'angularDrive: damping must be > 0 with velocityTarget 1,2,3, got 0',
  ],
  [
    hinge,
    { point, axis, drive: { velocityTarget: 2 } },
    RangeError,
    'hinge: drive.damping must be > 0 with velocityTarget 2, got 0',
  ],
]

describe('bad input', () => {
  test.each(WRONG.map(([type, def, error, message]) => ({ type, def, error, message })))(
    '$message',
    ({ type, def, error, message }) => {
      const world = new World()
      const body: Body = world.addBody({ inertia: 1 })
      const add = (): unknown => world.add(type as ConstraintType<AnyDef>, { a: null, b: body, ...def })
      expect(add).toThrow(error)
      expect(add).toThrow(message)
      expect(world.constraints()).toEqual([])
      expect(world.batches).toEqual([])
    },
  )

  test('read-outs name what they were given', () => {
    const world = new World()
    const b = world.addBody({ inertia: 1 })
    const wrong = world.add(fixed, { a: null, b })
    expect(() => angleOf(wrong)).toThrow('angleOf: constraint must be a hinge, got fixed')
    expect(() => offsetOf(wrong)).toThrow('offsetOf: constraint must be a slider, got fixed')
  })
})
