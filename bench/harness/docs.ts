/** Writes a run into docs/performance.md, its tables, its plots and the chart of ragdoll piles. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sceneNamed, SCENES } from '../scenes/index.js'
import { machineText } from './machine.js'
import { byScene, workPrecision } from './plots.js'
import type { BenchRun } from './run-data.js'
import { type Measured, sceneTable, summary } from './tables.js'

/** Piles of growing size, in one chart. */
const PILES = ['ragdolls-10', 'ragdolls-40', 'ragdolls-100']

/** Of parts of the page that are made: `<!-- bench NAME -->` to `<!-- end -->`. */
const PART = /(<!-- bench ([^>]+?) -->\n)[\s\S]*?(<!-- end -->)/g

export function writeDocs(root: string, run: BenchRun): void {
  const folder = join(root, 'docs/performance')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'data.json'), `${JSON.stringify(run, digits)}\n`)
  const plots = run.scenes.flatMap(({ scene, outcomes }) => {
    const svg = workPrecision(sceneNamed(scene), outcomes)
    if (svg === undefined) return []
    writeFileSync(join(folder, `${scene}.svg`), svg)
    return [scene]
  })
  const piles = run.scenes.filter(({ scene }) => PILES.includes(scene))
  const chart = byScene(piles, 'gap', 'worst joint gap [mm]')
  if (chart !== undefined) writeFileSync(join(folder, 'ragdolls.svg'), chart)
  writeFileSync(join(folder, 'tables.md'), allTables(run))
  const page = join(root, 'docs/performance.md')
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replaceAll(
      PART,
      (_, open: string, name: string, close: string) => `${open}\n${part(name, run, plots)}\n\n${close}`,
    ),
  )
}

function part(name: string, run: BenchRun, plots: readonly string[]): string {
  if (name === 'machine') return `${machineText(run.machine)}.${run.quick ? ' A quick run.' : ''}`
  const measured = ofFamily(run, name)
  const pictures = measured
    .filter(({ scene }) => plots.includes(scene))
    .map(({ scene }) => `![${scene}: error against time](performance/${scene}.svg)`)
  const table = measured.length === 0 ? 'Not in this run.' : summary(measured.map(withScene))
  return [table, ...pictures].join('\n\n')
}

function withScene(measured: Measured): Measured & { readonly precision: ReturnType<typeof sceneNamed>['precision'] } {
  return { ...measured, precision: sceneNamed(measured.scene).precision }
}

function ofFamily(run: BenchRun, family: string): Measured[] {
  return run.scenes.filter(({ scene }) => sceneNamed(scene).family === family)
}

function allTables(run: BenchRun): string {
  const families = [...new Set(SCENES.map(({ family }) => family))]
  const text = families.flatMap((family) => {
    const measured = ofFamily(run, family)
    if (measured.length === 0) return []
    return [`## ${family}`, ...measured.map(({ scene, outcomes }) => sceneTable(sceneNamed(scene), outcomes))]
  })
  const head = `# All tables of the bench

Made by \`npm run bench -- --docs\`; how to read them is in [performance.md](../performance.md).

${machineText(run.machine)}.`
  return `${[head, ...text].join('\n\n')}\n`
}

/** Four digits are more than runs agree in. */
function digits(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
