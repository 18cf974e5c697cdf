/** All that the page of an exhibit needs, loaded when the first one is opened. */

import type { Entry } from './catalogue.js'
import type { Exhibit } from './exhibit.js'
import { loadExhibit } from './load.js'
import { fromQuery, type Values } from './settings.js'
import { settingsOf } from './show.js'
import { solverOf } from './stepper.js'
import { Page, type PageActions } from './ui/page.js'
import type { Script } from './ui/script-editor.js'

export { readPage, type PageReading } from './page-handle.js'

/** Makes the page of an exhibit, as the query of a link has it. */
export async function openExhibit(entry: Entry, query: string, actions: PageActions): Promise<Page> {
  const exhibit = await loadExhibit(entry)
  const values = valuesOf(exhibit, query)
  const script = exhibit.extra === 'editor' ? await loadScript() : undefined
  await solverOf(values)
  return new Page(exhibit, values, actions, script, new URLSearchParams(query).get('text'))
}

/** Settings that a query has for an exhibit. */
export function valuesOf(exhibit: Exhibit, query: string): Values {
  return fromQuery(settingsOf(exhibit), query)
}

async function loadScript(): Promise<Script> {
  const { script } = await import('./ui/script-editor.js')
  return script
}
