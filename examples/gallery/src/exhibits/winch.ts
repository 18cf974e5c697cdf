import { lengthOf } from '../../../lib/length.js'
import { attach, rope } from '@tautline/assemblies'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { type Constraint, World } from '@tautline/core'
import { ropePart } from '../rope-part.js'
import type { Exhibit, Triple } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import { boxForm, type Part, standing } from '../parts.js'
import { choiceOf, numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** Where the rope leaves the winch [m]. */
const WINCH: Triple = [0, 3, 0]
/** Half the side of the crate [m], and where it stands at the start. */
const HALF = 0.35
const CRATE: Triple = [1.8, HALF, 0.15]
/** Of the rope: more than the way to the crate for a throw, hanging, and with the crate hauled up [m]. */
const [SLACK, SHORT, HAULED] = [0.35, 0.7, 1.15]
/** At which rope runs out behind the hook [m/s]. */
const PAY = 9
/** Time of flight of the hook, and how long the crate hangs before it is let go [s]. */
const [FLIGHT, HANGING] = [0.62, 1.6]
/** From the middle of the hook to that of the crate, where it catches [m]. */
const CATCH = HALF + 0.35

type Phase = 'swing' | 'fly' | 'haul' | 'hang'

/** A hook on a rope that is thrown at a crate, and a winch that hauls it up. */
export const winch: Exhibit = {
  id: 'winch',
  title: 'Grapple and winch',
  blurb: 'A hook is thrown, catches a crate, and the winch hauls it in: a rope that changes its length.',
  tries: ['Reel in, pay out, or hold.', 'Throw the crate about.', 'Give the winch too little force for the crate.'],
  text: [
    'The rope pays out and takes in particle by particle at the winch; its segments are solved together, so that the crate, a thousand times as heavy as one, stretches it no more than its stiffness says. At the top the hook lets go, and it begins anew.',
  ],
  group: 'Cloth and rope',
  settings: [
    {
      kind: 'choice',
      name: 'reel',
      label: 'Winch',
      options: [
        ['auto', 'By itself'],
        ['in', 'Take in'],
        ['out', 'Pay out'],
        ['hold', 'Hold'],
      ],
      value: 'auto',
      live: true,
    },
    { kind: 'number', name: 'rate', label: 'Speed', unit: 'm/s', min: 0.2, max: 3, step: 0.1, value: 1.4, live: true },
    {
      kind: 'number',
      name: 'force',
      label: 'Force of the winch',
      unit: 'N',
      min: 100,
      max: 5000,
      step: 50,
      value: 2000,
      live: true,
    },
    { kind: 'number', name: 'mass', label: 'Crate', unit: 'kg', min: 5, max: 200, step: 5, value: 40 },
    ...standard({ substeps: 4, solver: null, compliance: null }),
  ],
  view: { centre: [0.3, 1.52, 0], radius: 2.3, half: [2.0, 2.0], turn: 0.45, tilt: 0.16, floor: 0 },
  pose: 150,
  build(values) {
    const world = new World(worldOptions(values))
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const crate = collisions.addBody({
      shape: box([HALF, HALF, HALF]),
      mass: numberOf(values, 'mass'),
      position: CRATE,
    })
    const hook = collisions.addBody({
      shape: sphere(0.09),
      mass: 2,
      position: [WINCH[0], WINCH[1] - SHORT, WINCH[2]],
      angularDamping: 4,
    })
    const line = rope(world, {
      from: WINCH,
      to: hook.position,
      radius: 0.02,
      segments: 6,
      density: 250,
      start: 'world',
      end: hook,
      linearDamping: 0.3,
      stretchCompliance: 1e-5,
      damping: 0.02,
    })
    let phase: Phase = 'swing'
    let since = 0
    let caught: Constraint | undefined
    let now = values
    let reach = 0
    const enter = (next: Phase): void => {
      phase = next
      since = 0
    }
    const towards = (): Triple => {
      const [p, q] = [hook.position, crate.position]
      return [q[0] - p[0], q[1] - p[1], q[2] - p[2]]
    }
    /** Gives the hook the velocity that takes it to the crate. */
    const throwHook = (): void => {
      const lift = 0.5 * numberOf(now, 'gravity') * FLIGHT
      const [x, y, z] = towards()
      hook.setVelocity([x / FLIGHT, y / FLIGHT + lift, z / FLIGHT])
    }
    const goOn = (): void => {
      since += world.settings.dt
      const away = lengthOf(...towards())
      if (phase === 'swing' && since > 0.8) {
        throwHook()
        const [x, y, z] = crate.position
        reach = lengthOf(x - WINCH[0], y - WINCH[1], z - WINCH[2])
        enter('fly')
      } else if (phase === 'fly' && away < CATCH) {
        caught = attach(world, { body: hook, point: hook.position }, { body: crate })
        enter('haul')
      } else if (phase === 'fly' && since > 2) {
        enter('swing')
      } else if (phase === 'haul' && line.length < HAULED + 0.02) {
        enter('hang')
      } else if (phase === 'hang' && since > HANGING) {
        caught?.remove()
        caught = undefined
        enter('swing')
      }
    }
    return liveWorld({
      world,
      values,
      parts: [
        ...collidersOf(world, (body) => (body === crate ? 'second' : 'heavy')),
        ...frame(),
        ropePart(line, 'rope'),
      ],
      beforeStep() {
        const mode = choiceOf(now, 'reel')
        const rate = numberOf(now, 'rate')
        if (mode === 'auto') {
          goOn()
          // What flies takes as much rope as it wants.
          line.setWinch({ speed: phase === 'fly' ? PAY : rate })
          line.length = phase === 'fly' ? reach + SLACK : phase === 'swing' ? SHORT : HAULED
        } else line.reel(mode === 'in' ? -rate : mode === 'out' ? rate : 0)
      },
      configure(given) {
        now = given
        line.setWinch({ force: numberOf(given, 'force') })
      },
      figures: () => ({
        'Pull at the winch': { value: line.tensionAt(0), unit: 'N' },
        Length: { value: line.length, unit: 'm' },
        Stretch: { value: 1e6 * line.stretch, unit: 'ppm' },
      }),
      plots: [{ title: 'Pull at the winch', unit: 'N', curves: [{ name: 'rope', value: () => line.tensionAt(0) }] }],
    })
  },
}

/** The post, the beam and the drum that carry the rope. */
function frame(): Part[] {
  const part = (size: Triple, at: Triple): Part => ({
    kind: 'solid',
    form: boxForm(size),
    tone: 'fixed',
    place: standing(at),
  })
  const drum: Part = {
    kind: 'solid',
    form: { kind: 'cylinder', radius: 0.16, half: 0.16 },
    tone: 'heavy',
    place: standing([WINCH[0] - 0.16, WINCH[1], WINCH[2]], [Math.SQRT1_2, 0, 0, Math.SQRT1_2]),
  }
  return [part([0.22, 3.4, 0.22], [-0.16, 1.7, -1.5]), part([0.22, 0.14, 1.9], [-0.16, 3.25, -0.7]), drum]
}
