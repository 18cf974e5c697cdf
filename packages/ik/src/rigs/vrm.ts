/**
 * Humanoids: which bone is which (VRM's roles, found in a VRM file or by the names of other makers), and joints with the
 * ranges of an adult.
 *
 * Ranges are from American Academy of Orthopaedic Surgeons 1965, "Joint Motion: Method of Measuring and Recording", in
 * degrees from the anatomical position: upright, arms at the sides. A rig may rest in another pose, a T or an A; how far its
 * rest is from the anatomical one is measured and taken off, and the rest pose itself always stays allowed. Marked below is
 * what is not from there.
 *
 * Directions come from the rig's rest pose in its own space, so that bones may point anywhere: up from hips to head, left
 * from the right leg or arm to the left one, front = left × up. A limb's axis of flexion is along × front: about it the
 * limb swings to the front.
 */

import { atan2, instance, knownFields, object, shown } from '@tautline/core/kernel'
import type { BallJointDef, JointDef, RangeDef } from '../joints.js'
import { Rig } from '../rig.js'
import { type Role, ROLES, type Roles } from './roles.js'
import { DEGREE, type Place, type Vec3, cross, difference, direction, dot, fromAxes } from './transform.js'
import { inverse, scaled, size, times, rotated, within } from './transform.js'

export { ROLES, WEBXR_HAND_PARENTS, humanoidRoles } from './roles.js'
export type { Convention, Role, Roles, RolesOptions } from './roles.js'

/**
 * Roles as a VRM file (0 or 1.0) tells them, by names of nodes. Takes the JSON of the file: `readGlb` has it.
 * Throws `RangeError` where it is no VRM.
 */
export function vrmRoles(json: Readonly<Record<string, unknown>>): Roles {
  const { extensions, nodes } = object('vrmRoles: json', json) as unknown as VrmJson
  const name = (role: string, node: number | undefined): string => {
    const found = node === undefined ? undefined : nodes?.[node]?.name
    if (found === undefined)
      throw new RangeError(`vrmRoles: ${role} must be a node with a name, got node ${String(node)}`)
    return found
  }
  const roles: Roles = {}
  const one = extensions?.VRMC_vrm?.humanoid?.humanBones
  const zero = extensions?.VRM?.humanoid?.humanBones
  if (one !== undefined) {
    for (const [role, bone] of Object.entries(one)) roles[role as Role] = name(role, bone.node)
  } else if (zero !== undefined) {
    for (const { bone, node } of zero) roles[fromVrm0(bone)] = name(bone, node)
  } else {
    throw new RangeError('vrmRoles: json must have the extension VRMC_vrm or VRM with a humanoid, got neither')
  }
  return roles
}

/** Roles of a model that three-vrm has loaded: `vrm.humanoid.rawHumanBones` or `.humanBones`. */
export function threeVrmRoles(
  humanBones: Readonly<Record<string, { readonly node: { readonly name: string } } | undefined>>,
): Roles {
  const roles: Roles = {}
  for (const [role, bone] of Object.entries(object('threeVrmRoles: humanBones', humanBones) as typeof humanBones)) {
    if (bone === undefined) continue
    const { node } = object(`threeVrmRoles: humanBones: ${role}`, bone)
    const { name } = object(`threeVrmRoles: humanBones: ${role}: node`, node)
    if (typeof name !== 'string') {
      throw new TypeError(`threeVrmRoles: humanBones: ${role}: node: name must be a text, got ${shown(name)}`)
    }
    roles[role as Role] = name
  }
  return roles
}

interface VrmJson {
  readonly nodes?: readonly { readonly name?: string }[]
  readonly extensions?: {
    readonly VRMC_vrm?: { readonly humanoid?: { readonly humanBones?: Record<string, { readonly node: number }> } }
    readonly VRM?: {
      readonly humanoid?: { readonly humanBones?: readonly { readonly bone: string; readonly node: number }[] }
    }
  }
}

function fromVrm0(bone: string): Role {
  return bone.replace('ThumbProximal', 'ThumbMetacarpal').replace('ThumbIntermediate', 'ThumbProximal') as Role
}

/** [°] Smallest, then largest. */
type Degrees = readonly [number, number]

