/**
 * Masses, centres and inertias of parts.
 *
 * Masses, centres and inertias that a file or a bone gives are kept. Otherwise a humanoid's masses are those of an adult's segments, whatever its skin,
 * and anything else is its shape filled with matter of one density. Centres and inertias are those of the shapes, so that a part turns as it looks. Ratios of neighbours may
 * be anything (a trunk of 40 to a hand of one here): joints are solved together, and no mass is changed for their sake.
 */

import { massOf } from '@tautline/collision'
import { combine, principalAxes } from '@tautline/core'
import { type InertiaTensor, rotateInertia } from '@tautline/core/kernel'
import { ADULT_MASS, ADULT_STATURE, SEGMENTS } from './anthropometry.js'
import { difference, dot, inverse, type Quat, sum, times, rotationAt, rotated, type Vec3, vectorAt } from './algebra.js'
import { type Figure, placeOf } from './figure.js'
import type { Fitted } from './fit.js'
import type { OwnMatter, Skeleton } from './skeleton.js'

/** Matter of a part in the rigid frame of its bone. */
export interface Matter {
  /** [kg] */
  readonly mass: number
  /** [m] */
  readonly centre: Vec3
  /** Principal moments about the centre [kg m²], and the turn of their axes. */
  readonly moments: Vec3
  readonly axes: Quat
}

/** What decides masses, checked. */
export interface MassChoice {
  /** Of the whole [kg]; none by stature, file or density. */
  readonly mass: number | undefined
  /** Of what has neither roles nor masses of its own [kg/m³]; of a humanoid, where it is given, in place of its total. */
  readonly density: number | undefined
  /** Of single parts [kg], by part. */
  readonly parts: ReadonlyMap<number, number>
}

/** Of flesh, near enough [kg/m³]. */
const DENSITY = 1000
/** Links of a file that weigh less than this share of all are joints between others. */
const NEXT_TO_NOTHING = 1e-6
/** What such a one weighs instead, as a share of what hangs on it. */
const SHARE = 1e-2

/** Radius of gyration that one has at least [m]. */
const LEAST_RADIUS = 0.01

/** Inertia of a link of a part that others give theirs, where it says its mass alone. */
const POINT: InertiaTensor = [0, 0, 0, 0, 0, 0, 0, 0, 0]

/** Matter of all parts. */
export function mattersOf(figure: Figure, shapes: readonly Fitted[], choice: MassChoice): Matter[] {
  const own = ownMatters(figure, shapes)
  const volumes = shapes.map(({ shape }) => massOf(shape, { density: choice.density ?? DENSITY }).mass)
  const wanted = figure.roles === undefined ? volumes : humanMasses(figure, volumes, choice)
  const made = shapes.map((fitted, part) => own[part] ?? filled(fitted, wanted[part]))
  const total = made.reduce((sum, { mass }) => sum + mass, 0)
  const factor = choice.mass === undefined ? 1 : choice.mass / total
  return made.map((matter, part) => withMass(matter, choice.parts.get(part) ?? factor * matter.mass))
}

/** A shape filled evenly to a mass [kg]. */
function filled({ shape, position, turn }: Fitted, mass: number): Matter {
  const { centerOfMass, inertia } = massOf(shape, { mass })
  const { moments, orientation } = principalAxes(inertia)
  const centre = sum(position, rotated(turn, [centerOfMass[0], centerOfMass[1], centerOfMass[2]]))
  return { mass, centre, moments: [moments[0], moments[1], moments[2]], axes: times(turn, rotationAt(orientation, 0)) }
}

function withMass(matter: Matter, mass: number): Matter {
  if (mass === matter.mass) return matter
  const factor = mass / matter.mass
  return {
    ...matter,
    mass,
    moments: [factor * matter.moments[0], factor * matter.moments[1], factor * matter.moments[2]],
  }
}

