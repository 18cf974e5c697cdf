/** Layers of core, and how many members the contracts of types, solvers and stages have. */

import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { LAYERS, sourceFiles, upwardImports } from '../../../tools/circles.js'
import type { ReportRow } from '../report.js'

/** Contracts of those who extend the step: the file and name of each, and how many members it had before. */
const CONTRACTS = [
  { file: 'packages/core/src/define/contract.ts', name: 'ConstraintType', before: 36 },
  { file: 'packages/core/src/define/contract.ts', name: 'BlockSolver', before: 19 },
  { file: 'packages/core/src/define/stage.ts', name: 'Stage', before: 11 },
] as const

/** Members of an interface. */
function membersOf(file: string, name: string): number {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const found = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)
  if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new RangeError(`${file} must declare ${name}`)
  return found.members.length
}

export const structure: readonly ReportRow[] = [
  {
    id: '6.1',
    claim: 'Imports of core run down its layers',
    asked: '0 arrows up (11 before)',
    scene: `layers ${LAYERS.map((folders) => folders.join(' + ')).join(' < ')}, types included`,
    measure() {
      const arrows = upwardImports(sourceFiles())
      const shown = arrows.map(([from, to]) => `${from} -> ${to}`).join(', ')
      return { figures: `${arrows.length} arrows up${shown && `: ${shown}`}`, holds: arrows.length === 0 }
    },
  },
  {
    id: '6.2',
    claim: 'Contracts group their members',
    asked: `fewer members than before: ${CONTRACTS.map(({ name, before }) => `${name} ${before}`).join(', ')}`,
    scene: 'members of each interface, a group counted as one',
    measure() {
      const counts = CONTRACTS.map(({ file, name, before }) => ({ name, before, now: membersOf(file, name) }))
      return {
        figures: counts.map(({ name, now }) => `${name} ${now}`).join(', '),
        holds: counts.every(({ now, before }) => now < before),
      }
    },
  },
]
