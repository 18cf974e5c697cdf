/** What there is to see of any world: colliders, particles, boxes of a mass and moments, and what joins two bodies. No three, no DOM. */

import type { Body, World } from '@tautline/core'
import { collidersOf } from './collider-parts.js'
import { type Part, solid, writeCentre } from './parts.js'

/** Radius of a particle that is drawn [m]. */
const BEAD = 0.05

/** All of a world, as it is now, but for bodies that other parts show. */
export function partsOfWorld(world: World, bead: number = BEAD, others: ReadonlySet<Body> = new Set()): Part[] {
  const parts: Part[] = collidersOf(world)
  const shown = new Set([
    ...Array.from(others, ({ index }) => index),
    ...parts.flatMap((part) => (part.kind === 'solid' && part.body !== undefined ? [part.body.index] : [])),
  ])
  for (const body of world.bodies.all()) {
    if (shown.has(body.index)) continue
    const isFixed = body.type !== 'dynamic'
    parts.push(
      body.isParticle
        ? solid(body, { kind: 'sphere', radius: bead }, isFixed ? 'fixed' : 'second')
        : solid(body, { kind: 'box', half: halfOf(body) }, isFixed ? 'fixed' : 'body'),
    )
  }
  const links = world.constraints().flatMap((constraint) => {
    const [a, b, ...more] = constraint.bodies
    if (a === null || b === null || b === undefined || more.length > 0) return []
    return others.has(a) || others.has(b) ? [] : [[a, b] as const]
  })
  if (links.length === 0) return parts
  const sticks: Part = {
    kind: 'sticks',
    count: links.length,
    radius: 0.4 * bead,
    tone: 'rope',
    write(out, alpha) {
      links.forEach(([a, b], k) => {
        if (!a.alive || !b.alive) return
        writeCentre(a, alpha, out, 6 * k)
        writeCentre(b, alpha, out, 6 * k + 3)
      })
    },
  }
  return [...parts, sticks]
}

/** Half the sides of a box of a body's mass and moments [m]. */
function halfOf({ mass, moments }: { mass: number; moments: ArrayLike<number> }): readonly [number, number, number] {
  if (!Number.isFinite(mass)) return [0.05, 0.05, 0.05]
  const [x, y, z] = Array.from(moments)
  const half = (s: number): number => Math.sqrt(Math.max((1.5 * s) / mass, 1e-4))
  return [half(y + z - x), half(z + x - y), half(x + y - z)]
}
