/** The velocity-level school: its equations, the results of its sources, its agreement with displacement, the comparison. */

import { equations } from './impulse/equations.js'
import type { Report } from './report.js'

const rows = [...equations]

export const impulse: Report = { name: 'impulse', title: 'The other school: impulses on the same world', rows }
