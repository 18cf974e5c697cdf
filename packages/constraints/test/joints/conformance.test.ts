/** What every joint must keep: gradients, loop, momentum, convergence, finiteness, definitions. */

import { type Constraint, fromJSON, World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import {
  type AnyDef,
  begin,
  copyState,
  disturbed,
  farthest,
  type Joint,
  JOINTS,
  measured,
  nudge,
  state,
  steps,
  sweeps,
} from './support.js'

/** Step of the central differences [m, rad]: ε^(1/3), where truncation meets round-off. */
const STEP = 6e-6
/** Their error: STEP² times a third derivative, which for a vector c is r³/c², r a lever of up to 3 m. */
const GRADIENT = 1e-5
/** Vectors shorter than this [m, rad] are left out: see above. */
const SHORT = 0.02
/**
 * Two orders of the same sums, and two ways to invert the pivot's K (cofactors here, elimination in the reference), whose
 * condition goes to 1e5 with slender bodies on long levers.
 */
const SAME = 1e-8
const SAME_FAR = 1e-8
/** Sums of a few products of order 10. */
const ROUND_OFF = 1e-12
/**
 * [m, rad] Point and angles of one joint are solved in turn, which leaves a share 1/(1 + I/(m r²)) of the error a sweep,
 * r the lever: some 0.9 for bodies of `ROUND`. 1000 sweeps leave nothing.
 */
const CONVERGED = 1e-9
const SWEEPS = 1000
/** Moments of a body of 1 kg [kg m²]. */
const ROUND = [1, 1.5, 2]

const always = (check: (seed: number) => void, numRuns = 200): void => {
  const property = fc.property(fc.integer(), (seed) => {
    check(seed)
  })
  fc.assert(property, { seed: SEED, numRuns })
}

/** A scalar as it is, a vector's length. */
const size = (c: readonly number[]): number => (c.length === 1 ? c[0] : Math.hypot(...c))

/** The same without softness, drive and friction: what is left must be met. */
function rigid({ name, type, def }: Joint): Joint {
  const keep = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'min' in value ? { ...value, compliance: 0, damping: 0 } : value
  return {
    name,
    type,
    def(random) {
      const { swing, ...rest } = def(random)
      const soft = /ompliance|amping|drive|friction/
      const fields = Object.entries(rest).filter(([field]) => !soft.test(field))
      const result: Record<string, unknown> = Object.fromEntries(fields.map(([field, value]) => [field, keep(value)]))
      if (swing !== undefined) {
        result.swing = Object.fromEntries(Object.entries(swing as object).map(([axis, range]) => [axis, keep(range)]))
      }
      return result
    },
  }
}

describe.each(JOINTS)(`$name (seed ${SEED})`, (joint) => {
  test('gradients are those of differences', () => {
    always((seed) => {
      const constraint = disturbed(seed, joint, 0.4)
      const { world } = constraint
      const before = measured(constraint)
      constraint.bodies.forEach((body, slot) => {
        if (body === null) return
        for (let axis = 0; axis < 6; axis++) {
          nudge(world, body, axis, STEP)
          const up = measured(constraint)
          nudge(world, body, axis, -2 * STEP)
          const down = measured(constraint)
          nudge(world, body, axis, STEP)
          before.forEach(({ c, gradient }, k) => {
            if (c.length > 1 && size(c) < SHORT) return
            const slope = (size(up[k].c) - size(down[k].c)) / (2 * STEP)
            const error = Math.abs(slope - gradient[6 * slot + axis])
            // Within a step of a kink, as where a swing begins, the two sides differ by this.
            const kink = Math.abs(size(up[k].c) - 2 * size(c) + size(down[k].c)) / STEP
            expect(error, `group ${k}, body ${slot}, axis ${axis}`).toBeLessThan((joint.gradient ?? GRADIENT) + kink)
          })
        }
      })
    })
  })

  test('the loop is the reference step', () => {
    always((seed) => {
      for (const [far, count, tolerance] of [
        [0.1, 3, SAME],
        [2, 1, SAME_FAR],
      ]) {
        const [own, reference] = [true, false].map(() => {
          const { world } = disturbed(seed, joint, far, { regularization: seed % 2 === 0 ? 0 : 1e-3 })
          begin(world, seed)
          return world
        })
        for (let sweep = 0; sweep < count; sweep++) {
          sweeps(own, 1, true)
          sweeps(reference, 1, false)
          expect(farthest(state(own), state(reference))).toBeLessThan(tolerance)
          // From the same state again: a joint thrown far off may multiply what is left.
          copyState(own, reference)
        }
      }
    })
  })

  test('rows push and turn nothing as a whole', () => {
    always((seed) => {
      const constraint = disturbed(seed, joint, 2)
      const { batch, world } = constraint
      const { position } = world.bodies.columns
      measured(constraint)
      for (let k = 0; k < batch.rows.count; k++) {
        const linear = [0, 0, 0]
        const angular = [0, 0, 0]
        for (let b = 0; b < 2; b++) {
          const J = batch.rows.J.subarray(6 * (2 * k + b), 6 * (2 * k + b + 1))
          const x = position.subarray(4 * batch.ids[2 * constraint.row() + b])
          for (let i = 0; i < 3; i++) {
            const [r, s] = [(i + 1) % 3, (i + 2) % 3]
            linear[i] += J[i]
            angular[i] += J[3 + i] + x[r] * J[s] - x[s] * J[r]
          }
        }
        expect(Math.hypot(...linear, ...angular)).toBeLessThan(ROUND_OFF * Math.hypot(1, ...batch.rows.J))
      }
    })
  })

  test('what is rigid is met', () => {
    always((seed) => {
      const constraint = disturbed(seed, rigid(joint), 0.15)
      for (const body of constraint.world.bodies.all()) body.setMass(1, ROUND)
      begin(constraint.world, seed)
      sweeps(constraint.world, SWEEPS, true)
      expect(constraint.error).toBeLessThan(CONVERGED)
    }, 50)
  })

  test('half a turn stays finite', () => {
    const random = new Random(SEED)
    for (const [x, y, z] of [[1, 0, 0], [0, 1, 0], [0, 0, 1], random.direction()]) {
      for (let k = 0; k < 10; k++) {
        const world = new World({ gravity: [0, 0, 0] })
        const b = world.addBody({ inertia: [0.2, 0.3, 0.4], orientation: [0, 0, 0, 1] })
        const around = { point: [0, 0, 0], axis: [1, 0, 0] }
        const { frameA: _frame, point: _point, axis: _axis, axisA, axisB: _axisB, ...rest } = joint.def(new Random(k))
        const isDrive = joint.name === 'angularDrive'
        const isCross = joint.name === 'universal'
        const known = Object.entries(around).filter(([field]) => joint.type.fields?.includes(field))
        const own = isCross ? { point: [0, 0, 0], axisA } : isDrive ? {} : Object.fromEntries(known)
        const constraint = world.add(joint.type, { a: null, b, ...rest, ...own } as AnyDef)
        b.setOrientation([x, y, z, 0])
        steps(world, 5)
        expect(world.report.nonFinite).toEqual([])
        expect(Number.isFinite(constraint.error)).toBe(true)
      }
    }
  })

  test('a resolved definition gives the same constraint at any pose', () => {
    always((seed) => {
      const constraint = disturbed(seed, joint, 2)
      const { world } = constraint
      const { def } = constraint as unknown as Constraint<AnyDef>
      const context = { bodies: world.bodies.columns, iterations: 1 }
      expect(joint.type.resolve(def, context)).toEqual(def)
    })
  })

  test('a saved scene goes on with the same bits', () => {
    always((seed) => {
      const { world } = disturbed(seed, joint, 0.2)
      steps(world, 2)
      const again = fromJSON(JSON.parse(JSON.stringify(world.toJSON())), [joint.type as never])
      expect(again.hash()).toBe(world.hash())
      steps(world, 3)
      steps(again, 3)
      expect(again.hash()).toBe(world.hash())
    }, 30)
  })

  test('no inertia is an error', () => {
    const world = new World()
    const [a, b] = [world.addParticle({}), world.addParticle({ position: [1, 0, 0] })]
    const def = joint.def(new Random(1))
    const message = `${joint.type.name}: a or b must have inertia, got particles`
    for (const pair of [
      { a, b },
      { a: null, b },
    ]) {
      expect(() => world.add(joint.type, { ...pair, ...def })).toThrow(message)
    }
    expect(world.constraints()).toEqual([])
  })
})
