/** Row 3: a constraint type draws itself. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConstraintType, type ManyDef, World } from '@tautline/core'
import { DebugLines } from '@tautline/three'
import { packageFolders } from '../../../tools/docs/declarations.js'
import type { ReportRow } from '../report.js'

/** A body above a floor at y = 0, with a plumb line for its outline. */
const above: ConstraintType<ManyDef> = {
  name: 'above',
  order: 1,
  arity: 1,
  multipliers: 1,
  columns: {},
  resolve: (def) => def,
  write() {},
  evaluate({ position }, { ids }, row, out) {
    out.group('scalar', 'position', 'm').lower = 0
    out.row(0, position[4 * ids[row] + 1])
    out.linear(0, 0, 1, 0)
  },
  outline({ position }, { ids }, row, out) {
    const foot = Float64Array.from(position.subarray(4 * ids[row], 4 * ids[row] + 3))
    foot[1] = 0
    out.link(Float64Array.of(...position.subarray(4 * ids[row], 4 * ids[row] + 3), ...foot), 0, 3)
    out.target(foot, 0)
  },
}

/** Files of debug drawing that read the name of a constraint type. */
function readersOfNames(): string[] {
  const folder = join(packageFolders().get('three') as string, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /debug.*\.ts$/.test(name) && /\btype\.name\b|\btypeName\b/.test(readFileSync(join(folder, name), 'utf8')),
  )
}

export const drawing: readonly ReportRow[] = [
  {
    id: '3',
    claim: 'A constraint type draws itself',
    asked:
      'the outline of a type of this row is what DebugLines shows; no file of debug drawing reads the name of a type',
    scene: 'a type with an outline, declared here, on one particle at (1, 2, 3); sources of debug drawing',
    measure() {
      const world = new World()
      world.add(above, { bodies: [world.addParticle({ position: [1, 2, 3] })] })
      const lines = new DebugLines(world, { bodies: false })
      lines.update()
      const { geometry } = lines.object
      const [x, y, z, u, v, w] = geometry.attributes.position.array
      const isPlumb = x === 1 && y === 2 && z === 3 && u === 1 && v === 0 && w === 3
      const shown = geometry.drawRange.count / 2
      const readers = readersOfNames()
      return {
        figures: `${shown} lines, the first ${isPlumb ? 'from the body to the floor' : 'elsewhere'}; ${readers.length} files read names`,
        holds: isPlumb && shown === 4 && readers.length === 0,
      }
    },
  },
]
