import { jointGap, jointGrid } from '../../../scenes/impulse/chains.js'
import { type Body } from '@tautline/core'
import { sin } from '@tautline/core/kernel'
import { randomNumbers } from '../../../lib/random.js'
import type { Exhibit } from '../exhibit.js'
import { type Part, solid, writeCentre } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, SEED, standard, worldOptions } from '../standard.js'

/** A net of balls on joints. */
export const net: Exhibit = {
  id: 'net',
  title: 'Net of balls',
  blurb: 'A net of balls on ball joints: loop upon loop, hung by its upper edge.',
  tries: ['Pull it aside and let go.', 'Choose another seed for another gust.'],
  text: [
    'Every ball is joined to its neighbours, so almost every joint closes a loop: too many for the direct solver, which leaves the net to sweeps. It hangs by the middle of its top row, under twice its weight.',
  ],
  group: 'Joints',
  settings: [
    { kind: 'number', name: 'side', label: 'Balls a side', min: 5, max: 20, step: 1, value: 13 },
    SEED,
    ...standard({ substeps: 8 }),
  ],
  view: { centre: [0, -6, 0], radius: 8.6, turn: 0.35, tilt: 0.05 },
  pose: 60,
  build(values) {
    const scene = jointGrid(numberOf(values, 'side'), worldOptions(values))
    blow(scene.bodies, numberOf(values, 'seed'))
    const links: Part = {
      kind: 'sticks',
      count: scene.joints.length,
      radius: 0.09,
      tone: 'rope',
      write(out, alpha) {
        scene.joints.forEach(({ bodies: [a, b] }, k) => {
          if (a !== null) writeCentre(a, alpha, out, 6 * k)
          if (b !== null) writeCentre(b, alpha, out, 6 * k + 3)
        })
      },
    }
    return liveWorld({
      world: scene.world,
      values,
      parts: [
        links,
        ...scene.world.bodies
          .all()
          .map((body, k) =>
            solid(
              body,
              { kind: 'sphere', radius: 0.26 },
              body.type === 'static' ? 'fixed' : k % 2 === 0 ? 'body' : 'second',
            ),
          ),
      ],
      figures: () => ({ 'Widest gap in a joint': { value: 1000 * jointGap(scene), unit: 'mm' } }),
    })
  },
}

/** Speed of a gust [m/s]. */
const GUST = 4

/** A gust through the net: a wave across it, its direction and place by a seed. */
function blow(bodies: readonly Body[], seed: number): void {
  const random = randomNumbers(seed)
  for (let k = 0; k < 8; k++) random()
  const [across, down, phase] = [0.5 * random(), 0.3 * random(), Math.PI * random()]
  for (const body of bodies) {
    const [x, y] = body.position
    body.setVelocity([0, 0, GUST * sin(across * x + down * y + phase)])
  }
}
