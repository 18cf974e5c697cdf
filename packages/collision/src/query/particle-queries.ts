/** What users ask of sets of particles: what a ray meets first, what a shape overlaps, what is nearest to a point. Each particle is a ball. */

import type { Body } from '@tautline/core'
import { callable, instance, knownFields } from '@tautline/core/kernel'
import type { ReadonlyVec3, vec3 } from 'gl-matrix'
import { LeanCollisions } from '../lean-collisions.js'
import { localise } from '../particles/surface.js'
import type { ParticleSet } from '../particles/particle-set.js'
import { AT, DISTANCE, FOUND, measureSurface, partOf, placePart } from '../particles/surface.js'
import type { Shape } from '../shapes/shape.js'
import { integer } from '../state/collider.js'
import { checkDistance, checkMovable, checkRay, checkTransform, checkVector } from './check.js'
import type { Pose } from './queries.js'

/** Which particles a query looks at. Every field may be left out. */
export interface ParticleQueryOptions {
  /** Layers of sets that count, a bit each. @defaultValue all */
  layers?: number
  /** How far away they may be [m]; not for overlaps. @defaultValue Infinity */
  maxDistance?: number
  /** Asked last, of those that would be an answer: whether a particle counts. @defaultValue none */
  predicate?: (set: ParticleSet, particle: number) => boolean
}

/** A particle that a query found. */
export interface ParticleHit {
  set: ParticleSet
  /** Index in the set. */
  particle: number
  body: Body
  /** From the origin of the ray, or from the point [m]; negative inside of a particle that is nearest to a point. */
  distance: number
  /** On the surface of the particle, world [m]. */
  point: vec3
  /** Unit vector out of the particle there; against the ray where it begins inside. */
  normal: vec3
}

/** Which particles a shape overlaps. */
export interface ParticleOverlap {
  set: ParticleSet
  /** Index in the set. */
  particle: number
  body: Body
}

/**
 * The first particle that a ray from `origin` [m] along `direction`, of any length but 0, meets; `null` if there is none. Throws a `TypeError` or
 * `RangeError` on a bad argument, as all queries do; they see particles where they are now.
 */
export function rayCastParticles(
  collisions: LeanCollisions,
  origin: ReadonlyVec3,
  direction: ReadonlyVec3,
  options: ParticleQueryOptions = {},
): ParticleHit | null {
  const where = 'rayCastParticles'
  const source = checkSource(where, collisions, options, true)
  const { origin: o, direction: d, maxDistance } = checkRay(where, origin, direction, options.maxDistance ?? Infinity)
  let best: ParticleHit | null = null
  let limit = maxDistance
  forEach(source, (set, particle, body, x, p, radius) => {
    const [cx, cy, cz] = [x[p] - o[0], x[p + 1] - o[1], x[p + 2] - o[2]]
    const along = cx * d[0] + cy * d[1] + cz * d[2]
    const [ax, ay, az] = [cx - along * d[0], cy - along * d[1], cz - along * d[2]]
    const half = radius * radius - (ax * ax + ay * ay + az * az)
    const inside = cx * cx + cy * cy + cz * cz <= radius * radius
    if (half < 0 || (along < 0 && !inside)) return
    const distance = inside ? 0 : along - Math.sqrt(half)
    if (distance > limit || (distance === limit && best !== null) || !counts(source, set, particle)) return
    limit = distance
    const point: vec3 = [o[0] + distance * d[0], o[1] + distance * d[1], o[2] + distance * d[2]]
    const normal: vec3 = inside
      ? [-d[0], -d[1], -d[2]]
      : [(point[0] - x[p]) / radius, (point[1] - x[p + 1]) / radius, (point[2] - x[p + 2]) / radius]
    best = { set, particle, body, distance, point, normal }
  })
  return best
}

