/**
 * URDF, the robot files of ROS: links, and joints that hold them.
 *
 * ROS wiki, "urdf/XML/robot", "…/joint" and "…/link". A link becomes a bone, of the same name, at the joint that holds it;
 * the root link one that is locked. `origin rpy` is Rz(yaw) Ry(pitch) Rx(roll); a joint's axis is given in the link it holds.
 * Angles are in radians, lengths in metres. `fixed` joints give locked bones, so that a tool's frame keeps its name; a link
 * without `inertial` weighs next to nothing.
 *
 * `floating` is allowed below the root link (it makes `free`), `planar` is not; `mimic` is noted, not obeyed.
 */

import { knownFields, object, oneOf, shown } from '@tautline/core/kernel'
import type { XmlElement } from '@rgrove/parse-xml'
import type { JointDef } from '../joints.js'
import type { BoneDef } from '../rig.js'
import { type Matter, NEXT_TO_NOTHING, readingMatter, rotatedTensor } from './matter.js'
import { type Quat, type Vec3, aboutAxis, direction, times } from './transform.js'
import { XmlSource, childrenOf } from './xml.js'

/** Options of {@link parseUrdf} and {@link fromUrdfRobot}. */
export interface UrdfOptions {
  /** `none` leaves masses to the rig's own rods. @defaultValue 'file' */
  matter?: 'file' | 'none'
}

/** A joint of the file and the bone that it holds. */
export interface UrdfJoint {
  /** As in the file. */
  readonly name: string
  /** Name of the bone: that of the child link. */
  readonly bone: string
  /** The file's word: revolute, continuous, prismatic, fixed or floating. */
  readonly kind: string
  /** Its coordinate ought to be multiplier × that of the joint `of`, + offset [rad or m]; the solver does not see to it. */
  readonly mimic?: { readonly of: string; readonly multiplier: number; readonly offset: number }
}

/** A read robot. */
export interface Urdf {
  /** Of the robot. */
  readonly name: string
  /** For `Rig.from`, named after their links, the root link first. */
  readonly bones: BoneDef[]
  /** In the file's order. */
  readonly joints: UrdfJoint[]
  /** Bones with a floating joint: `rig.root('free')` is theirs. */
  readonly free: string[]
}

/** Reads a URDF file's text. Throws `RangeError` that names line and element, `TypeError` for what is no text. */
export function parseUrdf(text: string, options: UrdfOptions = {}): Urdf {
  const readsMatter = readsMatterBy('parseUrdf', options)
  const source = new XmlSource('parseUrdf', text, 'robot')
  const links = childrenOf(source.root, 'link').map((element) => readLink(source, element, readsMatter))
  const joints = childrenOf(source.root, 'joint').map((element) => readJoint(source, element))
  return assemble('parseUrdf', source.root.attributes['name'] ?? '', links, joints)
}

/** What `urdf-loader` (0.12 or later) makes of a file, as far as it is read here. */
export interface UrdfRobotLike {
  /** Becomes `Urdf.name`. */
  readonly robotName: string | null
  /** By name. */
  readonly links: Readonly<Record<string, UrdfLinkLike>>
  /** By name. */
  readonly joints: Readonly<Record<string, UrdfJointLike>>
}

/** A link of `urdf-loader`. */
export interface UrdfLinkLike {
  /** As in the file. */
  readonly urdfName: string
  /** Zero throughout where the file has none. */
  readonly inertial?: {
    /** [kg] */
    readonly mass: number
    /** Centre of mass [m] and roll, pitch, yaw of the axes of `inertia` [rad], in the link's frame. */
    readonly origin: { readonly xyz: ArrayLike<number>; readonly rpy: ArrayLike<number> }
    /** About the centre [kg m²]. */
    readonly inertia: Readonly<Record<'ixx' | 'ixy' | 'ixz' | 'iyy' | 'iyz' | 'izz', number>>
  }
}

