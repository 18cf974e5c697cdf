/** Real files that do not come with the repository: beside it in ../shared/data, or where TAUTLINE_DATA says. */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = process.env.TAUTLINE_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url))

/** Bytes of a file of the data folder; `undefined` where it is absent. */
export function dataFile(name: string): Uint8Array | undefined {
  const path = `${FOLDER}/${name}`
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined
}