interface Ranges {
  /** To the front positive. */
  readonly flexion: Degrees
  /** Away from the body's middle positive. */
  readonly abduction: Degrees
  /** Outwards positive. */
  readonly rotation: Degrees
}

const HIP: Ranges = { flexion: [-30, 120], abduction: [-30, 45], rotation: [-45, 45] }
const SHOULDER: Ranges = { flexion: [-60, 180], abduction: [-50, 180], rotation: [-70, 90] }
/** Of the arm held out sideways, to the front: a clinical rule of thumb, not the book's. */
const SHOULDER_HORIZONTAL: Degrees = [-45, 130]
const KNEE: Degrees = [0, 135]
const ELBOW: Degrees = [0, 150]
/** Twist is the forearm's, which has no bone of its own. */
const WRIST: Ranges = { flexion: [-70, 80], abduction: [-30, 20], rotation: [-80, 80] }
/** Up and down, toes out and in (not the book's), sole inward and outward. */
const ANKLE: Ranges = { flexion: [-50, 20], abduction: [-10, 10], rotation: [-15, 35] }
/** Of the big toe. */
const TOES: Degrees = [-45, 70]
/** Of the collar bone: not the book's. */
const COLLAR: Ranges = { flexion: [-20, 20], abduction: [-10, 30], rotation: [-10, 10] }
/** Of the whole back, shared among its bones. */
const BACK: Ranges = { flexion: [-25, 80], abduction: [-35, 35], rotation: [-45, 45] }
const NECK: Ranges = { flexion: [-45, 45], abduction: [-45, 45], rotation: [-60, 60] }
/** Knuckle; spread of the fingers is not the book's. */
const KNUCKLE: Ranges = { flexion: [-45, 90], abduction: [-20, 20], rotation: [0, 0] }
const FINGER: readonly [Degrees, Degrees] = [
  [0, 100],
  [0, 90],
]
const THUMB_ROOT: Ranges = { flexion: [-20, 15], abduction: [-10, 70], rotation: [-10, 10] }
const THUMB: readonly [Degrees, Degrees] = [
  [0, 50],
  [-20, 80],
]

/** A hinge bent less than this at rest [rad] does not show its axis: the body's front is asked instead. */
const STRAIGHT = 3 * DEGREE

/** Sine between a limb and the front below which the two name no axis. */
const NO_AXIS = 0.1

/** Swing stays this far from half a turn [rad], where its direction is lost. */
const NEAR_HALF_TURN = 5 * DEGREE

/**
 * Returns joints with an adult's ranges for the bones of a humanoid rig, by name of bone, for `rig.setJoints`; the rig stays as it is. Knees, elbows, toes and
 * fingers become hinges: about the normal of their bend where they are bent at rest, else about the axis that the body's front
 * tells, and balls that swing no farther than the hinge would where that runs along the limb. Bones without a role have none.
 *
 * Throws `RangeError` for a role whose bone the rig has not, and where neither legs nor arms tell left from right while bones
 * that need to know it have roles.
 */
export function humanoidJoints(rig: Rig, roles: Roles): Record<string, JointDef> {
  instance('humanoidJoints: rig', rig, Rig, 'a Rig')
  knownFields('humanoidJoints: roles', object('humanoidJoints: roles', roles), ROLES)
  const figure = new Figure(rig, roles)
  const joints: Record<string, JointDef> = {}
  for (const role of Object.keys(roles) as Role[]) {
    const def = figure.joint(role)
    if (def !== undefined) joints[roles[role]!] = def
  }
  return joints
}

class Figure {
  private readonly rig: Rig
  private readonly roles: Roles
  private readonly places: Place[] = []
  private readonly up: Vec3 | undefined
  private readonly left: Vec3 | undefined
  private readonly front: Vec3 | undefined

