/** Joints and passing pairs in the words of other engines. */

import type { Quadruple } from '../../examples/scenes/contacts/layouts.js'
import { type Bounds, type JointLimits, type SceneData, UPRIGHT } from './data.js'
import { product } from './pose.js'

/** Limits of a swing that is as wide to both sides, and of a twist. */
export interface SymmetricLimits {
  readonly frameA: Quadruple
  readonly frameB: Quadruple
  /** Half the widths of the swing about y and about z [rad]. */
  readonly halfY: number
  readonly halfZ: number
  readonly twist: Bounds
}

/** The frame on the first body is turned to the middle of the swing. */
export function symmetric({ frameA, frameB, swingY, swingZ, twist }: JointLimits): SymmetricLimits {
  const [midY, midZ] = [swingY, swingZ].map(([min, max]) => 0.5 * (min + max))
  const [halfY, halfZ] = [swingY, swingZ].map(([min, max]) => 0.5 * (max - min))
  const aboutY: Quadruple = [0, Math.sin(0.5 * midY), 0, Math.cos(0.5 * midY)]
  const aboutZ: Quadruple = [0, 0, Math.sin(0.5 * midZ), Math.cos(0.5 * midZ)]
  return { frameA: product(frameA, product(aboutY, aboutZ)), frameB, halfY, halfZ, twist }
}

/** One number for a pair of rows below `count`. */
export function pairKey(a: number, b: number, count: number): number {
  return a < b ? a * count + b : b * count + a
}

/** Keys of all pairs of bodies that pass through each other. */
export function passingPairs({ bodies, apart, touches }: SceneData): ReadonlySet<number> {
  const keys = new Set<number>()
  if (!touches) return keys
  bodies.forEach(({ part, figure }, first) => {
    if (part !== 0 || figure === undefined) return
    for (const [p, q] of apart) keys.add(pairKey(first + p, first + q, bodies.length))
  })
  return keys
}

/** Those of them that no joint joins, as pairs of rows. */
export function passingUnjoined(scene: SceneData): [number, number][] {
  const count = scene.bodies.length
  const joined = new Set(scene.joints.map(({ a, b }) => pairKey(a ?? b, b, count)))
  return [...passingPairs(scene)].filter((key) => !joined.has(key)).map((key) => [Math.floor(key / count), key % count])
}

/** Frames of a joint, those of the bodies where it has none. */
export function framesOf(limits: JointLimits | undefined): readonly [Quadruple, Quadruple] {
  return limits === undefined ? [UPRIGHT, UPRIGHT] : [limits.frameA, limits.frameB]
}
