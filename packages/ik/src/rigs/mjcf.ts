/**
 * MJCF, MuJoCo's robot files: the tree of bodies with their joints, masses and sites.
 *
 * MuJoCo documentation, "XML Reference" and "Modeling" (coordinate frames, default classes, compiler). Read are `compiler`,
 * `default` and, below `worldbody`, `body`, `frame`, `joint`, `freejoint`, `inertial`, `geom` and `site`; what draws, drives
 * or ties (assets, actuators, tendons, equalities, sensors) is passed over. What would change the tree (`include`,
 * `replicate`, `composite`, `flexcomp`, `attach`) is an error.
 *
 * A body with several joints becomes as many bones, the first joint's the outermost, as MuJoCo turns them; all but the last
 * have no length and next to no mass, and are named `body:joint`. The last is named after the body and carries its matter,
 * its sites and its children. A bone stands at its joint's anchor, not at its body's origin.
 */

import { knownFields, object, oneOf, shown } from '@tautline/core/kernel'
import type { XmlElement } from '@rgrove/parse-xml'
import type { JointDef, RangeDef } from '../joints.js'
import type { BoneDef } from '../rig.js'
import { type Attributes, ORIENTATIONS, RotationReader } from './mjcf-rotation.js'
import { type Solid, SIZES, SOLIDS } from './mjcf-solids.js'
import { type Matter, NEXT_TO_NOTHING, readingMatter, together, rotatedTensor } from './matter.js'
import {
  DEGREE,
  difference,
  direction,
  freshName,
  type NamedPoint,
  NO_TURN,
  type Place,
  scaled,
  size,
  sum,
  rotated,
  type Vec3,
  within,
} from './transform.js'
import { XmlSource, childrenOf } from './xml.js'

export type { NamedPoint } from './transform.js'

/** Options of {@link parseMjcf}. */
export interface MjcfOptions {
  /** `none` leaves masses to the rig's own rods: for files whose masses are in meshes. @defaultValue 'file' */
  matter?: 'file' | 'none'
}

/** A joint of the file and the bone that it became. */
export interface MjcfJoint {
  /** As in the file; empty where it has none. */
  readonly name: string
  /** Name of the bone. */
  readonly bone: string
  /** MuJoCo's word for it; a `free` one's bone is locked to the world until `rig.root('free')`. */
  readonly kind: 'hinge' | 'slide' | 'ball' | 'free'
  /** Coordinate at rest [rad or m]: the file counts from here, the rig from 0. */
  readonly ref: number
}

/** A read file. */
export interface Mjcf {
  /** Name of the model. */
  readonly name: string
  /** For `Rig.from`, named after their bodies. */
  readonly bones: BoneDef[]
  /** In the file's order, which is that of MuJoCo's coordinates. */
  readonly joints: MjcfJoint[]
  /** Roots with a free joint: `rig.root('free')` is theirs. */
  readonly free: string[]
  /** Sites: points of bones that the file names, such as where a tool is held. */
  readonly ends: NamedPoint[]
}

/** Reads an MJCF file's text. Throws `RangeError` that names line and element, `TypeError` for what is no text. */
export function parseMjcf(text: string, options: MjcfOptions = {}): Mjcf {
  knownFields('parseMjcf: options', object('parseMjcf: options', options), ['matter'])
  const matter = oneOf('parseMjcf: matter', options.matter ?? 'file', ['file', 'none'])
  const source = new XmlSource('parseMjcf', text, 'mujoco')
  const reader = new Reader(source, matter === 'file')
  for (const world of childrenOf(source.root, 'worldbody')) reader.readChildren(world, undefined, AT_ORIGIN, 'main')
  if (reader.bones.length === 0)
    throw new RangeError(`${source.at(source.root)} must have a body in its worldbody, got none`)
  reader.scaleTotal()
  const { bones, joints, free, ends } = reader
  return { name: source.root.attributes['model'] ?? '', bones, joints, free, ends }
}

const AT_ORIGIN: Place = { position: [0, 0, 0], rotation: [0, 0, 0, 1] }

