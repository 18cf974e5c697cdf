/** Mutants that once lived: each is planted into its source in memory, and the tests named with it must fail. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Ends a run that hangs [ms]. */
const HANGS = 900_000

/** An entry of `planted.json`. */
export interface Planted {
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replacement: string
  readonly tests: readonly string[]
  /** Part of the names of the tests. */
  readonly name: string
}

/** Whether tests pass, with one mutant planted or without any. */
function passes({ tests, name }: Pick<Planted, 'tests' | 'name'>, planted: Planted | null): boolean {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tools/mutation/vitest.config.ts', '--bail', '1']
  const { status } = spawnSync(process.execPath, [...vitest, '-t', name, ...tests], {
    cwd: ROOT,
    stdio: 'ignore',
    timeout: HANGS,
    env: { ...process.env, PLANTED: JSON.stringify(planted) },
  })
  return status === 0
}

/** Counts the mutants that their tests kill, and describes the others. */
export function runPlanted(): { count: number; killed: number; faults: string[] } {
  const all = JSON.parse(readFileSync(join(ROOT, 'tools/mutation/planted.json'), 'utf8')) as Planted[]
  const tests = [...new Set(all.flatMap((mutant) => mutant.tests))]
  const name = [...new Set(all.map((mutant) => mutant.name))].join('|')
  if (!passes({ tests, name }, null)) {
    return { count: all.length, killed: 0, faults: ['the tests fail without a mutant'] }
  }
  const faults = all.flatMap((mutant) => {
    if (!readFileSync(join(ROOT, mutant.file), 'utf8').includes(mutant.find)) {
      return [`${mutant.what}: ${mutant.file} no longer has the text to replace`]
    }
    return passes(mutant, mutant) ? [`${mutant.what}: lives`] : []
  })
  return { count: all.length, killed: all.length - faults.length, faults }
}
