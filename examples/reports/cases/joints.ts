/** Faults that outside trials found in bodies, joints, rigs and bindings. Each row repeats a trial through the public API. */

import { World } from '@tautline/core'
import type { Measured, ReportRow } from '../report.js'

/** A step of 16, meant as milliseconds,: nothing may move. */
function milliseconds(): Measured {
  const world = new World()
  const body = world.addParticle({ position: [0, 0, 0] })
  let message = 'no error'
  try {
    world.step(16)
  } catch (error) {
    message = error instanceof RangeError ? error.message : String(error)
  }
  const moved = Math.hypot(...body.position)
  return { figures: `moved ${moved} m; ${message}`, holds: moved === 0 && message.includes('seconds') }
}

export const jointCaseRows: readonly ReportRow[] = [
  {
    id: '7',
    claim: '`world.step(16)`, milliseconds in place of seconds, is refused before anything moves',
    asked: 'RangeError that says "seconds"; moved 0 m',
    scene: 'a particle at rest, gravity 9.81 m/s²',
    measure: milliseconds,
  },
]