  constructor(rig: Rig, roles: Roles) {
    this.rig = rig
    this.roles = roles
    for (let i = 0; i < rig.count; i++) {
      const own: Place = {
        position: [rig.restPosition[3 * i], rig.restPosition[3 * i + 1], rig.restPosition[3 * i + 2]],
        rotation: [
          rig.restRotation[4 * i],
          rig.restRotation[4 * i + 1],
          rig.restRotation[4 * i + 2],
          rig.restRotation[4 * i + 3],
        ],
      }
      this.places.push(rig.parent[i] < 0 ? own : within(this.places[rig.parent[i]], own))
    }
    for (const [role, bone] of Object.entries(roles)) {
      if (typeof bone !== 'string') {
        throw new TypeError(`humanoidJoints: roles: ${role} must be the name of a bone, got ${shown(bone)}`)
      }
      rig.indexOf(bone, `humanoidJoints: roles: ${role}`)
    }
    const top = this.at('head') ?? this.at('neck') ?? this.at('upperChest') ?? this.at('chest') ?? this.at('spine')
    const hips = this.at('hips')
    this.up = top && hips && direction(difference(top, hips))
    const across = this.across('UpperLeg') ?? this.across('UpperArm') ?? this.across('Shoulder')
    this.left = across && this.up && direction(difference(across, scaled(this.up, dot(across, this.up))))
    this.front = this.left && this.up && cross(this.left, this.up)
  }

  /** `undefined` for a role whose joint is left as it is. */
  joint(role: Role): JointDef | undefined {
    const side = role.startsWith('left') ? 1 : -1
    const part = role.replace(/^(left|right)/, '')
    if (/^(Thumb|Index|Middle|Ring|Little)/.test(part)) return this.finger(role, part, side)
    if (['hips', 'leftEye', 'rightEye', 'jaw'].includes(role)) return undefined
    if (['spine', 'chest', 'upperChest'].includes(role)) return this.trunk(role, BACK, ['spine', 'chest', 'upperChest'])
    if (role === 'neck' || role === 'head') return this.trunk(role, NECK, ['neck', 'head'])
    if (part === 'UpperLeg') return this.limb(role, HIP, side)
    if (part === 'UpperArm') return this.limb(role, SHOULDER, side)
    if (part === 'LowerLeg') return this.bend(role, `${sideName(side)}UpperLeg`, KNEE, -1)
    if (part === 'LowerArm') return this.bend(role, `${sideName(side)}UpperArm`, ELBOW, 1)
    if (part === 'Foot') return this.foot(role, side)
    if (part === 'Toes') return this.toes(role)
    if (part === 'Hand') return this.hand(role, side)
    return part === 'Shoulder' ? this.ball(role, this.along(role), this.facing(role).front, COLLAR, side) : undefined
  }

  private at(role: Role): Vec3 | undefined {
    const bone = this.roles[role]
    return bone === undefined ? undefined : this.places[this.rig.indexOf(bone)].position
  }

  private across(part: 'UpperLeg' | 'UpperArm' | 'Shoulder'): Vec3 | undefined {
    const [left, right] = [this.at(`left${part}`), this.at(`right${part}`)]
    return left && right && difference(left, right)
  }

  /** Unit vector along a bone in the rig's space: to the next of its limb, which its tip may not be. */
  private along(role: Role): Vec3 {
    const i = this.rig.indexOf(this.roles[role]!)
    const next = NEXT[role.replace(/^(left|right)/, '')]
    const target =
      next === undefined
        ? undefined
        : this.at(role.replace(/(UpperLeg|LowerLeg|Foot|Shoulder|UpperArm|LowerArm|Hand)$/, next) as Role)
    const { position, rotation } = this.places[i]
    const { tip } = this.rig
    const own = rotated(rotation, [tip[3 * i], tip[3 * i + 1], tip[3 * i + 2]])
    const way = direction(target === undefined ? own : difference(target, position)) ?? direction(own)
    if (way !== undefined) return way
    // A last bone without a tip goes on as its parent went.
    const parent = this.rig.parent[i]
    return (
      (parent >= 0 ? direction(difference(position, this.places[parent].position)) : undefined) ??
      rotated(rotation, [1, 0, 0])
    )
  }

  private facing(role: Role): { up: Vec3; left: Vec3; front: Vec3 } {
    const { up, left, front } = this
    if (up === undefined || left === undefined || front === undefined) {
      throw new RangeError(
        `humanoidJoints: ${role} must have hips, a head or back, and both legs or arms beside it, got ${Object.keys(this.roles).join(', ')}`,
      )
    }
    return { up, left, front }
  }

