/** Row 13.2: ropes over things, with loads, gain nothing. */

import { rope } from '@tautline/assemblies'
import { box, Collisions, cylinder, plane, type Shape, sphere } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import type { vec3 } from 'gl-matrix'
import { randomNumbers } from '../../lib/random.js'
import { figure, type Measured, type ReportRow } from '../report.js'

const SCENES = 100
const SECONDS = 3
/** Share of m g 1 m that a scene may gain. */
const GAIN = 0.01
const G = 9.81
/** Half the edge of a load [m], and how far below its end it hangs: clear of the rope. */
const HALF = 0.08
const BELOW = 0.13

type Random = () => number

function pick<T>(unit: Random, list: readonly T[]): T {
  return list[Math.min(list.length - 1, Math.floor(list.length * unit()))]
}

/** What the rope lies over, 5 cm below it. */
function support(collisions: Collisions, unit: Random): void {
  const shape: Shape = pick(unit, [sphere(0.3), box([0.3, 0.3, 0.3]), cylinder(0.3, 1)])
  const orientation: [number, number, number, number] = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
  collisions.addCollider(null, { shape, orientation, position: [0, -0.35, 0], friction: unit() })
}

/** A rope of a random length and mass, ends free, held, or with loads of a thirtieth to three thousand times its mass. */
function run(seed: number): { gain: number; what: string } {
  const random = randomNumbers(7919 * seed + 13)
  for (let k = 0; k < 5; k++) random()
  const unit: Random = () => 0.5 + 0.5 * random()
  const substeps = pick(unit, [1, 2, 4, 8])
  const dt = 1 / pick(unit, [30, 60, 144])
  const world = new World({ substeps })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], -1.5) })
  support(collisions, unit)
  const mass = 10 ** (3 * unit() - 2)
  const length = 0.8 + unit()
  const bodies: Body[] = []
  const load = (x: number, isParticle: boolean): Body => {
    const size = mass * 10 ** (5 * unit() - 1.5)
    const position: vec3 = [x, isParticle ? 0 : -BELOW, 0]
    const body = isParticle
      ? world.addParticle({ position, mass: size })
      : collisions.addBody({ shape: box([HALF, HALF, HALF]), mass: size, position })
    bodies.push(body)
    return body
  }
  const start = pick(unit, ['none', 'world', 'box'] as const)
  const end = pick(unit, ['none', 'particle', 'box'] as const)
  const at = 0.5 * length
  const line = rope(world, {
    from: [-at, 0, 0],
    to: [at, 0, 0],
    mass,
    segments: 6 + Math.floor(20 * unit()),
    radius: 0.01 + 0.02 * unit(),
    friction: unit(),
    bendCompliance: pick(unit, [Infinity, 1, 0.01]),
    ...(start === 'world' ? { start } : start === 'box' ? { start: load(-at, false) } : {}),
    ...(end === 'none' ? {} : { end: load(at, end === 'particle') }),
  })
  const total = bodies.reduce((sum, body) => sum + body.mass, line.mass)
  // As in row 13.
  const energy = (): number => {
    const { kinetic, potential } = world.energy()
    return kinetic + potential - ((0.5 * dt) / substeps) * G * world.momentum().linear[1]
  }
  const before = energy()
  let gain = -Infinity
  for (let t = 0; t < SECONDS; t += dt) {
    world.step(dt)
    gain = Math.max(gain, (energy() - before) / (total * G))
  }
  return { gain, what: `${start} and ${end}, ${substeps} substeps` }
}

function passivity(): Measured {
  const outcomes = Array.from({ length: SCENES }, (_, seed) => ({ seed, ...run(seed) }))
  const high = outcomes.filter(({ gain }) => !(gain <= GAIN))
  const worst = outcomes.reduce((most, one) => (one.gain > most.gain ? one : most))
  return {
    figures: `${high.length} of ${SCENES} gain more than ${100 * GAIN} %; the most ${figure(100 * worst.gain)} % (seed ${worst.seed}: ${worst.what})`,
    holds: high.length === 0,
  }
}

export const draped: readonly ReportRow[] = [
  {
    id: '13.2',
    claim: 'Ropes over things, with loads, gain nothing',
    asked: `0 of ${SCENES} more than ${100 * GAIN} % of m g 1 m`,
    scene: `ropes of 0.8 to 1.8 m and 10 g to 10 kg that fall over a sphere, a box or a drum, ends free, held, or with a box or a particle of 0.03 to 3000 times their mass, 1 to 8 substeps at 30 to 144 Hz, ${SECONDS} s, defaults`,
    measure: passivity,
  },
]
