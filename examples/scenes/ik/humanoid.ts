/** The examples' adult as a rig by VRM's names, in the T-pose, with an adult's ranges; and what it looks like. */

import { type BoneDef, Rig } from '@tautline/ik'
import { humanoidJoints, humanoidRoles } from '@tautline/ik/vrm'
import { adult, type Joint, type Part, type Vector } from '../../data/adult.js'
import { lengthOf } from '../../lib/length.js'

/** A capsule in the space of a bone [m]. */
export interface BoneCapsule {
  readonly bone: number
  readonly from: Vector
  readonly to: Vector
  readonly radius: number
}

export interface FigureRig {
  readonly rig: Rig
  readonly capsules: readonly BoneCapsule[]
}

/** By the last word of a joint of the adult: the role of the bone that hangs on it, without its side. */
const ROLES: Readonly<Record<string, string>> = {
  waist: 'spine',
  chest: 'chest',
  neck: 'head',
  shoulder: 'UpperArm',
  elbow: 'LowerArm',
  wrist: 'Hand',
  hip: 'UpperLeg',
  knee: 'LowerLeg',
  ankle: 'Foot',
}

/** Parts that carry limbs at both sides, and the joints of these: what lies between is drawn as a capsule of its own. */
const GIRDLES = [
  ['thorax', 'shoulder'],
  ['pelvis', 'hip'],
] as const
const SIDES = ['left', 'right'] as const

/** An adult of a stature [m] and mass [kg] on y = 0, looking along z. All bones are unturned at rest. */
export function adultRig(stature = 1.75, mass = 75): FigureRig {
  const { parts, joints } = adult(stature, mass)
  const partOf = new Map(parts.map((part) => [part.name, part]))
  const hip = joints.find(({ name }) => name === 'left hip') as Joint
  const places = new Map<string, Vector>([['pelvis', [0, hip.point[1], 0]]])
  const names = new Map([['pelvis', 'hips']])
  const bones: BoneDef[] = [
    bone('hips', null, [0, hip.point[1], 0], [0, hip.point[1], 0], partOf.get('pelvis') as Part),
  ]
  for (const { name, a, b, point } of joints) {
    const [side, word] = name.includes(' ') ? name.split(' ') : ['', name]
    const role = `${side}${ROLES[word]}`
    places.set(b, point)
    names.set(b, role)
    const parent = names.get(a) as string
    bones.push(bone(role, parent, minus(point, places.get(a) as Vector), point, partOf.get(b) as Part))
  }
  const rig = Rig.from(bones).root('free')
  rig.setJoints(humanoidJoints(rig, humanoidRoles(rig.names, { convention: 'vrm' })))
  const capsules = parts.map((part): BoneCapsule => {
    const place = places.get(part.name) as Vector
    const [from, to] = [part.from, part.to].map((end) => minus(inTPose(part, end), place))
    return { bone: rig.indexOf(names.get(part.name) as string), from, to, radius: part.radius }
  })
  for (const [part, word] of GIRDLES) {
    const [from, to] = SIDES.map((side) => {
      const { point } = joints.find(({ name }) => name === `${side} ${word}`) as Joint
      return minus(point, places.get(part) as Vector)
    })
    const limb = joints.find(({ name }) => name === `left ${word}`) as Joint
    const { radius } = partOf.get(limb.b) as Part
    capsules.push({ bone: rig.indexOf(names.get(part) as string), from, to, radius })
  }
  return { rig, capsules }
}

function bone(name: string, parent: string | null, position: Vector, place: Vector, part: Part): BoneDef {
  // Hips and trunk run up from their joint, limbs away from it: the end that is farther is the tip.
  const ends = [part.from, part.to].map((end) => minus(inTPose(part, end), place))
  const [near, far] = ends.map((end) => lengthOf(end[0], end[1], end[2]))
  return {
    name,
    parent,
    position,
    tip: near > far ? ends[0] : ends[1],
    mass: part.mass,
    centre: minus(part.position, place),
  }
}

/** A point of a part in the world, in the T-pose. */
function inTPose({ position, quarters }: Part, [x, y, z]: Vector): Vector {
  const [tx, ty] = quarters === 0 ? [x, y] : [-quarters * y, quarters * x]
  return [position[0] + tx, position[1] + ty, position[2] + z]
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