/** A joint of `urdf-loader`: its parent and its only child link are nodes of the scene. */
export interface UrdfJointLike {
  /** As in the file. */
  readonly urdfName: string
  /** Becomes `UrdfJoint.kind`. */
  readonly jointType: string
  /** In the frame of the link that it holds. */
  readonly axis: { readonly x: number; readonly y: number; readonly z: number }
  /** [rad], [m] of a prismatic one. */
  readonly limit: { readonly lower: number; readonly upper: number }
  /** In the parent link [m], as it stands now. */
  readonly position: { readonly x: number; readonly y: number; readonly z: number }
  /** In the parent link, as it stands now. */
  readonly quaternion: { readonly x: number; readonly y: number; readonly z: number; readonly w: number }
  /** Where the joint stood before it was first set [m], if it ever was. */
  readonly origPosition: { readonly x: number; readonly y: number; readonly z: number } | null
  /** Likewise how it was turned. */
  readonly origQuaternion: { readonly x: number; readonly y: number; readonly z: number; readonly w: number } | null
  /** The parent link. */
  readonly parent: unknown
  /** The child link, and what else a scene hangs here. */
  readonly children: readonly unknown[]
  /** Name of the joint that it follows; of a mimic joint only. */
  readonly mimicJoint?: string | null
  /** See {@link UrdfJoint}. */
  readonly multiplier?: number
  /** See {@link UrdfJoint}. */
  readonly offset?: number
}

/** Reads a robot that `urdf-loader` has loaded; joints stand at zero, wherever they were set. Throws as {@link parseUrdf} does. */
export function fromUrdfRobot(robot: UrdfRobotLike, options: UrdfOptions = {}): Urdf {
  const where = 'fromUrdfRobot'
  if (typeof robot?.links !== 'object' || typeof robot.joints !== 'object') {
    throw new TypeError(`${where}: robot must be a URDFRobot with links and joints, got ${shown(robot)}`)
  }
  const readsMatter = readsMatterBy(where, options)
  const entries = Object.entries(robot.links)
  const nameOf = new Map<unknown, string>(entries.map(([name, link]) => [link, name]))
  const links = entries.map(([name, link]): Link => {
    const at = `${where}: link "${name}"`
    return { name, at, matter: readsMatter ? readingMatter(() => checkedMatter(at, matterOf(link))) : undefined }
  })
  const joints = Object.entries(robot.joints).map(([name, joint]): Joint => {
    const at = `${where}: joint "${name}"`
    const child = joint.children.find((node) => nameOf.has(node))
    const [p, q] = [joint.origPosition ?? joint.position, joint.origQuaternion ?? joint.quaternion]
    const { lower, upper } = joint.limit
    const made: Joint = {
      name,
      at,
      type: joint.jointType,
      parent: nameOf.get(joint.parent) ?? '',
      child: nameOf.get(child) ?? '',
      position: [p.x, p.y, p.z],
      rotation: [q.x, q.y, q.z, q.w],
      axis: [joint.axis.x, joint.axis.y, joint.axis.z],
      limits: [lower, upper],
    }
    if (typeof joint.mimicJoint !== 'string') return made
    return { ...made, mimic: { of: joint.mimicJoint, multiplier: joint.multiplier ?? 1, offset: joint.offset ?? 0 } }
  })
  return assemble(where, robot.robotName ?? '', links, joints)
}

interface Link {
  readonly name: string
  /** How errors about it begin. */
  readonly at: string
  readonly matter: Matter | undefined
}

interface Joint {
  readonly name: string
  readonly at: string
  readonly type: string
  readonly parent: string
  readonly child: string
  readonly position: Vec3
  readonly rotation: Quat
  readonly axis: Vec3
  readonly limits: readonly [number, number] | undefined
  readonly mimic?: { readonly of: string; readonly multiplier: number; readonly offset: number }
}

/** Whether masses and inertias are read. */
function readsMatterBy(where: string, options: UrdfOptions): boolean {
  knownFields(`${where}: options`, object(`${where}: options`, options), ['matter'])
  return oneOf(`${where}: matter`, options.matter ?? 'file', ['file', 'none']) === 'file'
}

