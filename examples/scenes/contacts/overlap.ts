/** What starts inside each other and has to part gently. */

import { box } from '@tautline/collision'
import { type ContactOptions, type ContactScene, placed, worldOnFloor } from './scene.js'
import type { Triple } from './layouts.js'

/** A scene of boxes that carry each other: for each, which others it rests on once it is at rest. */
export interface OverlapScene extends ContactScene {
  /** Side of the boxes [m]. */
  readonly side: number
  /** By body: what is below it; none is the floor. */
  readonly below: readonly (readonly number[])[]
}

/** Tamis's five cubes of 2.4 m and 1.2 kg, 2 m apart, the lowest half in the floor, g = 10 m/s² ("Constraint based physics solver", 10.2). */
export function overlappingCubes(options: ContactOptions = {}): OverlapScene {
  const friction = 0.5
  const { world, collisions } = worldOnFloor({ gravity: [0, -10, 0], ...options }, friction)
  const bodies = Array.from({ length: 5 }, (_, k) =>
    collisions.addBody({ shape: box([1.2, 1.2, 1.2]), mass: 1.2, position: placed(options, [0, 2 * k, 0]), friction }),
  )
  return { world, collisions, bodies, side: 2.4, below: bodies.map((_, k) => (k === 0 ? [] : [k - 1])) }
}

/** Box2D's overlap recovery: a pyramid of base 4, boxes of 1 m, drawn together by a quarter. */
export function overlappingPyramid(options: ContactOptions = {}): OverlapScene {
  const friction = 0.5
  const base = 4
  const half = 0.5
  const share = 0.75
  const { world, collisions } = worldOnFloor(options, friction)
  const centres: Triple[] = []
  const below: number[][] = []
  for (let row = 0; row < base; row++) {
    for (let k = 0; k < base - row; k++) {
      const first = centres.length - (base - row + 1)
      below.push(row === 0 ? [] : [first, first + 1])
      centres.push([share * 2 * half * (k - 0.5 * (base - row - 1)), half * (1 + 2 * share * row), 0])
    }
  }
  const bodies = centres.map((centre) =>
    collisions.addBody({ shape: box([half, half, half]), density: 100, position: placed(options, centre), friction }),
  )
  return { world, collisions, bodies, side: 2 * half, below }
}

/**
 * Largest gap and deepest overlap [m] between boxes that lie level and what they rest on, the higher of the two where there
 * are two.
 */
export function gaps({ bodies, below, side }: OverlapScene): { gap: number; overlap: number } {
  let [gap, overlap] = [-Infinity, -Infinity]
  bodies.forEach((body, k) => {
    const carrier = Math.max(...below[k].map((j) => bodies[j].position[1]), -0.5 * side)
    const apart = body.position[1] - carrier - side
    gap = Math.max(gap, apart)
    overlap = Math.max(overlap, -apart)
  })
  return { gap, overlap }
}
