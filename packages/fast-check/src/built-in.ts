/** Every built-in constraint type with random definitions of it, and what the suite has to know of it. */

import {
  angularDrive,
  attachment,
  axle,
  ballSocket,
  bendTwist,
  cone,
  pointContact,
  dihedralBend,
  distance,
  enclosedVolume,
  fixed,
  hinge,
  isometricBend,
  lineBend,
  lineDistance,
  neoHookean,
  pin,
  tether,
  pointDrive,
  pulley,
  ropeLength,
  shapeMatching,
  slider,
  spring,
  swingTwist,
  tetraVolume,
  universal,
} from '@tautline/constraints'
import type { ConstraintType } from '@tautline/core'
import type { Arbitrary } from 'fast-check'
import type { ConformanceOptions, Fields } from './conformance/options.js'
import { withoutSoftness } from './conformance/options.js'
import * as definitions from './definitions.js'
import * as joints from './joint-definitions.js'
import type { Vec3 } from './numbers.js'
import type { AnyConstraintType } from './spec.js'

/** A type with random definitions of it, and options for {@link conformance}. */
export interface BuiltIn {
  name: string
  type: AnyConstraintType
  fields: Arbitrary<Fields>
  options: ConformanceOptions
}

const PAIR: readonly Vec3[] = [
  [0, 0, 0],
  [1, 0.5, 0.3],
]
/** Two triangles on an edge, folded; also a tetrahedron of some volume. */
const QUAD: readonly Vec3[] = [
  [0, 0, 0],
  [1, 0, 0],
  [0.5, 0.9, 0.2],
  [0.4, -0.8, 0.4],
]
/** Why forces and kept gradients of a row are not compared where it is met. */
const NORM = 'c is a norm of many numbers: where it is 0 its gradient has no direction'
/** One that no disturbance makes flat. */
const TETRAHEDRON: readonly Vec3[] = [
  [0, 0, 0],
  [1, 0, 0],
  [0.4, 0.9, 0.1],
  [0.5, 0.3, 0.9],
]
const ROPE: readonly Vec3[] = [
  [0, 0, 0],
  [1, 0.3, 0],
  [2, -0.4, 0.3],
  [3, 0.2, -0.5],
  [4, 0, 0.4],
]
/** Fields that say how long, how far or how bent, each with the present pose as its default. */
const SIZES = ['length', 'stretch', 'angle', 'rest', 'limits', 'limitsA', 'limitsB', 'swing', 'twist']
/** A pivot's K, of condition up to 1e5, is inverted in two ways. */
const PIVOTED = 1e-8
/** Zigzag between unequal directions, and long levers between two blocks. */
const SLOWLY = 0.1
/** Third derivatives of a narrow ellipse grow as 1/θ² towards its centre, where the limit does not act. */
const NARROW = 1e-4
/** Those of the length of a vector, r³/c² with levers r of up to 3 m and c from 0.02. */
const LEVERS = 1e-5

/** A narrow ellipse is as steep. */
const ELLIPSE = { units: 'the angle to a narrow ellipse is as steep as the ellipse is narrow' }

function entry<Def extends object>(
  type: ConstraintType<Def, never> | ConstraintType<Def>,
  name: string,
  fields: Arbitrary<Fields>,
  options: ConformanceOptions,
): BuiltIn {
  return { name, type: type as unknown as AnyConstraintType, fields, options: { name, sizes: SIZES, ...options } }
}

/** A joint: its bodies turn. */
function joint<Def extends object>(
  type: ConstraintType<Def, never> | ConstraintType<Def>,
  name: string,
  fields: Arbitrary<Fields>,
  options: ConformanceOptions = {},
): BuiltIn {
  const { tolerances, ...rest } = options
  return entry(type, name, fields, {
    pair: true,
    places: PAIR,
    particles: false,
    converges: SLOWLY,
    active: hasMotor,
    tolerances: { gradient: LEVERS, loop: PIVOTED, ...tolerances },
    ...rest,
  })
}

/** A drive works, also where it only holds a position. */
function hasMotor(fields: Fields): boolean {
  return ['drive', 'driveA', 'driveB'].some((field) => field in fields)
}

/** A contact says where its points are, which need not be where it would leave them. */
const DEEP = { 'present pose': 'a contact may begin deep' }

const pair: ConformanceOptions = { pair: true, places: PAIR }

