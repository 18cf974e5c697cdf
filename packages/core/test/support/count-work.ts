/** For scripts that say how much work something is: counts blocks of code that run, which is the same on every machine. */

import { type Profiler, Session } from 'node:inspector'

const session = new Session()

/** Begins to count. Sources have to be imported afterwards: V8 counts blocks only of what it compiles from here on. */
export function startCounting(): void {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** Blocks of the sources of packages that ran since the last call. */
export function takeCount(): number {
  let count = 0
  session.post('Profiler.takePreciseCoverage', (error, { result }: Profiler.TakePreciseCoverageReturnType) => {
    if (error !== null) throw error
    for (const { url, functions } of result) {
      if (!/\/packages\/[^/]+\/src\//.test(url)) continue
      for (const { ranges } of functions) for (const range of ranges) count += range.count
    }
  })
  return count
}
