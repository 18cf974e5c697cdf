/** Rollback: a snapshot and the way back, of a hundred bodies in the air and of a hundred in a heap. */

import { anyRotation, lattice } from '../../examples/scenes/contacts/layouts.js'
import { timed } from '../harness/clock.js'
import type { BenchScene, Task } from '../harness/scene.js'
import { randomNumbers } from '../lib/scenes.js'
import { FLOOR, PLAIN, type SceneData } from '../rigid/data.js'
import type { RigidEngine } from '../rigid/contract.js'
import { rigidEngine } from '../rigid/engine.js'

const COUNT = 100
const DT = 1 / 60
/** Steps until the heap lies. */
const FALL = 90
/** Turns a sample: one is shorter than a clock can tell. */
const TURNS = 20
const SEED = 5

function data(isHeap: boolean): SceneData {
  const random = randomNumbers(SEED)
  const places = lattice([5, 4, 5], isHeap ? 0.9 : 3, 0.5)
  return {
    ...PLAIN,
    fixed: isHeap ? [FLOOR] : [],
    bodies: places.map((position) => ({
      shape: { kind: 'box', halfExtents: [0.25, 0.2, 0.3] },
      position,
      orientation: anyRotation(random),
      mass: 100,
    })),
  }
}

function rollback(name: string, text: string, isHeap: boolean): BenchScene {
  return {
    name: `snapshot-${name}`,
    family: 'Snapshots and set-up',
    text: `${COUNT} boxes ${text}: a snapshot and going back to it`,
    sample: `snapshot and restore, of ${TURNS} in a row; where an engine can, into memory of the last one`,
    warmUp: 100,
    samples: 400,
    quick: 200,
    contenders: [
      { engine: 'tautline', usual: [4] },
      { engine: 'jolt', usual: [1] },
      { engine: 'rapier-simd', usual: [4] },
    ],
    open: (engine, work) => open(engine, work, isHeap),
  }
}

async function open(name: string, work: number, isHeap: boolean): Promise<Task> {
  const began = performance.now()
  const engine: RigidEngine = await rigidEngine(name)
  await engine.load()
  const loaded = performance.now()
  engine.setup(data(isHeap), work)
  const setup = performance.now() - loaded
  for (let step = 0; step < FALL; step++) engine.step(DT)
  const take = (): NonNullable<ReturnType<NonNullable<RigidEngine['snapshot']>>> => {
    if (engine.snapshot === undefined) throw new Error(`${name} has no snapshots`)
    return engine.snapshot()
  }
  const bytes = take().bytes()
  return {
    note: `${engine.note(work)}${name === 'rapier-simd' ? '; going back makes a new world' : ''}`,
    init: loaded - began,
    setup,
    run() {
      return timed(() => {
        for (let turn = 0; turn < TURNS; turn++) take().restore()
      }, TURNS)
    },
    figures: () => (bytes === null ? {} : { bytes: bytes / COUNT }),
  }
}

export const snapshots = [
  rollback('free', 'in free fall, far from each other', false),
  rollback('heap', 'in a heap on a floor, a second and a half after they were let go', true),
]
