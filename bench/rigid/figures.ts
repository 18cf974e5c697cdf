/** Figures of any level of detail in a pile: parts, masses, shapes and joints as `ragdollAsset` makes them of the examples' mannequin, for every engine. */

import { ragdoll, ragdollAsset, type RagdollAsset } from '@tautline/assemblies'
import type { Shape } from '@tautline/collision'
import { World } from '@tautline/core'
import { anyRotation, lattice, type Quadruple, type Triple } from '../../examples/scenes/contacts/layouts.js'
import { mannequinBones, mannequinRig } from '../../examples/mannequin/skeleton.js'
import { randomNumbers } from '../lib/scenes.js'
import {
  type BodyData,
  type Bounds,
  type FigureData,
  FLOOR,
  type JointData,
  type JointLimits,
  PLAIN,
  type SceneData,
  type ShapeData,
} from './data.js'
import { conjugate, product, turned } from './pose.js'

const FRICTION = 0.6
const SEED = 7
/** Above the floor, and between layers and columns of figures that lie flat [m]. */
const BOTTOM = 0.6
const LAYER = 0.6
const COLUMN = 2
/** Columns a side, by the number of figures. */
const SIDE = (count: number): number => (count < 4 ? 1 : count < 50 ? 2 : 3)
/** By which a figure is turned out of the horizontal, at most [rad]. */
const TILT = 0.1

const OPEN: Bounds = [-Math.PI, Math.PI]
const LOCKED: Bounds = [0, 0]

/** Frame of the shape of a part in the frame of its body. */
interface Frame {
  readonly position: Triple
  readonly orientation: Quadruple
}

/** It has what 20 parts are made of: collar bones and toes. */
function mannequin(): ReturnType<typeof mannequinRig> {
  return mannequinRig(mannequinBones())
}

/** Figures of boxes on ball joints, the same for all: none has limits, drives or damping. */
export function ballFigures(count: number): SceneData {
  const asset = ragdollAsset(mannequin(), { detail: 11, shapes: 'box' })
  return { ...piled(asset, count, false), friction: FRICTION }
}

/** Figures with limits, of 11, 15 or 20 parts, in columns so far apart [m]; Tautline makes them by `ragdoll`, with its damping of tissue. */
export function limitedFigures(count: number, detail: 11 | 15 | 20, column: number = COLUMN): SceneData {
  const asset = ragdollAsset(mannequin(), { detail })
  const scene = piled(asset, count, true, column)
  const shapes = asset.parts.map((_, part) => frameOf(asset, part))
  const places = placesOf(count, column)
  return {
    ...scene,
    friction: FRICTION,
    linearDamping: 0.05,
    angularDamping: 0.5,
    figures: { asset, places, shapes } satisfies FigureData,
  }
}

function piled(asset: RagdollAsset, count: number, hasLimits: boolean, column: number = COLUMN): SceneData {
  const rest = restOf(asset)
  const bodies = placesOf(count, column).flatMap((place, figure) =>
    asset.parts.map(({ matter, shape }, part): BodyData => {
      const arm = turned(place.orientation, rest[part].position)
      return {
        shape: shapeData(shape),
        position: place.position.map((x, k) => x + arm[k]) as Triple,
        orientation: unit(product(place.orientation, rest[part].orientation)),
        mass: matter.mass,
        figure,
        part,
      }
    }),
  )
  const one = jointsOf(asset, hasLimits)
  const parts = asset.parts.length
  const joints = Array.from({ length: count }, (_, figure) =>
    one.map((joint): JointData => ({
      ...joint,
      a: (joint.a as number) + figure * parts,
      b: joint.b + figure * parts,
    })),
  ).flat()
  const joined = one.map(({ a, b }): [number, number] => [a as number, b])
  return { ...PLAIN, fixed: [FLOOR], bodies, joints, apart: [...joined, ...asset.overlaps] }
}

