/** Row 5: ropes under load, round a drum, reeled, cut and tied, and over pulleys. */

import { pulleys, rope, type Rope } from '@tautline/assemblies'
import { Collisions, cylinder } from '@tautline/collision'
import { type Body, solidBox, solidSphere, World } from '@tautline/core'
import { figure, figures, type Measured, type ReportRow } from '../report.js'

const G = 9.81

function ball(world: World, mass: number, position: [number, number, number]): Body {
  return world.addBody({ position, mass, inertia: solidSphere(mass, 0.2) })
}

function stretch(): Measured {
  let worst = 0
  const world = new World({ substeps: 4 })
  const load = ball(world, 100, [2, 0, 0])
  const line = rope(world, { from: [0, 0, 0], to: [2, 0, 0], segments: 20, mass: 2, start: 'world', end: load })
  for (let k = 0; k < 600; k++) {
    world.step()
    worst = Math.max(worst, Math.abs(line.stretch))
  }
  return { figures: `worst of 10 s ${figure(100 * worst)} %`, holds: worst < 1e-3 }
}

function tension(): Measured {
  const errors: number[] = []
  for (const mass of [0.1, 1, 40, 1000]) {
    const world = new World({ substeps: 4 })
    const load = ball(world, mass, [0, -2, 0])
    const line = rope(world, { from: [0, 0, 0], to: [0, -2, 0], segments: 20, mass: 1, start: 'world', end: load })
    for (let k = 0; k < 120; k++) world.step()
    // Half of the first node's mass hangs on the world.
    errors.push(Math.abs(line.tensionAt(0) / (G * (mass + 1 - 0.5 / 20)) - 1))
  }
  const worst = Math.max(...errors)
  return { figures: `off by ${figures(errors.map((error) => 100 * error))} %`, holds: worst < 5e-3 }
}

const DRUM = 0.25
const MU = 0.3

/** Ratio of the pulls at both ends of a rope that slips round a fixed drum by an angle [rad]. */
function capstan(angle: number): number {
  const world = new World({ substeps: 4 })
  const collisions = new Collisions(world, { sleeping: false })
  const half = Math.SQRT1_2
  collisions.addCollider(null, { shape: cylinder(DRUM, 2), orientation: [half, 0, 0, half], friction: MU })
  const radius = 0.01
  const r = DRUM + radius
  const [turns, tail, pitch] = [angle / (2 * Math.PI), 0.6, 3 * radius]
  const points: number[] = []
  // Down on the left, over the top, and off in the direction that the angle leaves in.
  for (let k = 0; k <= 6; k++) points.push(-r, -tail * (1 - k / 6), 0)
  const count = Math.ceil(angle / 0.08)
  for (let k = 1; k <= count; k++) {
    const a = Math.PI - (angle * k) / count
    points.push(r * Math.cos(a), r * Math.sin(a), (pitch * turns * k) / count)
  }
  const a = Math.PI - angle
  const way = [Math.sin(a), -Math.cos(a)]
  const [x, y, z] = points.slice(-3)
  for (let k = 1; k <= 6; k++) points.push(x + (tail * way[0] * k) / 6, y + (tail * way[1] * k) / 6, z)
  const held = world.addBody({ type: 'kinematic', position: points.slice(-3) as [number, number, number] })
  const load = world.addParticle({ position: [-r, -tail, 0], mass: 5, linearDamping: 5 })
  const line: Rope = rope(world, {
    points,
    radius,
    segments: Math.round((r * angle) / 0.02 + 24),
    mass: 1e-3,
    friction: MU,
    start: load,
    end: held,
  })
  held.setVelocity([0.05 * way[0], 0.05 * way[1], 0])
  const ratios: number[] = []
  for (let k = 0; k < 240; k++) {
    world.step()
    if (k >= 180) ratios.push(line.tensionAt(1) / line.tensionAt(0))
  }
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
}

function drum(): Measured {
  const angles = [1, 2, 3, 4].map((k) => k * Math.PI)
  const ratios = angles.map(capstan)
  const errors = ratios.map((ratio, k) => Math.abs(ratio / Math.exp(MU * angles[k]) - 1))
  const text = ratios.map((ratio, k) => `${k + 1}π: ${figure(ratio)} of ${figure(Math.exp(MU * angles[k]))}`)
  return {
    figures: `${text.join('; ')}: off by ${figures(errors.map((error) => 100 * error))} %`,
    holds: Math.max(...errors) <= 0.05,
  }
}