/** By the segments of an adult that each part stands for; parts that stand for none weigh their volume. */
function humanMasses(figure: Figure, volumes: readonly number[], { density, mass }: MassChoice): number[] {
  const { roles, fold, stature } = figure
  const ratio = stature / ADULT_STATURE
  const whole =
    density === undefined ? (mass ?? ADULT_MASS * ratio * ratio * ratio) : volumes.reduce((all, one) => all + one, 0)
  const shares = new Array<number>(volumes.length).fill(0)
  for (const { share, roles: names } of SEGMENTS) {
    const row = names.map((name) => roles?.[name]).find((found) => found !== undefined)
    const part = row === undefined ? -1 : fold.partOf[row]
    if (part >= 0) shares[part] += share / 100
  }
  return shares.map((share, part) => (share > 0 ? share * whole : volumes[part]))
}

/** The middle of a bone in its frame [m]; its joint where it has no tip. */
function halfWay({ tips }: Skeleton, row: number): Vec3 {
  const [x, y, z] = vectorAt(tips, row)
  return Number.isNaN(x) ? [0, 0, 0] : [0.5 * x, 0.5 * y, 0.5 * z]
}

/** A bone with matter of its own, and its row. */
interface Link extends OwnMatter {
  readonly row: number
}

/** What files and bones say, with the links folded into each part; none of parts of which they say nothing. */
function ownMatters(figure: Figure, shapes: readonly Fitted[]): (Matter | undefined)[] {
  const { skeleton, fold } = figure
  const rows = fold.bones.map((_, part) => Array.from(skeleton.names.keys()).filter((row) => fold.partOf[row] === part))
  const made = rows.map((members, part): Matter | undefined => {
    const links = members.flatMap((row): Link[] => {
      const matter = skeleton.matter[row]
      return matter === undefined ? [] : [{ row, ...matter }]
    })
    if (links.length === 0) return undefined
    const { x, q } = placeOf(figure, part)
    const back = inverse(q)
    const parts = links.map(({ row, mass, centre, inertia }) => {
      const turn = times(back, rotationAt(skeleton.worldRotations, row))
      const at = rotated(back, difference(vectorAt(skeleton.worldPositions, row), x))
      return {
        mass,
        centerOfMass: sum(at, rotated(turn, centre ?? halfWay(skeleton, row))),
        inertia: inertia === undefined ? POINT : rotateInertia(inertia as unknown as InertiaTensor, turn),
      }
    })
    const { mass, centerOfMass, inertia } = combine(parts)
    const [cx, cy, cz] = centerOfMass
    if (links.every((link) => link.inertia === undefined)) {
      const solid = filled(shapes[part], mass)
      return links.some((link) => link.centre !== undefined) ? { ...solid, centre: [cx, cy, cz] } : solid
    }
    const { moments, orientation } = principalAxes(inertia)
    return {
      mass,
      centre: [cx, cy, cz],
      moments: [moments[0], moments[1], moments[2]],
      axes: rotationAt(orientation, 0),
    }
  })
  const total = made.reduce((all, matter) => all + (matter?.mass ?? 0), 0)
  // From the ends, so that what hangs on one between two joints has its mass already.
  for (let part = made.length - 1; part >= 0; part--) {
    const matter = made[part]
    if (matter !== undefined && matter.mass <= NEXT_TO_NOTHING * total)
      made[part] = linkBetween(figure, made, part, NEXT_TO_NOTHING * total)
  }
  return made
}

/**
 * A link without matter stands between two joints at one place: it weighs a hundredth of what hangs on it, and turns as hard as a hundredth of that, so
 * that no joint turns against nothing. Several in a row are alike.
 */
function linkBetween({ fold }: Figure, made: readonly (Matter | undefined)[], part: number, least: number): Matter {
  const hanging = fold.parent.flatMap((p, child) => (p === part ? [child] : []))
  let [mass, moment] = [0, 0]
  for (const child of hanging) {
    const matter = made[child]
    if (matter === undefined) continue
    const { moments, centre } = matter
    const isLink = centre.every((value) => value === 0) && fold.parent.filter((p) => p === child).length === 1
    const share = isLink && hanging.length === 1 ? 1 : SHARE
    mass += share * matter.mass
    moment += (share * (moments[0] + moments[1] + moments[2] + 2 * matter.mass * dot(centre, centre))) / 3
  }
  const m = Math.max(mass, least)
  const i = Math.max(moment, least * LEAST_RADIUS * LEAST_RADIUS)
  return { mass: m, centre: [0, 0, 0], moments: [i, i, i], axes: [0, 0, 0, 1] }
}