/** Flat on their backs or faces, in columns, each turned about y by any angle. */
function placesOf(count: number, column: number): Frame[] {
  const random = randomNumbers(SEED)
  const side = SIDE(count)
  const points = lattice([side, Math.ceil(count / (side * side)), side], 1, 0).slice(0, count)
  const flat: Quadruple = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
  return points.map(([x, y, z]) => {
    const yaw = Math.PI * random()
    const tilt = anyRotation(random)
    const small = unit([TILT * tilt[0], TILT * tilt[1], TILT * tilt[2], 1])
    const orientation = unit(product(small, product([0, Math.sin(yaw), 0, Math.cos(yaw)], flat)))
    // The origin of the skeleton is between the feet: its middle is where the figure is put.
    const middle = turned(orientation, [0, 1, 0])
    const place: Triple = [column * x, BOTTOM + LAYER * y, column * z]
    return { position: place.map((at, k) => at - middle[k]) as Triple, orientation }
  })
}

/** Frames of the shapes of a figure that stands at the origin. */
function restOf(asset: RagdollAsset): Frame[] {
  const { bodies } = ragdoll(new World(), asset)
  return bodies.map((body, part) => {
    const { position, orientation } = frameOf(asset, part)
    const [x, y, z] = turned(body.orientation, position)
    return {
      position: [body.position[0] + x, body.position[1] + y, body.position[2] + z],
      orientation: product([...body.orientation], orientation),
    }
  })
}

function frameOf({ parts }: RagdollAsset, part: number): Frame {
  const { position, turn, matter } = parts[part]
  return {
    position: position.map((x, k) => x - matter.centre[k]) as Triple,
    orientation: [turn[0], turn[1], turn[2], turn[3]],
  }
}

/** Joints of one figure, in the frames of its shapes. */
function jointsOf(asset: RagdollAsset, hasLimits: boolean): JointData[] {
  const { parts } = asset
  return parts.flatMap(({ parent, matter, joint }, part): JointData[] => {
    if (joint === undefined) return []
    const [first, second] = [frameOf(asset, parent), frameOf(asset, part)]
    const on = (frame: Frame, point: readonly number[], centre: readonly number[]): Triple =>
      turned(
        conjugate(frame.orientation),
        point.map((x, k) => x - centre[k] - frame.position[k]),
      )
    const limits: JointLimits = {
      frameA: unit(product(conjugate(first.orientation), joint.frameA)),
      frameB: unit(product(conjugate(second.orientation), joint.frameB)),
      ...rangesOf(joint.kind, joint.limits),
    }
    return [
      {
        a: parent,
        b: part,
        anchorA: on(first, joint.anchor, parts[parent].matter.centre),
        anchorB: on(second, [0, 0, 0], matter.centre),
        ...(hasLimits && { limits }),
      },
    ]
  })
}

/** Every kind as a swing and a twist: hinges turn about x alone, universal joints about x and z. */
function rangesOf(kind: string, limits: readonly number[]): Pick<JointLimits, 'swingY' | 'swingZ' | 'twist'> {
  const at = (o: number): Bounds => [Math.max(limits[o], OPEN[0]), Math.min(limits[o + 1], OPEN[1])]
  if (kind === 'hinge') return { swingY: LOCKED, swingZ: LOCKED, twist: at(0) }
  if (kind === 'universal') return { swingY: LOCKED, swingZ: at(2), twist: at(0) }
  if (kind === 'fixed') return { swingY: LOCKED, swingZ: LOCKED, twist: LOCKED }
  return { swingY: at(0), swingZ: at(2), twist: at(4) }
}

function shapeData({ name, params }: Shape): ShapeData {
  if (name === 'box') return { kind: 'box', halfExtents: [params[0], params[1], params[2]] }
  if (name === 'capsule') return { kind: 'capsule', radius: params[0], halfHeight: params[1] }
  if (name === 'sphere') return { kind: 'sphere', radius: params[0] }
  throw new TypeError(`figures: parts must be boxes, capsules or spheres, got ${name}`)
}

function unit(q: readonly number[]): Quadruple {
  const length = Math.hypot(...q)
  return q.map((x) => x / length) as Quadruple
}