const CHANGES_THE_TREE = ['include', 'replicate', 'composite', 'flexcomp', 'attach']

/** Water [kg/m³], MuJoCo's default. */
const DENSITY = '1000'

/** The bone that elements are read into. */
interface Body {
  /** Name of the bone that carries the body. */
  readonly bone: string
  /** Of the body's frame in that bone's. */
  readonly frame: Place
}

class Reader {
  readonly bones: BoneDef[] = []
  readonly joints: MjcfJoint[] = []
  readonly free: string[] = []
  readonly ends: NamedPoint[] = []
  private readonly source: XmlSource
  private readonly readsMatter: boolean
  private readonly classes = new Map<string, Map<string, Attributes>>()
  private readonly names = new Map<string, number>()
  private readonly siteNames = new Map<string, number>()
  private readonly compiler: Attributes = {}
  /** Radians a unit of the file's angles. */
  private readonly angle: number
  private readonly rotations: RotationReader

  constructor(source: XmlSource, readsMatter: boolean) {
    this.source = source
    this.readsMatter = readsMatter
    for (const compiler of childrenOf(source.root, 'compiler')) Object.assign(this.compiler, compiler.attributes)
    const unit = this.compiler['angle'] ?? 'degree'
    this.angle = oneOf('parseMjcf: compiler angle', unit, ['degree', 'radian']) === 'degree' ? DEGREE : 1
    this.rotations = new RotationReader(source, this.angle, this.compiler['eulerseq'] ?? 'xyz')
    this.classes.set('main', new Map())
    for (const element of childrenOf(source.root)) if (CHANGES_THE_TREE.includes(element.name)) this.refuse(element)
    for (const top of childrenOf(source.root, 'default')) this.readClass(top, 'main')
  }

  /** Everything of an element that holds bodies; `childclass` is the class of what names none. */
  readChildren(holder: XmlElement, body: Body | undefined, frame: Place, childclass: string): void {
    for (const element of childrenOf(holder)) {
      if (CHANGES_THE_TREE.includes(element.name)) this.refuse(element)
      const inner = element.attributes['childclass'] ?? childclass
      if (element.name === 'body') this.readBody(element, body, frame, inner)
      else if (element.name === 'frame')
        this.readChildren(element, body, within(frame, this.place(element, element.attributes)), inner)
      else if (element.name === 'site' && body !== undefined) this.readSite(element, body, frame, childclass)
    }
  }

  /** `settotalmass`, where the file asks for it. */
  scaleTotal(): void {
    const total = Number(this.compiler['settotalmass'] ?? -1)
    if (!(total > 0) || !this.readsMatter) return
    const factor = total / this.bones.reduce((m, bone) => m + bone.mass!, 0)
    for (const bone of this.bones) {
      bone.mass = factor * bone.mass!
      bone.inertia = Array.from(bone.inertia!, (x) => factor * x)
    }
  }

  private readBody(element: XmlElement, parent: Body | undefined, frame: Place, childclass: string): void {
    const name = freshName(element.attributes['name'] ?? 'body', this.names)
    const parts = flatten(element)
    const joints = parts.filter((part) => part.name === 'joint' || part.name === 'freejoint')
    // Of the body in its parent body's bone.
    const own = within(frame, this.place(element, element.attributes))
    const outer = parent === undefined ? own : within(parent.frame, own)
    let [position, rotation] = [outer.position, outer.rotation]
    let last: string | null = parent?.bone ?? null
    let anchor: Vec3 = [0, 0, 0]
    const count = Math.max(1, joints.length)
    for (let k = 0; k < count; k++) {
      const joint = joints[k] as XmlElement | undefined
      const isLast = k === count - 1
      const attributes = joint === undefined ? {} : this.attributes(joint, 'joint', childclass)
      const at =
        joint === undefined || isFree(joint, attributes)
          ? anchor
          : this.vector(joint, 'pos', attributes['pos'] ?? '0 0 0')
      const title = joint?.attributes['name'] ?? `${k + 1}`
      const boneName = isLast ? name : freshName(`${name}:${title}`, this.names)
      const bone: BoneDef = {
        name: boneName,
        parent: last,
        position: sum(position, rotated(rotation, difference(at, anchor))),
        rotation,
        joint: { kind: 'locked' },
      }
      if (joint !== undefined) this.giveJoint(bone, joint, attributes, parent === undefined && count === 1)
      if (this.readsMatter) setMatter(bone, NEXT_TO_NOTHING)
      this.bones.push(bone)
      ;[last, anchor, position, rotation] = [boneName, at, [0, 0, 0], [...NO_TURN]]
    }
    const inner: Body = { bone: name, frame: { position: scaled(anchor, -1), rotation: [...NO_TURN] } }
    if (this.readsMatter) {
      readingMatter(() => this.giveMatter(element, this.bones[this.bones.length - 1], anchor, childclass))
    }
    this.readChildren(element, inner, AT_ORIGIN, childclass)
  }

