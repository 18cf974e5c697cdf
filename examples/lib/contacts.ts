/** Contact scenes in the shape that `npm run demo` runs and prints. */

import { type ContactScene, positionsOf, QUALITY, sidewaysDrift, sink, topSpeed } from '../scenes/contacts/index.js'
import type { Figure, Scene } from '../scenes/scene.js'

/** Touching pairs of colliders, and the deepest overlap of their points [m]. */
function touches({ collisions }: ContactScene): { pairs: number; overlap: number } {
  let [pairs, overlap] = [0, 0]
  for (const { type, points } of collisions.events) {
    if (type === 'end') continue
    pairs++
    for (const { separation } of points) overlap = Math.max(overlap, -separation)
  }
  return { pairs, overlap }
}

/** Seconds of a contact scene. `stands`: nothing is to move, and how far it did is told. */
export function contactScene(name: string, made: ContactScene, seconds: number, stands: boolean): Scene {
  const { world, bodies } = made
  const { dt } = QUALITY
  const starts = positionsOf(bodies)
  const millimetres = (value: number): Figure => ({ value: 1000 * value, unit: 'mm' })
  return {
    name,
    parameters: { bodies: bodies.length, seconds },
    world,
    dt,
    steps: Math.round(seconds / dt),
    picture: { shapes: [], lines: [] },
    beforeStep: () => made.beforeStep?.(),
    measure: () => ({
      stretch: 0,
      // Events are gathered when they are asked for: at the end, not at each step.
      get figures(): Record<string, Figure> {
        const { pairs, overlap } = touches(made)
        return {
          'touching pairs': { value: pairs, unit: '' },
          'deepest overlap': millimetres(overlap),
          fastest: { value: 1000 * topSpeed(bodies), unit: 'mm/s' },
          ...(stands && { 'moved sideways': millimetres(sidewaysDrift(bodies, starts)) }),
          ...(stands && { sank: millimetres(sink(bodies, starts)) }),
        }
      },
    }),
  }
}
