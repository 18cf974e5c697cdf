/** Another revision's packages under this checkout's scenes, beside each other for the time of a run. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { linkDependencies } from '../../examples/lib/link-dependencies.js'

/** Folders that scenes and the bench are made of. */
const OURS = ['bench', 'examples']
/** What is not copied: dependencies are linked, the rest is large and unused. */
const LEFT = ['node_modules', 'dist']

/** A checkout of `revision` whose scenes are those of `root`. Throws where git knows no such revision. */
export function checkout(root: string, revision: string): { readonly tree: string; remove(): void } {
  const tree = mkdtempSync(join(tmpdir(), 'tautline-bench-'))
  const git = (...given: string[]): void => {
    execFileSync('git', given, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  }
  const remove = (): void => {
    git('worktree', 'remove', '--force', tree)
    rmSync(tree, { recursive: true, force: true })
  }
  git('worktree', 'add', '--detach', tree, revision)
  try {
    for (const folder of OURS) {
      rmSync(join(tree, folder), { recursive: true, force: true })
      cpSync(join(root, folder), join(tree, folder), {
        recursive: true,
        filter: (source) => !LEFT.includes(basename(source)),
      })
    }
    linkDependencies(root, tree)
  } catch (error) {
    remove()
    throw error
  }
  return { tree, remove }
}
