/** The velocity-level school: its equations, the results of its sources, its agreement with displacement, the comparison. */

import { comparison } from './impulse/comparison.js'
import { convergence } from './impulse/convergence.js'
import { equations } from './impulse/equations.js'
import { sources } from './impulse/sources.js'
import type { Report } from './report.js'

const rows = [...equations, ...sources, ...convergence, ...comparison]

export const impulse: Report = { name: 'impulse', title: 'The other school: impulses on the same world', rows }
