/** Sheets that fall: in free air, on a sphere and a floor, and on themselves. */

import {
  meanStretch,
  type SheetChoice,
  type SheetEngine,
  sheetOf,
  sphereRadius,
  THICKNESS,
} from '../assemblies/sheet.js'
import { timed } from '../harness/clock.js'
import { type BenchScene, orNull, type Task } from '../harness/scene.js'

const DT = 1 / 60
const SECONDS = 3

async function engineOf(name: string): Promise<SheetEngine> {
  switch (name) {
    case 'tautline':
      return (await import('../assemblies/engines/tautline.js')).engine
    case 'tautline-simd':
      return (await import('../assemblies/engines/tautline.js')).withKernels
    case 'jolt':
      return (await import('../assemblies/engines/jolt.js')).engine
    case 'rapier':
      return (await import('../assemblies/engines/rapier.js')).engine
    case 'plain':
      return (await import('../assemblies/engines/plain.js')).engine
    default:
      throw new RangeError(`bench: engine must be tautline, tautline-simd, jolt, rapier or plain, got ${name}`)
  }
}

type Scene = Pick<BenchScene, 'name' | 'text' | 'contenders' | 'precision' | 'quick'> & Omit<SheetChoice, 'work'>

function falling({ n, on, self, ...scene }: Scene): BenchScene {
  return {
    family: 'Cloth',
    sample: 'step of 1/60 s',
    // In the air: what follows is touch, or free fall.
    warmUp: 20,
    samples: SECONDS * 60 - 20,
    ...scene,
    open: (name, work) => open(name, { n, on, self, work }),
  }
}

async function open(name: string, choice: SheetChoice): Promise<Task> {
  const sheet = sheetOf(choice.n)
  const began = performance.now()
  const engine = await engineOf(name)
  await engine.load()
  const loaded = performance.now()
  const rows = engine.setup(choice)
  const setup = performance.now() - loaded
  const now = new Float64Array(sheet.positions.length)
  let [sum, depth, count] = [0, 0, 0]
  return {
    note: engine.note,
    init: loaded - began,
    setup,
    run(isMeasured) {
      const took = timed(() => {
        engine.step(DT)
      })
      if (isMeasured) {
        engine.positions(now)
        sum += meanStretch(sheet, now)
        const deep = depthOf(now, choice)
        depth = deep <= depth ? depth : deep
        count++
      }
      return took
    },
    figures: () => ({
      stretch: orNull(sum / count),
      ...(choice.on !== 'nothing' && { depth: orNull(depth) }),
      ...(choice.self && { overlap: orNull(overlapOf(now)) }),
      rows,
    }),
  }
}

/** Deepest that a vertex, as a ball, is in what it falls on [m]. */
function depthOf(x: Float64Array, { n, on }: SheetChoice): number {
  if (on === 'nothing') return 0
  const radius = sphereRadius(n)
  let depth = 0
  for (let o = 0; o < x.length; o += 3) {
    const y = x[o + 1] - radius
    const away = Math.sqrt(x[o] * x[o] + y * y + x[o + 2] * x[o + 2])
    const deep = Math.max(radius + THICKNESS - away, on === 'sphere and floor' ? THICKNESS - x[o + 1] : 0)
    depth = deep <= depth ? depth : deep
  }
  return depth
}

/** By how much the two nearest vertices, as balls, lie in each other [m]. */
function overlapOf(x: Float64Array): number {
  let least = 4 * THICKNESS * THICKNESS
  for (let p = 0; p < x.length; p += 3) {
    for (let q = 0; q < p; q += 3) {
      const [dx, dy, dz] = [x[p] - x[q], x[p + 1] - x[q + 1], x[p + 2] - x[q + 2]]
      least = Math.min(least, dx * dx + dy * dy + dz * dz)
    }
  }
  return 2 * THICKNESS - Math.sqrt(least)
}

const SHEET = '2 cm between vertices, `cloth()` at its defaults; work: substeps, of Jolt iterations'
const ENGINES = ['tautline', 'tautline-simd', 'jolt', 'rapier'] as const

export const fallingCloth = [
  falling({
    name: 'sheet-free',
    text: `sheet of 50 × 50 vertices in free fall, ${SHEET}`,
    quick: 60,
    n: 50,
    on: 'nothing',
    self: false,
    contenders: ENGINES.map((engine) => ({ engine, usual: [4] })),
  }),
  falling({
    name: 'drape-50',
    text: `sheet of 50 × 50 vertices that falls on a sphere and a floor, ${SHEET}`,
    quick: 120,
    n: 50,
    on: 'sphere and floor',
    self: false,
    precision: 'stretch',
    contenders: ENGINES.map((engine) => ({ engine, usual: [4], others: [1, 2, 8, 16] })),
  }),
  falling({
    name: 'drape-100',
    text: `sheet of 100 × 100 vertices that falls on a sphere and a floor, ${SHEET}`,
    n: 100,
    on: 'sphere and floor',
    self: false,
    contenders: ENGINES.map((engine) => ({ engine, usual: [5] })),
  }),
  falling({
    name: 'self-78',
    text: `sheet of 78 × 78 vertices that falls on a sphere, a floor and itself, by its vertices, ${SHEET}; \`plain\` is a hash grid by hand`,
    n: 78,
    on: 'sphere and floor',
    self: true,
    contenders: ['tautline', 'tautline-simd', 'plain', 'rapier'].map((engine) => ({ engine, usual: [10] })),
  }),
]
