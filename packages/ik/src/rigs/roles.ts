/**
 * What the bones of a humanoid are called: the roles of VRM 1.0, and the names that other makers of skeletons give them.
 *
 * Names are compared without case, and without what stands before a colon or the word mixamorig. VRM 1.0 specification, `humanoid.md`;
 * VRM 0 calls a thumb's bones proximal, intermediate, distal where VRM 1.0 says metacarpal, proximal, distal. Mixamo's auto-rigger;
 * Unreal's mannequins (UE4 and UE5); CMU's motions as BVH (B. Hahne's conversion); WebXR Hand Input, "Skeleton joints".
 */

import { array, knownFields, object, shown } from '@tautline/core/kernel'

const TRUNK = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'leftEye', 'rightEye', 'jaw'] as const
const LIMBS = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes', 'Shoulder', 'UpperArm', 'LowerArm', 'Hand'] as const
const THUMB = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'] as const
const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const
const PHALANXES = ['Proximal', 'Intermediate', 'Distal'] as const

type Sided =
  (typeof LIMBS)[number] | (typeof THUMB)[number] | `${(typeof FINGERS)[number]}${(typeof PHALANXES)[number]}`

/** A bone of a humanoid, as VRM 1.0 names it. */
export type Role = (typeof TRUNK)[number] | `left${Sided}` | `right${Sided}`

/** Names of a skeleton's bones by role. */
export type Roles = Partial<Record<Role, string>>

/** Makers of skeletons, or of names for their bones. */
export type Convention = 'vrm' | 'vrm0' | 'mixamo' | 'unreal' | 'cmu' | 'poser' | 'webxr'

const SIDES = ['left', 'right'] as const
const SIDED: readonly Sided[] = [
  ...LIMBS,
  ...THUMB,
  ...FINGERS.flatMap((finger) => PHALANXES.map((phalanx) => `${finger}${phalanx}` as const)),
]

/** All roles. */
export const ROLES: readonly Role[] = [
  ...TRUNK,
  ...SIDES.flatMap((side) => SIDED.map((part): Role => `${side}${part}`)),
]

/** Options of {@link humanoidRoles}. */
export interface RolesOptions {
  /** Whose names they are. @defaultValue the one that knows the most of them */
  convention?: Convention
  /** Whose hand it is, where names do not tell (WebXR). @defaultValue 'left' */
  side?: 'left' | 'right'
}

/**
 * Finds which bone plays which role. Roles that no bone has are left out; where two bones fit one role (`Spine` of a longer
 * back), the first does. Throws `RangeError` when no name is known, or none of a given convention.
 */
export function humanoidRoles(names: readonly string[], options: RolesOptions = {}): Roles {
  knownFields('humanoidRoles: options', object('humanoidRoles: options', options), ['convention', 'side'])
  array('humanoidRoles: names', names).forEach((name, k) => {
    if (typeof name !== 'string') throw new TypeError(`humanoidRoles: names[${k}] must be a text, got ${shown(name)}`)
  })
  const side = options.side ?? 'left'
  if (side !== 'left' && side !== 'right')
    throw new RangeError(`humanoidRoles: side must be left or right, got ${shown(side)}`)
  const tables = tablesOf(side)
  const wish = options.convention
  if (wish !== undefined && !Object.hasOwn(tables, wish)) {
    throw new RangeError(
      `humanoidRoles: convention must be one of ${Object.keys(tables).join(', ')}, got ${shown(wish)}`,
    )
  }
  const plain = names.map(plainName)
  let best: Roles = {}
  for (const table of wish === undefined ? Object.values(tables) : [tables[wish]]) {
    const found: Roles = {}
    for (const role of ROLES) {
      const row = plain.findIndex((name) => table[role]?.includes(name))
      if (row >= 0) found[role] = names[row]
    }
    if (Object.keys(found).length > Object.keys(best).length) best = found
  }
  if (Object.keys(best).length === 0) {
    throw new RangeError(
      `humanoidRoles: names must be those of a humanoid of a known convention, got ${names.slice(0, 5).join(', ')}, …`,
    )
  }
  return best
}

/** Joints of a WebXR hand and their parents: its models have all 25 side by side. For `parents` of `fromGltf` and `fromThree`. */
export const WEBXR_HAND_PARENTS: Readonly<Record<string, string | null>> = /* @__PURE__ */ webxrParents()

function webxrParents(): Record<string, string | null> {
  const parents: Record<string, string | null> = { wrist: null }
  for (const finger of ['thumb', 'index-finger', 'middle-finger', 'ring-finger', 'pinky-finger']) {
    const middle = finger === 'thumb' ? [] : ['phalanx-intermediate']
    let parent = 'wrist'
    for (const part of ['metacarpal', 'phalanx-proximal', ...middle, 'phalanx-distal', 'tip']) {
      parents[`${finger}-${part}`] = parent
      parent = `${finger}-${part}`
    }
  }
  return parents
}

