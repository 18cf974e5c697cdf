/** What cannot be seen of worlds: joints, limits, links, contacts and forces as lines. Loaded when it is asked for. */

import type { World } from '@tautline/core'
import { DebugLines } from '@tautline/three'
import { Group } from 'three'
import type { Live } from '../exhibit.js'

const GRAVITY = 9.81
const CATEGORIES = ['joints', 'limits', 'links', 'contacts', 'forces'] as const

export class Inside {
  readonly group: Group = new Group()
  /** A world each. */
  private readonly lines: readonly DebugLines[]

  /** Lines of some categories, in sizes for a picture of a radius [m]. */
  constructor(live: Live, wanted: readonly (typeof CATEGORIES)[number][], radius: number) {
    this.lines = live.worlds.map((world) => this.linesOf(world, live, wanted, radius))
  }

  private linesOf(world: World, { parts }: Live, wanted: readonly string[], radius: number): DebugLines {
    const bodies = world.bodies.all()
    const weight = bodies.reduce((sum, { mass }) => sum + (Number.isFinite(mass) ? GRAVITY * mass : 0), 0)
    const lines = new DebugLines(world, {
      ...Object.fromEntries(CATEGORIES.map((name) => [name, wanted.includes(name)])),
      bodies: false,
      colliders: false,
      size: 0.04 * radius,
      // What carries everything gets an arrow of this share of the picture.
      arrowScale: (0.25 * radius) / Math.max(weight, 1e-3),
    })
    const part = parts.find((each) => each.kind === 'solid' && each.body?.bodies === world.bodies)
    if (part !== undefined && part.kind !== 'label') lines.object.position.set(...(part.shift ?? [0, 0, 0]))
    this.group.add(lines.object)
    return lines
  }

  /** At `alpha` from the start of the last step to its end. */
  update(alpha: number): void {
    for (const lines of this.lines) lines.update(alpha)
  }

  dispose(): void {
    this.group.removeFromParent()
    for (const lines of this.lines) lines.dispose()
  }
}
