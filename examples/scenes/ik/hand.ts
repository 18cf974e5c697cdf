/**
 * A left hand as a rig by VRM's names, fingers up along y, the palm to z, the thumb at −x, with an adult's ranges.
 *
 * Lengths of phalanges are means of adults (Buryanov and Kotiuk 2010, "Proportions of hand segments", to a millimetre); where
 * knuckles are, and how thick fingers are, is chosen here.
 */

import { type BoneDef, Rig } from '@tautline/ik'
import { humanoidJoints, humanoidRoles } from '@tautline/ik/vrm'
import { lengthOf } from '../../lib/length.js'
import type { BoneCapsule, FigureRig } from './humanoid.js'

type Vector = readonly [number, number, number]

/** Knuckle in the palm's space, direction and lengths of the phalanges [m], thickness at the knuckle [m]. */
const FINGERS = {
  Index: { knuckle: [-0.026, 0.09, 0], way: [-0.06, 1, 0], lengths: [0.04, 0.022, 0.016], radius: 0.0085 },
  Middle: { knuckle: [-0.003, 0.093, 0], way: [0, 1, 0], lengths: [0.045, 0.026, 0.017], radius: 0.0088 },
  Ring: { knuckle: [0.018, 0.088, 0], way: [0.06, 1, 0], lengths: [0.041, 0.026, 0.017], radius: 0.0082 },
  Little: { knuckle: [0.037, 0.078, 0], way: [0.14, 1, 0], lengths: [0.033, 0.018, 0.016], radius: 0.0072 },
} as const
const THUMB = {
  knuckle: [-0.022, 0.022, 0.008],
  way: [-0.85, 0.9, 0.35],
  lengths: [0.044, 0.032, 0.022],
  radius: 0.01,
} as const

/** Names of the three bones of a finger, and of a thumb. */
const PHALANGES = ['Proximal', 'Intermediate', 'Distal']
const THUMB_BONES = ['Metacarpal', 'Proximal', 'Distal']

/** The five fingers, thumb first. */
export const FINGER_NAMES = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'] as const

/** The hand, its wrist at the origin, held there. */
export function handRig(): FigureRig & { readonly tips: readonly number[] } {
  const bones: BoneDef[] = [{ name: 'leftHand', parent: null, position: [0, 0, 0], tip: [0, 0.09, 0], mass: 0.3 }]
  const shapes: { name: string; length: Vector; radius: number }[] = []
  const tips: string[] = []
  for (const finger of FINGER_NAMES) {
    const { knuckle, way, lengths, radius } = finger === 'Thumb' ? THUMB : FINGERS[finger]
    const size = lengthOf(way[0], way[1], way[2])
    lengths.forEach((length, k) => {
      const name = `left${finger}${(finger === 'Thumb' ? THUMB_BONES : PHALANGES)[k]}`
      const before = k === 0 ? knuckle : along(way, lengths[k - 1] / size)
      const tip = along(way, length / size)
      bones.push({ name, parent: k === 0 ? 'leftHand' : shapes[shapes.length - 1].name, position: before, tip })
      shapes.push({ name, length: tip, radius: radius * (1 - 0.12 * k) })
      if (k === 2) tips.push(name)
    })
  }
  const rig = Rig.from(bones)
  rig.setJoints(humanoidJoints(rig, humanoidRoles(rig.names, { convention: 'vrm' })))
  rig.joint('leftHand', { kind: 'locked' })
  const capsules: BoneCapsule[] = shapes.map(({ name, length, radius }) => ({
    bone: rig.indexOf(name),
    from: [0, 0, 0],
    to: length,
    radius,
  }))
  // The palm: from the wrist to each knuckle.
  for (const finger of FINGER_NAMES) {
    const { knuckle } = finger === 'Thumb' ? THUMB : FINGERS[finger]
    capsules.push({ bone: 0, from: [0.4 * knuckle[0], 0.012, 0], to: knuckle, radius: 0.0125 })
  }
  return { rig, capsules, tips: tips.map((name) => rig.indexOf(name)) }
}

function along([x, y, z]: Vector, s: number): Vector {
  return [s * x, s * y, s * z]
}
