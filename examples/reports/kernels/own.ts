/** Rows 4.3 to 8: kernels beside our own loops: accuracy, bits, copies, sizes and start-up. */

import { build } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { hangingBeam } from '../assemblies/soft.js'
import { figure, figures, median, type Measured, type ReportRow, skipped } from '../report.js'
import { bits } from '../speed/kernels.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** How far the sag may be off beam theory, and how many times as long as swept it may take. */
const [OFF, TWICE] = [0.05, 2]
/** Edges across the beam, and steps. */
const [ACROSS, STEPS] = [3, 150]

/** Median time of a step [ms], and how far the sag is off in the end. */
function hang(solver?: 'sweep'): { time: number; off: number } {
  const { world, off } = hangingBeam(ACROSS, solver === undefined ? {} : { solver })
  const times = Array.from({ length: STEPS }, () => {
    const start = performance.now()
    world.step()
    return performance.now() - start
  })
  return { time: median(times), off: Math.abs(off()) }
}

const beam: ReportRow = {
  id: '4.3',
  claim: 'A filled beam at its defaults sags as beam theory has it',
  asked: `within ${100 * OFF} %, in at most ${TWICE} times the time of sweeps`,
  scene: `0.4 × 0.1 × 0.1 m, ${ACROSS} edges across, held at an end, ${STEPS} steps, without contacts`,
  measure() {
    // The two alternate; the first round warms up.
    const rounds = Array.from({ length: 3 }, () => [hang(), hang('sweep')]).slice(1)
    const ratio = median(rounds.map(([whole, swept]) => whole.time / swept.time))
    const [whole, swept] = rounds[0]
    return Promise.resolve({
      figures: `${figure(100 * whole.off)} % off, swept ${figure(100 * swept.off)} %; ${figure(ratio)} times the time of sweeps`,
      holds: whole.off <= OFF && ratio <= TWICE,
    })
  },
}

/** Kilobytes that the compiled loops may have, gzipped. */
const SIZE = 45

const copies: ReportRow = {
  id: '6',
  claim: 'Loops that are written twice, and the size of compiled ones',
  asked: `0 second copies, but for those in lanes that gain 1.3 times; ≤ ${SIZE} kB gzipped`,
  scene: 'files of packages/simd/assembly; lanes by the use of v128',
  measure() {
    const folder = `${ROOT}/packages/simd/assembly`
    const texts = readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    const lines = (list: readonly string[]): number =>
      list.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0)
    const lanes = texts.filter((text) => text.includes('v128'))
    const size = gzipSync(readFileSync(`${ROOT}/packages/simd/src/binary.ts`)).length / 1000
    return Promise.resolve({
      figures: `${lanes.length} files in lanes, ${lines(lanes)} lines; ${figure(size)} kB gzipped`,
      holds: lanes.length === 0 && size <= SIZE,
    })
  },
}

const before: ReportRow = {
  id: '7',
  claim: 'TypeScript alone is no slower than before kernels were compiled from it',
  asked: '≤ 1.0 of the time before, in rows 1 to 4',
  scene: '`npm run accept -- --against REVISION` compares the times of all scenes',
  measure: () => Promise.resolve(skipped('needs a checkout of another revision')),
}

/** [ms], and how often a process is started. */
const [START, STARTS] = [30, 9]

/** A process that makes a world with kernels, and tells how long that and its first step took [ms]. */
const PROGRAM = `
import { World } from '@tautline/core'
import { distance } from '@tautline/constraints'
import { simd } from '@tautline/simd'
const start = performance.now()
const world = new World({ kernels: simd() })
const bodies = Array.from({ length: 100 }, (_, k) => world.addBody({ mass: 1, position: [k, 0, 0] }))
for (let k = 1; k < 100; k++) world.add(distance, { a: bodies[k - 1], b: bodies[k] })
world.step()
console.log(performance.now() - start)
`

async function startUp(): Promise<Measured> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: `${ROOT}/examples` },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@tautline/source'],
    logLevel: 'error',
  })
  const times = Array.from({ length: STARTS }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-'], { input: outputFiles[0].text })),
  )
  const sorted = [...times].sort((a, b) => a - b)
  return {
    figures: `${figures([sorted[STARTS >> 1], sorted[STARTS - 1]])} ms (median, worst of ${STARTS})`,
    holds: sorted[STARTS >> 1] <= START,
  }
}

const start: ReportRow = {
  id: '8',
  claim: 'Kernels start at once: decode, compile, a world of a hundred particles and its first step',
  asked: `≤ ${START} ms`,
  scene: 'a process of its own, one minified file; median',
  measure: startUp,
}

export const ownRows: readonly ReportRow[] = [beam, { ...bits, id: '5' }, copies, before, start]