  private trunk(role: Role, ranges: Ranges, chain: readonly Role[]): BallJointDef {
    const share = 1 / chain.filter((each) => this.roles[each] !== undefined).length
    const part = ([min, max]: Degrees): Degrees => [share * min, share * max]
    const own = { flexion: part(ranges.flexion), abduction: part(ranges.abduction), rotation: part(ranges.rotation) }
    return this.ball(role, this.facing(role).up, this.facing(role).front, own, 1)
  }

  private limb(role: Role, ranges: Ranges, side: number): BallJointDef {
    const { up, left, front } = this.facing(role)
    const along = this.along(role)
    // How far the rest is from hanging down: raised sideways, and of the rest to the front.
    const raised = atan2(side * dot(along, left), -dot(along, up)) / DEGREE
    const isAside = ranges === SHOULDER && raised > 45
    const forward = isAside ? 0 : atan2(dot(along, front), -dot(along, up)) / DEGREE
    const flexion = isAside ? SHOULDER_HORIZONTAL : ranges.flexion
    const own = { ...ranges, flexion: shifted(flexion, forward), abduction: shifted(ranges.abduction, raised) }
    return this.ball(role, along, front, own, side)
  }

  /**
   * A ball whose twist is along the bone and whose swing y goes towards `front`; z then goes sideways, to the left negative.
   */
  private ball(
    role: Role,
    along: Vec3,
    front: Vec3,
    { flexion, abduction, rotation }: Ranges,
    side: number,
  ): BallJointDef {
    const y =
      direction(cross(along, front)) ??
      direction(cross(along, this.up ?? [0, 1, 0])) ??
      direction(cross(along, [1, 0, 0]))!
    const frame = times(inverse(this.rotation(role)), fromAxes(along, y, cross(along, y)))
    // About a left bone that points down, a turn inwards is positive; a right one is its mirror image.
    const isLeft = side > 0
    return {
      kind: 'ball',
      frame,
      swing: { y: radians(flexion), z: radians(isLeft ? mirrored(abduction) : abduction) },
      twist: radians(isLeft ? mirrored(rotation) : rotation),
    }
  }

  /** Knee and elbow: `towards` is 1 where flexion goes to the front. */
  private bend(role: Role, upper: Role, range: Degrees, towards: number): JointDef {
    const lower = this.along(role)
    const thigh = this.roles[upper] === undefined ? lower : this.along(upper)
    const asked = scaled(cross(thigh, this.facing(role).front), towards)
    const { axis, rest } = bendOf(thigh, lower, asked)
    const limits = radians(shifted(range, rest))
    if (axis !== undefined) return this.hinge(role, axis, limits)
    const reach = { min: -limits.max!, max: limits.max! }
    return { kind: 'ball', axis: this.own(role, lower), swing: { y: reach, z: reach }, twist: { min: 0, max: 0 } }
  }

  private foot(role: Role, side: number): BallJointDef {
    const { up, left } = this.facing(role)
    const along = this.along(role)
    // A foot lies forward: it bends up about the axis that runs to the right, and the sole turns inward about its length.
    const y = direction(difference(scaled(left, -1), scaled(along, -dot(along, left)))) ?? direction(cross(along, up))!
    const frame = times(inverse(this.rotation(role)), fromAxes(along, y, cross(along, y)))
    const { flexion, abduction, rotation } = ANKLE
    const inward = side > 0 ? mirrored(rotation) : rotation
    return { kind: 'ball', frame, swing: { y: radians(flexion), z: radians(abduction) }, twist: radians(inward) }
  }

  private toes(role: Role): JointDef {
    return this.hinge(role, scaled(this.facing(role).left, -1), radians(TOES))
  }

  private hand(role: Role, side: number): BallJointDef {
    const along = this.along(role)
    const palm = this.palm(side) ?? this.facing(role).front
    return this.ball(role, along, palm, WRIST, side)
  }

