/** How long it takes to make a world of 10⁵ rows, the first order of its rows included. */

import { distance } from '@tautline/constraints'
import { World } from '@tautline/core'
import { sheet } from '../../examples/scenes/trees/cloth.js'
import { timed } from '../harness/clock.js'
import type { BenchScene, Task } from '../harness/scene.js'

const SIDE = 159

export const setUp: BenchScene = {
  name: 'set-up',
  family: 'Snapshots and set-up',
  text: `sheet of ${SIDE} × ${SIDE} particles with edges and diagonals, about 10⁵ rows: bodies and rows added from arrays, rows ordered`,
  sample: 'world made',
  warmUp: 2,
  samples: 10,
  quick: 5,
  contenders: [
    { engine: 'tautline', usual: [4] },
    { engine: 'jolt', usual: [4] },
  ],
  open: (engine, work) => (engine === 'jolt' ? joltSheet(work) : tautlineSheet(work)),
}

async function tautlineSheet(work: number): Promise<Task> {
  const { positions, masses, edges, diagonals } = sheet(SIDE)
  let rows = 0
  return {
    note: `TypeScript, f64; \`addBodies\`, \`addConstraints\`, ${work} substeps`,
    init: 0,
    setup: 0,
    run() {
      const took = timed(() => {
        const world = new World({ substeps: work })
        const bodies = world.addBodies({ count: masses.length, positions, mass: masses })
        for (const indices of [edges, diagonals]) world.addConstraints(distance, { bodies, indices })
        world.refreshOrder()
      })
      rows = (edges.length + diagonals.length) / 2
      return took
    },
    figures: (median) => ({ rows, perRow: median / rows }),
  }
}

async function joltSheet(work: number): Promise<Task> {
  const { engine } = await import('../trees/engines/jolt.js')
  await engine.load()
  const { edges, diagonals } = sheet(SIDE)
  const rows = (edges.length + diagonals.length) / 2
  return {
    note: engine.note,
    init: 0,
    setup: 0,
    run() {
      return timed(() => {
        engine.setup({ kind: 'sheet', n: SIDE }, { work, drag: 0 })
      })
    },
    figures: (median) => ({ rows, perRow: median / rows }),
  }
}
