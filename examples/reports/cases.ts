/** Small inputs that once failed, found by trying what people report of other engines and by building things from the docs alone. */

import { collisionRows } from './cases/collisions.js'
import { clothCaseRows } from './cases/cloth.js'
import { jointCaseRows } from './cases/joints.js'
import { randomCaseRows } from './cases/random.js'
import { refusalRows } from './cases/refusals.js'
import { solverRows } from './cases/solver.js'
import type { Report } from './report.js'

export const cases: Report = {
  name: 'cases',
  title: 'Cases: small inputs that once failed, at default settings',
  rows: [...solverRows, ...jointCaseRows, ...collisionRows, ...refusalRows, ...clothCaseRows, ...randomCaseRows],
}