  private giveJoint(bone: BoneDef, element: XmlElement, attributes: Attributes, mayBeFree: boolean): void {
    const kind = element.name === 'freejoint' ? 'free' : (attributes['type'] ?? 'hinge')
    if (kind !== 'hinge' && kind !== 'slide' && kind !== 'ball' && kind !== 'free') {
      throw new RangeError(`${this.source.at(element)}: type must be hinge, slide, ball or free, got "${kind}"`)
    }
    if (kind === 'free' && !mayBeFree) {
      throw new RangeError(`${this.source.at(element)} must be the only joint of a body of the world, got it elsewhere`)
    }
    const unit = kind === 'slide' || kind === 'free' ? 1 : this.angle
    const ref = unit * this.source.numbers(element, 'ref', attributes['ref'] ?? '0', 1)[0]
    this.joints.push({ name: element.attributes['name'] ?? '', bone: bone.name, kind, ref: kind === 'ball' ? 0 : ref })
    if (kind === 'free') this.free.push(bone.name)
    else bone.joint = this.jointDef(element, attributes, kind, unit, ref)
  }

  private jointDef(
    element: XmlElement,
    attributes: Attributes,
    kind: 'hinge' | 'slide' | 'ball',
    unit: number,
    ref: number,
  ): JointDef {
    const range = this.range(element, attributes)?.map((x) => unit * x)
    if (kind === 'ball') {
      // MuJoCo bounds the angle of the whole rotation: here both the swing and the twist.
      if (range === undefined) return { kind }
      const limits = { min: -range[1], max: range[1] }
      return { kind, swing: { y: limits, z: limits }, swingShape: 'cone', twist: limits }
    }
    const axis = direction(this.vector(element, 'axis', attributes['axis'] ?? '0 0 1'))
    if (axis === undefined)
      throw new RangeError(`${this.source.at(element)}: axis must have a length, got "${attributes['axis']}"`)
    const limits: RangeDef | undefined = range && { min: range[0] - ref, max: range[1] - ref }
    return { kind: kind === 'hinge' ? 'hinge' : 'slider', axis, ...(limits && { limits }) }
  }

  /** In the file's units; `undefined` where the joint is free to turn. */
  private range(element: XmlElement, attributes: Attributes): number[] | undefined {
    const limited = attributes['limited'] ?? 'auto'
    if (!['true', 'false', 'auto'].includes(limited)) {
      throw new RangeError(`${this.source.at(element)}: limited must be true, false or auto, got "${limited}"`)
    }
    const isAuto = limited === 'auto' && this.compiler['autolimits'] !== 'false'
    if (limited !== 'true' && !(isAuto && attributes['range'] !== undefined)) return undefined
    const range = this.source.numbers(element, 'range', attributes['range'] ?? '', 2)
    if (!(range[0] <= range[1])) {
      throw new RangeError(`${this.source.at(element)}: range must rise, got "${attributes['range']}"`)
    }
    return range
  }

  private readSite(element: XmlElement, body: Body, frame: Place, childclass: string): void {
    const attributes = this.attributes(element, 'site', childclass)
    const place = within(body.frame, within(frame, this.place(element, attributes)))
    this.ends.push({ name: freshName(element.attributes['name'] ?? 'site', this.siteNames), bone: body.bone, ...place })
  }

