/** What a body and a row cost by how many there are: `work` is the number of them. */

import { distance } from '@tautline/constraints'
import { solidBox, World } from '@tautline/core'
import { sheet } from '../../examples/scenes/trees/cloth.js'
import { timed } from '../harness/clock.js'
import type { BenchScene, Figures, Task } from '../harness/scene.js'

const SIZES = [100, 1000, 10_000, 100_000]
const DT = 1 / 60
const SUBSTEPS = 4

const SCENE = {
  family: 'By size',
  sample: 'step of 1/60 s',
  warmUp: 40,
  samples: 100,
  quick: 40,
  contenders: [{ engine: 'tautline', usual: SIZES }],
} as const

function taskOf(world: World, setup: number, figures: (median: number) => Figures): Task {
  return {
    note: `TypeScript, f64; ${SUBSTEPS} substeps; work: how many`,
    init: 0,
    setup,
    run() {
      return timed(() => {
        world.step(DT)
      })
    },
    figures,
    hash: () => world.hash(),
  }
}

/** A sheet of so many rows, about as wide as it is high. */
async function rowsOf(count: number): Promise<Task> {
  const began = performance.now()
  const side = Math.max(2, Math.round(0.5 + Math.sqrt(0.25 + count / 4)))
  const { positions, masses, edges, diagonals } = sheet(side)
  const world = new World({ substeps: SUBSTEPS })
  const bodies = world.addBodies({ count: masses.length, positions, mass: masses })
  for (const pairs of [edges, diagonals]) {
    for (let e = 0; e < pairs.length; e += 2) world.add(distance, { a: bodies[pairs[e]], b: bodies[pairs[e + 1]] })
  }
  const rows = (edges.length + diagonals.length) / 2
  return taskOf(world, performance.now() - began, (median) => ({ rows, perRow: median / rows }))
}

/** So many boxes that fall and spin, each alone. */
async function bodiesOf(count: number): Promise<Task> {
  const began = performance.now()
  const world = new World({ substeps: SUBSTEPS })
  const inertia = solidBox(1, [0.2, 0.3, 0.4])
  for (let k = 0; k < count; k++) {
    world.addBody({ position: [k, 0, 0], mass: 1, inertia, angularVelocity: [1, 0.1 * (k % 7), 0.3] })
  }
  return taskOf(world, performance.now() - began, (median) => ({ perBody: median / count }))
}

export const scaling: readonly BenchScene[] = [
  {
    ...SCENE,
    name: 'by-rows',
    text: `hanging sheets of 10², 10³, 10⁴, 10⁵ distance rows, ${SUBSTEPS} substeps`,
    open: (_, count) => rowsOf(count),
  },
  {
    ...SCENE,
    name: 'by-bodies',
    text: `10², 10³, 10⁴, 10⁵ boxes that fall and spin, each alone, ${SUBSTEPS} substeps`,
    open: (_, count) => bodiesOf(count),
  },
]
