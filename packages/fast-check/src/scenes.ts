/** Arbitraries of whole scenes: each shrinks to fewer bodies, equal masses, rest, and no operations. */

import { ballSocket, dihedralBend, distance, fixed, hinge, swingTwist } from '@tautline/constraints'
import type { BodyDef } from '@tautline/core'
import fc, { type Arbitrary } from 'fast-check'
import { cuboidMoments, gravities, massUpTo } from './bodies.js'
import { type Fields } from './conformance/options.js'
import { real, record, rotation, type Vec3, vector } from './numbers.js'
import { operations } from './operations.js'
import { Scene } from './scene.js'
import type { AnyConstraintType, ColliderSpec, ConstraintSpec, Operation, ShapeSpec } from './spec.js'

/** What all scenes take. */
export interface SceneOptions {
  /** Most bodies, or limbs; of a cloth, particles along an edge. @defaultValue 8 */
  size?: number
  /** Heaviest to lightest. @defaultValue 100 */
  massRatio?: number
  /** Speeds at first, in ± [m/s] and [rad/s]. @defaultValue 2 */
  speed?: number
  /** Edits and steps. @defaultValue {@link operations} of any kind */
  operations?: Arbitrary<Operation[]>
}

/** What differs from body to body. */
interface Part {
  mass: number
  velocity: Vec3
  spin: Vec3
}

/** Where the joints of a scene come from, and what they hold. */
const JOINTS: readonly { type: AnyConstraintType; fields: (at: Vec3) => Fields }[] = [
  { type: ballSocket as unknown as AnyConstraintType, fields: (point) => ({ point }) },
  { type: hinge as unknown as AnyConstraintType, fields: (point) => ({ point, axis: [0, 0, 1] }) },
  { type: fixed as unknown as AnyConstraintType, fields: (point) => ({ point }) },
  { type: swingTwist as unknown as AnyConstraintType, fields: (point) => ({ point, axis: [1, 0, 0] }) },
]

const EDGES: Vec3 = [0.4, 0.2, 0.2]

function parts({ massRatio = 100, speed = 2 }: SceneOptions): Arbitrary<Part> {
  return record({ mass: massUpTo(massRatio), velocity: vector(speed), spin: vector(speed) })
}

function bodyAt(position: Vec3, { mass, velocity, spin }: Part): BodyDef {
  return { position, velocity, angularVelocity: spin, mass, inertia: cuboidMoments(mass, EDGES) }
}

function whole<T extends object>(
  shape: { [K in keyof T]: Arbitrary<T[K]> },
  options: SceneOptions,
  make: (value: T) => Pick<Scene['def'], 'bodies' | 'constraints'> & { colliders?: readonly ColliderSpec[] },
): Arbitrary<Scene> {
  const edits = options.operations ?? operations()
  return fc
    .tuple(record<T>(shape), gravities(), edits)
    .map(([value, gravity, done]) => new Scene({ ...make(value), options: { gravity }, operations: done }))
}

/** Bodies joined in a row, the first to the world. */
export function chains(options: SceneOptions = {}): Arbitrary<Scene> {
  const { size = 8 } = options
  const shape = {
    links: fc.array(parts(options), { minLength: 1, maxLength: size }),
    joint: fc.nat({ max: JOINTS.length - 1 }),
  }
  return whole(shape, options, ({ links, joint }) => ({
    bodies: links.map((part, k) => bodyAt([0.5 * k + 0.25, 0, 0], part)),
    constraints: links.map((_, k): ConstraintSpec => {
      const { type, fields } = JOINTS[joint]
      return { type, joins: { a: k === 0 ? null : k - 1, b: k }, fields: fields([0.5 * k, 0, 0]) }
    }),
  }))
}

/** Bodies of which each hangs on one before it, by joints of any kind. */
export function trees(options: SceneOptions = {}): Arbitrary<Scene> {
  const { size = 8 } = options
  const node = record({
    part: parts(options),
    parent: fc.nat({ max: size }),
    joint: fc.nat({ max: JOINTS.length - 1 }),
  })
  const shape = { nodes: fc.array(node, { minLength: 1, maxLength: size }), isFree: fc.boolean() }
  return whole(shape, options, ({ nodes, isFree }) => {
    const places: Vec3[] = []
    const constraints: ConstraintSpec[] = []
    nodes.forEach(({ parent, joint }, k) => {
      const above = k === 0 ? null : parent % k
      const [x, y, z] = above === null ? [0, 0, 0] : places[above]
      const side = 0.3 * ((k % 3) - 1)
      places.push([x + side, y - 0.5, z])
      if (above === null && isFree) return
      const { type, fields } = JOINTS[joint]
      constraints.push({ type, joins: { a: above, b: k }, fields: fields([x + 0.5 * side, y - 0.25, z]) })
    })
    return { bodies: nodes.map(({ part }, k) => bodyAt(places[k], part)), constraints }
  })
}

