/** Row 12: gradients, inertia and a step, against other ways to find them. */

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { figure, type ReportRow } from '../report.js'

/** Of `packages/ik/test/support/oracle.ts`, which may see inside the solver. */
interface Oracle {
  gradients: Record<string, number>
  mass: { poses: number; freedoms: number; worst: number } | null
  step: { chains: number; worst: number }
}

/** Runs a script of the repository, with `input` on its stdin. */
async function run(path: string, input = ''): Promise<string> {
  const script = new URL(`../../../${path}`, import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=@tautline/source', script])
  child.stdin.end(input)
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (out === '') throw new Error(`${path}: ${errors.split('\n').find((line) => line.includes('Error')) ?? errors}`)
  return out
}

let checks: Promise<Oracle> | undefined

/** All checks without MuJoCo, once. */
async function oracle(): Promise<Oracle> {
  checks ??= run('packages/ik/test/support/oracle.ts').then((out) => JSON.parse(out) as Oracle)
  return checks
}

export const oracles: readonly ReportRow[] = [
  {
    id: '12.1',
    claim: 'Gradients',
    asked: 'J by differences 1e-8',
    scene: '200 random trees of six bones with joints of all kinds, root pinned and free, central differences of 1e-5',
    async measure() {
      const { gradients } = await oracle()
      return {
        figures: Object.entries(gradients)
          .map(([name, worst]) => `${name} ${figure(worst, 2)}`)
          .join(', '),
        holds: Object.values(gradients).every((worst) => worst <= 1e-8),
      }
    },
  },
  {
    id: '12.2',
    claim: 'Mass of the humanoid against MuJoCo',
    asked: 'M against MuJoCo’s (mujoco-js, dev dependency) on the humanoid 1e-6',
    scene:
      'qM of mujoco-js 0.0.7 at 20 random poses, armature off, against metric fullMass; share of the largest entry',
    async measure() {
      const { mass } = JSON.parse(
        await run('packages/ik/test/support/oracle.ts', await run('bench/ik/mujoco.ts')),
      ) as Oracle
      if (mass === null) return { figures: 'no masses', holds: false }
      return {
        figures: `${mass.poses} poses, ${mass.freedoms} degrees of freedom, worst ${figure(mass.worst, 2)}`,
        holds: mass.worst <= 1e-6,
      }
    },
  },
  {
    id: '12.3',
    claim: 'A reduced step is the step of stiff joints',
    asked: 'a reduced full-mass step equals the maximal-coordinate step of stiff joints 1e-6',
    scene:
      '40 random chains of 2 to 7 balls, one goal, no damping; dense system of all bodies, ball joints as rows; share of the largest turn',
    async measure() {
      const { step } = await oracle()
      return { figures: `${step.chains} chains, worst ${figure(step.worst, 2)}`, holds: step.worst <= 1e-6 }
    },
  },
]