  private finger(role: Role, part: string, side: number): JointDef | undefined {
    const palm = this.palm(side)
    if (palm === undefined) return undefined
    const along = this.along(role)
    if (part === 'ThumbMetacarpal') return this.ball(role, along, palm, THUMB_ROOT, side)
    if (part.endsWith('Proximal') && part !== 'ThumbProximal') return this.ball(role, along, palm, KNUCKLE, side)
    // A thumb bends across the palm, towards the fingers, not into it.
    const into = part.startsWith('Thumb') ? this.acrossPalm(side) : palm
    const before = this.bone(role)
    const table = part.startsWith('Thumb') ? THUMB : FINGER
    const range = table[part.endsWith('Distal') ? 1 : 0]
    const { axis, rest } = bendOf(before, along, cross(before, into ?? palm))
    return axis === undefined ? undefined : this.hinge(role, axis, radians(shifted(range, rest)))
  }

  /** Direction in which a bone's parent runs to it. */
  private bone(role: Role): Vec3 {
    const i = this.rig.indexOf(this.roles[role]!)
    const parent = this.rig.parent[i]
    const way = parent < 0 ? undefined : direction(difference(this.places[i].position, this.places[parent].position))
    return way ?? this.along(role)
  }

  /** Which way a palm looks: from the wrist to the knuckles, and along the knuckles. */
  private palm(side: number): Vec3 | undefined {
    const name = sideName(side)
    const [wrist, row] = [this.at(`${name}Hand`), this.acrossPalm(side)]
    const knuckle = this.at(`${name}MiddleProximal`) ?? this.at(`${name}IndexProximal`)
    if (wrist === undefined || knuckle === undefined || row === undefined) return undefined
    return direction(scaled(cross(row, difference(knuckle, wrist)), side))
  }

  /** From the first knuckle to the last. */
  private acrossPalm(side: number): Vec3 | undefined {
    const name = sideName(side)
    const [first, last] = [
      this.at(`${name}IndexProximal`),
      this.at(`${name}LittleProximal`) ?? this.at(`${name}RingProximal`),
    ]
    return first && last && direction(difference(last, first))
  }

  private hinge(role: Role, axis: Vec3, limits: RangeDef): JointDef {
    return { kind: 'hinge', axis: this.own(role, axis), limits }
  }

  /** A vector of the rig's space in a bone's. */
  private own(role: Role, v: Vec3): Vec3 {
    return rotated(inverse(this.rotation(role)), v)
  }

  private rotation(role: Role): Place['rotation'] {
    return this.places[this.rig.indexOf(this.roles[role]!)].rotation
  }
}

/** The next bone of a limb, whose joint is a bone's far end. */
const NEXT: Readonly<Record<string, string>> = {
  UpperLeg: 'LowerLeg',
  LowerLeg: 'Foot',
  Foot: 'Toes',
  Shoulder: 'UpperArm',
  UpperArm: 'LowerArm',
  LowerArm: 'Hand',
  Hand: 'MiddleProximal',
}

/**
 * About which axis a hinge bends from `upper` to `lower`, and how far it is bent at rest [°]: the normal of the two where
 * they are bent, on the side of `asked`, which also decides for what is straight.
 */
function bendOf(upper: Vec3, lower: Vec3, asked: Vec3): { axis: Vec3 | undefined; rest: number } {
  const normal = cross(upper, lower)
  const bent = atan2(size(normal), dot(upper, lower))
  const guess = size(asked) > NO_AXIS ? direction(asked) : undefined
  if (bent <= STRAIGHT) return { axis: guess, rest: 0 }
  // A knee that rests bent backwards still bends the right way.
  const sign = guess !== undefined && dot(normal, guess) < 0 ? -1 : 1
  return { axis: direction(scaled(normal, sign)), rest: (sign * bent) / DEGREE }
}

function sideName(side: number): 'left' | 'right' {
  return side > 0 ? 'left' : 'right'
}

/** From a rest that is already `rest` degrees away; the rest pose stays within. */
function shifted([min, max]: Degrees, rest: number): Degrees {
  return [Math.min(0, min - rest), Math.max(0, max - rest)]
}

function mirrored([min, max]: Degrees): Degrees {
  return [-max, -min]
}

function radians([min, max]: Degrees): Required<RangeDef> {
  const most = Math.PI - NEAR_HALF_TURN
  return { min: Math.max(-most, min * DEGREE), max: Math.min(most, max * DEGREE) }
}