function energy(): Measured {
  let [cut, gained] = [0, 0]
  for (let seed = 0; seed < 20; seed++) {
    const world = new World({ substeps: 1 + (seed % 4) })
    const v = [1, 2, 3].map((k) => 3 * Math.sin(7 * seed + k)) as [number, number, number]
    const line = rope(world, {
      from: [0, 0, 0],
      to: [2, 0, 0],
      segments: 12,
      velocity: v,
      start: seed % 2 === 0 ? 'world' : ball(world, 5, [0, 0, 0]),
    })
    const scale = line.mass * 20
    let before = world.energy().total
    const run = (steps: number): void => {
      for (let k = 0; k < steps; k++) {
        world.step()
        const now = world.energy().total
        gained = Math.max(gained, (now - before) / scale)
        before = Math.min(before, now)
      }
    }
    run(60)
    const piece = line.cutAt(0.2 + 0.03 * seed)
    cut = Math.max(cut, Math.abs(world.energy().total - before) / scale)
    before = world.energy().total
    run(60)
    line.join(piece)
    cut = Math.max(cut, Math.abs(world.energy().total - before) / scale)
    before = world.energy().total
    run(120)
  }
  return {
    figures: `cutting and tying change ${figure(cut)}, running after it gains at most ${figure(gained)} of m g 2 m; 20 scenes`,
    holds: cut < 1e-12 && gained < 1e-3,
  }
}

/** What a winch does on a load that hangs: work in and energy out. */
function winch(): Measured {
  const world = new World({ substeps: 4 })
  const load = ball(world, 40, [0, -3, 0])
  const line = rope(world, { from: [0, 0, 0], to: [0, -3, 0], segments: 15, start: 'world', end: load, growthRate: 1 })
  for (let k = 0; k < 60; k++) world.step()
  const start = world.energy().total
  let [work, length, pull] = [0, line.length, line.tensionAt(0)]
  const follow = (steps: number): void => {
    for (let k = 0; k < steps; k++) {
      world.step()
      const now = line.tensionAt(0)
      work += 0.5 * (pull + now) * (length - line.length)
      length = line.length
      pull = now
    }
  }
  line.length = 1
  follow(180)
  const up = world.energy().total - start
  const done = work
  line.length = 3
  follow(240)
  const back = world.energy().total - start
  const off = Math.abs(up / done - 1)
  return {
    figures: `taken in by 2 m: ${figure(done)} J of work, ${figure(up)} J gained, off by ${figure(100 * off)} %; paid out again: ${figure(back)} J of what it was`,
    holds: off < 0.01 && back < 0.01 * up,
  }
}

function falls(): Measured {
  const ratios = [0.99, 1, 1.01].map((share) => {
    const world = new World({ substeps: 4 })
    const load = world.addBody({ mass: 30 * share, inertia: solidBox(30, [1, 1, 1]) })
    const weight = world.addBody({ position: [4, 0, 0], mass: 10, inertia: solidBox(10, [1, 1, 1]) })
    const on = { body: load, point: [0, 0.5, 0] } as const
    const line = pulleys(world, {
      points: [on, { point: [0, 6, 0] }, on, { point: [0, 6, 0] }, { point: [4, 6, 0] }, weight],
    })
    for (let k = 0; k < 60; k++) world.step()
    return [load.position[1], line.tension / (10 * G)]
  })
  const text = ratios.map(([y, pull]) => `${figure(1000 * y)} mm at ${figure(pull, 6)} m g`)
  const [light, even, heavy] = ratios.map(([y]) => y)
  return {
    figures: `99, 100 and 101 % of three times the weight: ${text.join('; ')}`,
    holds: light > 1e-3 && Math.abs(even) < 1e-6 && heavy < -1e-3,
  }
}

export const ropes: readonly ReportRow[] = [
  {
    id: '5.1',
    claim: 'A rope does not stretch under a thousand times the mass of a segment',
    asked: '< 0.1 %',
    scene: '20 segments of 0.1 kg, 100 kg at the end, let go level, 10 s, 4 substeps',
    measure: stretch,
  },
  {
    id: '5.2',
    claim: 'Tension at the top is the weight below',
    asked: 'within 0.5 %',
    scene: '20 segments, 1 kg of rope, loads of 0.1, 1, 40 and 1000 kg, 4 substeps, after 2 s',
    measure: tension,
  },
  {
    id: '5.3',
    claim: 'Round a fixed drum the pulls are as e^{μφ}: capstan',
    asked: 'within 5 % for φ to 4π',
    scene: `drum of ${DRUM} m, μ ${MU}, 5 kg at one end, the other drawn at 5 cm/s, segments of 2 cm, 4 substeps, mean of a second`,
    slow: true,
    measure: drum,
  },
  {
    id: '5.4',
    claim: 'Cut and tied again it gains nothing',
    asked: 'no energy from nothing: < 1e-12 at the cut, < 1e-3 running, of m g 2 m',
    scene:
      '12 segments thrown at up to 3 m/s, half of them held by the world, half with 5 kg, cut after 1 s, tied after 2, 1 to 4 substeps, 20 seeds',
    measure: energy,
  },
  {
    id: '5.5',
    claim: 'What a winch does is what the load gains',
    asked: 'within 1 %, and nothing is left when it is paid out again',
    scene:
      '40 kg on 3 m of rope, taken in by 2 m at 1 m/s and paid out, 4 substeps; work by the pull before and after each step',
    measure: winch,
  },
  {
    id: '5.6',
    claim: 'Three falls of a tackle lift three times the weight',
    asked: 'within 1 %',
    scene: '10 kg on the free end; 99, 100 and 101 % of 30 kg on the falls, 1 s',
    measure: falls,
  },
]
