/** A body that is made with its shape: which of its fields are the body's, and which the collider's. */

import { type BodyDef, principalAxes } from '@tautline/core'
import { finiteVector, knownFields, object, positive, rotateVector, unitQuaternion } from '@tautline/core/kernel'
import type { ReadonlyVec3, vec3 } from 'gl-matrix'
import { massOf } from '../shapes/mass.js'
import { checkMovable, COLLIDER_FIELDS, type ColliderDef, type NewRecord, resolveCollider } from './collider.js'

/** What `addBody` takes: a body, its shape, and how heavy it is. */
export interface ShapedBodyDef
  extends Omit<BodyDef, 'inertia' | 'position'>, Omit<ColliderDef, 'position' | 'orientation'> {
  /** Where the shape's origin is, world [m]; for every shape. @defaultValue [0, 0, 0] */
  origin?: ReadonlyVec3
  /**
   * The centre of mass [m], as in `World.addBody`, of a shape that has it in its origin; one of `position` and `origin`. Of hulls, compounds and tapered
   * capsules it is read as `origin` for one version more. @defaultValue that of `origin`
   */
  position?: ReadonlyVec3
  /** [kg/m³], in place of `mass`. @defaultValue 1000 */
  density?: number
}

/** What becomes of one: a body, and the record of its collider, without it. */
export interface ResolvedShapedBody {
  readonly body: BodyDef
  readonly record: NewRecord
}

const DEFAULT_DENSITY = 1000

/** Checks a definition and finds mass, centre and inertia; changes nothing. */
export function resolveShapedBody(where: string, def: ShapedBodyDef): ResolvedShapedBody {
  object(`${where}: definition`, def)
  knownFields(where, def, SHAPED_FIELDS)
  const record = resolveCollider(where, null, colliderFields(def))
  const origin = originOf(where, def)
  const q = Float64Array.from(unitQuaternion(`${where}: orientation`, def.orientation ?? [0, 0, 0, 1]))
  if (def.density !== undefined && def.mass !== undefined) {
    throw new TypeError(`${where}: give one of density and mass, got both`)
  }
  const density = positive(`${where}: density`, def.density ?? DEFAULT_DENSITY)
  const bare = bodyFields(def)
  const isHeld = def.type === 'static' || def.type === 'kinematic' || def.mass === Infinity
  if (isHeld && !record.shape.movable)
    return { body: { ...bare, position: origin, mass: Infinity, inertia: 1 }, record }
  checkMovable(where, record.shape)
  const hasMass = def.mass !== undefined && def.mass !== Infinity
  const amount = hasMass ? { mass: positive(`${where}: mass`, def.mass) } : { density }
  const { mass, centerOfMass, inertia } = massOf(record.shape, amount)
  const centre = new Float64Array(3)
  rotateVector(q, 0, centerOfMass[0], centerOfMass[1], centerOfMass[2], centre, 0)
  const local = record.local.slice()
  for (let k = 0; k < 3; k++) local[k] = -centerOfMass[k]
  return {
    body: {
      ...bare,
      mass: def.mass ?? mass,
      inertia: principalAxes(inertia),
      position: [origin[0] + centre[0], origin[1] + centre[1], origin[2] + centre[2]],
    },
    record: { ...record, local },
  }
}

/** Where the shape's origin is to be. */
function originOf(where: string, { origin, position }: ShapedBodyDef): vec3 {
  if (origin !== undefined && position !== undefined) {
    throw new TypeError(`${where}: give one of origin and position, got both`)
  }
  const name = origin === undefined ? 'position' : 'origin'
  const at = finiteVector(`${where}: ${name}`, origin ?? position ?? [0, 0, 0], 3)
  return [at[0], at[1], at[2]]
}

/** The fields of a collider among those of a shaped body, whose pose is the body's. */
function colliderFields(def: ShapedBodyDef): Partial<ColliderDef> {
  const fields: Record<string, unknown> = {}
  for (const name of COLLIDER_FIELDS) {
    if (name !== 'position' && name !== 'orientation' && def[name] !== undefined) fields[name] = def[name]
  }
  return fields
}

/** The fields of a body among those of a shaped one. */
function bodyFields(def: ShapedBodyDef): BodyDef {
  const fields: Record<string, unknown> = {}
  for (const name of BODY_FIELDS) if (def[name] !== undefined) fields[name] = def[name]
  return fields as BodyDef
}

const BODY_FIELDS = [
  'name',
  'type',
  'mass',
  'position',
  'orientation',
  'velocity',
  'angularVelocity',
  'gravityScale',
  'linearDamping',
  'angularDamping',
  'lockTranslation',
  'lockRotation',
] as const

const SHAPED_FIELDS: readonly string[] = [...BODY_FIELDS, ...COLLIDER_FIELDS, 'density', 'origin']