/** The particles that a shape, convex or a compound, overlaps or touches at `pose`, by set and index. */
export function overlapParticles(
  collisions: LeanCollisions,
  shape: Shape,
  pose: Pose,
  options: Omit<ParticleQueryOptions, 'maxDistance'> = {},
): ParticleOverlap[] {
  const where = 'overlapParticles'
  const source = checkSource(where, collisions, options, false)
  const moving = checkMovable(`${where}: shape`, shape)
  knownFields(`${where}: pose`, pose, ['position', 'orientation'])
  const T = checkTransform(where, pose.position, pose.orientation ?? [0, 0, 0, 1])
  const part = new Float64Array(12)
  const found: ParticleOverlap[] = []
  forEach(source, (set, particle, body, x, p, radius) => {
    let overlaps = false
    for (let sub = 0; sub < (moving.children?.length ?? 1) && !overlaps; sub++) {
      placePart(moving, sub, T, 0, part)
      localise(part, 0, x, p)
      measureSurface(partOf(moving, sub), sub)
      overlaps = FOUND[DISTANCE] <= radius
    }
    if (overlaps && counts(source, set, particle)) found.push({ set, particle, body })
  })
  return found
}

/** The particle whose surface is nearest to a point [m]; `null` if none is as near as `maxDistance`. Inside several, the one that it is deepest in. */
export function closestParticle(
  collisions: LeanCollisions,
  point: ReadonlyVec3,
  options: ParticleQueryOptions = {},
): ParticleHit | null {
  const where = 'closestParticle'
  const source = checkSource(where, collisions, options, true)
  const at = checkVector(`${where}: point`, point)
  let limit = checkDistance(`${where}: maxDistance`, options.maxDistance ?? Infinity)
  let best: ParticleHit | null = null
  forEach(source, (set, particle, body, x, p, radius) => {
    for (let k = 0; k < 3; k++) AT[k] = at[k] - x[p + k]
    const length = Math.sqrt(AT[0] * AT[0] + AT[1] * AT[1] + AT[2] * AT[2])
    const distance = length - radius
    if (distance > limit || (distance === limit && best !== null) || !counts(source, set, particle)) return
    limit = distance
    const normal: vec3 = length > 0 ? [AT[0] / length, AT[1] / length, AT[2] / length] : [1, 0, 0]
    const on: vec3 = [x[p] + radius * normal[0], x[p + 1] + radius * normal[1], x[p + 2] + radius * normal[2]]
    best = { set, particle, body, distance, point: on, normal }
  })
  return best
}

interface Source {
  collisions: LeanCollisions
  layers: number
  predicate: ((set: ParticleSet, particle: number) => boolean) | undefined
}

function checkSource(where: string, collisions: LeanCollisions, options: ParticleQueryOptions, isFar: boolean): Source {
  instance(`${where}: collisions`, collisions, LeanCollisions, 'a Collisions')
  knownFields(`${where}: options`, options, ['layers', 'predicate', ...(isFar ? ['maxDistance'] : [])])
  const { predicate } = options
  if (predicate !== undefined) callable(`${where}: predicate`, predicate)
  return { collisions, layers: integer(`${where}: layers`, options.layers ?? -1), predicate }
}

function counts({ predicate }: Source, set: ParticleSet, particle: number): boolean {
  return predicate === undefined || predicate(set, particle)
}

/** Calls `visit` for each particle that exists, with its position at x[p…] and its radius. */
function forEach(
  { collisions, layers }: Source,
  visit: (set: ParticleSet, particle: number, body: Body, x: Float64Array, p: number, radius: number) => void,
): void {
  const sets = collisions.particles?.sets
  const { position } = collisions.world.bodies.columns
  sets?.records.forEach((record, id) => {
    if (record === undefined || (record.layer & layers) === 0) return
    const set = sets.handle(id)
    record.rows.forEach((row, k) => {
      if (row >= 0) visit(set, k, record.bodies[k]!, position, 4 * row, record.radius[k])
    })
  })
}
