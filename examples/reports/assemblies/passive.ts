/** Rows 12.2 and 13: what comes to rest sleeps, and nothing gains. */

import { type Assembly, cloth, rod, rope, softBody, softBodyAsset } from '@tautline/assemblies'
import { box, capsule, Collisions, plane, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import type { vec3 } from 'gl-matrix'
import { BoxGeometry } from 'three'
import { randomNumbers } from '../../lib/random.js'
import { figure, type Measured, type ReportRow } from '../report.js'
import { level } from './meshes.js'

const SCENES = 500
const SECONDS = 2
/** Share of the energy in motion that a scene may gain. */
const GAIN = 0.01

type Kind = 'cloth' | 'rope' | 'rod' | 'soft body'
const KINDS: readonly Kind[] = ['cloth', 'rope', 'rod', 'soft body']

const box8 = new BoxGeometry(0.5, 0.5, 0.5)
const cube = softBodyAsset({
  positions: box8.attributes.position.array,
  indices: box8.index?.array ?? [],
  size: 0.2,
})

interface Outcome {
  gain: number
  kind: Kind
}

/** A random assembly, thrown and spun, free or held, with or without something to hit; elastic energy is that of its rows. */
function run(seed: number): Outcome {
  const random = randomNumbers(7919 * seed + 13)
  for (let k = 0; k < 5; k++) random()
  const unit = (): number => 0.5 + 0.5 * random()
  const pick = <T>(list: readonly T[]): T => list[Math.min(list.length - 1, Math.floor(list.length * unit()))]
  const world = new World({ substeps: pick([1, 2, 4, 8]), gravity: unit() < 0.3 ? [0, 0, 0] : [0, -9.81, 0] })
  const dt = 1 / pick([30, 60, 144])
  const kind = pick(KINDS)
  if (unit() < 0.5) {
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], -1) })
    collisions.addCollider(null, { shape: pick([sphere(0.4), box([0.4, 0.3, 0.4])]), position: [0.5, -0.6, 0.5] })
  }
  const velocity: vec3 = [5 * random(), 5 * random(), 5 * random()]
  const thing = make(world, kind, velocity, unit, pick)
  const spin = [4 * random(), 4 * random(), 4 * random()]
  const centre = thing.centre
  for (const body of thing.bodies) {
    if (body.type !== 'dynamic') continue
    const [x, y, z] = [0, 1, 2].map((k) => body.position[k] - centre[k])
    const [vx, vy, vz] = body.velocity
    body.setVelocity([vx + spin[1] * z - spin[2] * y, vy + spin[2] * x - spin[0] * z, vz + spin[0] * y - spin[1] * x])
  }
  const start = world.energy()
  const scale = start.kinetic + 9.81 * thing.mass
  // Positions of what falls freely lie on a parabola whose speed is v + h g/2; with v itself T + V leaps by m g h v where it bounces.
  const inFall = (): number => {
    const half = (0.5 * dt) / world.settings.substeps
    return half * world.momentum().linear.reduce((sum, p, k) => sum + p * world.settings.gravity[k], 0)
  }
  const begin = start.kinetic + start.potential + inFall()
  let gain = -Infinity
  for (let t = 0; t < SECONDS; t += dt) {
    world.step(dt)
    const { kinetic, potential } = world.energy()
    gain = Math.max(gain, (kinetic + potential + inFall() - begin) / scale)
  }
  return { gain, kind }
}

