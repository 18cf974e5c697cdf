/** Scenes in which Tautline is compared with itself: balls in a bin with and without restitution, bridges of rope and planks beside figures. */

import { attach, ragdoll, rope } from '@tautline/assemblies'
import { box, Collisions } from '@tautline/collision'
import { World } from '@tautline/core'
import { ballsInBin, BIN, RADIUS } from '../../examples/scenes/contacts/bin.js'
import { timed } from '../harness/clock.js'
import type { BenchScene, Task } from '../harness/scene.js'
import { limitedFigures } from '../rigid/figures.js'

const DT = 1 / 60
const WARM_UP = 60
const SAMPLES = 300
/** Default substeps of a world, and those that the bench takes. */
const WORKS = [8, 4]

const RESTITUTION = 0.3
/** Ten planks on two ropes, which start taut or with slack. */
function bridge(substeps: number, isTaut: boolean): World {
  const world = new World({ substeps })
  const collisions = new Collisions(world, { sleeping: false })
  const planks = 10
  const span = 0.5 * planks
  const sides = [-0.6, 0.6].map((z) =>
    rope(world, {
      from: [0, 0, z],
      to: [span, 0, z],
      length: span * (isTaut ? 1 : 1.05),
      start: 'world',
      end: 'world',
      segments: 2 * planks,
      mass: span,
      collides: false,
    }),
  )
  for (let k = 0; k < planks; k++) {
    const y = sides[0].nodes[2 * k + 1].position[1]
    const body = collisions.addBody({
      shape: box([0.2, 0.03, 0.7]),
      mass: 5,
      position: [0.25 + 0.5 * k, y, 0],
      friction: 0.6,
    })
    for (const { nodes } of sides) {
      const node = nodes[2 * k + 1]
      const [px, py, pz] = node.position
      attach(world, node, { body, point: [px, py, pz] })
    }
  }
  return world
}

/** Ten figures of 15 parts on a floor. */
function figures(substeps: number): World {
  const { fixed, friction, figures: data } = limitedFigures(10, 15)
  const world = new World({ substeps })
  const collisions = new Collisions(world, { sleeping: false })
  for (const { halfExtents, position } of fixed)
    collisions.addCollider(null, { shape: box(halfExtents), position, friction })
  for (const place of data?.places ?? []) ragdoll(world, data!.asset, { ...place, friction, gripFriction: friction })
  return world
}

function taskOf(make: () => World): Task {
  const began = performance.now()
  const world = make()
  return {
    note: 'TypeScript, f64',
    init: 0,
    setup: performance.now() - began,
    run: () =>
      timed(() => {
        world.step(DT)
      }),
    figures: () => ({}),
    hash: () => world.hash(),
  }
}

/** A scene whose contenders are variants of it. */
function own(name: string, text: string, variants: Readonly<Record<string, (substeps: number) => World>>): BenchScene {
  return {
    name,
    family: 'Tautline beside itself',
    text,
    sample: 'step of 1/60 s',
    warmUp: WARM_UP,
    samples: SAMPLES,
    contenders: Object.keys(variants).map((engine) => ({ engine, usual: WORKS })),
    open: (engine, work) => Promise.resolve(taskOf(() => variants[engine](work))),
  }
}

const bins = [64, 150].map((count) =>
  own(`bin-${count}`, `${count} balls of ${RADIUS} m in a bin of ${2 * BIN} m, restitution 0 and ${RESTITUTION}`, {
    plain: (substeps) => ballsInBin(count, 0, substeps)[0],
    bouncy: (substeps) => ballsInBin(count, RESTITUTION, substeps)[0],
  }),
)

const bridges = own(
  'bridge',
  'two ropes with ten planks of 5 kg, slack (5 %) and taut, beside ten figures of 15 parts',
  {
    figures,
    slack: (substeps) => bridge(substeps, false),
    taut: (substeps) => bridge(substeps, true),
  },
)

export const ownScenes: readonly BenchScene[] = [...bins, bridges]
