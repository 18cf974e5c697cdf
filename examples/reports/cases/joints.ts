/** Faults that outside trials found in bodies, joints, rigs and bindings. Each row repeats a trial through the public API. */

import { readFileSync } from 'node:fs'
import { ragdoll } from '@tautline/assemblies'
import { box, Collisions, compound } from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import { angleOf, ballSocket, hinge, type HingeDef, swingTwist } from '@tautline/constraints'
import { type Body, type Constraint, type ConstraintType, custom, fromJSON, solidBox, World } from '@tautline/core'
import { conformance, type ConformanceError, real, record } from '@tautline/fast-check'
import { IkSolver, Pose, PositionGoal, Rig } from '@tautline/ik'
import { toRagdoll } from '@tautline/ik/ragdoll'
import { Bindings } from '@tautline/three'
import { Object3D, Quaternion } from 'three'
import { randomNumbers } from '../../lib/random.js'
import { figure, figures, type Measured, type ReportRow } from '../report.js'

/** Objects that are bound, and the seed of their parents. */
const BOUND = 100
const SEED = 22

/** What a repair may add [share of m g L]. */
const LIFTED = 1e-4

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

const DEGREE = Math.PI / 180
/** An arm that goes on faster than this has passed its stop [rad/s]. */
const PASSES = 0.01

/** A body of 1 kg on an arm of 0.5 m that spins at `speed` [rad/s] into the stop of its joint. */
function spinning(speed: number): { world: World; arm: Body } {
  const world = new World({ gravity: [0, 0, 0] })
  const arm = world.addBody({
    position: [0.5, 0, 0],
    velocity: [0, 0.5 * speed, 0],
    angularVelocity: [0, 0, speed],
    mass: 1,
    inertia: solidBox(1, [1, 0.1, 0.1]),
  })
  return { world, arm }
}

/** Speed about the joint after the stop was met [rad/s]: above 0 where it was passed, below where the arm bounced back. */
function speedAfter(speed: number, { world, arm }: { world: World; arm: Body }): number {
  for (let k = 0; k < Math.min(60 * (1 + 7 / speed), 2400); k++) world.step()
  return arm.angularVelocity[2]
}

/** How many stops just short of a full turn are passed, of hinges and twists, by each solver. */
function stops(): Measured {
  const solvers = ['direct', 'sweep'] as const
  const [point, axis] = [[0, 0, 0] as const, [0, 0, 1] as const]
  const passed: string[] = []
  let [count, rebound] = [0, 0]
  for (const solver of solvers) {
    for (const gap of [0, 0.5, 1, 2, 5, 10, 20, 45, 90]) {
      for (const speed of [0.2, 0.5, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 80, 120]) {
        for (const [min, max] of [
          [0, 360 - gap],
          [0.5 * gap - 180, 180 - 0.5 * gap],
        ]) {
          const limits = { min: min * DEGREE, max: max * DEGREE }
          const [turned, twisted] = [spinning(speed), spinning(speed)]
          turned.world.add(hinge, { b: turned.arm, point, axis, limits, solver })
          twisted.world.add(swingTwist, { b: twisted.arm, point, axis, twist: limits, solver })
          for (const [name, scene] of [
            ['hinge', turned],
            ['twist', twisted],
          ] as const) {
            count++
            const after = speedAfter(speed, scene)
            rebound = Math.max(rebound, -after / speed)
            if (after > PASSES) passed.push(`${name} ${min} to ${max}° by ${solver} at ${speed} rad/s`)
          }
        }
      }
    }
  }
  return {
    figures:
      `${passed.length} of ${count} passed, bounced back with ${figure(rebound)} of the speed ${passed.slice(0, 3).join('; ')}`.trim(),
    holds: passed.length === 0,
  }
}

/** How far a drive over several turns ends from its target [rad], and the count after JSON and snapshots. */
function turns(): Measured {
  const { world, arm } = spinning(0)
  const drive = { stiffness: 5, damping: 3, positionTarget: 3.5 * Math.PI }
  const limits = { min: -4 * Math.PI, max: 4 * Math.PI }
  const joint = world.add(hinge, { b: arm, point: [0, 0, 0], axis: [0, 0, 1], limits, drive })
  for (let k = 0; k < 600; k++) world.step()
  const off = Math.abs(angleOf(joint) - 3.5 * Math.PI)
  const copy = fromJSON(JSON.stringify(world), [hinge])
  const kept = angleOf(copy.constraints()[0] as unknown as Constraint<HingeDef>) - angleOf(joint)
  return {
    figures: `${figure(off)} rad off the target; ${figure(kept)} rad after JSON`,
    holds: off < 1e-3 && kept === 0,
  }
}