/** Every built-in type, some in more than one variant. */
export const BUILT_IN: readonly BuiltIn[] = [
  ...(['rigid', 'rope', 'strut'] as const).flatMap((mode) => [
    entry(distance, `distance ${mode}, centres`, definitions.distances(mode), pair),
    entry(distance, `distance ${mode}, anchored`, definitions.distances(mode, true), pair),
    entry(lineDistance, `lineDistance ${mode}`, definitions.lineDistances(mode), pair),
  ]),
  entry(ballSocket, 'ballSocket scalar', definitions.ballSockets('scalar'), { ...pair, converges: SLOWLY }),
  entry(ballSocket, 'ballSocket block', definitions.ballSockets('block'), pair),
  joint(axle, 'axle', joints.axles()),
  joint(cone, 'cone', joints.cones(), { tolerances: { gradient: NARROW } }),
  joint(fixed, 'fixed', joints.fixedJoints()),
  joint(hinge, 'hinge', joints.hinges()),
  joint(slider, 'slider', joints.sliders()),
  joint(universal, 'universal', joints.universals()),
  joint(swingTwist, 'swingTwist', joints.swingTwists()),
  joint(swingTwist, 'swingTwist cone', joints.coneSwingTwists(), {
    tolerances: { gradient: 10 * NARROW },
    skip: ELLIPSE,
  }),
  joint(angularDrive, 'angularDrive', joints.angularDrives(), {
    rigid: false,
    worldFrame: true,
    momentum: 'both',
    skip: { passivity: 'a motor gives energy' },
  }),
  joint(angularDrive, 'angularDrive axis', joints.axialDrives(), {
    rigid: false,
    worldFrame: true,
    momentum: 'both',
    skip: { passivity: 'a motor gives energy' },
  }),
  joint(bendTwist, 'bendTwist', joints.bendTwists(), { rigid: false, momentum: 'both' }),
  entry(spring, 'spring along its line', definitions.springs(), { ...pair, rigid: false }),
  entry(spring, 'spring of no length', definitions.springs(true), { ...pair, rigid: false }),
  entry(pointContact, 'pointContact', definitions.contacts(false), { ...pair, rigid: frictionless, skip: DEEP }),
  entry(pointContact, 'pointContact with friction', definitions.contacts(true), {
    ...pair,
    rigid: frictionless,
    skip: DEEP,
  }),
  entry(pin, 'pin', definitions.pins(), {
    ...pair,
    world: [false, true],
    skip: { 'present pose': 'an anchor says where on its holder it is' },
  }),
  entry(tether, 'tether', definitions.tethers(), { ...pair, world: [false, false] }),
  entry(pointDrive, 'pointDrive', definitions.pointDrives(), {
    places: [[0, 0, 0]],
    rigid: false,
    worldFrame: true,
    skip: { passivity: 'a target that moves gives energy' },
  }),
  entry(ropeLength, 'ropeLength', definitions.ropeLengths(), { places: ROPE }),
  entry(pulley, 'pulley', definitions.pulleys(), { places: QUAD, momentum: 'linear' }),
  entry(attachment, 'attachment', definitions.attachments(), {
    places: QUAD,
    momentum: 'linear',
    skip: { 'present pose': 'weights and anchors say where the points are' },
  }),
  entry(tetraVolume, 'tetraVolume', definitions.tetraVolumes(), { places: QUAD }),
  entry(neoHookean, 'neoHookean', definitions.neoHookeans(), {
    places: TETRAHEDRON,
    rigid: false,
    repeatsFrom: 0.5,
    skip: { loop: 'far from rest a row is solved more than once', jacobians: NORM, reaction: NORM },
  }),
  entry(enclosedVolume, 'enclosedVolume', definitions.enclosedVolumes(), {
    places: TETRAHEDRON,
    sizes: ['volume', 'pressure'],
  }),
  entry(shapeMatching, 'shapeMatching', definitions.shapeMatchings(), {
    places: TETRAHEDRON,
    freeLoop: true,
    skip: { jacobians: NORM, reaction: NORM, residual: 'bodies that do not move may be out of shape for good' },
  }),
  entry(dihedralBend, 'dihedralBend', definitions.dihedralBends(), {
    places: QUAD,
    boundedRate: true,
  }),
  entry(isometricBend, 'isometricBend', definitions.isometricBends(), { places: QUAD, momentum: 'linear' }),
  entry(lineBend, 'lineBend', definitions.lineBends(), { places: ROPE.slice(0, 3), momentum: 'linear' }),
]

function frictionless(fields: Fields): Fields {
  return withoutSoftness({ ...fields, staticFriction: 0, dynamicFriction: 0 })
}
