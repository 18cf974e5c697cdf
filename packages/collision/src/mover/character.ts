/** A character as plain data, and what a move takes. */

import { cos } from '@tautline/core/kernel'
import {
  callable,
  finite,
  finiteVector,
  flag,
  instance,
  knownFields,
  nonNegative,
  positive,
  unitQuaternion,
  unitVector,
} from '@tautline/core/kernel'
import type { Body } from '@tautline/core'
import type { quat, ReadonlyQuat, ReadonlyVec3, vec3 } from 'gl-matrix'
import { checkMovable } from '../query/check.js'
import type { QueryFilter } from '../query/source.js'
import { capsule } from '../shapes/capsule.js'
import type { Shape } from '../shapes/shape.js'
import { Collider } from '../state/collider-handle.js'

/** Where a character begins. */
export interface CharacterDef {
  /** Of the origin of its shape, which for a capsule is its middle, world [m]. */
  position: ReadonlyVec3
  /** Unit quaternion `[x, y, z, w]`, shape to world. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** Away from the ground, of any length but 0. @defaultValue [0, 1, 0] */
  up?: ReadonlyVec3
}

/**
 * The state of a character: plain data of yours, which {@link moveCharacter} reads and writes. To set it down elsewhere, write `position` and
 * make `ground` `null` and `grounded` false.
 */
export interface Character {
  /** Of the origin of its shape, world [m]. */
  position: vec3
  /** Unit quaternion, shape to world. It is turned by what it stands on, about `up`. */
  orientation: quat
  /** Unit vector away from the ground. */
  up: vec3
  /**
   * What obstacles left of the velocity of the last move [m/s]: relative to the ground, along which it has no part, while `grounded`; to the
   * world in the air, the velocity of the ground that was left included.
   */
  velocity: vec3
  /** Whether it stands on what it can walk on. */
  grounded: boolean
  /** Unit normal of the ground; `up` in the air. */
  groundNormal: vec3
  /** Where it stands, on the surface of the ground, world [m]; its feet in the air. */
  groundPoint: vec3
  /** Of the point of the ground below it, world [m/s]; 0 in the air. */
  groundVelocity: vec3
  /** What it stands on; `null` in the air. */
  ground: Collider | null
  /** Pose of the body of `ground` at the end of the last move: position [m] and quaternion. What it has moved since carries the character. */
  groundPose: number[]
  /** Whether something that is no ground stopped it in the last move. */
  touchesWall: boolean
  /** Whether something above stopped it in the last move. */
  touchesCeiling: boolean
  /** What overlaps it and could not push it away, as a floor, a wall or something else was behind it; `null` where nothing does. */
  crushedBy: Collider | null
  /** Unit normal, towards the character, of what crushes it, since it began to; zeros while nothing does. */
  crushNormal: vec3
  /** How deep it is in what crushes it [m]; 0 while nothing does. */
  penetration: number
}

/** What a character met on its way. */
export interface CharacterHit {
  collider: Collider
  /** Its body; `null` is the world. */
  body: Body | null
  /** On the surface of the collider, world [m]. */
  point: vec3
  /** Unit vector from the collider to the character. */
  normal: vec3
  /** Number of the triangle of a mesh or heightfield; −1 for other shapes. */
  feature: number
}

/** How a character moves. Every field may be left out. */
export interface CharacterOptions {
  /** Convex or a compound. @defaultValue capsule(0.3, 0.6), of 1.8 m */
  shape?: Shape
  /** Highest step that it climbs [m]. @defaultValue 0.3 */
  stepHeight?: number
  /** Whether it steps onto dynamic bodies; otherwise it pushes them. @defaultValue true */
  stepOntoDynamic?: boolean
  /** Steepest slope that it walks on [rad], in [0, π/2). @defaultValue 0.8727 (50°) */
  slopeLimit?: number
  /** How far below its feet it holds on to the ground, down stairs and slopes [m]. @defaultValue 0.3 */
  snapDistance?: number
  /** Gap that it keeps from everything [m]. @defaultValue 0.02 */
  skinWidth?: number
  /** Of the character [kg]: what it pushes takes its momentum from it, what it stands on bears its weight. @defaultValue 80 */
  mass?: number
  /** Greatest force with which it pushes dynamic bodies [N]; 0 pushes none. @defaultValue 500 */
  pushStrength?: number
  /** What it meets. @defaultValue all but sensors */
  filter?: QueryFilter
  /** Called for each thing that it meets, in the order of its way. It must not change the world. @defaultValue none */
  onHit?: (hit: CharacterHit) => void
}

/** Checked options. */
export interface MoveSettings {
  shape: Shape
  stepHeight: number
  stepOntoDynamic: boolean
  /** Cosine of the slope limit. */
  walkable: number
  snapDistance: number
  skinWidth: number
  mass: number
  pushStrength: number
  filter: QueryFilter
  onHit: ((hit: CharacterHit) => void) | undefined
}

