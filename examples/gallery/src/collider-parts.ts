/** What there is to see of colliders: apart from the other parts, for scenes without them carry none of it. No three, no DOM. */

import { Collisions, type Shape } from '@tautline/collision'
import type { Body, World } from '@tautline/core'
import type { Triple } from './exhibit.js'
import { type Form, type Part, solid, standing, type Tone } from './parts.js'

/** Forms of a shape, each with its place in the body; none for what has no end, as planes. */
export function formsOf(shape: Shape): { form: Form; at: Triple; turned: readonly [number, number, number, number] }[] {
  const at: Triple = [0, 0, 0]
  const turned = [0, 0, 0, 1] as const
  const p = shape.params
  switch (shape.name) {
    case 'sphere':
      return [{ form: { kind: 'sphere', radius: p[0] }, at, turned }]
    case 'capsule':
      return [{ form: { kind: 'capsule', radius: p[0], half: p[1] }, at, turned }]
    case 'taperedCapsule':
      return [{ form: { kind: 'taper', top: p[0], bottom: p[1], half: p[2] }, at, turned }]
    case 'box':
      return [{ form: { kind: 'box', half: [p[0], p[1], p[2]] }, at, turned }]
    case 'cylinder':
      return [{ form: { kind: 'cylinder', radius: p[0], half: p[1] }, at, turned }]
    case 'convexHull':
      return [{ form: { kind: 'hull', faces: facesOf(shape) }, at, turned }]
    case 'compound':
      return (shape.children ?? []).flatMap(({ shape: child, transform: [x, y, z], orientation }) =>
        formsOf(child).map(({ form }) => ({ form, at: [x, y, z] as Triple, turned: orientation })),
      )
    case 'plane':
    case 'heightfield':
    case 'triangleMesh':
    case 'triangle':
      return []
  }
}

function facesOf({ hull }: Shape): Triple[][] {
  if (hull === null) return []
  const { vertices, faceStart, faceVertices } = hull
  return Array.from(faceStart.subarray(1), (end, face) =>
    Array.from(faceVertices.subarray(faceStart[face], end), (k): Triple => [
      vertices[3 * k],
      vertices[3 * k + 1],
      vertices[3 * k + 2],
    ]),
  )
}

/** Everything that collides in a world; what only watches is not seen. */
export function collidersOf(world: World, tone: (body: Body, k: number) => Tone = () => 'body'): Part[] {
  const collisions = Collisions.of(world)
  if (collisions === undefined) return []
  const parts: Part[] = []
  for (const collider of collisions.collidersOf(null)) {
    if (collider.sensor) continue
    const { local, orientation } = collisions.find(collider)!
    const place = standing([local[0], local[1], local[2]], orientation)
    for (const form of formsOf(collider.shape)) parts.push({ kind: 'solid', tone: 'fixed', place, ...form })
  }
  world.bodies.all().forEach((body, k) => {
    for (const collider of collisions.collidersOf(body)) {
      if (collider.sensor) continue
      const { local, orientation } = collisions.find(collider)!
      for (const form of formsOf(collider.shape)) {
        const isOwn = form.at.every((x) => x === 0)
        parts.push(
          solid(body, form.form, body.type === 'dynamic' ? tone(body, k) : 'fixed', {
            at: isOwn ? [local[0], local[1], local[2]] : form.at,
            turned: isOwn ? orientation : form.turned,
          }),
        )
      }
    }
  })
  return parts
}
