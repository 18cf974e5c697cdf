/** Inverse kinematics: a chain of ball links to targets all over its reach. */

import { timed } from '../harness/clock.js'
import { type BenchScene, orNull, type Task } from '../harness/scene.js'
import { FINE } from '../ik/measure.js'
import type { ChainSolver, Opponents } from '../ik/solver.js'
import { endError } from '../ik/tasks/chain.js'
import { reachTask } from '../ik/tasks/reach.js'

const LINKS = [3, 20, 100]
const TARGETS = 1100
const WARM_UP = 100

/** Solvers by name, each loaded alone. */
const SOLVERS: Readonly<Record<string, () => Promise<{ opponents: Opponents }>>> = {
  tautline: () => import('../ik/opponents/tautline.js'),
  fabrik: () => import('../ik/opponents/fabrik.js'),
  ccd: () => import('../ik/opponents/ccd.js'),
  pseudoInverse: () => import('../ik/opponents/pseudo-inverse.js'),
  'closed-chain-ik': () => import('../ik/opponents/closed-chain-ik.js'),
}
/** Takes seconds for a solve of more links than these. */
const SLOW = { name: 'closed-chain-ik', links: 20 }

function reach(links: number): BenchScene {
  return {
    name: `ik-${links}`,
    family: 'Inverse kinematics',
    text: reachTask(links, 1).text.replace(/1 targets/, 'targets'),
    sample: `solve to 10⁻⁴ of the reach or 200 iterations`,
    warmUp: WARM_UP,
    samples: TARGETS - WARM_UP,
    quick: 200,
    contenders: Object.keys(SOLVERS)
      .filter((engine) => engine !== SLOW.name || links < SLOW.links)
      .map((engine) => ({ engine, usual: [200] })),
    open: (name, work) => open(name, work, links),
  }
}

async function open(name: string, work: number, links: number): Promise<Task> {
  const began = performance.now()
  const { opponents } = await SOLVERS[name]()
  const solver = opponents.chains.find((chain) => chain.name === name) as ChainSolver
  const loaded = performance.now()
  const task = reachTask(links, TARGETS)
  const run = solver.make(task.links, task.joints)
  const setup = performance.now() - loaded
  const positions = new Float64Array(3 * links + 3)
  let [target, sum, missed, count] = [0, 0, 0, 0]
  return {
    note: `${solver.note}; work: most iterations`,
    init: loaded - began,
    setup,
    run(isMeasured) {
      const at = task.targets.subarray(3 * target, 3 * target + 3)
      run.reset(task.start)
      const took = timed(() => {
        run.solve(at, work, FINE)
      })
      if (isMeasured) {
        run.positions(positions)
        const error = endError(positions, task.targets, target)
        sum += error
        if (!(error <= FINE)) missed++
        count++
      }
      target = (target + 1) % TARGETS
      return took
    },
    figures: () => ({ distance: orNull(sum / count), missed: missed / count }),
  }
}

export const inverseKinematics = LINKS.map(reach)
