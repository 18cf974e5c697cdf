/** Another revision's packages under this checkout's scenes, beside each other for the time of a run. */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

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
    for (const member of ['.', ...OURS, ...packagesOf(tree)]) linkDependencies(root, tree, member)
  } catch (error) {
    remove()
    throw error
  }
  return { tree, remove }
}

function packagesOf(tree: string): string[] {
  return readdirSync(join(tree, 'packages')).map((name) => join('packages', name))
}

/** What is installed here serves there too, but for our own packages, which are those of the tree. */
function linkDependencies(root: string, tree: string, member: string): void {
  const installed = join(root, member, 'node_modules')
  if (!existsSync(installed)) return
  for (const name of dependenciesIn(installed)) {
    const link = join(tree, member, 'node_modules', name)
    const real = realpathSync(join(installed, name))
    const own = real.startsWith(join(realpathSync(root), 'packages/'))
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(own ? join(tree, 'packages', basename(real)) : real, link)
  }
}

/** Names in a `node_modules`, those in scopes too. */
function dependenciesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => join(name, inner)) : [name],
    )
}
