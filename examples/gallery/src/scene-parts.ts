/** What a scene says of itself, as parts. No DOM. */

import type { Scene } from '../../scenes/scene.js'
import { capsulePart, type Part, solid, type Tone } from './parts.js'
import { surfacePart } from './surface-part.js'

/** Share of the radius with which a ball below a cloth is drawn. */
const BELOW = 0.965

/** What a scene says of itself. */
export function partsOfScene(scene: Pick<Scene, 'picture'>, tone: Tone = 'body'): Part[] {
  const { shapes, surface } = scene.picture
  const parts: Part[] = []
  for (const shape of shapes) {
    if (shape.kind === 'sphere') {
      // Of a surface only the vertices lie on a ball: between them it is a little inside.
      const radius = shape.radius * (surface === undefined ? 1 : BELOW)
      parts.push(solid(shape.body, { kind: 'sphere', radius }, shape.body.type === 'dynamic' ? tone : 'fixed'))
    }
    if (shape.kind === 'capsule') parts.push(capsulePart(shape.body, shape.from, shape.to, shape.radius, tone))
  }
  if (surface !== undefined) parts.push(surfacePart(surface, 'cloth'))
  return parts
}
