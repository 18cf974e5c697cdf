/** Soft bodies of tetrahedra that fall on a floor. */

import { BODY_ENGINES, engineOf } from '../assemblies/body-engines.js'
import { bodyMesh, lowest, MESHES, RADIUS, volumeOf } from '../assemblies/body.js'
import { timed } from '../harness/clock.js'
import { type BenchScene, orNull, type Task } from '../harness/scene.js'

const DT = 1 / 60
/** Default substeps of a world. */
const DEFAULT = 8

function soft(mesh: (typeof MESHES)[number]): BenchScene {
  const isPlotted = mesh === 'cube'
  return {
    name: `soft-${mesh}`,
    family: 'Soft bodies',
    text: `${mesh} of 0.5 m filled with about 1000 tetrahedra, 100 kPa, falls 1 m on a floor; work: substeps, of Jolt iterations`,
    sample: 'step of 1/60 s',
    warmUp: 20,
    samples: 220,
    ...(isPlotted && { quick: 100, precision: 'volumeError' }),
    contenders: BODY_ENGINES.map((engine) => ({
      engine,
      usual: engine.startsWith('tautline') ? [5, DEFAULT] : [5],
      ...(isPlotted && { others: [2, 10, 20] }),
    })),
    open: (name, work) => open(name, work, mesh),
  }
}

async function open(name: string, work: number, meshName: (typeof MESHES)[number]): Promise<Task> {
  const known = BODY_ENGINES.find((engine) => engine === name)
  if (known === undefined) throw new RangeError(`bench: engine must be one of ${BODY_ENGINES.join(', ')}, got ${name}`)
  const mesh = bodyMesh(meshName)
  const began = performance.now()
  const engine = await engineOf(known)
  await engine.load()
  const loaded = performance.now()
  const rows = engine.setup({ mesh, work })
  const setup = performance.now() - loaded
  const x = mesh.positions.slice()
  const rest = volumeOf(mesh, x)
  let [loss, depth] = [0, 0]
  return {
    note: engine.note,
    init: loaded - began,
    setup,
    run() {
      const took = timed(() => {
        engine.step(DT)
      })
      engine.positions(x)
      const [lost, deep] = [1 - volumeOf(mesh, x) / rest, RADIUS - lowest(x)]
      // Not a number is worse than any.
      loss = lost <= loss ? loss : lost
      depth = deep <= depth ? depth : deep
      return took
    },
    figures: () => ({ volumeError: orNull(loss), depth: orNull(depth), rows }),
  }
}

export const softBodies = MESHES.map(soft)
