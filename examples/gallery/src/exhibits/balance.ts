import { type Balance, balance as balanced, type Ragdoll, ragdoll } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { adultRig } from '../../../scenes/ik/humanoid.js'
import type { Exhibit } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard } from '../standard.js'

/** Steps between two pushes, and by how much each comes from another side [rad]. */
const EVERY = 300
const FIRST = 90
const ROUND = 2.4

/** A figure that keeps its feet. */
export const balance: Exhibit = {
  id: 'balance',
  title: 'Balance',
  blurb: 'A figure stands by its own joints, steps where it is pushed, and falls on its hands.',
  tries: ['Drag it by a hand.', 'Raise the push.', 'Forbid it to step.'],
  text: [
    'Nothing holds it up but its feet: ankles push the ground where the capture point wants it, and where that leaves the soles, it steps there. Every five seconds something pushes its chest, each time from another side.',
    'Once down it stays down: begin anew.',
  ],
  group: 'Ragdolls',
  settings: [
    { kind: 'number', name: 'push', label: 'Push', unit: 'N s', min: 0, max: 120, step: 1, value: 30, live: true },
    { kind: 'switch', name: 'steps', label: 'May step', value: true },
    ...standard({ solver: null, gravity: null, compliance: null }),
  ],
  view: { centre: [0, 0.9, 0], radius: 1.25, turn: 0.7, tilt: 0.12, floor: 0 },
  pose: 112,
  build(values) {
    const world = new World({ substeps: numberOf(values, 'substeps'), iterations: numberOf(values, 'iterations') })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.8 })
    const doll: Ragdoll = ragdoll(world, adultRig().rig)
    const standing: Balance = balanced(doll, { steps: values['steps'] === true })
    let push = numberOf(values, 'push')
    const feet = ['leftFoot', 'rightFoot', 'leftHand', 'rightHand', 'head'].map((name) => doll.body(name))
    return liveWorld({
      world,
      values,
      parts: collidersOf(world, (body) => (feet.includes(body) ? 'second' : 'body')),
      configure: (now) => (push = numberOf(now, 'push')),
      beforeStep(step) {
        standing.update()
        if (push === 0 || step % EVERY !== FIRST) return
        const angle = (step - FIRST) * (ROUND / EVERY)
        doll.body('chest').applyImpulse([push * sin(angle), 0, push * cos(angle)])
      },
      figures: () => ({ Steps: { value: standing.steps, unit: '' } }),
    })
  },
}
