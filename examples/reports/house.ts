/** The house: how the project reads, and how one finds one's way about it. */

import { docs } from './house/docs.js'
import { drawing } from './house/drawing.js'
import { handles } from './house/handles.js'
import { names } from './house/names.js'
import { structure } from './house/structure.js'
import type { Report } from './report.js'

export const house: Report = {
  name: 'house',
  title: 'The house: structure, words and pages',
  rows: [...structure, ...drawing, ...names, ...handles, ...docs],
}
