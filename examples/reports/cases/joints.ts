/** Faults that outside trials found in bodies, joints, rigs and bindings. Each row repeats a trial through the public API. */

import { ragdoll } from '@tautline/assemblies'
import { box, Collisions, compound } from '@tautline/collision'
import { World } from '@tautline/core'
import { Pose, Rig } from '@tautline/ik'
import { toRagdoll } from '@tautline/ik/ragdoll'
import { figure, figures, type Measured, type ReportRow } from '../report.js'

/** Of sums of a few numbers, relative. */
const ROUND_OFF = 1e-12

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

/** The largest relative difference of mass, inertia and centre between bodies made dynamic and bodies that became so. */
function bornHeld(): Measured {
  const collisions = new Collisions(new World())
  const hammer = compound([
    { shape: box([0.01, 0.3, 0.01]) },
    { shape: box([0.06, 0.02, 0.02]), position: [0, 0.3, 0] },
  ])
  let worst = 0
  for (const shape of [box([0.2, 0.3, 0.4]), hammer]) {
    for (const amount of [{ density: 300 }, { mass: 20 }]) {
      for (const type of ['static', 'kinematic'] as const) {
        const [wanted, held] = [{}, { type }].map((kind) => collisions.addBody({ shape, ...amount, ...kind }))
        held.type = 'dynamic'
        const [own, right] = [held, wanted].map((body) => [body.mass, ...body.principalInertia, ...body.position])
        for (let k = 0; k < own.length; k++) {
          worst = Math.max(worst, Math.abs(own[k] - right[k]) / Math.max(Math.abs(right[k]), Number.EPSILON))
        }
      }
    }
  }
  let isRefused = false
  try {
    new World().addBody({ type: 'static' }).type = 'dynamic'
  } catch (error) {
    isRefused = error instanceof RangeError
  }
  return {
    figures: `off by ${figure(worst)}; static body without mass ${isRefused ? 'refused' : 'became dynamic'}`,
    holds: worst === 0 && isRefused,
  }
}

/** The largest relative difference of masses between `ragdoll` and `toRagdoll`. */
function boneMasses(): Measured {
  const rig = Rig.from([
    { name: 'a', parent: null, position: [0, 0, 0], tip: [0, 0.5, 0], mass: 20 },
    { name: 'b', parent: 'a', position: [0, 0.5, 0], tip: [0, 0.5, 0], mass: 6 },
  ])
  const [own, right] = [ragdoll(new World(), rig), toRagdoll(rig, new Pose(rig), new World())].map(({ bodies }) =>
    bodies.map(({ mass }) => mass),
  )
  const worst = Math.max(...right.map((mass, k) => Math.abs(own[k] / mass - 1)))
  return { figures: `${figures(own)} kg, off by ${figure(worst)}`, holds: worst <= ROUND_OFF }
}

export const jointCaseRows: readonly ReportRow[] = [
  {
    id: '7',
    claim: '`world.step(16)`, milliseconds in place of seconds, is refused before anything moves',
    asked: 'RangeError that says "seconds"; moved 0 m',
    scene: 'a particle at rest, gravity 9.81 m/s²',
    measure: milliseconds,
  },
  {
    id: '8',
    claim: 'Bodies made static or kinematic become dynamic with the mass, inertia and centre of mass of their shape',
    asked: 'off by 0; a static body without mass is refused',
    scene: 'a box and a hammer of two boxes, by `density: 300` and `mass: 20`',
    measure: bornHeld,
  },
  {
    id: '21',
    claim: '`ragdoll` keeps the masses of the bones of a rig, as `toRagdoll` does',
    asked: '20 and 6 kg',
    scene: 'a rig of two bones of 0.5 m with `mass` and no inertia',
    measure: boneMasses,
  },
]
