/** Row 1: the heavy chain, of boxes, of particles, and mixed. */

import { heavyChain, type JointScene } from '../../scenes/impulse/index.js'
import { mixedChain, ONE_SUBSTEP, particleChain, runTrees } from '../../scenes/trees/index.js'
import { figure, type ReportRow } from '../report.js'

const RATIOS = [1, 100, 1e3, 1e4, 1e5, 1e6]
const SECONDS = 10
/** Asked: gap [m, rad], and solves a step in the mean. */
const GAP = 1e-8
const SOLVES = 3

function chain(id: string, claim: string, scene: string, make: (ratio: number) => JointScene): ReportRow {
  return {
    id,
    claim,
    asked: `worst gap at every instant of ${SECONDS} s <= 1e-8 m; solves a step, mean <= ${SOLVES}`,
    scene: `${scene}; R = ${RATIOS.join(', ')}; one substep, 60 Hz`,
    measure() {
      const runs = RATIOS.map((ratio) => ({ ratio, ...runTrees(make(ratio), SECONDS) }))
      return {
        figures: runs
          .map(({ ratio, gap, solves, most, unsolved, halved }) => {
            const left = unsolved + halved > 0 ? `, ${unsolved} unsolved, ${halved} halved` : ''
            return `R ${ratio}: ${figure(gap)} m, ${figure(solves)} solves (most ${most}${left})`
          })
          .join('; '),
        holds: runs.every(({ gap, solves }) => gap <= GAP && solves <= SOLVES),
      }
    },
  }
}

export const chains: readonly ReportRow[] = [
  chain('1.1', 'Heavy chain of boxes', '20 boxes of 0.5 m and 1 kg on ball joints, the last of R kg', (ratio) =>
    heavyChain(ratio, ONE_SUBSTEP),
  ),
  chain('1.2', 'Heavy chain of particles', '20 particles of 1 kg on rods of 0.5 m, the last of R kg', (ratio) =>
    particleChain(ratio),
  ),
  chain(
    '1.3',
    'Heavy chain of unequal links on mixed joints',
    '20 boxes of 0.25 to 0.75 m and 0.5 to 2 kg, the last of R kg; hinges, universal and ball joints by turns, axes across the chain at random, seed 7; errors of direction count as m',
    (ratio) => mixedChain(ratio),
  ),
  chain(
    '1.4',
    'The same on hinges and universal joints alone',
    'as 1.3, hinges and universal joints by turns',
    (ratio) => mixedChain(ratio, ['hinge', 'universal']),
  ),
]