/** What the suite says of a user's error that has no gradient on the axis. */
function natural(): Measured {
  const pole = custom<{ radius: number }>({
    name: 'pole',
    bodies: 1,
    error: ([{ position }], { radius }) => Math.hypot(position[0], position[2]) - radius,
    gradient([{ position }], _, out) {
      const r = Math.hypot(position[0], position[2])
      out.linear(0, position[0] / r, 0, position[2] / r)
    },
  })
  const fields = record({ params: record({ radius: real(0.5, 1.5, 1) }) })
  const failed: ConformanceError[] = []
  for (const check of conformance(pole as ConstraintType<never>, fields, { worldFrame: true, seed: 1 })) {
    try {
      check.run()
    } catch (error) {
      failed.push(error as ConformanceError)
    }
  }
  const [first] = failed
  const says = [first?.message.includes('Guard') === true, first?.message.includes('skip: { finite') === true]
  const isPlaced = /body0\.setPosition\(\[0, [^,]*, 0\]\)/.test(first?.script ?? '')
  return {
    figures: `checks that fail: ${failed.map(({ check }) => check).join(', ')}; ${first?.message.split('\n')[0] ?? ''}; script ${isPlaced ? 'sets' : 'does not set'} the pose`,
    holds: failed.length === 1 && says.every(Boolean) && isPlaced,
  }
}

/** The largest difference [rad] between the turn of a body and that of its mesh under mirrored parents; and what uneven ones do. */
function parents(): Measured {
  const random = randomNumbers(SEED)
  let [worst, refused] = [0, 0]
  for (let k = 0; k < BOUND; k++) {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({ inertia: 1, orientation: rotation(random), angularVelocity: vector(random, 20) })
    const [parent, object] = [new Object3D(), new Object3D()]
    parent.scale.set(...([0, 1, 2].map(() => (random() < 0 ? -2 : 2)) as [number, number, number]))
    parent.quaternion.set(...rotation(random))
    parent.add(object)
    const bindings = new Bindings(world)
    bindings.bind(body, object)
    bindings.update()
    object.updateWorldMatrix(true, false)
    const [before, q] = [object.matrixWorld.clone(), new Quaternion(...quadruple(body.orientation))]
    world.step()
    bindings.update()
    object.updateWorldMatrix(true, false)
    const turned = new Quaternion().setFromRotationMatrix(
      object.matrixWorld
        .clone()
        .setPosition(0, 0, 0)
        .multiply(before.setPosition(0, 0, 0).invert()),
    )
    const wanted = new Quaternion(...quadruple(body.orientation)).multiply(q.invert())
    worst = Math.max(worst, turned.angleTo(wanted))
    parent.scale.set(1, 2 + 0.8 * random(), 1)
    try {
      bindings.update()
    } catch (error) {
      if (error instanceof RangeError) refused++
    }
  }
  return {
    figures: `mirrored: off by ${figure(worst)} rad; uneven: ${refused} of ${BOUND} refused`,
    holds: worst < 1e-6 && refused === BOUND,
  }
}

/** Each component in [−size, size). */
function vector(random: () => number, size: number): [number, number, number] {
  return [size * random(), size * random(), size * random()]
}

function rotation(random: () => number): [number, number, number, number] {
  const { x, y, z, w } = new Quaternion(random(), random(), random(), random()).normalize()
  return [x, y, z, w]
}

function quadruple(q: ArrayLike<number>): [number, number, number, number] {
  return [q[0], q[1], q[2], q[3]]
}

/** How many goals in line with a straight limb at its stop are missed at default settings. */
function inLine(): Measured {
  let [missed, count] = [0, 0]
  const turn = { kind: 'hinge', axis: [0, 0, 1] } as const
  const roots = [{ kind: 'ball' }, turn, { ...turn, limits: { min: -Math.PI / 2, max: Math.PI / 2 } }] as const
  const ranges = [
    { min: -135 * DEGREE, max: 0 },
    { min: 0, max: 135 * DEGREE },
  ]
  for (const joint of roots) {
    for (const limits of ranges) {
      for (const [a, b] of [
        [6, 8],
        [0.3, 0.25],
        [0.45, 0.45],
      ]) {
        const rig = Rig.from([
          { name: 's', parent: null, position: [0, 0, 0], joint },
          { name: 'e', parent: 's', position: [0, a, 0], joint: { ...turn, limits } },
          { name: 'h', parent: 'e', position: [0, b, 0] },
        ])
        const nearest = Math.sqrt(a * a + b * b + 2 * a * b * Math.cos(135 * DEGREE))
        for (let d = 1.02 * nearest; d < 0.999 * (a + b); d += (a + b) / 40) {
          const solver = new IkSolver(rig)
          solver.add(new PositionGoal(rig, 'h', [0, d, 0], { point: [0, 0, 0] }))
          count++
          if (solver.solve(new Pose(rig)).status !== 'converged') missed++
        }
      }
    }
  }
  return { figures: `${missed} of ${count} missed`, holds: missed === 0 }
}

