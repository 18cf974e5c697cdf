/** Runs the gate of another git revision, with its packages and its scenes, in a checkout beside this one. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkDependencies } from '../lib/link-dependencies.js'
import { readRun, type Run } from './saved.js'

/** The gate's own file, by which a revision is known to have one. */
const GATE = 'examples/accept/run.ts'

/** Whether git knows a revision of this name. */
export function isRevision(root: string, name: string): boolean {
  return spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: root }).status === 0
}

/** Runs some scenes there. Throws where the revision has no gate, or its gate does not run. */
export function runRevision(root: string, revision: string, scenes: readonly string[]): Run {
  const tree = mkdtempSync(join(tmpdir(), 'tautline-accept-'))
  const git = (...given: string[]): void => {
    execFileSync('git', given, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  git('worktree', 'add', '--detach', tree, revision)
  try {
    if (!existsSync(join(tree, GATE))) {
      throw new RangeError(`accept: revision must contain the gate (${GATE}), got ${revision}, which does not`)
    }
    linkDependencies(root, tree)
    return runIn(tree, scenes)
  } finally {
    git('worktree', 'remove', '--force', tree)
    rmSync(tree, { recursive: true, force: true })
  }
}

/** Runs the gate of a checkout whose dependencies are linked; scenes that it does not have are left out. */
export function runIn(tree: string, scenes: readonly string[]): Run {
  const file = join(tree, 'accept-run.json')
  const names = gateOf(tree, ['--list'])
    .stdout.split('\n')
    .map((line) => line.split(' ')[0])
  const shared = scenes.filter((scene) => names.includes(scene))
  const { stderr } = gateOf(tree, ['--save', file, ...shared.flatMap((scene) => ['--scene', scene])])
  if (!existsSync(file))
    throw new Error(`accept: the gate in ${tree} must run, got ${(stderr ?? '').trim().split('\n').at(-1) ?? ''}`)
  return readRun(file)
}

function gateOf(tree: string, args: readonly string[]): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['--import', 'tsx', '--conditions=@tautline/source', GATE, ...args], {
    cwd: tree,
    encoding: 'utf8',
    // Progress is shown on a terminal.
    stdio: ['ignore', 'pipe', process.stderr.isTTY ? 'inherit' : 'pipe'],
  })
}
