/** Row 1: the same impulses by every method that theory lets converge. */

import type { World } from '@tautline/core'
import {
  complementarityResidual,
  gaussSeidel,
  ImpulseSolver,
  jacobi,
  lemke,
  mlcp,
  type Mlcp,
  projectedGaussSeidel,
  spectralRadius,
} from '@tautline/impulse-compat'
import { randomNumbers } from '../../lib/random.js'
import { EVERY_TYPE, ingredients } from '../../scenes/every-type.js'
import { pyramid } from '../../scenes/contacts/index.js'
import { heavyChain, randomWorld } from '../../scenes/impulse/index.js'
import { figure, type ReportRow } from '../report.js'

const SEED = 20261121
const PROBLEMS = 10_000
/** Sweeps until nothing changes any more but round-off; stiff problems need thousands. */
const CONVERGED = { iterations: 200_000, tolerance: 1e-12 } as const

/** The largest difference of two arrays as a share of the largest entry. */
function apart(a: ArrayLike<number>, b: ArrayLike<number>, count: number): number {
  let difference = 0
  let scale = 0
  for (let k = 0; k < count; k++) {
    difference = Math.max(difference, Math.abs(a[k] - b[k]))
    scale = Math.max(scale, Math.abs(a[k]))
  }
  return difference > 0 ? difference / scale : 0
}

/** Two bodies and four particles under one constraint of each type. */
function allTypes(): World {
  const made = ingredients(SEED)
  for (const { add } of EVERY_TYPE) add(made)
  return made.world
}

/** One step of `make()` by a method; the solver afterwards. */
function stepped(make: () => World, options: ConstructorParameters<typeof ImpulseSolver>[1], steps = 1): ImpulseSolver {
  const solver = new ImpulseSolver(make(), options)
  for (let step = 0; step < steps; step++) solver.step(1 / 60)
  return solver
}

/** Random box problems: rows that join one to three bodies, half of them bounded, all a little soft. */
function physicalProblem(random: () => number): Mlcp {
  const size = 1 + Math.floor(8 * (random() + 1))
  const bodies = 1 + Math.floor(2 * (random() + 1))
  const J = Float64Array.from({ length: 6 * bodies * size }, () => (random() < 0 ? 0 : random()))
  const weights = Float64Array.from({ length: 6 * bodies }, () => 10 ** random())
  const A = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      for (let c = 0; c < 6 * bodies; c++) A[size * i + j] += J[6 * bodies * i + c] * weights[c] * J[6 * bodies * j + c]
    }
  }
  for (let i = 0; i < size; i++) A[(size + 1) * i] += 0.02 + 0.2 * (random() + 1)
  const kind = Float64Array.from({ length: size }, random)
  return mlcp(
    A,
    Float64Array.from({ length: size }, () => 5 * random()),
    kind.map((k) => (k < -0.3 ? -Infinity : k < 0.3 ? 0 : -k)),
    kind.map((k) => (k < 0.3 ? Infinity : k)),
  )
}

