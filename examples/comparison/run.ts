/**
 * Makes docs/comparison anew: `npm run comparison`, or `npm run comparison -- NAME …` for some scenes, printed and not kept.
 * Takes about half an hour; times are this machine's, and only their ratios count.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { comparisonScenes } from '../scenes/impulse/index.js'
import { BUDGETS, type Contest, contest } from './contest.js'
import { sweepsPlot, workPrecision } from './plots.js'
import { tables } from './tables.js'

/** Scenes whose convergence by sweeps is drawn. */
const CONVERGING = ['chain 1:1', 'chain 1:100', 'bridge', 'arch']

const folder = fileURLToPath(new URL('../../docs/comparison/', import.meta.url))
const named = process.argv.slice(2)

if (named[0] === '--draw') draw(JSON.parse(readFileSync(`${folder}data.json`, 'utf8'), infinite) as Contest[])
else if (named.length > 0) console.log(tables(await contest(named, BUDGETS)))
else {
  const contests = await contest(
    comparisonScenes.map(({ name }) => name),
    BUDGETS,
    (name) => console.log(`done: ${name}`),
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}data.json`, `${JSON.stringify(contests, digits)}\n`)
  draw(contests)
}

function draw(contests: readonly Contest[]): void {
  for (const found of contests) {
    const file = `${folder}${found.scene.replaceAll(/[^a-z0-9]+/g, '-')}`
    writeFileSync(`${file}-time.svg`, workPrecision(found, 'time'))
    writeFileSync(`${file}-updates.svg`, workPrecision(found, 'updates'))
    if (CONVERGING.includes(found.scene)) writeFileSync(`${file}-sweeps.svg`, sweepsPlot(found))
  }
  writeFileSync(`${folder}tables.md`, tables(contests))
}

/** Four digits are more than runs agree in; JSON has no Infinity. */
function digits(_key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null
}

function infinite(_key: string, value: unknown): unknown {
  return value === null ? Infinity : value
}