  /** The body's matter, moved into its bone, which stands at `anchor`. */
  private giveMatter(body: XmlElement, bone: BoneDef, anchor: Vec3, childclass: string): void {
    const inertial = childrenOf(body, 'inertial')[0] as XmlElement | undefined
    const fromGeom = this.compiler['inertiafromgeom'] ?? 'auto'
    const useGeoms = fromGeom === 'true' || (fromGeom === 'auto' && inertial === undefined)
    const matter = useGeoms
      ? together(this.geoms(body, AT_ORIGIN, childclass))
      : inertial === undefined
        ? undefined
        : this.inertial(inertial)
    if (matter !== undefined) setMatter(bone, { ...matter, centre: difference(matter.centre, anchor) })
    const least = (attribute: string): number => Number(this.compiler[attribute] ?? 0)
    bone.mass = Math.max(bone.mass!, least('boundmass'))
    const floor = least('boundinertia')
    if (floor > 0) bone.inertia = Array.from(bone.inertia!, (x, k) => (k % 4 === 0 ? Math.max(x, floor) : x))
  }

  private inertial(element: XmlElement): Matter {
    const { attributes } = element
    const [mass] = this.source.numbers(element, 'mass', this.source.need(element, 'mass'), 1)
    const { position, rotation } = this.place(element, attributes)
    const full = attributes['fullinertia']
    let tensor: number[]
    if (full !== undefined) {
      const [xx, yy, zz, xy, xz, yz] = this.source.numbers(element, 'fullinertia', full, 6)
      tensor = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
    } else {
      const [x, y, z] = this.source.numbers(element, 'diaginertia', attributes['diaginertia'] ?? '', 3)
      tensor = [x, 0, 0, 0, y, 0, 0, 0, z]
    }
    if (!(mass > 0 && tensor[0] > 0 && tensor[4] > 0 && tensor[8] > 0)) {
      throw new RangeError(
        `${this.source.at(element)}: mass and moments must be > 0, got mass ${mass}, inertia ${tensor.join(' ')}`,
      )
    }
    return { mass, centre: position, inertia: rotatedTensor(rotation, tensor) }
  }

  private geoms(holder: XmlElement, frame: Place, childclass: string): Matter[] {
    const found: Matter[] = []
    for (const element of childrenOf(holder)) {
      const inner = element.attributes['childclass'] ?? childclass
      if (element.name === 'frame') {
        found.push(...this.geoms(element, within(frame, this.place(element, element.attributes)), inner))
      } else if (element.name === 'geom') {
        const matter = this.geom(element, frame, this.attributes(element, 'geom', childclass))
        if (matter !== undefined) found.push(matter)
      }
    }
    return found
  }

  private geom(element: XmlElement, frame: Place, attributes: Attributes): Matter | undefined {
    const type = attributes['type'] ?? 'sphere'
    if (type === 'plane' || type === 'hfield' || !this.isInGroup(attributes)) return undefined
    const one = (name: string, value: string): number => this.source.numbers(element, name, value, 1)[0]
    const given = attributes['mass'] === undefined ? undefined : one('mass', attributes['mass'])
    const density = one('density', attributes['density'] ?? DENSITY)
    if (given === 0 || (given === undefined && density === 0)) return undefined
    if (attributes['shellinertia'] === 'true') {
      throw new RangeError(`${this.source.at(element)}: shellinertia must be false, got "true"`)
    }
    const { place, solid } = this.shape(element, type, attributes)
    const mass = given ?? density * solid.volume
    if (!(mass > 0)) throw new RangeError(`${this.source.at(element)}: mass must be >= 0, got ${mass}`)
    const { position, rotation } = within(frame, place)
    const [x, y, z] = solid.moments(mass)
    return { mass, centre: position, inertia: rotatedTensor(rotation, [x, 0, 0, 0, y, 0, 0, 0, z]) }
  }

