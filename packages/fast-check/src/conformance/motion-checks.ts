/** Sweeps and steps: where a constraint brings bodies, and with what force. */

import { gradient } from '@tautline/core/kernel'
import { cos, sin } from '@tautline/core/kernel'
import { atMost, type Attempt, same, skip, type SuiteCheck } from './check.js'
import type { Quat, Vec3 } from '../numbers.js'
import type { Operation } from '../spec.js'
import type { Fields } from './options.js'
import { rigidOf } from './state-checks.js'
import { begin, farthest, H, length, poses, sweeps } from './substep.js'
import type { Live, Setting } from './trial.js'

/** What 2000 sweeps leave [m, rad] of errors of 0.1, or else a share: rows that couple through long levers are slow. */
const CONVERGED = 1e-6
const SWEEPS = 2000
/** Errors above this [m, rad] may be those of a pose from which nothing converges. */
const FAR = 0.3
/** The gradient at the end of a step against that of each sweep, when a step moves and turns by a hundredth. */
const READ_OUT = 0.1
/** What twenty sweeps leave of a row that all but stopped to bear, as a share of what pushes its bodies. */
const LEFT_OVER = 1e-6
/** λ and its bounds go through h² twice. */
const ROUND_OFF = 1e-9
/** Two sums of the same products in other orders. */
const SAME_SUM = 1e-11
/** Steps that energy is watched for, and the least that counts [J]. */
const STEPS = 30
const STILL = 0.01
/** What `project` may leave before energy is watched [m, rad]. */
const MET = 1e-6

const TURNS: readonly Vec3[] = [
  [0, 0, 0],
  [Math.PI, 0, 0],
  [0, Math.PI, 0],
  [0, 0, Math.PI],
  [1.2, -2, 1.9],
]
const LAYOUTS: readonly ((k: number) => Vec3)[] = [
  () => [0, 0, 0],
  (k) => [k, 0, 0],
  (k) => [k % 2, 0, 0],
  (k) => [1e-9 * k, 1e-13 * k, 0],
  (k) => [1e4 * k, -1e4 * k, 1e4],
]