function make(
  world: World,
  kind: Kind,
  velocity: vec3,
  unit: () => number,
  pick: <T>(list: readonly T[]) => T,
): Assembly {
  const mass = 10 ** (4 * unit() - 2)
  if (kind === 'rope') {
    return rope(world, {
      from: [0, 0, 0],
      to: [1, 0, 0],
      mass,
      segments: 4 + Math.floor(20 * unit()),
      velocity,
      bendCompliance: pick([Infinity, 1, 0.01]),
      stretchCompliance: pick([0, 0, 1e-3]),
      ...(unit() < 0.4 ? { start: 'world' as const } : {}),
    })
  }
  if (kind === 'rod') {
    return rod(world, {
      from: [0, 0, 0],
      to: [1, 0, 0],
      mass,
      segments: 4 + Math.floor(16 * unit()),
      velocity,
      youngsModulus: 10 ** (5 + 5 * unit()),
      damping: pick([0, 0.02]),
      shape: capsule,
      ...(unit() < 0.4 ? { start: { body: 'world' as const, clamped: unit() < 0.5 } } : {}),
    })
  }
  if (kind === 'soft body') {
    return softBody(world, {
      asset: cube,
      mass,
      velocity,
      model: pick(['neoHookean', 'distance', 'shape'] as const),
      youngsModulus: 10 ** (3 + 3 * unit()),
      pins: unit() < 0.3 ? [0] : [],
    })
  }
  const n = 5 + Math.floor(8 * unit())
  return cloth(world, {
    ...level(n, n, 1),
    mass,
    velocity,
    stretchCompliance: pick([0, 0, 1e-3]),
    bendModel: pick(['threads', 'isometric', 'dihedral', 'none'] as const),
    pins: unit() < 0.4 ? [0, n - 1] : [],
  })
}

function passivity(): Measured {
  const outcomes = Array.from({ length: SCENES }, (_, seed) => ({ seed, ...run(seed) }))
  const high = outcomes.filter(({ gain }) => !(gain <= GAIN))
  const worst = outcomes.reduce((most, one) => (one.gain > most.gain ? one : most))
  const each = KINDS.map((kind) => `${outcomes.filter((one) => one.kind === kind).length} of ${kind}`)
  return {
    figures: `${high.length} of ${SCENES} gain more than ${100 * GAIN} % (${each.join(', ')}); the most ${figure(100 * worst.gain)} % (${worst.kind}, seed ${worst.seed})`,
    holds: high.length === 0,
  }
}

function sleep(): Measured {
  const texts: string[] = []
  let all = true
  for (const kind of KINDS) {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const thing =
      kind === 'cloth'
        ? cloth(world, { ...level(20, 20, 1, 0.05) })
        : kind === 'rope'
          ? rope(world, { from: [0, 0.1, 0], to: [1, 0.1, 0] })
          : kind === 'rod'
            ? rod(world, { from: [0, 0.1, 0], to: [1, 0.1, 0], shape: capsule })
            : softBody(world, { asset: cube, position: [0, 0.3, 0] })
    let time = 0
    for (; time < 10 && !thing.asleep; time += 1 / 60) world.step()
    const slept = thing.asleep
    const [x, , z] = thing.centre
    collisions.addBody({ shape: sphere(0.1), position: [x, kind === 'soft body' ? 0.8 : 0.4, z], velocity: [0, -1, 0] })
    let awake = false
    for (let k = 0; k < 60 && !awake; k++) {
      world.step()
      awake = !thing.asleep
    }
    all &&= slept && awake && time < 3
    texts.push(
      `${kind} ${slept ? `after ${figure(time)} s` : 'never within 10 s'}, ${awake ? 'wakes' : 'is not woken'}`,
    )
  }
  return { figures: texts.join('; '), holds: all }
}

export const rest: readonly ReportRow[] = [
  {
    id: '12.2',
    claim: 'What lies still sleeps, and wakes when it is touched',
    asked: 'within 3 s; woken by a ball that falls on it',
    scene:
      '20 × 20 vertices of cloth from 5 cm, a rope and a rod of 1 m from 10 cm, a soft cube of 0.5 m from 5 cm onto a floor, defaults',
    measure: sleep,
  },
  {
    id: '13',
    claim: 'Random assemblies gain nothing',
    asked: `0 of ${SCENES} more than ${100 * GAIN} % of their energy in motion and m g 1 m`,
    scene: `cloth, ropes and rods of 1 m, soft cubes of 0.5 m, 10 g to 100 kg, stiff and soft, free, held or clamped, half with a floor and a sphere or box, thrown at up to 5 m/s and spun by 4 rad/s an axis, 1 to 8 substeps at 30 to 144 Hz, ${SECONDS} s, defaults; T, at the speed of the parabola on which free positions lie, + V: elastic energy of rows that are not met is overestimated`,
    measure: passivity,
  },
]