/** How many types the README counts, and how many there are; `longRange` is an old name of `tether`. */
function countedTypes(): Measured {
  const text = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const claimed = Number(/(\d+) constraint types/.exec(text)?.[1])
  const types = new Set(
    Object.values(constraints).filter((value) => typeof value === 'object' && value !== null && 'evaluate' in value),
  )
  return { figures: `README ${claimed}, exported ${types.size}`, holds: claimed === types.size }
}

/** The most that a chain gains whose link was set elsewhere [share of m g L], where it hung lower before. */
function lifted(): Measured {
  const random = randomNumbers(SEED)
  const below = (n: number): number => Math.floor(0.5 * n * (random() + 1))
  const gains: number[] = []
  for (let scene = 0; scene < 900; scene++) {
    const world = new World({ substeps: [1, 4, 8][scene % 3] })
    const links = Array.from({ length: 2 + below(6) }, (_, k) => {
      const mass = 2.55 + 2.45 * random()
      return world.addBody({ position: [0, -0.25 - 0.5 * k, 0], mass, inertia: solidBox(mass, [0.1, 0.5, 0.1]) })
    })
    links.forEach((b, k) => {
      const joined = { a: links[k - 1] ?? null, b, point: [0, -0.5 * k, 0] as const }
      if (k % 2 === 1) world.add(hinge, { ...joined, axis: [0, 0, 1] })
      else world.add(ballSocket, joined)
    })
    for (let k = 0; k < 30; k++) world.step()
    const scale = 9.81 * 0.5 * links.length * links.reduce((sum, { mass }) => sum + mass, 0)
    const rest = world.energy().total
    const link = links[below(links.length)]
    const off = vector(random, [0.3, 0.6, 1.5][scene % 3])
    link.setPosition([link.position[0] + off[0], link.position[1] + off[1], link.position[2] + off[2]])
    const before = world.energy().total
    world.step()
    if (before >= rest) gains.push((world.energy().total - before) / scale)
  }
  const many = gains.filter((gain) => gain > LIFTED).length
  return {
    figures: `${many} of ${gains.length} above ${LIFTED}, worst ${figure(Math.max(...gains))} m g L`,
    holds: many === 0,
  }
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
    id: '5.1',
    claim: 'Stops of hinges and twists just short of a full turn, and at ±180°, hold',
    asked: '0 passed',
    scene: 'an arm of 1 m and 1 kg, 0.2 to 120 rad/s, ranges of 270 to 360°, by trees and by sweeps, default substeps',
    measure: stops,
  },
  {
    id: '5.2',
    claim: 'A hinge with limits of ±4π goes to a target over several turns, and JSON keeps the count',
    asked: '≤ 0.001 rad off 3.5π; 0 rad after JSON',
    scene: 'the same arm at rest, drive of 5 N m/rad and 3 N m s/rad, 10 s',
    measure: turns,
  },
  {
    id: '21',
    claim: '`ragdoll` keeps the masses of the bones of a rig, as `toRagdoll` does',
    asked: '20 and 6 kg',
    scene: 'a rig of two bones of 0.5 m with `mass` and no inertia',
    measure: boneMasses,
  },
  {
    id: '23',
    claim: '`conformance` of `hypot(x, z) - r` names the row, the pose, and what to do',
    asked: 'one check fails; hint to guard or skip; a script of the pose that failed',
    scene: 'a constraint of one body with a gradient that divides by hypot(x, z), seed 1',
    measure: natural,
  },
  {
    id: '22',
    claim:
      'Objects of `Bindings` turn with their bodies under mirrored parents; parents that are scaled unevenly are refused',
    asked: 'off by 0 rad (≤ 1e-6); all uneven ones refused',
    scene: `${BOUND} spinning bodies under parents of random rotation and signs of scale, seed ${SEED}`,
    measure: parents,
  },
  {
    id: '20',
    claim: 'IK reaches goals in line with a straight limb at its stop, at default settings',
    asked: '0 missed',
    scene:
      'two bones, three pairs of lengths; ball, hinge and hinge of ±90° at the root, elbow of -135 to 0° and 0 to 135°',
    measure: inLine,
  },
  {
    id: '24.1',
    claim: 'The README counts the constraint types that there are',
    asked: 'equal',
    scene: 'README.md and the exports of `@tautline/constraints`',
    measure: countedTypes,
  },
  {
    id: '24.2',
    claim: 'A chain whose link is set elsewhere gets no more potential energy, where it hung lower before',
    asked: `none above ${LIFTED} m g L`,
    scene: `900 chains of 2 to 7 links of 0.1 to 5 kg, one link set up to 1.5 m off, 1, 4 and 8 substeps, seed ${SEED}`,
    measure: lifted,
  },
]
