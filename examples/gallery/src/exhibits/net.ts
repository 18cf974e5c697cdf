import { jointGap, jointGrid } from '../../../scenes/impulse/chains.js'
import type { Exhibit } from '../exhibit.js'
import { solid } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** A net of balls on joints. */
export const net: Exhibit = {
  id: 'net',
  title: 'Net of balls',
  blurb: 'A net of balls on ball joints: loop upon loop, hung by its upper edge.',
  text: [
    'Every ball is joined to its neighbours, so almost every joint closes a loop. The net hangs by the middle of its top row, under twice its weight.',
    'Pull it aside and let go.',
  ],
  group: 'Joints',
  settings: [
    { kind: 'number', name: 'side', label: 'Balls a side', min: 5, max: 20, step: 1, value: 13 },
    ...standard({ substeps: 8 }),
  ],
  view: { centre: [0, -6, 0], radius: 8.6, turn: 0.35, tilt: 0.05 },
  pose: 60,
  build(values) {
    const scene = jointGrid(numberOf(values, 'side'), worldOptions(values))
    return liveWorld({
      world: scene.world,
      values,
      parts: scene.world.bodies
        .all()
        .map((body, k) =>
          solid(
            body,
            { kind: 'sphere', radius: 0.4 },
            body.type === 'static' ? 'fixed' : k % 2 === 0 ? 'body' : 'second',
          ),
        ),
      figures: () => ({ 'Widest gap in a joint': { value: 1000 * jointGap(scene), unit: 'mm' } }),
    })
  },
}
