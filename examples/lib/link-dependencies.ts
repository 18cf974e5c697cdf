/** Dependencies of this checkout for another one, whose own packages stay its own. */

import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Folders with dependencies of their own, beside the packages. */
const MEMBERS = ['.', 'bench', 'examples']

/** Links what is installed in `root` into the checkout `tree`. */
export function linkDependencies(root: string, tree: string): void {
  for (const member of [...MEMBERS, ...packagesOf(tree)]) linkMember(root, tree, member)
}

function packagesOf(tree: string): string[] {
  return readdirSync(join(tree, 'packages')).map((name) => join('packages', name))
}

/** What is installed here serves there too, but for our own packages, which are those of the tree. */
function linkMember(root: string, tree: string, member: string): void {
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
