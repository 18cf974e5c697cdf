/** The ground under a character, and where it has room to stand. */

import { capsule, overlapShape, rayCast } from '@tautline/collision'
import type { Body } from '@tautline/core'
import { collisionsOf } from '../../parts/collisions.js'
import { fromTo, type Quat, scaled, sum, rotated, type Vec3 } from '../algebra.js'
import type { Ragdoll } from '../ragdoll.js'

/** What is looked at for the ground. */
export interface Surroundings {
  readonly up: Vec3
  /** Height of the ground along up at a point, from that point [m]: negative below; none where there is no ground in reach. */
  below(point: Vec3): number | undefined
  /** How far it is free from a point in a direction [m], at most `most`. */
  free(from: Vec3, way: Vec3, most: number): number
  /** Whether a character has room with its feet at a point. */
  hasRoom(point: Vec3): boolean
}

/** How far a ray looks for the ground, above and below [m], by the height of the figure. */
const ABOVE = 0.35
const BELOW = 1.2
/** Half of the breadth of a character, and how far above its feet it must be free, by its height. */
const BREADTH = 0.13
const STEP = 0.25
/** Where the ground is looked at besides the middle, by the height. */
const FOOTING = 0.09

/** Up, against gravity; y without one. */
export function upOf(doll: Ragdoll): Vec3 {
  const [x, y, z] = doll.world.settings.gravity
  const g = Math.sqrt(x * x + y * y + z * z)
  return g > 0 ? [-x / g, -y / g, -z / g] : [0, 1, 0]
}

/** The colliders around a ragdoll of a height [m], itself and what it holds aside; a plane through `level` [m along up] where the world has none. */
export function surroundingsOf(doll: Ragdoll, height: number, level: number): Surroundings {
  const up = upOf(doll)
  const collisions = collisionsOf(doll.world)
  if (collisions === undefined) {
    return {
      up,
      free: (_from, _way, most) => most,
      hasRoom: () => true,
      below: (p) => level - (p[0] * up[0] + p[1] * up[1] + p[2] * up[2]),
    }
  }
  const filter = { exclude: ownBodies(doll), layers: doll.settings.mask }
  const [radius, step] = [BREADTH * height, STEP * height]
  const half = 0.5 * Math.max(height - step - 2 * radius, 0)
  const body = capsule(radius, half)
  const orientation = fromTo([0, 1, 0], up)
  return {
    up,
    below: (p) => {
      const hit = rayCast(collisions, sum(p, scaled(up, ABOVE * height)), scaled(up, -1), {
        maxDistance: (ABOVE + BELOW) * height,
        filter,
      })
      return hit === null || hit.inside ? undefined : ABOVE * height - hit.distance
    },
    free: (from, way, most) => {
      const hit = rayCast(collisions, from, way, { maxDistance: most, filter })
      return hit === null || hit.inside ? most : hit.distance
    },
    hasRoom: (p) => {
      const position = sum(p, scaled(up, step + radius + half))
      return overlapShape(collisions, body, { position, orientation }, { filter }).length === 0
    },
  }
}

/** Bodies of the ragdoll, and things that it holds. */
function ownBodies(doll: Ragdoll): Body[] {
  const own = new Set<Body>(doll.bodies)
  for (const { bodies } of doll.constraints) for (const body of bodies) if (body !== null) own.add(body as Body)
  return [...own].filter((body) => body.alive)
}

/** Height of the highest ground that feet at a point meet, from that point [m]. */
export function footing({ up, below }: Surroundings, point: Vec3, height: number): number | undefined {
  const turn = fromTo([0, 1, 0], up)
  const middle = below(point)
  if (middle === undefined) return undefined
  const reach = FOOTING * height
  const around = [
    [reach, 0],
    [-reach, 0],
    [0, reach],
    [0, -reach],
  ].map(([x, z]) => below(sum(point, rotated(turn, [x, 0, z]))))
  return Math.max(middle, ...around.filter((each) => each !== undefined && each - middle < STEP * height).map(Number))
}

/** Places to stand tried around a middle: the one wished, back towards the middle, then a ring about it. */
export function standingPlaces(middle: Vec3, wish: Vec3, up: Vec3, height: number): Vec3[] {
  const turn: Quat = fromTo([0, 1, 0], up)
  const list = [1, 0.7, 0.4, 0.1].map(
    (share): Vec3 => [0, 1, 2].map((k) => middle[k] + share * (wish[k] - middle[k])) as Vec3,
  )
  for (const radius of [0.25, 0.45]) {
    for (const [x, z] of RING) list.push(sum(middle, rotated(turn, [radius * height * x, 0, radius * height * z])))
  }
  return list
}

const D = Math.SQRT1_2
const RING = [
  [1, 0],
  [D, D],
  [0, 1],
  [-D, D],
  [-1, 0],
  [-D, -D],
  [0, -1],
  [D, -D],
] as const