function readLink(source: XmlSource, element: XmlElement, readsMatter: boolean): Link {
  const name = source.need(element, 'name')
  const at = source.at(element)
  if (!readsMatter) return { name, at, matter: undefined }
  const inertial = childrenOf(element, 'inertial')[0] as XmlElement | undefined
  return { name, at, matter: readingMatter(() => (inertial ? readInertial(source, inertial) : NEXT_TO_NOTHING)) }
}

function readInertial(source: XmlSource, inertial: XmlElement): Matter {
  const value = (child: string): XmlElement => {
    const found = childrenOf(inertial, child)[0] as XmlElement | undefined
    if (found === undefined) throw new RangeError(`${source.at(inertial)} must have a <${child}>, got none`)
    return found
  }
  const massElement = value('mass')
  const [mass] = source.numbers(massElement, 'value', source.need(massElement, 'value'), 1)
  const inertia = value('inertia')
  const moment = (key: string, fallback?: string): number =>
    source.numbers(inertia, key, inertia.attributes[key] ?? fallback ?? source.need(inertia, key), 1)[0]
  const [xy, xz, yz] = [moment('ixy', '0'), moment('ixz', '0'), moment('iyz', '0')]
  const tensor = [moment('ixx'), xy, xz, xy, moment('iyy'), yz, xz, yz, moment('izz')]
  const { position, rotation } = readOrigin(source, inertial)
  return checkedMatter(source.at(inertial), { mass, centre: position, inertia: rotatedTensor(rotation, tensor) })
}

function readJoint(source: XmlSource, element: XmlElement): Joint {
  const at = source.at(element)
  const link = (tag: string): string => {
    const found = childrenOf(element, tag)[0] as XmlElement | undefined
    if (found === undefined) throw new RangeError(`${at} must have a <${tag} link="…">, got none`)
    return source.need(found, 'link')
  }
  const one = (holder: XmlElement, key: string, fallback: string): number =>
    source.numbers(holder, key, holder.attributes[key] ?? fallback, 1)[0]
  const axis = childrenOf(element, 'axis')[0] as XmlElement | undefined
  const limit = childrenOf(element, 'limit')[0] as XmlElement | undefined
  const mimic = childrenOf(element, 'mimic')[0] as XmlElement | undefined
  const joint: Joint = {
    name: source.need(element, 'name'),
    at,
    type: source.need(element, 'type'),
    parent: link('parent'),
    child: link('child'),
    ...readOrigin(source, element),
    axis: axis === undefined ? [1, 0, 0] : (source.numbers(axis, 'xyz', source.need(axis, 'xyz'), 3) as Vec3),
    limits: limit && [one(limit, 'lower', '0'), one(limit, 'upper', '0')],
  }
  if (mimic === undefined) return joint
  const of = source.need(mimic, 'joint')
  return { ...joint, mimic: { of, multiplier: one(mimic, 'multiplier', '1'), offset: one(mimic, 'offset', '0') } }
}

function readOrigin(source: XmlSource, element: XmlElement): { position: Vec3; rotation: Quat } {
  const origin = childrenOf(element, 'origin')[0] as XmlElement | undefined
  if (origin === undefined) return { position: [0, 0, 0], rotation: [0, 0, 0, 1] }
  const vector = (key: string): Vec3 => source.numbers(origin, key, origin.attributes[key] ?? '0 0 0', 3) as Vec3
  return { position: vector('xyz'), rotation: fromRpy(vector('rpy')) }
}

/** Rz(yaw) Ry(pitch) Rx(roll). */
function fromRpy(rpy: ArrayLike<number>): Quat {
  const yawPitch = times(aboutAxis([0, 0, 1], rpy[2]), aboutAxis([0, 1, 0], rpy[1]))
  return times(yawPitch, aboutAxis([1, 0, 0], rpy[0]))
}

/** `urdf-loader` fills a link without `inertial` with zeros. */
function matterOf({ inertial }: UrdfLinkLike): Matter {
  if (inertial === undefined || inertial.mass === 0) return NEXT_TO_NOTHING
  const { mass, origin, inertia } = inertial
  const { ixx, ixy, ixz, iyy, iyz, izz } = inertia
  const tensor = rotatedTensor(fromRpy(origin.rpy), [ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz])
  return { mass, centre: [origin.xyz[0], origin.xyz[1], origin.xyz[2]], inertia: tensor }
}

