/** Definitions, scenes and snapshots: what a type keeps must be in its definition and its columns. */

import { type Constraint, fromJSON } from '@tautline/core'
import { atMost, same, skip, type SuiteCheck } from './check.js'
import { type ConformanceOptions, type Fields, withoutSoftness } from './options.js'
import { H, poses } from './substep.js'
import type { Live } from './trial.js'

/** An angle or a length from the pose that it was read from: the root of a round-off in an angle's cosine is not in it. */
const PRESENT = 1e-12
/** Forces and couples below this do not break anything [N, N m]. */
const WEAK = 1e-6

/** What a row is made of: the type's own columns, and the common ones that a definition fills. */
function stored(constraint: Constraint): Record<string, number[]> {
  const { batch } = constraint
  const row = constraint.row()
  const common = ['compliance', 'rayleigh', 'relaxation', 'regularization', 'breakForce', 'enabled']
  return Object.fromEntries(
    [...Object.keys(batch.type.columns), ...common].map((name) => {
      const column = batch.columns[name]
      const stride = column.length / batch.table.capacity
      return [name, Array.from(column.subarray(stride * row, stride * (row + 1)))]
    }),
  )
}

function step({ world }: Live, count: number): void {
  for (let k = 0; k < count; k++) world.step()
}

export const STATE_CHECKS: readonly SuiteCheck[] = [
  {
    name: 'definition',
    says: 'a definition goes in and comes out, at any later pose',
    extremes: true,
    holds(attempt) {
      const { world, constraint } = attempt.live()
      const { type } = attempt.subject
      const { def } = constraint
      const context = { bodies: world.bodies.columns, iterations: world.settings.iterations }
      same(type.resolve(def, context), def, 'what resolve makes of a resolved definition')
      const hash = world.hash()
      const before = stored(constraint)
      constraint.remove()
      const again = world.add(type, def) as unknown as Constraint
      same(again.def, def, 'the definition of one that is made from it')
      same(stored(again), before, 'columns of one that is made from its definition')
      same(world.hash(), hash, 'hash of the world with one that is made from its definition')
      again.set({})
      same(again.def, def, 'the definition after a change of nothing')
      same(stored(again), before, 'columns after a change of nothing')
    },
    last: ['console.log(constraint0.def)'],
  },
  {
    name: 'present pose',
    says: 'what is left out is as it stands: no error',
    share: 0.5,
    extremes: true,
    applies: ({ options }) => options.sizes !== undefined && options.rigid !== false,
    holds(attempt) {
      const { sizes = [] } = attempt.subject.options
      const hard = rigidOf(attempt.subject.options)
      const change = (fields: Record<string, unknown>): Record<string, unknown> =>
        Object.fromEntries(Object.entries(hard(fields)).filter(([field]) => !sizes.includes(field)))
      const { constraint, fields } = attempt.live({ far: 0, change })
      if ('axisA' in fields && 'axisB' in fields) skip()
      atMost(constraint.error, PRESENT, 'error at the pose that it was made at')
    },
    last: ['console.log(constraint0.error)'],
  },
  {
    name: 'json',
    says: 'JSON goes on with the same bits',
    share: 1 / 3,
    extremes: true,
    holds(attempt) {
      const s = attempt.live({ options: { substeps: 3 } })
      step(s, 2)
      const again = fromJSON(JSON.stringify(s.world), [attempt.subject.type as never])
      for (let k = 0; k < 3; k++) {
        same(again.hash(), s.world.hash(), `hash ${k} steps after JSON`)
        s.world.step()
        again.step()
      }
    },
    last: ['world.step()', 'console.log(JSON.stringify(world))'],
  },
  {
    name: 'snapshot',
    says: 'a snapshot goes on with the same bits',
    share: 1 / 3,
    extremes: true,
    holds(attempt) {
      const s = attempt.live({ options: { substeps: 3 } })
      step(s, 1)
      const snapshot = s.world.snapshot()
      const hashes = [1, 2].map(() => {
        step(s, 1)
        return s.world.hash()
      })
      s.world.restore(snapshot)
      for (const [k, hash] of hashes.entries()) {
        step(s, 1)
        same(s.world.hash(), hash, `hash ${k + 1} steps after a snapshot`)
      }
    },
    last: [
      'world.step()',
      'const snapshot = world.snapshot()',
      'world.step()',
      'console.log(world.hash())',
      'world.restore(snapshot)',
      'world.step()',
      'console.log(world.hash())',
    ],
  },
  {
    name: 'replay',
    says: 'the same scene gives the same bits, whatever other worlds do',
    share: 1 / 3,
    extremes: true,
    holds(attempt) {
      const options = { substeps: 2 }
      const alone = attempt.live({ options })
      const hashes = [1, 2, 3].map(() => {
        step(alone, 1)
        return alone.world.hash()
      })
      const [first, second] = [attempt.live({ options }), attempt.live({ options })]
      for (const [k, hash] of hashes.entries()) {
        for (const s of [first, second]) {
          step(s, 1)
          same(s.world.hash(), hash, `hash ${k + 1} steps into a replay`)
        }
      }
    },
    last: ['for (let step = 0; step < 3; step++) world.step()', 'console.log(world.hash())'],
  },
  {
    name: 'enabled',
    says: 'switched off it does nothing',
    share: 1 / 3,
    extremes: true,
    holds(attempt) {
      const options = { gravity: [0, -9.81, 0] } as const
      const without = attempt.live({ options })
      without.constraint.remove()
      const s = attempt.live({ options, change: (fields) => ({ ...fields, enabled: false }) })
      for (const each of [s, without]) step(each, 2)
      same(poses(s), poses(without), 'poses with a constraint that is switched off')
      same(s.constraint.force, 0, 'force of a constraint that is switched off')
      same(s.constraint.torque, 0, 'couple of a constraint that is switched off')
    },
    last: ['for (let step = 0; step < 2; step++) world.step()', 'console.log(constraint0.force)'],
  },
  {
    name: 'breaking',
    says: 'it breaks above its limit and not below',
    share: 1 / 3,
    holds(attempt) {
      const build = (limit: Record<string, number>): Live =>
        attempt.live({ far: 0.05, options: { dt: H }, change: (fields) => ({ ...fields, ...limit }) })
      const free = build({})
      free.world.step()
      const { force, torque } = free.constraint
      if (force < WEAK && torque < WEAK) skip()
      for (const [field, value] of [
        ['breakForce', force],
        ['breakTorque', torque],
      ] as const) {
        if (value < WEAK) continue
        for (const share of [0.99, 1.01]) {
          const s = build({ [field]: share * value })
          s.world.step()
          same(s.constraint.broken, share < 1, `broken at ${share} of its ${field}`)
          same(s.constraint.enabled, share > 1, `enabled at ${share} of its ${field}`)
          same(s.world.report.broken.length, share < 1 ? 1 : 0, `broken constraints at ${share} of its ${field}`)
        }
      }
    },
    last: ['world.step()', 'console.log(constraint0.force, constraint0.torque, constraint0.broken)'],
  },
]

/** What makes a definition rigid. */
export function rigidOf({ rigid }: ConformanceOptions): (fields: Fields) => Fields {
  return rigid === undefined || rigid === false ? withoutSoftness : rigid
}
