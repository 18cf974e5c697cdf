/** Rows 1, 2, 4, 6 and 7: files, solvers as parts, sizes, what a change keeps, names of core. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { type BlockSolver, World } from '@tautline/core'
import { hinge } from '@tautline/constraints'
import { gzipped } from '../../../tools/bundle.js'
import { packageFolders } from '../../../tools/docs/declarations.js'
import { figure, type ReportRow } from '../report.js'

const MOST_LINES = 450
const MOST_CIRCLES = 4
const MOST_NAMES = 45
const kB = 1000

function sourceFiles(): string[] {
  return [...packageFolders().values()].flatMap((folder) =>
    readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, 'src', name)),
  )
}

/** Files that a file imports, types included. */
function importsOf(file: string): string[] {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => resolve(dirname(file), fileName.replace(/\.js$/, '.ts')))
}

/** Sets of files that import each other, all of those that can be reached from one another (Tarjan 1972). */
function circles(files: readonly string[]): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (file: string): void => {
    const own = index.size
    index.set(file, own)
    low.set(file, own)
    open.push(file)
    for (const next of importsOf(file)) {
      if (!index.has(next)) visit(next)
      else if (!open.includes(next)) continue
      low.set(file, Math.min(low.get(file) as number, low.get(next) as number))
    }
    if (low.get(file) !== own) return
    const members = open.splice(open.indexOf(file))
    if (members.length > 1) found.push(members)
  }
  for (const file of files) if (!index.has(file)) visit(file)
  return found.sort((a, b) => b.length - a.length)
}

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

const SIZES = [
  ['world + distance', 40, `export { World } from '@tautline/core'; export { distance } from '@tautline/constraints'`],
  [
    'world + lineDistance',
    30,
    `export { World } from '@tautline/core'; export { lineDistance } from '@tautline/constraints'`,
  ],
  [
    'collisions with three shapes',
    80,
    `export { World } from '@tautline/core'; export { box, Collisions, plane, sphere } from '@tautline/collision'`,
  ],
  ['every type', 69, `export { World } from '@tautline/core'; export * from '@tautline/constraints'`],
] as const

export const structure: readonly ReportRow[] = [
  {
    id: '1',
    claim: 'Files form no circles, and none is long',
    asked: `0 circles beyond named pairs, ≤ ${MOST_CIRCLES} in all; no file over ${MOST_LINES} lines`,
    scene: 'packages/*/src, imports of types alone included',
    measure() {
      const files = sourceFiles()
      const found = circles(files)
      const long = files
        .map((file) => [relative('packages', file), readFileSync(file, 'utf8').split('\n').length - 1] as const)
        .filter(([, lines]) => lines > MOST_LINES)
        .sort((a, b) => b[1] - a[1])
      return {
        figures:
          `${found.length} circles, of ${found.map(({ length }) => length).join(', ')} of ${files.length} files; ` +
          `${long.length} files too long: ${long.map(([name, lines]) => `${name} ${lines}`).join(', ')}`,
        holds: found.every(({ length }) => length === 2) && found.length <= MOST_CIRCLES && long.length === 0,
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
      const step = [...packageFolders().values()]
        .map((folder) => join(folder, 'src', 'step.ts'))
        .find((file) => file.includes('core'))
      const named = importsOf(step as string).filter((file) => /[\\/]direct[\\/]|island|lines/.test(file))
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
    asked: SIZES.map(([name, most]) => `${name} ≤ ${most} kB`).join(', '),
    scene: 'bundles of the sources, minified and gzipped',
    async measure() {
      const sizes = await Promise.all(SIZES.map(async ([, , code]) => (await gzipped(code)) / kB))
      return {
        figures: SIZES.map(([name], k) => `${name} ${figure(sizes[k])} kB`).join(', '),
        holds: SIZES.every(([, most], k) => sizes[k] <= most),
      }
    },
  },
  {
    id: '6',
    claim: 'Handles have identity, and a change keeps what it does not name',
    asked:
      'what the world gives back is === what add gave, also after restore; fields of a drive stay; a report prints as JSON',
    scene: 'one hinge with a drive',
    measure() {
      const world = new World()
      const b = world.addBody({ inertia: 1 })
      const drive = { stiffness: 10, damping: 3 }
      const joint = world.add(hinge, { b, point: [0, 0, 0], axis: [0, 0, 1], drive })
      const snapshot = world.snapshot()
      world.step()
      world.restore(snapshot)
      const isSame = world.constraints()[0] === (joint as object) && world.bodies.all()[0] === b
      joint.set({ drive: { velocityTarget: 2 } })
      const kept = joint.def.drive?.stiffness === 10 && joint.def.drive.damping === 3
      const text = JSON.stringify({ report: world.report, joint, b })
      return { figures: `same: ${isSame}; kept: ${kept}; JSON of ${text.length} characters`, holds: isSame && kept }
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
