/** Exhibits, loaded one by one: a page carries what its scene needs. */

import { CATALOGUE, type Entry } from './catalogue.js'
import type { Exhibit } from './exhibit.js'

const MODULES = import.meta.glob<Readonly<Record<string, unknown>>>(['./exhibits/*.ts', '!./exhibits/index.ts'])

/** The entry of an id. */
export function entryOf(id: string): Entry | undefined {
  return CATALOGUE.find((entry) => entry.id === id)
}

/** Loads the exhibit of an entry. */
export async function loadExhibit({ id, file }: Entry): Promise<Exhibit> {
  const module = await MODULES[`./exhibits/${file}.ts`]()
  const found = Object.values(module).find((value): value is Exhibit => (value as Partial<Exhibit> | null)?.id === id)
  if (found === undefined) throw new RangeError(`gallery: ${file} must export the exhibit ${id}, got none`)
  return found
}