export const equations: readonly ReportRow[] = [
  {
    id: '1.1',
    claim: 'assembled projected Gauss–Seidel and sequential impulses are the same',
    asked: 'impulses agree to 1e-12 of the largest',
    scene:
      'all constraint types, pyramid of 55 boxes, chain 1:100; 10 steps of 1/60 s with 20 iterations from one state',
    measure() {
      const scenes: [string, () => World][] = [
        ['types', allTypes],
        ['pyramid', () => pyramid(10).world],
        ['chain', () => heavyChain(100).world],
      ]
      const found = scenes.map(([name, make]) => {
        // Ten steps by one method, so that all is in motion, then one more by each.
        const [a, b] = (['sequential', 'assembled'] as const).map((method) => {
          const solver = stepped(make, { iterations: 20 }, 9)
          solver.configure({ method })
          solver.step(1 / 60)
          return solver
        })
        return { name, rows: a.system.rows, worst: apart(a.system.impulse, b.system.impulse, a.system.rows) }
      })
      return {
        figures: found.map(({ name, rows, worst }) => `${name} ${figure(worst, 2)} (${rows} rows)`).join(', '),
        holds: found.every(({ worst }) => worst <= 1e-12),
      }
    },
  },
  {
    id: '1.2',
    claim: 'both agree with Lemke’s method on random worlds',
    asked: `1e-8 of the largest impulse on ${PROBLEMS} problems, residual <= 1e-10`,
    scene: `2–5 bodies with joints, limits, drives, springs, ropes and contacts at random, α = 0.2/kg; seeds ${SEED} and on`,
    measure() {
      let [worst, residual, rows, unsolved] = [0, 0, 0, 0]
      for (let k = 0; k < PROBLEMS; k++) {
        const make = (): World => randomWorld(SEED + k)
        const exact = stepped(make, { method: 'lemke' })
        if (exact.report.fallback !== '') unsolved++
        const problem = exact.problem()
        residual = Math.max(residual, complementarityResidual(problem, exact.system.impulse.subarray(0, problem.size)))
        for (const method of ['sequential', 'assembled'] as const) {
          const swept = stepped(make, { method, ...CONVERGED })
          worst = Math.max(worst, apart(exact.system.impulse, swept.system.impulse, problem.size))
        }
        rows += problem.size
      }
      return {
        figures: `worst ${figure(worst, 2)}, residual ${figure(residual, 2)} N s, ${figure(rows / PROBLEMS)} rows in the mean, ${unsolved} not solved by pivoting`,
        holds: worst <= 1e-8 && residual <= 1e-10 && unsolved === 0,
      }
    },
  },
  {
    id: '1.3',
    claim: 'and on random matrices with boxes',
    asked: `1e-8 on ${PROBLEMS} problems, residual of both <= 1e-10`,
    scene: `J M⁻¹ Jᵀ + D of 1–16 rows, 4 in 10 free, 3 one-sided, 3 boxed; seed ${SEED}`,
    measure() {
      const random = randomNumbers(SEED)
      let [worst, exactResidual, sweptResidual] = [0, 0, 0]
      for (let k = 0; k < PROBLEMS; k++) {
        const problem = physicalProblem(random)
        const exact = lemke(problem)
        const swept = projectedGaussSeidel(problem, { iterations: 200_000, tolerance: 1e-12 })
        worst = Math.max(worst, apart(exact.lambda, swept.lambda, problem.size))
        exactResidual = Math.max(exactResidual, exact.residual)
        sweptResidual = Math.max(sweptResidual, swept.residual)
      }
      return {
        figures: `worst ${figure(worst, 2)}, residual of Lemke ${figure(exactResidual, 2)}, of sweeps ${figure(sweptResidual, 2)}`,
        holds: worst <= 1e-8 && exactResidual <= 1e-10 && sweptResidual <= 1e-10,
      }
    },
  },
  {
    id: '1.4',
    claim: 'Jacobi and Gauss–Seidel converge where theory says, and say where not',
    asked: 'status as the spectral radius of the iteration has it, in all of 2000 cases',
    scene: `symmetric matrices of 2–9 rows with a shared part, half of them not definite, random first guess; seed ${SEED}`,
    measure() {
      const random = randomNumbers(SEED)
      const count = { agree: 0, disagree: 0, near: 0, jacobiDiverged: 0, sweepDiverged: 0 }
      for (let k = 0; k < 1000; k++) {
        const problem = coupledProblem(random)
        const start = Float64Array.from({ length: problem.size }, random)
        for (const [method, solve] of [
          ['jacobi', jacobi],
          ['gaussSeidel', gaussSeidel],
        ] as const) {
          const radius = spectralRadius(problem, method)
          // Nearer to 1 no number of iterations that one can wait for tells.
          if (Math.abs(radius - 1) < 0.01) {
            count.near++
            continue
          }
          const { status } = solve(problem, { start, iterations: 20_000, tolerance: 1e-9 })
          if (status === 'diverged') count[method === 'jacobi' ? 'jacobiDiverged' : 'sweepDiverged']++
          if ((status === 'solved') === radius < 1 && (status === 'diverged') === radius > 1) count.agree++
          else count.disagree++
        }
      }
      const { agree, disagree, near, jacobiDiverged, sweepDiverged } = count
      return {
        figures: `${agree} as theory says, ${disagree} not; ${near} within 1 % of the radius 1 left out; diverged: Jacobi ${jacobiDiverged}, Gauss–Seidel ${sweepDiverged}`,
        holds: disagree === 0 && jacobiDiverged > 0 && sweepDiverged > 0,
      }
    },
  },
]

/** A = s (1 1ᵀ) + noise with a diagonal of 1: many rows on one body when s is large; beyond 1 not definite. */
function coupledProblem(random: () => number): Mlcp {
  const size = 2 + Math.floor(4 * (random() + 1))
  const shared = 0.75 * (random() + 1)
  const A = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    A[(size + 1) * i] = 1
    for (let j = 0; j < i; j++) A[size * i + j] = A[size * j + i] = shared + 0.1 * random()
  }
  return mlcp(
    A,
    Float64Array.from({ length: size }, () => random()),
  )
}