export const MOTION_CHECKS: readonly SuiteCheck[] = [
  {
    name: 'infinite mass',
    says: 'what has infinite mass does not move',
    holds(attempt) {
      const s = attempt.live()
      const fixed = s.world.bodies.all().filter((body) => body.type !== 'dynamic')
      if (fixed.length === 0) skip()
      const pose = (): unknown => fixed.map((body) => [Array.from(body.position), Array.from(body.orientation)])
      const before = pose()
      begin(s)
      sweeps(s, 3)
      same(pose(), before, 'poses of static and kinematic bodies')
      same(Array.from(s.world.bodies.columns.position.subarray(0, 3)), [0, 0, 0], 'origin of the world')
    },
  },
  {
    name: 'finite',
    says: 'degenerate poses stay finite, and so do steps from them',
    share: 0.1,
    shrinks: 20,
    extremes: true,
    holds(attempt) {
      const { half } = attempt.trial
      const about = length(half) === 0 ? [0, 1, 0] : half.map((x) => x / length(half))
      const turns: Vec3[] = [...TURNS, [Math.PI * about[0], Math.PI * about[1], Math.PI * about[2]]]
      const { rigid } = attempt.subject.options
      for (const by of turns) {
        for (const layout of LAYOUTS) {
          for (const isRigid of rigid === false ? [false] : [false, true]) {
            const change = isRigid ? rigidOf(attempt.subject.options) : undefined
            staysFinite(attempt.live({ options: { substeps: 2 }, change, at: placed(layout, by) }))
          }
        }
      }
      // Points that coincide: anchors at the centres of bodies that lie on each other.
      for (const layout of LAYOUTS) {
        const s = tryLive(attempt, { options: { substeps: 2 }, change: centred, at: placed(layout, TURNS[0]) })
        if (s !== undefined) staysFinite(s)
      }
    },
    last: [
      'console.dir(gradient(constraint0), { depth: null })',
      'for (let step = 0; step < 3; step++) world.step()',
      'console.log(world.report.skipped, world.report.nonFinite, constraint0.error)',
    ],
    kernel: ['gradient'],
  },
  {
    name: 'residual',
    says: 'without softness it converges, and the residual is its error',
    share: 2 / 3,
    shrinks: 40,
    applies: ({ options }) => options.rigid !== false && options.boundedRate !== true,
    holds(attempt) {
      const s = attempt.live({ far: 0.05, change: rigidOf(attempt.subject.options) })
      begin(s)
      const before = s.constraint.error
      const summaries = Object.values(s.world.residual()[s.constraint.typeName] ?? {}) as { max: number }[]
      if (s.constraint.def !== undefined && summaries.length > 0) {
        // A row that is off and may only push the other way has no residual and no error.
        const worst = Math.max(...summaries.map(({ max }) => max))
        atMost(worst, before + ROUND_OFF, 'residual of a world with one constraint, beside its error,')
      }
      sweeps(s, SWEEPS)
      const after = s.constraint.error
      if (after > CONVERGED && before > FAR) skip()
      const share = attempt.subject.options.converges ?? 0.001
      atMost(after, Math.max(CONVERGED, share * before), `error after ${SWEEPS} sweeps, of ${before} before,`)
    },
    last: [
      'console.log(constraint0.error)',
      'for (let step = 0; step < 100; step++) world.step()',
      'console.log(constraint0.error)',
    ],
  },
  {
    name: 'limits',
    says: 'multipliers stay within their bounds, and what is inside its limits is let be',
    holds(attempt) {
      const s = attempt.live()
      begin(s, 0)
      const groups = gradient(s.constraint)
      const isInside = groups.every(
        ({ law, kind, lower, upper, rows: [{ error }] }) =>
          law === 'position' && kind === 'scalar' && ((lower === 0 && error > 0) || (upper === 0 && error < 0)),
      )
      const before = poses(s)
      sweeps(s, 1)
      if (isInside) same(poses(s), before, 'poses of what is inside its limits')
      const lambda = s.constraint.multipliers
      for (const { kind, law, lower, upper, radius, width, rows } of groups) {
        // Which end of a range acts is known when it is its turn.
        if (law === 'implicitForce' || width < Infinity) continue
        const forces = rows.map(({ multiplier }) => lambda[multiplier] / (H * H))
        if (kind === 'scalar') {
          const slack = ROUND_OFF * (1 + Math.abs(forces[0]))
          atMost(forces[0], upper + slack, 'force of a row [N or N m], by its upper bound,')
          atMost(-forces[0], -lower + slack, 'negative force of a row [N or N m], by its lower bound,')
        } else if (kind !== 'disc' && radius < Infinity) {
          atMost(length(forces), radius + ROUND_OFF * (1 + radius), 'force of a vector [N or N m], by its bound,')
        }
      }
    },
    last: [
      'console.dir(gradient(constraint0), { depth: null })',
      'world.step()',
      'console.log(constraint0.multipliers)',
    ],
    kernel: ['gradient'],
  },
  {
    name: 'passivity',
    says: 'it makes no energy',
    share: 2 / 3,
    shrinks: 60,
    holds(attempt) {
      const { active, rigid } = attempt.subject.options
      if (active?.(attempt.trial.fields) === true) skip()
      // On the constraint, so that nothing is stored at first.
      const met = rigid === false ? undefined : attempt.live({ far: 0, change: rigidOf(attempt.subject.options) })
      met?.world.project()
      const operations = movingFrom(met ?? attempt.live({ far: 0 }))
      const s = attempt.live({ far: 0, options: { substeps: 8 }, change: physical, operations })
      if (met !== undefined && Math.max(met.constraint.error, s.constraint.error) > MET) skip()
      // Nothing is stored at first, but in a spring: kinetic energy alone cannot exceed what there was.
      const energy = (): number => (rigid === false ? s.world.energy().total : s.world.energy().kinetic)
      const start = energy()
      if (start < STILL) skip()
      for (let k = 1; k <= STEPS; k++) {
        s.world.step()
        const now = energy()
        atMost(now, start * (1 + attempt.tolerances.energy), `energy [J] after ${k} steps, of ${start} at first,`)
      }
    },
    last: ['for (let step = 0; step < 30; step++) {', '  console.log(world.energy().kinetic)', '  world.step()', '}'],
  },
  {
    name: 'reaction',
    says: 'force and couple are λ/h² along the rows, and what moves the bodies',
    share: 0.5,
    shrinks: 40,
    holds(attempt) {
      const s = attempt.live({ far: 0.02, options: { dt: H, iterations: 20, energyGuard: false } })
      settle(s)
      const pushes = s.trial.slots.map(({ push }) => push.map((x) => 20 * x) as Vec3)
      s.bodies.forEach((body, b) => body?.applyForce(pushes[b]))
      const before = s.bodies.map((body) => body?.velocity ?? [0, 0, 0])
      const pushed = pushes.reduce((sum, push) => sum + length(push), 0)
      s.world.step()
      // What keeps its momenta as a whole goes round by that much within the step, and so does what holds it.
      const moved = s.bodies.reduce(
        (most, body) => Math.max(most, body === null ? 0 : H * length(Array.from(body.velocity))),
        0,
      )
      const keeps = s.constraint.batch.type.keepsMomenta !== undefined
      const slack = (LEFT_OVER + (keeps ? moved : 0)) * pushed
      s.bodies.forEach((body, b) => {
        const { total, force } = reactionAlong(s, b)
        if (body === null || body.type !== 'dynamic') return
        const felt = [0, 1, 2].map((k) => (body.mass * (body.velocity[k] - before[b][k])) / H - pushes[b][k])
        const off = length(felt.map((f, k) => f - force[k]))
        atMost(off, READ_OUT * total + slack, `force that body ${b} felt less the reaction [N]`)
      })
    },
    last: ['world.step()', 'console.log(constraint0.reaction(0), constraint0.multipliers)'],
  },
]

