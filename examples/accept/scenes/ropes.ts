/** Ropes: a bridge, a drum with two loads, a winch. */

import { attach, rope } from '@tautline/assemblies'
import { box, Collisions, cylinder, sphere } from '@tautline/collision'
import { type Body, solidSphere, World } from '@tautline/core'
import { atEnd, largest, sumOf, topSpeed, worstOf } from '../measure.js'
import type { AcceptScene } from '../scene.js'

const PLANKS = 10
const PLANK = 0.5

const bridge: AcceptScene = {
  name: 'rope-bridge',
  text: `two ropes with ${PLANKS} planks of 5 kg attached, a ball of 80 kg falls on it, 1.5 s`,
  steps: 90,
  bounds: { time: 8, energy: 0.01, penetration: 0.01, unsolved: 0, guarded: 10 },
  make() {
    const world = new World()
    const collisions = new Collisions(world)
    const span = PLANK * PLANKS
    const sides = [-0.6, 0.6].map((z) =>
      rope(world, {
        from: [0, 0, z],
        to: [span, 0, z],
        length: span * 1.05,
        start: 'world',
        end: 'world',
        segments: 2 * PLANKS,
        mass: span,
        collides: false,
      }),
    )
    const gaps: (() => number)[] = []
    for (let k = 0; k < PLANKS; k++) {
      const y = sides[0].nodes[2 * k + 1].position[1]
      const plank = collisions.addBody({
        shape: box([0.2, 0.03, 0.7]),
        mass: 5,
        position: [PLANK * (k + 0.5), y, 0],
        friction: 0.6,
      })
      for (const line of sides) {
        const node = line.nodes[2 * k + 1]
        attach(world, node, { body: plank, point: [...node.position] as [number, number, number] })
        const local = plank.toBody(node.position)
        gaps.push(() => distance(node.position, plank.toWorld(local)))
      }
    }
    collisions.addBody({ shape: sphere(0.25), mass: 80, position: [span / 2, 0.5, 0], friction: 0.5 })
    return {
      world,
      collisions,
      measures: [
        worstOf('gap', 'joint gap', 1e-5, () => largest(gaps, (gap) => gap())),
        worstOf('share', 'stretch', 0.002, () => largest(sides, ({ stretch }) => Math.abs(stretch))),
      ],
    }
  },
}

function distance(p: ArrayLike<number>, q: ArrayLike<number>): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** Of the drum and of the rope [m]. */
const [DRUM, THIN] = [0.1, 0.01]

/** A rope over a fixed drum, a load at each end. */
function overDrum(name: string, loads: readonly [number, number], friction: number, slips: number): AcceptScene {
  return {
    name,
    text: `a rope of 2 m and default segments over a drum of ${DRUM} m, ${loads.join(' and ')} kg at its ends, friction ${friction}, 2 s`,
    steps: 120,
    bounds: { time: 5, energy: 0.01, unsolved: 0 },
    make() {
      const world = new World()
      const collisions = new Collisions(world)
      const orientation = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const
      collisions.addCollider(null, { shape: cylinder(DRUM, 0.5), orientation, friction })
      const r = DRUM + THIN
      const down = 0.5 * (2 - Math.PI * r)
      const arc = Array.from({ length: 17 }, (_, k) => {
        const a = Math.PI * (1 - k / 16)
        return [r * Math.cos(a), r * Math.sin(a), 0]
      })
      const points = [[-r, -down, 0], ...arc, [r, -down, 0]].flat()
      const ends = loads.map((mass, k) =>
        world.addBody({ position: [k === 0 ? -r : r, -down - 0.2, 0], mass, inertia: solidSphere(mass, 0.1) }),
      ) as [Body, Body]
      const line = rope(world, {
        points,
        radius: THIN,
        friction,
        start: { body: ends[0], point: [-r, -down, 0] },
        end: { body: ends[1], point: [r, -down, 0] },
      })
      const starts = ends.map(({ position }) => position[1])
      const into = (): number => largest(line.nodes, ({ position: [x, y] }) => DRUM - Math.sqrt(x * x + y * y))
      return {
        world,
        collisions,
        measures: [
          worstOf('depth', 'rope in the drum', 0.002, () => Math.max(0, into())),
          worstOf('share', 'stretch', 0.01, () => Math.abs(line.stretch)),
          atEnd(
            'length',
            'slip of the loads',
            slips,
            () => largest(ends, ({ position }, k) => Math.abs(position[1] - starts[k])),
            {
              absolute: 0.01,
            },
          ),
        ],
      }
    },
  }
}

const LOAD = 40

const winch: AcceptScene = {
  name: 'winch',
  text: `a winch takes in 2 m of a rope with ${LOAD} kg on it, 4 s: its work is the energy gained`,
  steps: 240,
  bounds: { time: 2, energy: 0.002, unsolved: 0 },
  hasWork: true,
  make() {
    const world = new World()
    const load = world.addBody({ position: [0, -3, 0], mass: LOAD, inertia: solidSphere(LOAD, 0.2) })
    const line = rope(world, {
      from: [0, 0, 0],
      to: [0, -3, 0],
      segments: 15,
      start: 'world',
      end: load,
      growthRate: 1,
    })
    let [work, length, pull] = [0, line.length, line.tensionAt(0)]
    let start = NaN
    const share = (): number => Math.abs((world.energy().total - start) / work - 1)
    return {
      world,
      before(step) {
        if (step !== 60) return
        start = world.energy().total
        work = 0
        line.length = 1
      },
      measures: [
        {
          ...atEnd('share', 'work and energy apart', 0.01, share),
          sample() {
            const now = line.tensionAt(0)
            work += 0.5 * (pull + now) * (length - line.length)
            length = line.length
            pull = now
          },
        },
        worstOf('share', 'stretch', 0.001, () => Math.abs(line.stretch)),
        atEnd('speed', 'speed at the end', 0.05, () => topSpeed([load])),
        sumOf('count', 'steps with the load above the winch', 0, () => (load.position[1] > 0 ? 1 : 0)),
      ],
    }
  },
}

export const ropes: readonly AcceptScene[] = [
  bridge,
  overDrum('rope-drum', [10, 10], 0.3, 0.05),
  // e^{μπ} is 2.57 at 0.3: 10 kg hold 22.
  overDrum('rope-drum-friction', [10, 22], 0.3, 0.05),
  winch,
]
