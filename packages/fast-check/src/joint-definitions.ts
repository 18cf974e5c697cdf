/** Arbitraries of definitions of joints, without their bodies. */

import fc, { type Arbitrary } from 'fast-check'
import { decades, direction, merged, real, record, rotation, some, vector } from './numbers.js'

type Definitions = Arbitrary<Record<string, unknown>>

/** Compliance and damping under names with a prefix, or neither. */
function soft(prefix: '' | 'angular' = ''): Arbitrary<object> {
  const name = (field: string): string => (prefix === '' ? field : `angular${field[0].toUpperCase()}${field.slice(1)}`)
  const both = record({ [name('compliance')]: decades(1e-5, 1e-2), [name('damping')]: real(0, 10) })
  return fc.oneof(fc.constant({}), both)
}

/** A range that a disturbed pose lies below, within or above. */
export function ranges(size: number = 0.5): Arbitrary<object> {
  const range = fc.tuple(real(-size, size), real(0.05, size)).map(([min, width]) => ({ min, max: min + width }))
  return merged(range, soft())
}

/** A motor and brake, in force and in acceleration mode. */
export function drives(): Arbitrary<object> {
  return record({
    stiffness: real(0, 100),
    damping: real(0, 10),
    maxForce: fc.constantFrom(Infinity, 20, 5, 0),
    positionTarget: real(-1, 1),
    velocityTarget: real(-3, 3),
    mode: fc.constantFrom('force', 'acceleration'),
  }).map(braked)
}

/** A drive of an orientation. */
export function orientationDrives(hasTarget: boolean = true): Arbitrary<Record<string, unknown>> {
  const gains = record({
    stiffness: real(0, 100),
    damping: real(0, 10),
    maxTorque: fc.constantFrom(Infinity, 20, 5, 0),
    velocityTarget: vector(3),
    mode: fc.constantFrom('force', 'acceleration'),
  }).map(braked)
  return merged(gains, hasTarget ? some({ target: rotation() }) : fc.constant({}))
}

/** A speed is wanted through damping alone: without it there is none. */
function braked<T extends { damping: number; velocityTarget: unknown }>(drive: T): Partial<T> {
  if (drive.damping !== 0) return drive
  const { velocityTarget: _velocityTarget, ...rest } = drive
  return rest as unknown as Partial<T>
}

/** Some, or as good as stuck. */
function friction(): Arbitrary<number> {
  return fc.oneof(real(0, 5), fc.constant(1e6))
}

/** Fields of every type. */
function common(): Arbitrary<object> {
  return some({ relaxation: real(0.3, 1, 1), regularization: real(0, 0.01) })
}

/** An axis, or one on each body, which need not agree at the present pose. */
function axes(): Arbitrary<object> {
  return fc.oneof(record({ axis: direction() }), record({ axisA: direction(), axisB: direction() }))
}

export function axles(): Definitions {
  return merged(axes(), soft(), common())
}

export function cones(): Definitions {
  return merged(axes(), soft(), common(), record({ limit: real(0.01, 1, 0.5) }))
}

export function fixedJoints(): Definitions {
  return merged(some({ point: vector() }), soft(), soft('angular'), common())
}

export function hinges(): Definitions {
  const frame = record({ point: vector(), axis: direction() })
  return merged(
    frame,
    soft(),
    soft('angular'),
    common(),
    some({ limits: ranges(), drive: drives(), frictionTorque: friction() }),
  )
}

export function sliders(): Definitions {
  const frame = merged(record({ axis: direction() }), some({ point: vector() }))
  return merged(
    frame,
    soft(),
    soft('angular'),
    common(),
    some({ limits: ranges(), drive: drives(), frictionForce: friction() }),
  )
}

export function universals(): Definitions {
  const frame = record({ point: vector(), axisA: direction() })
  const optional = some({
    limitsA: ranges(),
    limitsB: ranges(),
    driveA: drives(),
    driveB: drives(),
    frictionTorque: friction(),
  })
  return merged(frame, soft(), soft('angular'), common(), optional)
}

export function swingTwists(): Definitions {
  const optional = some({
    frameA: rotation(),
    swing: some({ y: ranges(), z: ranges() }),
    twist: ranges(),
    drive: orientationDrives(),
    frictionTorque: friction(),
  })
  return merged(record({ point: vector() }), soft(), common(), optional)
}

/** With a swing inside an ellipse. */
export function coneSwingTwists(): Definitions {
  const half = record({ min: real(-1, -0.05, -0.5), max: real(0.05, 1, 0.5) })
  const swing = record({ y: half, z: half, soft: soft() }).map(({ y, z, soft: same }) => ({
    y: { ...y, ...same },
    z: { ...z, ...same },
  }))
  return merged(record({ point: vector(), axis: direction(), swingShape: fc.constant('cone'), swing }), common())
}

export function angularDrives(): Definitions {
  return orientationDrives()
}

export function bendTwists(): Definitions {
  return merged(
    record({ bendStiffness: real(1, 500), twistStiffness: real(1, 500) }),
    some({
      axisA: direction(),
      bendDamping: real(0.01, 5),
      twistDamping: real(0.01, 5),
    }),
    common(),
  )
}

/** About one axis. */
export function axialDrives(): Definitions {
  return merged(axes(), orientationDrives(false))
}
