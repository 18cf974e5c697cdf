/** Says what a build is at: a line at its beginning and at its end, and where there is a terminal the modules that are read meanwhile. */

import type { Plugin } from 'vite'

/** From one writing of the count to the next [ms]. */
const PAUSE = 100

/** What is written to. */
export interface Out {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** A plugin that tells. `now` is a clock [ms]. */
export function buildProgress(what: string, out: Out = process.stdout, now: () => number = Date.now): Plugin {
  let [start, told, count] = [0, 0, 0]
  const line = (text: string): unknown => out.write(out.isTTY === true ? `\r\x1b[K${text}` : `${text}\n`)
  return {
    name: 'build-progress',
    buildStart() {
      start = told = now()
      count = 0
      line(`Builds ${what} …`)
    },
    moduleParsed() {
      count++
      if (out.isTTY !== true || now() - told < PAUSE) return
      told = now()
      line(`Builds ${what}: ${count} modules read …`)
    },
    renderStart() {
      if (out.isTTY === true) line(`Builds ${what}: ${count} modules read, writes them …`)
    },
    closeBundle() {
      line(`Built ${what} of ${count} modules in ${((now() - start) / 1000).toFixed(1)} s.`)
      if (out.isTTY === true) out.write('\n')
    },
  }
}