/** Every vector of three in a definition is zero, but unit vectors, which are directions. */
function centred(fields: Fields): Fields {
  const at = (value: unknown): unknown => {
    if (Array.isArray(value) && value.length === 3 && value.every((x) => typeof x === 'number')) {
      return Math.abs(length(value as number[]) - 1) < MET ? value : [0, 0, 0]
    }
    const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isPlain ? Object.fromEntries(Object.entries(value).map(([field, entry]) => [field, at(entry)])) : value
  }
  return at(fields) as Fields
}

/** A world, or nothing where the type refuses the definition. */
function tryLive(attempt: Attempt, setting: Setting): Live | undefined {
  try {
    return attempt.live(setting)
  } catch {
    return undefined
  }
}

/** Where `staysFinite` begins: the bodies at a layout, the first of them turned. */
function placed(layout: (k: number) => Vec3, by: Vec3): (slot: number) => { position: Vec3; orientation: Quat } {
  return (slot) => ({ position: layout(slot), orientation: slot === 0 ? quaternionOf(by) : [0, 0, 0, 1] })
}

const GUARD =
  'Guard roots and divisions by 0, such as those of Math.hypot(x, z) and its gradient at 0, ' +
  "or leave the check out: skip: { finite: 'the reason' }"

/** Makes a few steps from where the bodies are. */
function staysFinite(s: Live): void {
  const places = s.bodies.map(
    (body, k) => `body ${k} at ${body === null ? 'rest: the world' : body.position.toString()}`,
  )
  const where = `with ${places.join(', ')}`
  const lost = `${where}${lostRow(s)}`
  for (let k = 0; k < 3; k++) {
    s.world.step()
    if (s.world.report.skipped.length > 0)
      throw new Error(`rows must be finite, got some that are not ${lost}. ${GUARD}`)
  }
  same(s.world.report.nonFinite.length, 0, `non-finite bodies ${where}`)
  if (!Number.isFinite(s.constraint.error)) throw new Error(`the error must be finite, got none ${lost}. ${GUARD}`)
  same(poses(s).every(Number.isFinite), true, `finiteness of poses ${where}`)
  same(s.constraint.multipliers.every(Number.isFinite), true, `finiteness of multipliers ${where}`)
}

