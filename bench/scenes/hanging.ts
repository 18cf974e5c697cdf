/** Cloth that hangs by two corners: whether its threads keep their lengths. */

import { clothOf, HANGING_CLOTH, stretchOf } from '../../examples/scenes/trees/cloth.js'
import { timed } from '../harness/clock.js'
import { type BenchScene, orNull, type Task } from '../harness/scene.js'
import type { ClothEngine } from '../trees/engine.js'

const DT = 1 / 60
const SIZES = [32, 64, 128]
/** Largest that more than the usual settings are tried on. */
const PLOTTED = 32

async function engineOf(name: string): Promise<ClothEngine> {
  if (name === 'jolt') return (await import('../trees/engines/jolt.js')).engine
  const own = await import('../trees/engines/tautline.js')
  const engines = [own.lines, own.rows, own.linesWithKernels, own.rowsWithKernels]
  return engines.find((engine) => engine.name === name) ?? own.rows
}

function hanging(n: number): BenchScene {
  const isPlotted = n === PLOTTED
  return {
    name: `cloth-${n}`,
    family: 'Cloth',
    text: `sheet of ${n} × ${n} vertices, 2 m and 1 kg, hung by two corners as far apart as it is wide, swings down from the horizontal; edges and both diagonals without compliance, drag ${HANGING_CLOTH.drag} 1/s`,
    sample: 'step of 1/60 s',
    warmUp: 60,
    samples: 240,
    ...(n < 128 && { quick: 120 }),
    ...(isPlotted && { precision: 'stretch' }),
    contenders: [
      { engine: 'tautline-lines', usual: [4], ...(isPlotted && { others: [1, 2, 8, 16] }) },
      { engine: 'tautline-rows', usual: [4], ...(isPlotted && { others: [1, 2, 8, 16] }) },
      { engine: 'tautline-lines-simd', usual: [4] },
      { engine: 'tautline-rows-simd', usual: [4] },
      { engine: 'jolt', usual: [4, 10], ...(isPlotted && { others: [2, 20, 40] }) },
    ],
    open: (name, work) => open(name, work, n),
  }
}

async function open(name: string, work: number, n: number): Promise<Task> {
  const choice = { kind: 'sheet', n } as const
  const cloth = clothOf(choice)
  const began = performance.now()
  const engine = await engineOf(name)
  await engine.load()
  const loaded = performance.now()
  engine.setup(choice, { work, drag: HANGING_CLOTH.drag })
  const setup = performance.now() - loaded
  const now = new Float64Array(cloth.positions.length)
  let [sum, most, count] = [0, 0, 0]
  return {
    note: `${engine.note}; work: ${name === 'jolt' ? 'iterations' : 'substeps'}`,
    init: loaded - began,
    setup,
    run(isMeasured) {
      const took = timed(() => {
        engine.step(DT)
      })
      if (isMeasured) {
        engine.positions(now)
        const { mean, max } = stretchOf(cloth, now)
        sum += mean
        most = max <= most ? most : max
        count++
      }
      return took
    },
    figures(median) {
      const rows = (cloth.edges.length + cloth.diagonals.length) / 2
      return { stretch: orNull(sum / count), maxStretch: orNull(most), rows, perPass: median / rows / work }
    },
  }
}

export const hangingCloth = SIZES.map(hanging)
