/** Row 8: pages that are found, tables that are fresh, a README for each package. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders, readDeclarations } from '../../../tools/docs/declarations.js'
import { allLinks } from '../../../tools/docs/links.js'
import { readHandles } from '../../../tools/docs/handles.js'
import { stalePages, writtenPages } from '../../../tools/docs/pages.js'
import { lacking } from '../../../tools/docs/table.js'
import type { ReportRow } from '../report.js'

/** What a README of a package has: a snippet, and sections by these names. */
const SECTIONS = ['## Install', '## Use', '## Weight', '## Docs']

function isReadme(folder: string): boolean {
  const path = join(folder, 'README.md')
  if (!existsSync(path)) return false
  const text = readFileSync(path, 'utf8')
  return text.includes('```ts\n') && SECTIONS.every((section) => text.includes(section))
}

export const docs: readonly ReportRow[] = [
  {
    id: '8',
    claim: 'Every page is found, tables of fields are those of the declarations, each package says what it is',
    asked:
      'all files of docs reached from the README, 0 dead links; 0 stale pages; 0 fields without words or default; all packages',
    scene: 'README.md, CONTRIBUTING.md, docs, READMEs and declarations of all packages',
    measure() {
      const { dead, unreached, files, links } = allLinks()
      const declared = readDeclarations()
      const pages = writtenPages(declared, readHandles())
      const stale = stalePages(pages)
      const mute = declared.flatMap(lacking)
      const fields = declared.reduce((sum, each) => sum + each.fields.length, 0)
      const folders = [...packageFolders().values()]
      const withReadme = folders.filter(isReadme)
      return {
        figures:
          `${files - unreached.length} of ${files} files reached, ${dead.length} of ${links} links dead; ` +
          `${declared.length} tables with ${fields} fields on ${pages.size} pages, ${stale.length} stale, ${mute.length} fields mute; ` +
          `${withReadme.length} of ${folders.length} packages with a README`,
        holds:
          unreached.length + dead.length + stale.length + mute.length === 0 && withReadme.length === folders.length,
      }
    },
  },
]
