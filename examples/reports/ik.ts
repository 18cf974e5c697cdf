/** IK: chains, robots, humanoids, figures and hands beside other solvers; checks, limits, memory. */

import { bodies } from './ik/bodies.js'
import { chains } from './ik/chains.js'
import { limitRows } from './ik/limits.js'
import { oracles } from './ik/oracles.js'
import type { Report, ReportRow } from './report.js'

const rows: readonly ReportRow[] = [...chains, ...bodies, ...oracles, ...limitRows]

/** Tasks of the benchmark first, then the checks, by their numbers. */
function order({ id }: ReportRow): number {
  return id.startsWith('B') ? Number(id.slice(1)) : 100 + Number(id)
}

export const ik: Report = {
  name: 'ik',
  title: 'IK: what is reached, how fast, how smoothly and within which limits, beside other solvers',
  rows: [...rows].sort((r, s) => order(r) - order(s)),
}