  private isInGroup(attributes: Attributes): boolean {
    const [from, to] = (this.compiler['inertiagrouprange'] ?? '0 5').trim().split(/\s+/).map(Number)
    const group = Number(attributes['group'] ?? 0)
    return group >= from && group <= to
  }

  private shape(element: XmlElement, type: string, attributes: Attributes): { place: Place; solid: Solid } {
    const sizes = SIZES[type]
    if (sizes === undefined) {
      throw new RangeError(
        `${this.source.at(element)}: type must be a solid, or the body have an <inertial>, or the geom a mass of 0, ` +
          `got ${shown(type)}, which has no mass without its file`,
      )
    }
    const fromto = attributes['fromto']
    // With fromto the length is not said a second time; more numbers than needed are allowed.
    const least = fromto === undefined || type === 'sphere' ? sizes : sizes - 1
    const s = this.source.numbers(element, 'size', attributes['size'] ?? '', least, 3)
    if (s.slice(0, least).some((x) => !(x > 0))) {
      throw new RangeError(`${this.source.at(element)}: size must be > 0, got "${attributes['size']}"`)
    }
    if (fromto === undefined) return { place: this.place(element, attributes), solid: SOLIDS[type](s) }
    const ends = this.source.numbers(element, 'fromto', fromto, 6)
    const [a, b] = [ends.slice(0, 3) as Vec3, ends.slice(3) as Vec3]
    const along = difference(b, a)
    const place = { position: scaled(sum(a, b), 0.5), rotation: this.rotations.onto(element, 'fromto', along) }
    const half = 0.5 * size(along)
    return { place, solid: SOLIDS[type](sizes === 3 ? [s[0], s[1] ?? s[0], half] : [s[0], half]) }
  }

  /** `pos` and whichever rotation an element has. */
  private place(element: XmlElement, attributes: Attributes): Place {
    return {
      position: this.vector(element, 'pos', attributes['pos'] ?? '0 0 0'),
      rotation: this.rotations.of(element, attributes),
    }
  }

  private vector(element: XmlElement, name: string, value: string): Vec3 {
    return this.source.numbers(element, name, value, 3) as Vec3
  }

  /** An element's attributes over those of its class. */
  private attributes(element: XmlElement, kind: string, childclass: string): Attributes {
    const name = element.attributes['class'] ?? childclass
    const found = this.classes.get(name)
    if (found === undefined)
      throw new RangeError(`${this.source.at(element)}: class must be one of the file, got "${name}"`)
    return over(found.get(kind) ?? {}, element.attributes)
  }

  /** A class has all of the class around it, and its own on top. */
  private readClass(element: XmlElement, name: string, outer?: string): void {
    const kinds = new Map(this.classes.get(outer ?? name))
    for (const child of childrenOf(element)) {
      if (child.name !== 'default') kinds.set(child.name, over(kinds.get(child.name) ?? {}, child.attributes))
    }
    this.classes.set(name, kinds)
    for (const child of childrenOf(element, 'default')) this.readClass(child, this.source.need(child, 'class'), name)
  }

  private refuse(element: XmlElement): never {
    throw new RangeError(
      `${this.source.at(element)} must be expanded first (by MuJoCo's compiler: save the compiled XML), got it as it is`,
    )
  }
}

/** `top` over `base`; a rotation of one kind, and a pair of ends, displace those of another. */
function over(base: Attributes, top: Attributes): Attributes {
  const merged = { ...base }
  if (ORIENTATIONS.some((name) => name in top)) for (const name of ORIENTATIONS) delete merged[name]
  return Object.assign(merged, top)
}

function isFree(element: XmlElement, attributes: Attributes): boolean {
  return element.name === 'freejoint' || attributes['type'] === 'free'
}

/** A body's own elements: `frame` may stand around those that have a place, joints do not mind it. */
function flatten(body: XmlElement): XmlElement[] {
  return childrenOf(body).flatMap((child) => (child.name === 'frame' ? flatten(child) : [child]))
}

function setMatter(bone: BoneDef, { mass, centre, inertia }: Matter): void {
  bone.mass = mass
  bone.centre = centre
  bone.inertia = inertia
}
