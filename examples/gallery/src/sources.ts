/** Sources of exhibits, loaded one by one, where code is shown. */

import type { Entry } from './catalogue.js'

const SOURCES = import.meta.glob<string>(['./exhibits/*.ts', '!./exhibits/index.ts'], {
  query: '?raw',
  import: 'default',
})

/** Loads the source of an exhibit, as it is kept. */
export function loadSource({ file }: Entry): Promise<string> {
  return SOURCES[`./exhibits/${file}.ts`]()
}