/** Boxes and spheres that fall on a plane. */
export function piles(options: SceneOptions = {}): Arbitrary<Scene> {
  const { size = 8 } = options
  const thing = record({
    part: parts(options),
    isBall: fc.boolean(),
    radius: real(0.1, 0.5, 0.25),
    orientation: rotation(),
    aside: vector(0.3),
  })
  const material = record({ friction: real(0, 1, 0.5), restitution: real(0, 0.8) })
  return whole(
    { things: fc.array(thing, { minLength: 1, maxLength: size }), material },
    options,
    ({ things, material: surface }) => {
      const floor: ColliderSpec = { body: null, shape: ['plane', [0, 1, 0]], fields: { ...surface } }
      const colliders = things.map(({ isBall, radius }, body): ColliderSpec => {
        const shape: ShapeSpec = isBall ? ['sphere', radius] : ['box', [radius, radius, radius]]
        return { body, shape, fields: { ...surface } }
      })
      const bodies = things.map(({ part, radius, orientation, aside }, k): BodyDef => {
        const position: Vec3 = [aside[0], 0.6 + 1.1 * k, aside[2]]
        const inertia = cuboidMoments(part.mass, [2 * radius, 2 * radius, 2 * radius])
        return { ...bodyAt(position, part), orientation, inertia }
      })
      return { bodies, constraints: [], colliders: [floor, ...colliders] }
    },
  )
}

/** Particles on a grid of distances, with or without bending, pinned at two corners. */
export function cloths(options: SceneOptions = {}): Arbitrary<Scene> {
  const { size = 8 } = options
  const edge = fc.integer({ min: 2, max: Math.max(2, size) })
  const shape = {
    columns: edge,
    rows: edge,
    mass: massUpTo(options.massRatio ?? 100),
    compliance: fc.constantFrom(0, 1e-6, 1e-3),
    bends: fc.boolean(),
  }
  return whole(shape, options, ({ columns, rows, mass, compliance, bends }) => {
    const at = (i: number, j: number): number => i + columns * j
    const bodies: BodyDef[] = []
    const constraints: ConstraintSpec[] = []
    const add = (type: unknown, ids: readonly number[], fields: Fields): void => {
      const joins = ids.length === 2 ? { a: ids[0], b: ids[1] } : { bodies: ids }
      constraints.push({ type: type as AnyConstraintType, joins, fields })
    }
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const isPinned = j === 0 && (i === 0 || i === columns - 1)
        bodies.push({ position: [0.1 * i, 0, 0.1 * j], ...(isPinned ? { type: 'static' } : { mass: 0.01 * mass }) })
        if (i > 0) add(distance, [at(i - 1, j), at(i, j)], { compliance })
        if (j > 0) add(distance, [at(i, j - 1), at(i, j)], { compliance })
        if (i === 0 || j === 0) continue
        add(distance, [at(i - 1, j - 1), at(i, j)], { compliance })
        if (bends) {
          add(dihedralBend, [at(i - 1, j - 1), at(i, j), at(i, j - 1), at(i - 1, j)], { compliance: 0.1 })
        }
      }
    }
    return { bodies, constraints }
  })
}

/** Parts of a ragdoll: which hangs on which, where its middle is and where it is joined [m]. */
const LIMBS: readonly { parent: number; middle: Vec3; joint: Vec3; type: number }[] = [
  { parent: -1, middle: [0, 1, 0], joint: [0, 1, 0], type: 0 },
  { parent: 0, middle: [0, 1.3, 0], joint: [0, 1.15, 0], type: 3 },
  { parent: 1, middle: [0, 1.65, 0], joint: [0, 1.5, 0], type: 3 },
  { parent: 1, middle: [-0.35, 1.4, 0], joint: [-0.2, 1.4, 0], type: 3 },
  { parent: 1, middle: [0.35, 1.4, 0], joint: [0.2, 1.4, 0], type: 3 },
  { parent: 3, middle: [-0.65, 1.4, 0], joint: [-0.5, 1.4, 0], type: 1 },
  { parent: 4, middle: [0.65, 1.4, 0], joint: [0.5, 1.4, 0], type: 1 },
  { parent: 0, middle: [-0.1, 0.7, 0], joint: [-0.1, 0.9, 0], type: 3 },
  { parent: 0, middle: [0.1, 0.7, 0], joint: [0.1, 0.9, 0], type: 3 },
  { parent: 7, middle: [-0.1, 0.25, 0], joint: [-0.1, 0.48, 0], type: 1 },
  { parent: 8, middle: [0.1, 0.25, 0], joint: [0.1, 0.48, 0], type: 1 },
]
const SWING = { y: { min: -0.6, max: 0.6 }, z: { min: -0.6, max: 0.6 } }

/** A figure of up to eleven parts with swing–twist joints and hinged elbows and knees, some of them limited. */
export function ragdolls(options: SceneOptions = {}): Arbitrary<Scene> {
  const size = Math.min(options.size ?? LIMBS.length, LIMBS.length)
  const shape = { limbs: fc.array(parts(options), { minLength: 1, maxLength: size }), isLimited: fc.boolean() }
  return whole(shape, options, ({ limbs, isLimited }) => ({
    bodies: limbs.map((part, k) => bodyAt(LIMBS[k].middle, part)),
    constraints: limbs.flatMap((_, k): ConstraintSpec[] => {
      const { parent, joint, type } = LIMBS[k]
      if (parent < 0) return []
      const { type: kind, fields } = JOINTS[type]
      const limits = !isLimited ? {} : type === 1 ? { limits: { min: -2, max: 0.1 } } : { swing: SWING }
      return [{ type: kind, joins: { a: parent, b: k }, fields: { ...fields(joint), ...limits } }]
    }),
  }))
}

/** Any of the above. */
export function scenes(options: SceneOptions = {}): Arbitrary<Scene> {
  return fc.oneof(chains(options), trees(options), piles(options), cloths(options), ragdolls(options))
}
