import { cloth } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { grid } from '../../../lib/grid.js'
import { addWalker, type Size } from '../../../scenes/assemblies/walker.js'
import { clothPart } from '../cloth-part.js'
import type { Exhibit } from '../exhibit.js'
import { type Form, solid } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** Radius of the way [m]. */
const WAY = 0.55
const [ACROSS, DOWN] = [26, 30]
/** Half of what it covers of the shoulders [rad]. */
const HALF = 1.75
/** From the shoulders down to the calves [m]. */
const [TOP, LENGTH] = [1.42, 1]

/** A cape on a figure that walks. */
export const cape: Exhibit = {
  id: 'cape',
  title: 'Cape',
  blurb: 'A cape on a figure that walks: pinned to its shoulders, it trails, swings and stays outside.',
  tries: ['Pull at the hem.', 'Have the figure run, or stop it.', 'Let the wind blow.'],
  text: [
    'The upper edge is pinned to the trunk, a body that is led through the walk. What hangs below is woven cloth: warp and weft do not stretch, the air slows it, and it touches legs and arms.',
  ],
  group: 'Cloth and rope',
  settings: [
    { kind: 'number', name: 'speed', label: 'Speed', unit: 'm/s', min: 0, max: 4, step: 0.1, value: 1.3, live: true },
    { kind: 'number', name: 'wind', label: 'Wind', unit: 'm/s', min: 0, max: 12, step: 0.5, value: 0, live: true },
    ...standard({ substeps: 4, solver: null, compliance: null }),
  ],
  view: { centre: [0, 0.8, 0], radius: 1.25, half: [1.25, 1.25], turn: -0.6, tilt: 0.16, floor: 0 },
  pose: 200,
  build(values) {
    const world = new World(worldOptions(values))
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: 0.3 })
    const walker = addWalker(collisions, WAY)
    const worn = cloth(world, {
      ...grid(ACROSS, DOWN, (u, v) => {
        const [angle, spread] = [HALF * (2 * u - 1), 1 + 0.45 * v]
        return [0.285 * spread * sin(angle) - WAY, TOP - LENGTH * v, -0.205 * spread * cos(angle)]
      }),
      pins: [{ vertices: Array.from({ length: ACROSS }, (_, k) => k), body: walker.trunk }],
      density: 0.25,
      thickness: 0.014,
      drag: 1,
      gust: 0.5,
    })
    let speed = 0
    return liveWorld({
      world,
      values,
      parts: [
        ...walker.parts.map(({ body, size }, k) => solid(body, formOf(size), k === 2 ? 'cloth' : 'body')),
        clothPart(worn, 'goal'),
      ],
      beforeStep: () => walker.walk(world.settings.dt, speed),
      configure(now) {
        speed = numberOf(now, 'speed')
        worn.wind = [numberOf(now, 'wind'), 0, 0]
      },
      figures: () => ({ 'Largest stretch': { value: 100 * worn.measure().stretch.max, unit: '%' } }),
    })
  },
}

function formOf([radius, half]: Size): Form {
  return half === 0 ? { kind: 'sphere', radius } : { kind: 'capsule', radius, half }
}
