import { box, plane } from '@tautline/collision'
import { randomNumbers } from '../../../lib/random.js'
import { adultRagdoll } from '../../../scenes/trees/adult-ragdoll.js'
import type { Exhibit } from '../exhibit.js'
import { widest } from '../measures.js'
import { collidersOf } from '../collider-parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, SEED, standard, worldOptions } from '../standard.js'

/** Stairs: how many, their height and depth, half their width [m]. */
const STAIRS = { count: 7, rise: 0.22, run: 0.4, half: 1.6 } as const
/** Muscles: stiffness and damping of a drive, by its largest couple [1/rad, s/rad]. */
const MUSCLE = { stiffness: 4, damping: 0.3 } as const

/** An adult who falls down stairs. */
export const ragdoll: Exhibit = {
  id: 'ragdoll',
  title: 'Ragdoll',
  blurb: 'An adult with published measures and joint ranges takes a fall down the stairs.',
  tries: ['Pull it up by a hand.', 'Give it muscles: it keeps its pose.', 'Choose another seed for another fall.'],
  text: ['Sixteen bodies on swing–twist joints within an adult’s ranges, solved as one tree: no joint comes apart.'],
  group: 'Ragdolls',
  settings: [
    { kind: 'number', name: 'muscles', label: 'Strength of muscles', min: 0, max: 1, step: 0.01, value: 0.04 },
    SEED,
    ...standard({ substeps: 6 }),
  ],
  view: { centre: [0, 0.9, 0.9], radius: 2.4, turn: 1.1, tilt: 0.22, floor: 0 },
  pose: 38,
  build(values) {
    const scene = adultRagdoll(worldOptions(values))
    const { world, collisions, bodies, joints } = scene
    collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.7 })
    const { count, rise, run, half } = STAIRS
    for (let k = 0; k < count; k++) {
      const height = rise * (count - k)
      const position = [0, 0.5 * height, run * (k - 1)] as const
      collisions.addCollider(null, { shape: box([half, 0.5 * height, 0.5 * run]), position, friction: 0.7 })
    }
    const random = randomNumbers(numberOf(values, 'seed'))
    for (let k = 0; k < 8; k++) random()
    const velocity = [0.6 * random(), 0.5 + 0.3 * random(), 2.4 + 0.6 * random()] as const
    for (const body of bodies) {
      const [x, y, z] = body.position
      body.setPosition([x, y + rise * count + 0.05, z - run])
      body.setVelocity(velocity)
    }
    const strength = numberOf(values, 'muscles')
    for (const { constraint, maxTorque } of joints) {
      const couple = strength * maxTorque
      constraint.set({
        drive: {
          stiffness: MUSCLE.stiffness * couple,
          damping: MUSCLE.damping * couple + 0.3,
          maxTorque: couple + 0.5,
        },
      })
    }
    const constraints = joints.map(({ constraint }) => constraint)
    return liveWorld({
      world,
      values,
      parts: collidersOf(world, (body) =>
        body.name === 'head' || body.name?.endsWith('hand') === true ? 'second' : 'body',
      ),
      figures: () => ({ 'Widest gap in a joint': { value: 1000 * widest(constraints), unit: 'mm' } }),
    })
  },
}
