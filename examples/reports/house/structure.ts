/** Rows 1, 2, 4 and 7: files, solvers as parts, sizes, names of core. */

import { join } from 'node:path'
import ts from 'typescript'
import { World } from '@tautline/core'
import { type BlockSolver } from '@tautline/core/kernel'
import { gzipped } from '../../../tools/bundle.js'
import { BUDGETS, kB } from '../../../tools/sizes.js'
import {
  circles,
  importsOf,
  isNamed,
  longFiles,
  MOST_LINES,
  MOST_PAIRS,
  nameOf,
  PAIRS,
  sourceFiles,
} from '../../../tools/circles.js'
import { packageFolders } from '../../../tools/docs/declarations.js'
import { figure, type ReportRow } from '../report.js'

const MOST_NAMES = 45

/** Counts how often it is asked to solve. */
class Counting implements BlockSolver {
  readonly name = 'counting'
  solves = 0

  gather(): void {
    this.solves = 0
  }

  solve(): void {
    this.solves++
  }

  report(): number {
    return this.solves
  }
}

export const structure: readonly ReportRow[] = [
  {
    id: '1',
    claim: 'Files form no circles, and none is long',
    asked: `0 circles beyond named pairs, ≤ ${MOST_PAIRS} in all; no file over ${MOST_LINES} lines`,
    scene: 'packages/*/src, imports of types alone included',
    measure() {
      const files = sourceFiles()
      const found = circles(files)
      const unnamed = found.filter((circle) => !isNamed(circle))
      const long = longFiles(files)
      return {
        figures:
          `${found.length} circles of ${files.length} files, ${unnamed.length} of them not named` +
          `${unnamed.map((circle) => `; ${circle.map(nameOf).join(', ')}`).join('')}; ` +
          `${long.length} files too long${long.map(([name, lines]) => `; ${name} ${lines}`).join('')}`,
        holds: unnamed.length === 0 && PAIRS.length <= MOST_PAIRS && long.length === 0,
      }
    },
  },
  {
    id: '2',
    claim: 'Solvers of many rows are parts of the step',
    asked: 'step.ts imports no solver; one of a user takes part in the step and the report',
    scene:
      'packages/core/src/step/step.ts; a solver that counts, 3 steps of 8 substeps (a whole one: constraints/test/block-solver.test.ts)',
    measure() {
      const step = join(packageFolders().get('core') as string, 'src', 'step', 'step.ts')
      const named = importsOf(step).filter((file) => /[\\/]direct[\\/]|island|lines/.test(file))
      const world = new World({ substeps: 8 })
      world.addSolver(new Counting())
      for (let k = 0; k < 3; k++) world.step()
      const solves = world.report.solvers.counting
      return {
        figures: `${named.length} solvers imported; asked ${String(solves)} times`,
        holds: named.length === 0 && solves === 24,
      }
    },
  },
  {
    id: '4',
    claim: 'A page carries what it uses',
    asked: BUDGETS.map(({ name, budget }) => `${name} ≤ ${budget} kB`).join(', '),
    scene: 'bundles of the sources, minified and gzipped',
    async measure() {
      const sizes = await Promise.all(BUDGETS.map(async ({ code }) => (await gzipped(code)) / kB))
      return {
        figures: BUDGETS.map(({ name }, k) => `${name} ${figure(sizes[k])} kB`).join(', '),
        holds: BUDGETS.every(({ budget }, k) => sizes[k] <= budget),
      }
    },
  },
  {
    id: '7',
    claim: 'Core exports what users call',
    asked: `@tautline/core exports at most ${MOST_NAMES} names; the rest is in @tautline/core/kernel`,
    scene: 'names that packages/core/src/index.ts exports, values and types',
    measure() {
      const file = join(packageFolders().get('core') as string, 'src', 'index.ts')
      const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, noLib: true })
      const checker = program.getTypeChecker()
      const symbol = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile)
      const names = checker.getExportsOfModule(symbol as ts.Symbol).length
      return { figures: `${names} names`, holds: names <= MOST_NAMES }
    },
  },
]