function assemble(where: string, name: string, links: readonly Link[], joints: readonly Joint[]): Urdf {
  const holder = new Map<string, Joint>()
  const known = new Set(links.map((link) => link.name))
  for (const joint of joints) {
    for (const end of [joint.parent, joint.child]) {
      if (!known.has(end))
        throw new RangeError(`${joint.at}: its parent and child must be links of the robot, got "${end}"`)
    }
    if (holder.has(joint.child))
      throw new RangeError(`${joint.at}: a link must have one joint, got "${joint.child}" a second time`)
    holder.set(joint.child, joint)
  }
  const roots = links.filter((link) => !holder.has(link.name))
  if (roots.length !== 1) {
    const names = roots.map((root) => root.name).join(', ')
    throw new RangeError(`${where}: the robot must have one link that no joint holds, got ${roots.length}: ${names}`)
  }
  const bones: BoneDef[] = []
  const free: string[] = []
  // Links by the one that holds them, in the file's order.
  const held = new Map<string, Link[]>(links.map((link) => [link.name, []]))
  for (const link of links) held.get(holder.get(link.name)?.parent ?? '')?.push(link)
  const open = [roots[0]]
  for (let link = open.pop(); link !== undefined; link = open.pop()) {
    const joint = holder.get(link.name)
    const bone: BoneDef = { name: link.name, parent: joint?.parent ?? null, position: joint?.position ?? [0, 0, 0] }
    if (joint !== undefined) bone.rotation = joint.rotation
    bone.joint = joint === undefined ? { kind: 'locked' } : jointDef(joint)
    if (joint?.type === 'floating') {
      if (joint.parent !== roots[0].name)
        throw new RangeError(`${joint.at}: floating must hold to the root link, got "${joint.parent}"`)
      free.push(link.name)
    }
    if (link.matter !== undefined) Object.assign(bone, link.matter)
    bones.push(bone)
    const children = held.get(link.name) as Link[]
    for (let k = children.length - 1; k >= 0; k--) open.push(children[k])
  }
  // What hangs in a loop has a joint each, but no way to the root.
  const reached = new Set(bones.map((bone) => bone.name))
  const lost = links.find((link) => !reached.has(link.name))
  if (lost !== undefined) throw new RangeError(`${lost.at} must hang on the root link by joints, got a loop`)
  const list = joints.map(({ name: title, child, type, mimic }) => ({
    name: title,
    bone: child,
    kind: type,
    ...(mimic && { mimic }),
  }))
  return { name, bones, joints: list, free }
}

function checkedMatter(at: string, matter: Matter): Matter {
  const { mass, inertia } = matter
  if (mass > 0 && inertia[0] > 0 && inertia[4] > 0 && inertia[8] > 0) return matter
  throw new RangeError(`${at}: mass and moments must be > 0, got mass ${mass}, inertia ${inertia.join(' ')}`)
}

function jointDef({ at, type, axis, limits }: Joint): JointDef {
  if (type === 'fixed' || type === 'floating') return { kind: 'locked' }
  if (type !== 'revolute' && type !== 'continuous' && type !== 'prismatic') {
    throw new RangeError(`${at}: type must be revolute, continuous, prismatic, fixed or floating, got "${type}"`)
  }
  const unit = direction(axis)
  if (unit === undefined) throw new RangeError(`${at}: axis must have a length, got ${axis.join(' ')}`)
  if (type === 'continuous') return { kind: 'hinge', axis: unit }
  if (limits === undefined) throw new RangeError(`${at}: a ${type} joint must have a <limit>, got none`)
  if (!(limits[0] <= limits[1])) throw new RangeError(`${at}: limit must rise, got ${limits.join(' to ')}`)
  return { kind: type === 'revolute' ? 'hinge' : 'slider', axis: unit, limits: { min: limits[0], max: limits[1] } }
}