/** What is not finite of the rows at the present pose, in words. */
function lostRow({ constraint }: Live): string {
  for (const { rows } of gradient(constraint)) {
    for (const { error, multiplier, bodies } of rows) {
      if (!Number.isFinite(error)) return `, where the error of row ${multiplier} is ${error}`
      for (const { linear, angular } of bodies) {
        const bad = [...linear, ...angular].find((value) => !Number.isFinite(value))
        if (bad !== undefined) return `, where the gradient of row ${multiplier} is ${bad}`
      }
    }
  }
  return ''
}

/** The reaction on body `b`, which must be what its rows say. */
function reactionAlong(s: Live, b: number): { force: readonly number[]; total: number } {
  const { constraint } = s
  const { force, torque } = constraint.reaction(b)
  const lambda = constraint.multipliers
  const expected = [0, 0, 0]
  const couple = [0, 0, 0]
  let total = 1e-4
  for (const row of gradient(constraint).flatMap(({ rows }) => rows)) {
    const push = lambda[row.multiplier] / (H * H)
    const { linear, angular } = row.bodies[b]
    const isCouple = row.bodies.every((body) => body.linear.every((x) => x === 0))
    // What nothing holds keeps its angular momentum as a whole: of what a couple lacks in that, the centres, a metre or so apart, take a share.
    total += Math.abs(push) * (isCouple ? length(angular) : length(linear))
    for (let i = 0; i < 3; i++) {
      expected[i] += push * linear[i]
      if (isCouple) couple[i] += push * angular[i]
    }
  }
  atMost(farthest(force, expected), SAME_SUM, 'reaction less λ/h² along the rows')
  atMost(farthest(torque, couple), SAME_SUM, 'couple less λ/h² along the rows')
  if (b === 0) {
    atMost(farthest([length(force)], [constraint.force]), SAME_SUM, 'force less the length of the reaction')
    atMost(farthest([length(torque)], [constraint.torque]), SAME_SUM, 'couple less the length of the reaction')
  }
  return { force, total }
}

/** Lets the bodies come to rest where the constraint wants them. */
function settle({ world }: Live): void {
  for (let k = 0; k < 100; k++) {
    world.step()
    for (const body of world.bodies.all()) {
      if (body.type !== 'dynamic') continue
      body.setVelocity([0, 0, 0])
      body.setAngularVelocity([0, 0, 0])
    }
  }
}

/** Relaxation and regularization give way beyond what compliance says, and store nothing. */
function physical({ relaxation: _relaxation, regularization: _regularization, ...fields }: Fields): Fields {
  return fields
}

/** Edits that put bodies where they are there, and set them in motion. */
function movingFrom({ world, bodies, trial }: Live): Operation[] {
  const all = world.bodies.all()
  return bodies.flatMap((body, k): Operation[] => {
    if (body === null || body.type !== 'dynamic') return []
    const index = all.findIndex((other) => other.index === body.index)
    const { velocity, spin } = trial.slots[k]
    const [x, y, z, w] = body.orientation
    const turning: Operation[] = [
      { do: 'setOrientation', body: index, value: [x, y, z, w] },
      { do: 'setAngularVelocity', body: index, value: spin },
    ]
    return [
      { do: 'setPosition', body: index, value: [body.position[0], body.position[1], body.position[2]] },
      { do: 'setVelocity', body: index, value: velocity },
      ...(body.isParticle ? [] : turning),
    ]
  })
}

/** The quaternion of a rotation vector of any length. */
function quaternionOf(v: Readonly<Vec3>): Quat {
  const angle = length(v)
  if (angle === 0) return [0, 0, 0, 1]
  const s = sin(angle / 2) / angle
  return [s * v[0], s * v[1], s * v[2], cos(angle / 2)]
}