const CAPSULE = /* @__PURE__ */ capsule(0.3, 0.6)
const SLOPE_LIMIT = (50 * Math.PI) / 180
const NO_FILTER: QueryFilter = {}
/** Normals as steep as the limit, but for rounding, are walked on. */
const SLOPE_ROUNDING = 1e-9

const DEF = ['position', 'orientation', 'up']
const OPTIONS = [
  'shape',
  'stepHeight',
  'stepOntoDynamic',
  'slopeLimit',
  'snapDistance',
  'skinWidth',
  'mass',
  'pushStrength',
  'filter',
  'onHit',
]

/**
 * Makes the state of a character that stands, or hangs, where it is put; the first {@link moveCharacter} finds its ground.
 * Throws a `TypeError` or `RangeError` on a bad field.
 */
export function createCharacter(def: CharacterDef): Character {
  const where = 'createCharacter'
  knownFields(`${where}: definition`, def, DEF)
  const [x, y, z] = Array.from(finiteVector(`${where}: position`, def.position, 3))
  const up = unitVector(`${where}: up`, def.up ?? [0, 1, 0])
  return {
    position: [x, y, z],
    orientation: unitQuaternion(`${where}: orientation`, def.orientation ?? [0, 0, 0, 1]),
    up,
    velocity: [0, 0, 0],
    grounded: false,
    groundNormal: [up[0], up[1], up[2]],
    groundPoint: [x, y, z],
    groundVelocity: [0, 0, 0],
    ground: null,
    groundPose: [0, 0, 0, 0, 0, 0, 1],
    touchesWall: false,
    touchesCeiling: false,
    crushedBy: null,
    crushNormal: [0, 0, 0],
    penetration: 0,
  }
}

/** Checks the options of a move. */
export function resolveMove(where: string, options: CharacterOptions): MoveSettings {
  knownFields(`${where}: options`, options, OPTIONS)
  const { stepHeight = 0.3, slopeLimit = SLOPE_LIMIT, snapDistance = 0.3, skinWidth = 0.02, onHit } = options
  finite(`${where}: slopeLimit`, slopeLimit)
  if (!(slopeLimit >= 0 && slopeLimit < 0.5 * Math.PI)) {
    throw new RangeError(`${where}: slopeLimit must be in [0, π/2), got ${slopeLimit}`)
  }
  if (onHit !== undefined) callable(`${where}: onHit`, onHit)
  return {
    shape: checkMovable(`${where}: shape`, options.shape ?? CAPSULE),
    stepHeight: nonNegative(`${where}: stepHeight`, stepHeight),
    stepOntoDynamic: flag(`${where}: stepOntoDynamic`, options.stepOntoDynamic ?? true),
    walkable: cos(slopeLimit) - SLOPE_ROUNDING,
    snapDistance: nonNegative(`${where}: snapDistance`, snapDistance),
    skinWidth: positive(`${where}: skinWidth`, skinWidth),
    mass: positive(`${where}: mass`, options.mass ?? 80),
    pushStrength: nonNegative(`${where}: pushStrength`, options.pushStrength ?? 500),
    filter: options.filter ?? NO_FILTER,
    onHit,
  }
}

/** Checks what a move reads of a character; what it only writes must be there. */
export function checkCharacter(where: string, character: Character): void {
  knownFields(`${where}: character`, character, STATE, ['ground', 'crushedBy'])
  finiteVector(`${where}: character.position`, character.position, 3)
  unitQuaternion(`${where}: character.orientation`, character.orientation)
  unitVector(`${where}: character.up`, character.up)
  finiteVector(`${where}: character.groundNormal`, character.groundNormal, 3)
  finiteVector(`${where}: character.groundPoint`, character.groundPoint, 3)
  finiteVector(`${where}: character.groundVelocity`, character.groundVelocity, 3)
  finiteVector(`${where}: character.velocity`, character.velocity, 3)
  finiteVector(`${where}: character.groundPose`, character.groundPose, 7)
  finite(`${where}: character.penetration`, character.penetration)
  finiteVector(`${where}: character.crushNormal`, character.crushNormal, 3)
  for (const name of ['grounded', 'touchesWall', 'touchesCeiling'] as const) {
    flag(`${where}: character.${name}`, character[name])
  }
  for (const name of ['ground', 'crushedBy'] as const) {
    if (character[name] !== null)
      instance(`${where}: character.${name}`, character[name], Collider, 'a collider or null')
  }
}

const STATE: readonly (keyof Character)[] = [
  'position',
  'orientation',
  'up',
  'velocity',
  'grounded',
  'groundNormal',
  'groundPoint',
  'groundVelocity',
  'ground',
  'groundPose',
  'touchesWall',
  'touchesCeiling',
  'crushedBy',
  'crushNormal',
  'penetration',
]