/** Names by role, in small letters. */
type Table = Partial<Record<Role, readonly string[]>>

/** Without a maker's prefix; `mixamorigHips` is what three.js makes of `mixamorig:Hips`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:|]/, '')
    .replace(/^mixamorig\d*_?/, '')
}

function tablesOf(side: 'left' | 'right'): Record<Convention, Table> {
  const vrm: Table = Object.fromEntries(ROLES.map((role) => [role, [role.toLowerCase()]]))
  const vrm0: Table = { ...vrm }
  for (const s of SIDES) {
    vrm0[`${s}ThumbMetacarpal`] = [`${s}thumbproximal`]
    vrm0[`${s}ThumbProximal`] = [`${s}thumbintermediate`]
  }
  return { vrm, vrm0, mixamo: mixamo(), unreal: unreal(), cmu: cmu(), poser: poser(), webxr: webxr(side) }
}

function mixamo(): Table {
  const table: Table = {
    hips: ['hips'],
    spine: ['spine'],
    chest: ['spine1'],
    upperChest: ['spine2'],
    neck: ['neck'],
    head: ['head'],
    leftEye: ['lefteye'],
    rightEye: ['righteye'],
  }
  const limbs = ['upleg', 'leg', 'foot', 'toebase', 'shoulder', 'arm', 'forearm', 'hand']
  for (const side of SIDES) {
    LIMBS.forEach((limb, k) => (table[`${side}${limb}`] = [side + limbs[k]]))
    THUMB.forEach((bone, k) => (table[`${side}${bone}`] = [`${side}handthumb${k + 1}`]))
    for (const finger of FINGERS) {
      const own = finger === 'Little' ? 'pinky' : finger.toLowerCase()
      PHALANXES.forEach((phalanx, k) => (table[`${side}${finger}${phalanx}`] = [`${side}hand${own}${k + 1}`]))
    }
  }
  return table
}

function unreal(): Table {
  const table: Table = {
    hips: ['pelvis'],
    spine: ['spine_01'],
    chest: ['spine_02'],
    upperChest: ['spine_03'],
    neck: ['neck_01'],
    head: ['head'],
  }
  const limbs = ['thigh', 'calf', 'foot', 'ball', 'clavicle', 'upperarm', 'lowerarm', 'hand']
  for (const side of SIDES) {
    LIMBS.forEach((limb, k) => (table[`${side}${limb}`] = [`${limbs[k]}_${side[0]}`]))
    THUMB.forEach((bone, k) => (table[`${side}${bone}`] = [`thumb_0${k + 1}_${side[0]}`]))
    for (const finger of FINGERS) {
      const own = finger === 'Little' ? 'pinky' : finger.toLowerCase()
      PHALANXES.forEach((phalanx, k) => (table[`${side}${finger}${phalanx}`] = [`${own}_0${k + 1}_${side[0]}`]))
    }
  }
  return table
}

/** `LHipJoint` and `LeftFingerBase` have no length or no role. */
function cmu(): Table {
  const table: Table = {
    hips: ['hips'],
    spine: ['lowerback'],
    chest: ['spine'],
    upperChest: ['spine1'],
    neck: ['neck'],
    head: ['head'],
  }
  const limbs = ['upleg', 'leg', 'foot', 'toebase', 'shoulder', 'arm', 'forearm', 'hand']
  for (const side of SIDES) {
    LIMBS.forEach((limb, k) => (table[`${side}${limb}`] = [side + limbs[k]]))
    table[`${side}ThumbMetacarpal`] = [`${side[0]}thumb`]
  }
  return table
}

/** Motions as BVH whose bones have the name of the joint they begin at: `LeftShoulder` is the upper arm, `LeftCollar` the shoulder. */
function poser(): Table {
  const table: Table = {
    hips: ['hips', 'hip'],
    spine: ['abdomen', 'spine'],
    chest: ['chest'],
    neck: ['neck'],
    head: ['head'],
  }
  const limbs = ['hip', 'knee', 'ankle', 'toe', 'collar', 'shoulder', 'elbow', 'wrist']
  for (const side of SIDES) LIMBS.forEach((limb, k) => (table[`${side}${limb}`] = [side + limbs[k]]))
  return table
}

function webxr(side: 'left' | 'right'): Table {
  const table: Table = { [`${side}Hand`]: ['wrist'] }
  const parts = ['metacarpal', 'phalanx-proximal', 'phalanx-distal']
  THUMB.forEach((bone, k) => (table[`${side}${bone}`] = [`thumb-${parts[k]}`]))
  for (const finger of FINGERS) {
    const own = finger === 'Little' ? 'pinky' : finger.toLowerCase()
    for (const phalanx of PHALANXES)
      table[`${side}${finger}${phalanx}`] = [`${own}-finger-phalanx-${phalanx.toLowerCase()}`]
  }
  return table
}
