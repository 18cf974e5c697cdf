/** Tautline at other settings than those of the bench: joints swept, joints closed to 1e-9, joints with friction. */

import type { WorldOptions } from '@tautline/core'
import type { RigidEngine } from '../contract.js'
import { addFriction, engine as plain, openScene } from './tautline.js'

/** Of every joint of a figure [N m]. */
const FRICTION_TORQUE = 1

function variant(name: string, text: string, options: WorldOptions): RigidEngine {
  return {
    ...plain,
    name,
    note: (work) => `${plain.note(work)}; ${text}`,
    setup(scene, work) {
      openScene(scene, work, undefined, options)
    },
  }
}

export const sweep: RigidEngine = variant('tautline-sweep', "solver: 'sweep'", { solver: 'sweep' })

export const tight: RigidEngine = variant('tautline-tight', 'jointTolerance 1e-9', { jointTolerance: 1e-9 })

export const friction: RigidEngine = {
  ...plain,
  name: 'tautline-friction',
  note: (work) => `${plain.note(work)}; frictionTorque ${FRICTION_TORQUE} N m in all joints`,
  setup(scene, work) {
    openScene(scene, work)
    addFriction(FRICTION_TORQUE)
  },
}
